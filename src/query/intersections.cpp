// See query/intersections.hpp.
#include "query/intersections.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/sort.hpp"
#include "mesh/features.hpp"
#include "narrow/triangle_contact.hpp"
#include "query/adjacent_triangles.hpp"

namespace graze::query {

namespace {

/// A sorted set of features, and for each the triangles that have it.
template <typename Feature>
class TriangleLists {
 public:
  explicit TriangleLists(std::vector<Feature> features) : features_(std::move(features)) {
    parallel_sort(features_);
    features_.erase(std::unique(features_.begin(), features_.end()), features_.end());
    lists_.resize(features_.size());
  }

  [[nodiscard]] std::span<const Feature> features() const { return features_; }
  [[nodiscard]] const std::vector<TriangleId>& operator[](const Feature& feature) const {
    return lists_[static_cast<std::size_t>(place(feature) - features_.begin())];
  }
  /// Precondition: calls come in ascending order of triangles. A call may be repeated.
  void add(const Feature& feature, TriangleId triangle) {
    const auto at = place(feature);
    if (at == features_.end() || *at != feature) return;
    std::vector<TriangleId>& list = lists_[static_cast<std::size_t>(at - features_.begin())];
    if (list.empty() || list.back() != triangle) list.push_back(triangle);
  }

 private:
  [[nodiscard]] auto place(const Feature& feature) const {
    return std::lower_bound(features_.begin(), features_.end(), feature);
  }

  std::vector<Feature> features_;
  std::vector<std::vector<TriangleId>> lists_;
};

/// Appends the pairs of triangles of which one has the edge and the other is the face of a pair in `found`.
/// Triangles with a common vertex are tested if they are asked for; `x` has the positions.
void add_triangle_pairs(const Scene& scene, std::span<const Intersection> found, std::span<const Vec3> x,
                        const IntersectionOptions& options, MemoryBudget& budget, std::vector<TrianglePair>& pairs,
                        TierCounts& tiers) {
  if (found.empty()) return;
  budget.charge(scene.vertex_count());
  std::vector<Edge> edge_list;
  std::vector<Face> face_list;
  for (const auto& [edge, face] : found) {
    edge_list.push_back(edge);
    face_list.push_back(face);
  }
  TriangleLists<Edge> edges(std::move(edge_list));
  TriangleLists<Face> faces(std::move(face_list));

  // Marks the vertices of the intersecting edges and faces: most triangles have no marked vertex and are skipped.
  constexpr unsigned kOfEdge = 1;
  constexpr unsigned kOfFace = 2;
  std::vector<std::uint8_t> marks(scene.vertex_count(), 0);
  const auto mark = [&](VertexId v, unsigned bit) { marks[v] = static_cast<std::uint8_t>(marks[v] | bit); };
  for (const Edge& edge : edges.features()) {
    for (const VertexId v : edge) mark(v, kOfEdge);
  }
  for (const Face& face : faces.features()) {
    for (const VertexId v : face) mark(v, kOfFace);
  }
  const std::span<const Triangle> triangles = scene.triangles();
  for (TriangleId t = 0; t < triangles.size(); ++t) {
    const Triangle& ids = triangles[t];
    if (ids[0] == kNoVertex) continue;
    const std::array<unsigned, 3> bits = {marks[ids[0]], marks[ids[1]], marks[ids[2]]};
    if ((bits[0] & bits[1] & bits[2] & kOfFace) != 0) faces.add(face_of(ids), t);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      if ((bits[k] & bits[next] & kOfEdge) == 0 || ids[k] == ids[next]) continue;
      edges.add({std::min(ids[k], ids[next]), std::max(ids[k], ids[next])}, t);
    }
  }

  for (const auto& [edge, face] : found) {
    const std::vector<TriangleId>& others = faces[face];
    for (const TriangleId a : edges[edge]) {
      const bool adjacent = share_vertex(triangles[a], face);
      if (adjacent && !options.adjacent) continue;
      budget.charge(2 * sizeof(pairs[0]) * others.size());
      for (const TriangleId b : others) {
        if (adjacent && !overlap_beyond_common_vertex(triangles[a], triangles[b], x, tiers)) continue;
        pairs.push_back({std::min(a, b), std::max(a, b)});
      }
    }
  }
}

std::vector<TriangleOverlap> overlaps_of(const Scene& scene, std::span<const TrianglePair> pairs,
                                         std::span<const Vec3> x) {
  std::vector<TriangleOverlap> overlaps(pairs.size());
  parallel_for(0, pairs.size(), 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto corners = [&](TriangleId t) {
        const Triangle& ids = scene.triangles()[t];
        return std::array{x[ids[0]], x[ids[1]], x[ids[2]]};
      };
      bool exact = false;
      const narrow::TriangleContact contact =
          narrow::triangle_contact(corners(pairs[i].a), corners(pairs[i].b), exact);
      overlaps[i] = {contact.shape, contact.p, contact.q};
    }
  });
  return overlaps;
}

}  // namespace

Intersections find_intersections(ContactMethod& method, const QueryContext& query, std::span<const Vec3> x,
                                 const IntersectionOptions& options) {
  Intersections result = method.intersections(query, x);
  const Stopwatch rest;
  MemoryBudget budget(query.options.memory_cap);
  budget.charge(result.stats.memory_bytes + result.edge_face.capacity() * sizeof(Intersection));
  std::vector<TrianglePair>& pairs = result.triangle_pairs;
  add_triangle_pairs(query.scene, result.edge_face, x, options, budget, pairs, result.stats.tiers);
  if (options.adjacent) find_overlapping_neighbours(query, x, budget, pairs, result.stats.tiers);
  parallel_sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  pairs.shrink_to_fit();
  if (options.overlaps) {
    budget.charge(pairs.size() * sizeof(TriangleOverlap));
    result.overlaps = overlaps_of(query.scene, pairs, x);
  }
  result.stats.narrow_ms += rest.ms();
  return result;
}

std::vector<Intersection> sorted_intersections(std::vector<Intersection> found) {
  parallel_sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  found.shrink_to_fit();
  return found;
}

}  // namespace graze::query
