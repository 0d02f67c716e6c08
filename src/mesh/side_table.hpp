// The sides of the triangles of a scene, by edge: which triangles have an edge, and which are a face.
//
// A row per vertex lists the sides whose vertex with the lower id it is, ordered by the other vertex, then by the
// opposite corner, then by triangle. So the triangles of an edge stand side by side, a face is found at the edge of
// its two lowest ids, and a walk along the rows passes every pair of triangles with a common edge, without a look
// at the triangles themselves. Cost: O(vertices + triangles) where few sides share their lower vertex, on all
// threads; 4 bytes per vertex and 36 per triangle, and 4 more per vertex while it is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "core/prefetch.hpp"
#include "core/uninitialized_vector.hpp"
#include "mesh/features.hpp"

namespace graze::mesh {

class SideTable {
 public:
  /// A side of a triangle. A triangle that names a vertex twice has one side, whose opposite corner is the repeated
  /// vertex. For a triangle that names one vertex alone, `high` is that vertex, too.
  struct Side {
    VertexId high = 0;      ///< the vertex with the higher id; the row is that of the other one
    VertexId opposite = 0;  ///< the corner that is not on the side
    TriangleId triangle = 0;
  };

  /// A table of nothing.
  SideTable() = default;
  /// Removed triangles have no sides. Preconditions: ids of the others are below vertex_count; at most
  /// kMaxTriangles (mesh/topology.hpp) triangles.
  SideTable(std::span<const Triangle> triangles, std::size_t vertex_count);

  /// Number of rows: the vertices.
  [[nodiscard]] std::size_t size() const { return begin_.empty() ? 0 : begin_.size() - 1; }
  [[nodiscard]] std::span<const Side> operator[](VertexId v) const {
    return {sides_.data() + begin_[v], begin_[v + 1] - begin_[v]};
  }
  /// The sides that are an edge, one for each of its triangles.
  [[nodiscard]] std::span<const Side> of_edge(const Edge& e) const;
  /// One side of each triangle that is a face, with ascending triangles.
  [[nodiscard]] std::span<const Side> of_face(const Face& f) const;

  /// Fetches the beginning of a row, and then the row: for rows that are needed soon. Precondition of the second:
  /// the row is not empty.
  void prefetch_begin(VertexId v) const { core::prefetch(begin_[v]); }
  void prefetch_row(VertexId v) const { core::prefetch(sides_[begin_[v]]); }

  /// Whether a triangle that is not removed names a vertex twice.
  [[nodiscard]] bool some_repeat_vertex() const { return some_repeat_vertex_; }

  [[nodiscard]] std::size_t memory_bytes() const {
    return begin_.capacity() * sizeof(std::uint32_t) + sides_.capacity() * sizeof(Side);
  }
  /// The most that a table takes, while it is built.
  [[nodiscard]] static std::size_t planned_bytes(std::size_t vertices, std::size_t triangles) {
    return 2 * (vertices + 1) * sizeof(std::uint32_t) + 3 * triangles * sizeof(Side);
  }

 private:
  core::UninitializedVector<std::uint32_t> begin_;  // by vertex; one more at the end
  core::UninitializedVector<Side> sides_;
  bool some_repeat_vertex_ = false;
};

}  // namespace graze::mesh
