// Result of a scene edit: the difference between the scene before and after it, whatever the operations were.
//
// Every list is ascending, contains an item once, and only if it differs in the end. Size: proportional to the
// change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "mesh/mesh_change.hpp"

namespace graze::scene {

struct SceneChange {
  /// State of the scene that the change applies to.
  std::uint64_t revision = 0;
  std::uint64_t history = 0;
  std::size_t vertices_before = 0;
  std::size_t triangles_before = 0;
  std::size_t bodies_before = 0;

  MeshChange mesh;

  /// Added vertex; ids continue from vertices_before. kNoBody: removed in the same edit.
  struct NewVertex {
    BodyId body = kNoBody;
    Vec3 position;
  };
  std::vector<NewVertex> new_vertices;

  /// Existing vertex that now belongs to another body, or was removed: then `after` is kNoBody.
  struct MovedVertex {
    VertexId vertex = 0;
    BodyId before = kNoBody;
    BodyId after = kNoBody;
  };
  std::vector<MovedVertex> moved_vertices;

  /// Added body; ids continue from bodies_before.
  struct NewBody {
    Scene::VertexRange vertices;
    Motion motion = Motion::Deforming;
    std::uint32_t groups = 0;
    std::uint32_t meets = 0;
    bool removed = false;  ///< removed in the same edit
  };
  std::vector<NewBody> new_bodies;
  std::vector<BodyId> removed_bodies;                ///< existing bodies that were removed
  std::vector<std::array<BodyId, 2>> ignored_pairs;  ///< added pairs, the smaller id first
};

}  // namespace graze::scene
