// Scene: checks a body whole before it takes any of it. Cost: O(vertices + triangles) of the body.
#include <graze/scene.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/assert.hpp"
#include "mesh/topology.hpp"
#include "pipeline/validate.hpp"

namespace graze {

namespace {

void check_counts(const Scene& scene, const Body& body) {
  constexpr std::size_t kMaxVertices = std::numeric_limits<VertexId>::max();
  if (body.positions.size() > kMaxVertices - scene.vertex_count()) {
    throw InputError(fmt::format("body {}: {} vertices after {} make more than the {} that a scene can number",
                                 scene.body_count(), body.positions.size(), scene.vertex_count(), kMaxVertices));
  }
  if (body.triangles.size() > kMaxTriangles - scene.triangle_count()) {
    throw InputError(fmt::format("body {}: {} triangles after {} make more than the {} that a scene can number",
                                 scene.body_count(), body.triangles.size(), scene.triangle_count(), kMaxTriangles));
  }
}

void check_triangles(std::size_t body_id, const Body& body) {
  for (std::size_t t = 0; t < body.triangles.size(); ++t) {
    for (const VertexId v : body.triangles[t]) {
      if (v >= body.positions.size()) {
        throw InputError(fmt::format("body {}: triangle {}: vertex id {} is out of range, the body has {} vertices",
                                     body_id, t, v, body.positions.size()));
      }
    }
  }
}

/// Room for `more` items, growing by doubling so that many small bodies cost linear time.
template <typename T>
void make_room(std::vector<T>& v, std::size_t more) {
  if (v.capacity() - v.size() < more) v.reserve(std::max(v.size() + more, 2 * v.capacity()));
}

}  // namespace

BodyId Scene::add_body(const Body& body) {
  check_counts(*this, body);
  for (std::size_t v = 0; v < body.positions.size(); ++v) {
    const char axis = axis_not_finite(body.positions[v]);
    if (axis != 0) {
      throw InputError(fmt::format("body {}: vertex {}: {} is {}, not a finite number", body_count(), v, axis,
                                   coordinate(body.positions[v], axis)));
    }
  }
  check_triangles(body_count(), body);

  // The views may lie in this scene's own arrays, and memory may run out: copy and make room first; what follows
  // cannot fail.
  const std::vector<Vec3> positions(body.positions.begin(), body.positions.end());
  std::vector<Triangle> triangles(body.triangles.begin(), body.triangles.end());
  make_room(positions_, positions.size());
  make_room(triangles_, triangles.size());
  make_room(bodies_, 1);
  const auto first = static_cast<VertexId>(positions_.size());
  for (Triangle& t : triangles) t = {t[0] + first, t[1] + first, t[2] + first};
  positions_.insert(positions_.end(), positions.begin(), positions.end());
  triangles_.insert(triangles_.end(), triangles.begin(), triangles.end());
  bodies_.push_back({.vertices = {first, static_cast<VertexId>(positions_.size())},
                     .motion = body.motion,
                     .groups = body.groups,
                     .meets = body.meets});
  return static_cast<BodyId>(bodies_.size() - 1);
}

void Scene::ignore_pair(BodyId a, BodyId b) {
  for (const BodyId body : {a, b}) {
    if (body >= body_count()) {
      throw InputError(fmt::format("ignore_pair: there is no body {}, the scene has {}", body, body_count()));
    }
  }
  const std::array<BodyId, 2> pair{std::min(a, b), std::max(a, b)};
  const auto place = std::lower_bound(ignored_.begin(), ignored_.end(), pair);
  if (place == ignored_.end() || *place != pair) ignored_.insert(place, pair);
}

bool Scene::tests_pair(BodyId a, BodyId b) const {
  GRAZE_ASSERT(a < body_count() && b < body_count());
  if ((bodies_[a].groups & bodies_[b].meets) == 0 || (bodies_[b].groups & bodies_[a].meets) == 0) return false;
  return !std::binary_search(ignored_.begin(), ignored_.end(), std::array{std::min(a, b), std::max(a, b)});
}

bool Scene::tests_all_pairs() const {
  std::uint32_t groups = 0;
  for (const Entry& body : bodies_) groups |= body.groups;
  return ignored_.empty() && std::all_of(bodies_.begin(), bodies_.end(), [&](const Entry& body) {
           return body.groups != 0 && (body.meets & groups) == groups;
         });
}

BodyId Scene::body_of(VertexId vertex) const {
  GRAZE_ASSERT(vertex < vertex_count());
  const auto owner = std::upper_bound(bodies_.begin(), bodies_.end(), vertex,
                                      [](VertexId v, const Entry& entry) { return v < entry.vertices.last; });
  return static_cast<BodyId>(owner - bodies_.begin());
}

}  // namespace graze
