// Body filter: decides which pairs of bodies a query tests, given pairs of vertices. A feature belongs to the body
// of its vertices.
//
// Cost: one test of a flag if the scene has no filters, else two lookups and Scene::tests_pair().
#pragma once

#include <graze/scene.hpp>

#include "core/namespaces.hpp"

namespace graze::scene {

class BodyFilter {
 public:
  /// References the scene; call update() after it has changed.
  explicit BodyFilter(const Scene& scene) : scene_(&scene), all_(scene.tests_all_pairs()) {}
  /// O(bodies).
  void update() { all_ = scene_->tests_all_pairs(); }

  [[nodiscard]] bool tests_all() const { return all_; }
  /// Returns whether features with these vertices are tested against each other. Precondition: neither vertex was
  /// removed.
  [[nodiscard]] bool tests(VertexId a, VertexId b) const {
    return all_ || scene_->tests_pair(scene_->body_of(a), scene_->body_of(b));
  }

 private:
  const Scene* scene_;
  bool all_;
};

}  // namespace graze::scene
