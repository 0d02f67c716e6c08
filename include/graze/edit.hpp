// SceneEdit: topology changes of a scene between two steps, such as fracture, tearing, cutting and growth.
//
// An edit collects operations; one call then applies all of them to a scene, or to a detector in use, which updates
// the data that it keeps near the change only. Every operation is checked when it is called: a refused operation
// throws InputError and leaves the edit unchanged. Ids of existing elements never change, and ids of removed
// elements are never reused. New vertices, triangles and bodies get the next free ids at once, so later operations
// of the same edit may use them. Cost of an operation: O(1) expected per vertex and triangle that it names, plus
// the triangles at the vertices concerned; removing or splitting a body visits that body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <graze/export.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

/// A batch of changes to the current state of a scene, made by Scene::begin_edit or Detector::begin_edit. Refers to
/// that scene, which must not be destroyed or changed until the edit is complete. Not thread-safe. Every operation
/// throws InputError for an id that is out of range or removed, a position that is not finite, a scene that has
/// changed since the edit began, or more elements than ids.
class GRAZE_API SceneEdit {
 public:
  SceneEdit(SceneEdit&&) noexcept;             ///< A moved-from edit can only be destroyed or assigned to.
  SceneEdit& operator=(SceneEdit&&) noexcept;  ///< A moved-from edit can only be destroyed or assigned to.
  ~SceneEdit();

  /// Adds a vertex to a body and returns its id.
  VertexId add_vertex(BodyId body, const Vec3& position);
  /// Removes a vertex and all triangles that use it.
  void remove_vertex(VertexId v);

  /// Adds a triangle and returns its id. InputError unless its vertices belong to one body.
  TriangleId add_triangle(const Triangle& vertices);
  /// Replaces the vertices of a triangle, which keeps its id. InputError unless the new vertices belong to the body
  /// of the triangle.
  void set_triangle(TriangleId triangle, const Triangle& vertices);
  /// Removes a triangle. Its vertices stay, even if no triangle uses them.
  void remove_triangle(TriangleId triangle);

  /// Tears the mesh at a vertex: replaces v by a copy in these triangles, and returns the id of the copy.
  /// InputError for a triangle that does not use v or is named twice.
  VertexId split_vertex(VertexId v, std::span<const TriangleId> triangles);
  /// Tears the mesh along an edge: at each end, separates the triangles that are connected only across this edge.
  /// The part with the smallest triangle id keeps the vertex; every other part gets a copy. Returns the ids of the
  /// copies. InputError if there is no such edge, or if nothing separates because the triangles stay connected
  /// around both ends.
  std::vector<VertexId> tear_edge(VertexId a, VertexId b);
  /// Inserts a vertex into an edge and returns its id. Every triangle at the edge is split in two; the half at the
  /// end with the smaller vertex id keeps the triangle id. InputError if there is no such edge, or for a triangle
  /// that repeats a vertex id.
  VertexId split_edge(VertexId a, VertexId b, const Vec3& position);

  /// Adds a body and returns its id. Input and errors as for Scene::add_body.
  BodyId add_body(const Body& body);
  /// Removes a body with its vertices and triangles.
  void remove_body(BodyId body);
  /// Moves each group of triangles out of a body into a new body with its motion, collision groups and ignored
  /// pairs. Returns the new ids. A vertex that several of these bodies use stays with the first (the old body, then
  /// in order of groups); the others get copies. Vertices without triangles stay with the old body. Pieces of a
  /// body that ignores itself ignore each other, which adds a pair for every two pieces. InputError for an empty
  /// group, or a triangle that is of another body or named twice.
  std::vector<BodyId> split_body(BodyId body, std::span<const std::vector<TriangleId>> groups);
  /// Splits a body into its components, connected by common vertices: all but the component with the smallest
  /// triangle id become new bodies, as above. Returns the new ids.
  std::vector<BodyId> split_body(BodyId body);

  /// Number of vertex ids after the edit.
  [[nodiscard]] std::size_t vertex_count() const;
  /// Number of triangle ids after the edit.
  [[nodiscard]] std::size_t triangle_count() const;
  /// Number of body ids after the edit.
  [[nodiscard]] std::size_t body_count() const;
  /// Whether the edit changes nothing.
  [[nodiscard]] bool empty() const;

  /// A new vertex that is a copy of another vertex.
  struct Copy {
    VertexId copy = 0;      ///< id of the new vertex
    VertexId original = 0;  ///< id of the vertex that it copies, which may be a copy itself
  };
  /// The copies that this edit makes, ascending by the id of the copy. Valid until the next operation.
  [[nodiscard]] std::span<const Copy> copies() const;
  /// Converts positions `x` of all vertices before the edit into positions of all vertices after it. A copy gets
  /// the position of its original, through chains of copies; other new vertices get the position that they were
  /// added with. InputError if x has a wrong count.
  [[nodiscard]] std::vector<Vec3> carry(std::span<const Vec3> x) const;

 private:
  friend class Scene;
  friend class Detector;
  struct State;
  explicit SceneEdit(std::unique_ptr<State> state);
  static SceneEdit begin(const Scene& scene, const scene::SceneLinks& links);
  [[nodiscard]] const scene::SceneChange& change() const;

  std::unique_ptr<State> state_;
};

}  // namespace graze
