// A scene as it will be after an edit, while the edit is being collected: the scene itself, untouched, and tables
// of what is different.
//
// Reading or changing a triangle, a vertex or a body costs O(1) expected; the fan of a vertex and the vertices of a
// body cost what they hold before and after. Nothing here checks its input: scene_edit.cpp does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <graze/scene.hpp>

#include "scene/scene_change.hpp"
#include "scene/scene_links.hpp"

namespace graze::scene {

class SceneOverlay {
 public:
  using NewBody = SceneChange::NewBody;

  /// Both are referred to; `links` are those of the scene.
  SceneOverlay(const Scene& scene, const SceneLinks& links);

  /// Whether the scene is still the one that this lies over.
  [[nodiscard]] bool is_current() const { return scene_->revision() == revision_; }
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  [[nodiscard]] std::uint64_t scene_revision() const { return scene_->revision(); }

  [[nodiscard]] std::size_t vertex_count() const { return vertices_before_ + new_vertices_.size(); }
  [[nodiscard]] std::size_t triangle_count() const { return triangles_before_ + new_triangles_.size(); }
  [[nodiscard]] std::size_t body_count() const { return bodies_before_ + new_bodies_.size(); }
  [[nodiscard]] std::size_t vertices_before() const { return vertices_before_; }
  [[nodiscard]] bool empty() const;

  // Preconditions: ids less than the counts.
  [[nodiscard]] const Triangle& triangle(TriangleId t) const;
  [[nodiscard]] BodyId body_of(VertexId v) const;  ///< kNoBody: removed
  [[nodiscard]] const Vec3& position(VertexId v) const;
  [[nodiscard]] NewBody body(BodyId body) const;
  /// The triangles at a vertex, ascending.
  [[nodiscard]] std::vector<TriangleId> fan(VertexId v) const;
  /// That of one of two vertices, the shorter if it can be told.
  [[nodiscard]] std::vector<TriangleId> shorter_fan(VertexId a, VertexId b) const;
  /// The vertices of a body, ascending.
  [[nodiscard]] std::vector<VertexId> vertices_of(BodyId body) const;
  /// The bodies that a body is ignored with, itself included if so; ascending.
  [[nodiscard]] std::vector<BodyId> ignored_with(BodyId body) const;
  [[nodiscard]] const std::vector<SceneChange::NewVertex>& new_vertices() const { return new_vertices_; }

  void set_triangle(TriangleId t, const Triangle& vertices);
  TriangleId add_triangle(const Triangle& vertices);
  VertexId add_vertex(BodyId body, const Vec3& position);
  /// kNoBody removes the vertex.
  void set_body_of(VertexId v, BodyId body);
  BodyId add_body(const NewBody& body);
  /// The body alone: its vertices are the caller's to remove.
  void remove_body(BodyId body);
  void ignore(BodyId a, BodyId b);

  [[nodiscard]] SceneChange change() const;

 private:
  void joins(TriangleId t, const Triangle& before, const Triangle& after);

  const Scene* scene_;
  const SceneLinks* links_;
  std::uint64_t revision_;
  std::uint64_t history_;
  std::size_t vertices_before_;
  std::size_t triangles_before_;
  std::size_t bodies_before_;
  std::vector<SceneChange::NewVertex> new_vertices_;
  std::vector<Triangle> new_triangles_;
  std::vector<NewBody> new_bodies_;
  // Of what was there: only entries that differ from the scene. With what was before, so that the change can be
  // told when the scene has moved on.
  struct ChangedTriangle {
    Triangle before{};
    Triangle after{};
  };
  struct ChangedBody {
    BodyId before = kNoBody;
    BodyId after = kNoBody;
  };
  std::unordered_map<TriangleId, ChangedTriangle> triangles_;
  std::unordered_map<VertexId, ChangedBody> bodies_;
  std::unordered_set<BodyId> removed_bodies_;
  std::set<std::array<BodyId, 2>> ignored_;
  // What came at any time of the edit, perhaps to leave again, perhaps twice.
  std::unordered_map<VertexId, std::vector<TriangleId>> came_to_vertex_;
  std::unordered_map<BodyId, std::vector<VertexId>> came_to_body_;
};

}  // namespace graze::scene
