// Overlay of an edit in progress: the unchanged scene, and tables of all differences, which together read like the
// scene after the edit.
//
// Reading or changing a triangle, a vertex or a body costs O(1) expected; the fan of a vertex and the vertices of a
// body cost their size before and after. Input is not checked here but in scene_edit.cpp.
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

  /// References both. Precondition: `links` are those of the scene.
  SceneOverlay(const Scene& scene, const SceneLinks& links);

  /// Whether the scene is unchanged since this overlay was made.
  [[nodiscard]] bool is_current() const { return scene_->revision() == revision_; }
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  [[nodiscard]] std::uint64_t scene_revision() const { return scene_->revision(); }

  [[nodiscard]] std::size_t vertex_count() const { return vertices_before_ + new_vertices_.size(); }
  [[nodiscard]] std::size_t triangle_count() const { return triangles_before_ + new_triangles_.size(); }
  [[nodiscard]] std::size_t body_count() const { return bodies_before_ + new_bodies_.size(); }
  [[nodiscard]] std::size_t vertices_before() const { return vertices_before_; }
  [[nodiscard]] bool empty() const;

  // Precondition of all reads: ids are less than the counts.
  [[nodiscard]] const Triangle& triangle(TriangleId t) const;
  [[nodiscard]] BodyId body_of(VertexId v) const;  ///< kNoBody: removed
  [[nodiscard]] const Vec3& position(VertexId v) const;
  [[nodiscard]] NewBody body(BodyId body) const;
  /// Returns the triangles at a vertex, ascending.
  [[nodiscard]] std::vector<TriangleId> fan(VertexId v) const;
  /// Returns the fan of one of two vertices, the shorter one where this is cheap to decide.
  [[nodiscard]] std::vector<TriangleId> shorter_fan(VertexId a, VertexId b) const;
  /// Returns the vertices of a body, ascending.
  [[nodiscard]] std::vector<VertexId> vertices_of(BodyId body) const;
  /// Returns the bodies in ignored pairs with a body, including the body itself if it ignores itself; ascending.
  [[nodiscard]] std::vector<BodyId> ignored_with(BodyId body) const;
  [[nodiscard]] const std::vector<SceneChange::NewVertex>& new_vertices() const { return new_vertices_; }

  void set_triangle(TriangleId t, const Triangle& vertices);
  TriangleId add_triangle(const Triangle& vertices);
  VertexId add_vertex(BodyId body, const Vec3& position);
  /// Moves a vertex to a body; kNoBody removes the vertex.
  void set_body_of(VertexId v, BodyId body);
  BodyId add_body(const NewBody& body);
  /// Removes only the body; the caller removes its vertices.
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
  // Changes of existing items: only entries that differ from the scene. They also store the old value, so that
  // change() works even after the scene has changed.
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
  // Items that were added at any time during the edit; they may have been removed again, and may be listed twice.
  std::unordered_map<VertexId, std::vector<TriangleId>> added_to_vertex_;
  std::unordered_map<BodyId, std::vector<VertexId>> added_to_body_;
};

}  // namespace graze::scene
