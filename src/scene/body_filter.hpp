// Which pairs of bodies a query looks at, for pairs of vertices: a feature belongs to the body of its vertices.
//
// Without filters it costs one test of a flag; with them, two look-ups and the scene's own test.
#pragma once

#include <graze/scene.hpp>

#include "core/namespaces.hpp"

namespace graze::scene {

class BodyFilter {
 public:
  /// The scene is referred to; call update() when it has changed.
  explicit BodyFilter(const Scene& scene) : scene_(&scene), all_(scene.tests_all_pairs()) {}
  /// O(bodies).
  void update() { all_ = scene_->tests_all_pairs(); }

  [[nodiscard]] bool tests_all() const { return all_; }
  /// Whether features with these vertices are tested against each other. Precondition: none was removed.
  [[nodiscard]] bool tests(VertexId a, VertexId b) const {
    return all_ || scene_->tests_pair(scene_->body_of(a), scene_->body_of(b));
  }

 private:
  const Scene* scene_;
  bool all_;
};

}  // namespace graze::scene
