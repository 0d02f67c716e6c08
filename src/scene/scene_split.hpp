// Connectivity of groups of triangles, for the edit operations that separate them: tearing an edge, splitting a
// body.
//
// Cost: O(k log k) in the triangles visited: the fan of a vertex, the fans of all vertices of the groups, or a
// body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/scene.hpp>

#include "scene/scene_overlay.hpp"

namespace graze::scene {

/// Returns the parts into which the triangles at vertex v fall if they are cut at the edge to `other`: triangles
/// are connected by the other edges at v, and only parts that contain the cut edge are returned, ordered by their
/// smallest triangle. One part if the triangles stay connected around v.
std::vector<std::vector<TriangleId>> parts_across_edge(const SceneOverlay& scene, VertexId v, VertexId other);

/// A vertex of some groups of triangles, and its users: part 0 is the triangles in no group, part i + 1 is group i.
/// Users are ascending by part; each triangle belongs to one user.
struct SharedVertex {
  struct User {
    std::uint32_t part = 0;
    std::vector<TriangleId> triangles;
  };
  VertexId vertex = 0;
  std::vector<User> users;
};

/// Returns all vertices of the groups, ascending.
std::vector<SharedVertex> vertices_of_groups(const SceneOverlay& scene,
                                             std::span<const std::vector<TriangleId>> groups);

/// Returns the components of a body that are connected by vertices, ordered by their smallest triangle, each
/// ascending.
std::vector<std::vector<TriangleId>> connected_pieces(const SceneOverlay& scene, BodyId body);

}  // namespace graze::scene
