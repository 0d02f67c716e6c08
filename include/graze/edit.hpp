// Changes of a scene between two steps: breaking, tearing, growing.
//
// An edit is collected first and applied in one call, to a scene or to a detector in use, which then updates what
// it keeps near the change only. Every operation is checked when it is called: one that is refused throws
// InputError and leaves the edit as it was. Ids of what stays never change, and ids of what is removed are never
// given again: new vertices, triangles and bodies are numbered on from the scene's counts, so they are known at
// once and later operations of the same edit may name them.
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

/// A batch of changes, for the state a scene is in. Made by Scene::begin_edit or Detector::begin_edit; refers to
/// that scene, which must stay, and stay as it is, until the edit is complete. Not for several threads at a time.
class GRAZE_API SceneEdit {
 public:
  SceneEdit(SceneEdit&&) noexcept;
  SceneEdit& operator=(SceneEdit&&) noexcept;
  ~SceneEdit();

  /// A new vertex of a body.
  VertexId add_vertex(BodyId body, const Vec3& position);
  /// Removes a vertex and all triangles at it.
  void remove_vertex(VertexId v);

  /// A new triangle; its vertices must be of one body.
  TriangleId add_triangle(const Triangle& vertices);
  /// Gives a triangle other vertices, of the body that it is of; it keeps its id.
  void set_triangle(TriangleId triangle, const Triangle& vertices);
  /// Its vertices stay, used or not.
  void remove_triangle(TriangleId triangle);

  /// Tears at a vertex: these triangles, each of which must have it, get a copy of it, whose id is returned.
  VertexId split_vertex(VertexId v, std::span<const TriangleId> triangles);
  /// Tears along an edge: at each of its ends, triangles that hang together with each other only across this edge
  /// come apart. Of the parts of a fan the one with the smallest triangle id keeps the vertex, each other one gets
  /// a copy. Returns the copies; InputError if nothing comes apart, which is so where both ends are held together
  /// from the other side.
  std::vector<VertexId> tear_edge(VertexId a, VertexId b);
  /// Puts a new vertex on an edge: every triangle at the edge becomes two, the half at the smaller end keeps the
  /// id. Not for triangles that have an id twice.
  VertexId split_edge(VertexId a, VertexId b, const Vec3& position);

  /// As Scene::add_body.
  BodyId add_body(const Body& body);
  /// With its vertices and triangles.
  void remove_body(BodyId body);
  /// Takes groups of triangles out of a body; each becomes a body of its own, with the motion and the groups of the
  /// old one, and is ignored by whom the old one is. A vertex that several of the bodies need stays with the first
  /// of them (the old body, then in order); the others get copies. Vertices without triangles stay. Pieces of a
  /// body that ignores itself ignore each other: that takes a pair for every two of them.
  std::vector<BodyId> split_body(BodyId body, std::span<const std::vector<TriangleId>> groups);
  /// The same with every connected piece (by shared vertices) but that with the smallest triangle id.
  std::vector<BodyId> split_body(BodyId body);

  /// Counts after the edit.
  [[nodiscard]] std::size_t vertex_count() const;
  [[nodiscard]] std::size_t triangle_count() const;
  [[nodiscard]] std::size_t body_count() const;
  [[nodiscard]] bool empty() const;

  /// Where a new vertex comes from.
  struct Copy {
    VertexId copy = 0;
    VertexId original = 0;
  };
  /// The vertices that are copies, ascending.
  [[nodiscard]] std::span<const Copy> copies() const;
  /// Positions of all vertices after the edit from those before it: a copy is where its original is (if that is a
  /// copy itself, where that one's is), other new vertices are where they were added.
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
