// What an edit comes to: the difference between the scene before it and after it, whatever the operations were.
//
// Every list holds a thing once, ascending, and only if it is different in the end. Size: proportional to the
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
  /// The state that it is for.
  std::uint64_t revision = 0;
  std::uint64_t history = 0;
  std::size_t vertices_before = 0;
  std::size_t triangles_before = 0;
  std::size_t bodies_before = 0;

  MeshChange mesh;

  /// Ids from vertices_before on; kNoBody: removed in the same edit.
  struct NewVertex {
    BodyId body = kNoBody;
    Vec3 position;
  };
  std::vector<NewVertex> new_vertices;

  /// A vertex that was there and is another body's now, or removed: after is kNoBody.
  struct MovedVertex {
    VertexId vertex = 0;
    BodyId before = kNoBody;
    BodyId after = kNoBody;
  };
  std::vector<MovedVertex> moved_vertices;

  /// Ids from bodies_before on.
  struct NewBody {
    Scene::VertexRange vertices;
    Motion motion = Motion::Deforming;
    std::uint32_t groups = 0;
    std::uint32_t meets = 0;
    bool removed = false;  ///< in the same edit
  };
  std::vector<NewBody> new_bodies;
  std::vector<BodyId> removed_bodies;                ///< of those that were there
  std::vector<std::array<BodyId, 2>> ignored_pairs;  ///< new ones, the smaller id first
};

}  // namespace graze::scene
