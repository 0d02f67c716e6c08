// Which pairs of bodies a query looks at, for pairs of vertices: a feature belongs to the body of its vertices.
//
// Without filters it costs one test of a flag; with them, two look-ups and the scene's own test.
#pragma once

#include <vector>

#include <graze/scene.hpp>

namespace graze {

class BodyFilter {
 public:
  /// The scene is referred to.
  explicit BodyFilter(const Scene& scene) : scene_(&scene), all_(scene.tests_all_pairs()) {
    if (all_) return;
    bodies_.reserve(scene.vertex_count());
    for (BodyId body = 0; body < scene.body_count(); ++body) {
      const auto [first, last] = scene.vertices(body);
      bodies_.insert(bodies_.end(), last - first, body);
    }
  }

  [[nodiscard]] bool tests_all() const { return all_; }
  /// Whether features with these vertices are tested against each other.
  [[nodiscard]] bool tests(VertexId a, VertexId b) const {
    return all_ || scene_->tests_pair(bodies_[a], bodies_[b]);
  }

 private:
  const Scene* scene_;
  bool all_;
  std::vector<BodyId> bodies_;  // by vertex
};

}  // namespace graze
