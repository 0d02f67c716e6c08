// Builds a scene from its parts, including the ids of removed items: for files that store edited scenes.
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
  std::vector<std::array<BodyId, 2>> ignored;  ///< ascending, unique, the smaller id first
  std::vector<Vec3> positions;
  std::vector<BodyId> vertex_body;  ///< kNoBody: removed
  std::vector<Triangle> triangles;  ///< kRemovedTriangle: removed

  /// Returns a hash of the sequence of changes that made the scene.
  static std::uint64_t history(const Scene& scene) { return scene.history_; }

  /// Builds the scene. Preconditions: all ids refer to existing items, except removed bodies in `ignored`; all
  /// vertices of a triangle belong to one body.
  static Scene make(SceneAccess&& parts) {
    Scene scene;
    scene.bodies_.reserve(parts.bodies.size());
    for (const auto& [vertices, motion, groups, meets, removed] : parts.bodies) {
      scene.bodies_.push_back({vertices, motion, groups, meets, removed});
    }
    scene.ignored_ = std::move(parts.ignored);
    Scene::Arrays& arrays = scene.own_arrays();
    arrays.positions = std::move(parts.positions);
    arrays.vertex_body = std::move(parts.vertex_body);
    arrays.triangles = std::move(parts.triangles);
    // The revision counts one change per body, one per ignored pair, and one edit for the rest.
    scene.revision_ = scene.bodies_.size() + scene.ignored_.size() + 1;
    Hash64 hash;
    for (const Triangle& t : arrays.triangles) {
      hash.add(t[0], t[1]);
      hash.add(t[2], 0);
    }
    for (const BodyId body : arrays.vertex_body) hash.add(body, 0);
    scene.history_ = hash.value();
    return scene;
  }
};

}  // namespace graze::scene
