// See vertex_stars.hpp.
#include "mesh/vertex_stars.hpp"

namespace graze::mesh {

namespace {

/// Calls take(v, t) for the different vertices v of each triangle t.
template <typename Take>
void for_each_corner(std::span<const Triangle> triangles, const Take& take) {
  for (TriangleId t = 0; t < triangles.size(); ++t) {
    const Triangle& ids = triangles[t];
    if (ids[0] == kNoVertex) continue;
    take(ids[0], t);
    if (ids[1] != ids[0]) take(ids[1], t);
    if (ids[2] != ids[0] && ids[2] != ids[1]) take(ids[2], t);
  }
}

}  // namespace

VertexStars::VertexStars(std::span<const Triangle> triangles, std::size_t vertex_count)
    : begin_(vertex_count + 1, 0) {
  for_each_corner(triangles, [&](VertexId v, TriangleId) { ++begin_[v + 1]; });
  for (std::size_t v = 0; v < vertex_count; ++v) begin_[v + 1] += begin_[v];
  triangles_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for_each_corner(triangles, [&](VertexId v, TriangleId t) { triangles_[next[v]++] = t; });
}

}  // namespace graze::mesh
