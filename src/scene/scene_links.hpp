// Reverse links of a scene: the triangle corners at each vertex and the vertices of each body, as linked lists.
//
// Scene::begin_edit() builds them in linear time, so that edits find the triangles of a vertex and the vertices of
// a body without a search; Scene::apply() updates them, O(1) per changed corner and vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/scene.hpp>

#include "core/linked_rows.hpp"
#include "mesh/mesh_change.hpp"

namespace graze::scene {

class SceneLinks {
 public:
  explicit SceneLinks(const Scene& scene) {
    make_room(scene.vertex_count(), scene.triangle_count(), scene.body_count());
    grow(scene.vertex_count(), scene.triangle_count(), scene.body_count());
    for (std::size_t t = 0; t < scene.triangle_count(); ++t) {
      link(static_cast<TriangleId>(t), scene.triangles()[t]);
    }
    for (std::size_t v = 0; v < scene.vertex_count(); ++v) {
      const auto vertex = static_cast<VertexId>(v);
      if (scene.body_of(vertex) != kNoBody) body_vertices_.add(scene.body_of(vertex), vertex);
    }
  }

  /// Reserves memory; may throw. Afterwards, growing to these counts and linking do not throw.
  void make_room(std::size_t vertices, std::size_t triangles, std::size_t bodies) {
    corners_.reserve(vertices, 3 * triangles);
    body_vertices_.reserve(bodies, vertices);
  }
  void grow(std::size_t vertices, std::size_t triangles, std::size_t bodies) {
    corners_.grow_rows(vertices);
    corners_.grow_items(3 * triangles);
    body_vertices_.grow_rows(bodies);
    body_vertices_.grow_items(vertices);
  }

  void link(TriangleId triangle, const Triangle& vertices) noexcept {
    each_corner(vertices, [&](std::uint32_t k, VertexId v) { corners_.add(v, 3 * triangle + k); });
  }
  void unlink(TriangleId triangle, const Triangle& vertices) noexcept {
    each_corner(vertices, [&](std::uint32_t k, VertexId v) { corners_.erase(v, 3 * triangle + k); });
  }
  void link_vertex(VertexId v, BodyId body) noexcept { body_vertices_.add(body, v); }
  void unlink_vertex(VertexId v, BodyId body) noexcept { body_vertices_.erase(body, v); }

  /// Returns the corners (3 triangle + place) at a vertex, one per triangle.
  [[nodiscard]] LinkedRows::Row corners(VertexId v) const { return corners_[v]; }
  [[nodiscard]] LinkedRows::Row vertices(BodyId body) const { return body_vertices_[body]; }

 private:
  /// Calls visit(place, vertex) for each distinct vertex of a triangle; never for a removed triangle.
  template <typename Visit>
  static void each_corner(const Triangle& t, const Visit& visit) noexcept {
    if (t == kRemovedTriangle) return;
    visit(0U, t[0]);
    if (t[1] != t[0]) visit(1U, t[1]);
    if (t[2] != t[0] && t[2] != t[1]) visit(2U, t[2]);
  }

  LinkedRows corners_;
  LinkedRows body_vertices_;
};

}  // namespace graze::scene
