// Makes a scene of its parts, slots of what was removed included: for files that keep edited scenes.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <graze/scene.hpp>

#include "core/hash.hpp"
#include "scene/scene_change.hpp"

namespace graze::scene {

struct SceneAccess {
  std::vector<SceneChange::NewBody> bodies;
  std::vector<std::array<BodyId, 2>> ignored;  ///< ascending, each once, the smaller id first
  std::vector<Vec3> positions;
  std::vector<BodyId> vertex_body;  ///< kNoBody: removed
  std::vector<Triangle> triangles;  ///< kRemovedTriangle: removed

  /// A hash of how a scene became what it is.
  static std::uint64_t history(const Scene& scene) { return scene.history_; }

  /// Precondition: all ids are of things that are there, but for removed bodies in `ignored`; a triangle has one
  /// body.
  static Scene make(SceneAccess&& parts) {
    Scene scene;
    scene.bodies_.reserve(parts.bodies.size());
    for (const auto& [vertices, motion, groups, meets, removed] : parts.bodies) {
      scene.bodies_.push_back({vertices, motion, groups, meets, removed});
    }
    scene.ignored_ = std::move(parts.ignored);
    scene.positions_ = std::move(parts.positions);
    scene.vertex_body_ = std::move(parts.vertex_body);
    scene.triangles_ = std::move(parts.triangles);
    // As if the bodies had been added and the pairs ignored, and one edit had made the rest.
    scene.revision_ = scene.bodies_.size() + scene.ignored_.size() + 1;
    Hash64 hash;
    for (const Triangle& t : scene.triangles_) {
      hash.add(t[0], t[1]);
      hash.add(t[2], 0);
    }
    for (const BodyId body : scene.vertex_body_) hash.add(body, 0);
    scene.history_ = hash.value();
    return scene;
  }
};

}  // namespace graze::scene
