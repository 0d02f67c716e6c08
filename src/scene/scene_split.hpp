// Where groups of triangles hang together, for the operations of an edit that take them apart.
//
// Cost: O(k log k) in the triangles looked at: the fan of a vertex, the fans of all vertices of the groups, or a
// body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/scene.hpp>

#include "scene/scene_overlay.hpp"

namespace graze::scene {

/// Of the triangles at a vertex, those that hang together (by edges at it) with the edge to `other`, cut at that
/// edge: the parts, ordered by their smallest triangle. One part, if it is held together elsewhere.
std::vector<std::vector<TriangleId>> parts_across_edge(const SceneOverlay& scene, VertexId v, VertexId other);

/// A vertex of some groups of triangles, and who uses it: part 0 is the triangles of no group, i + 1 is group i.
/// Users ascend by part; a triangle stands with one of them.
struct SharedVertex {
  struct User {
    std::uint32_t part = 0;
    std::vector<TriangleId> triangles;
  };
  VertexId vertex = 0;
  std::vector<User> users;
};

/// All vertices of the groups, ascending.
std::vector<SharedVertex> vertices_of_groups(const SceneOverlay& scene,
                                             std::span<const std::vector<TriangleId>> groups);

/// The pieces of a body that hang together by vertices, ordered by their smallest triangle, each ascending.
std::vector<std::vector<TriangleId>> connected_pieces(const SceneOverlay& scene, BodyId body);

}  // namespace graze::scene
