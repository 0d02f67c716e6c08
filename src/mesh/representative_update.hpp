// Local update of representative triangles (R-TRI, Curtis et al. 2008, section 4.3.2): tearing and fracture without
// a new assignment.
//
// The features of a removed triangle pass to a duplicate of it, else to a triangle that still has the feature, else
// the feature no longer exists. An added triangle represents the features that are new. Nothing else changes. The
// incidence is kept in linked lists of the triangles that represent a face (O(1) to insert and erase, whatever the
// valence) and two hash tables. Cost: O(triangles) to construct; O(1) expected per triangle removed or added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <graze/types.hpp>

#include "core/index_table.hpp"
#include "core/linked_rows.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/representatives.hpp"

namespace graze::mesh {

/// An event of a triangle that represents a face, or did before the edit.
struct RepresentativeEvent {
  enum class Kind : std::uint8_t {
    Removed,    ///< its face no longer exists
    Inherited,  ///< it now represents the face of its duplicate `from`, with all features that `from` represented
    Gained,     ///< it represents more features than before
    Added,      ///< it was added and its face is new
  };
  Kind kind = Kind::Added;
  TriangleId triangle = 0;
  TriangleId from = 0;
  Representatives::Entry before;  ///< previous entry of `triangle`; for Inherited that of `from`
};

class RepresentativeUpdater {
 public:
  /// Preconditions: vertex ids < vertex_count. An entry with the vertices of kRemovedTriangle is a removed
  /// triangle.
  RepresentativeUpdater(Representatives representatives, std::size_t vertex_count);

  /// Removes and then adds triangles; a triangle with new vertices keeps its id. Returns the events in order.
  /// Remaining triangles keep their entries except for their order, remaining edges their ids; freed edge ids are
  /// reused. Throws InputError, with nothing changed, if the change does not fit this state (a missing triangle, an
  /// id out of range, a smaller count) or there are too many triangles. If memory runs out, the updater is unusable
  /// and must be rebuilt.
  std::vector<RepresentativeEvent> update(const MeshChange& change);

  [[nodiscard]] const Representatives& representatives() const { return representatives_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_corners_.row_count(); }
  [[nodiscard]] bool is_removed(TriangleId triangle) const {
    return representatives_.entries[triangle].vertices == kRemovedTriangle;
  }
  /// for_fan and for_triangles_of_edge call visit(triangle) once for each triangle that represents a face with this
  /// vertex or this edge.
  template <typename Visit>
  void for_fan(VertexId v, const Visit& visit) const {
    for (const std::uint32_t corner : vertex_corners_[v]) visit(corner / 3);
  }
  template <typename Visit>
  void for_triangles_of_edge(std::uint32_t e, const Visit& visit) const {
    for (const std::uint32_t side : edge_sides_[e]) visit(side / 3);
  }
  /// Returns 2^32 - 1 if the edge no longer exists.
  [[nodiscard]] std::uint32_t first_triangle_of_edge(std::uint32_t e) const {
    const std::uint32_t side = edge_sides_.first(e);
    return side == LinkedRows::kNone ? LinkedRows::kNone : side / 3;
  }
  /// Returns whether more than 32 triangles share the edge.
  [[nodiscard]] bool has_many_triangles(std::uint32_t e) const {
    std::size_t count = 0;
    for (std::uint32_t side = edge_sides_.first(e); side != LinkedRows::kNone; side = edge_sides_.next(side)) {
      if (++count > 32) return true;
    }
    return false;
  }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void check(const MeshChange& change) const;
  void link(std::uint32_t triangle);
  void unlink(std::uint32_t triangle);
  void remove(std::uint32_t triangle, std::vector<RepresentativeEvent>& events);
  void add(std::uint32_t triangle, const Triangle& vertices, std::vector<RepresentativeEvent>& events);
  [[nodiscard]] std::uint32_t edge_id(const Edge& edge) const;
  std::uint32_t add_edge(const Edge& edge);
  void represent_vertex(std::uint32_t triangle, VertexId v);
  void represent_edge(std::uint32_t triangle, std::uint32_t e);
  [[nodiscard]] auto face_key() const {
    return [this](std::uint32_t t) { return face_of(representatives_.entries[t].vertices); };
  }
  [[nodiscard]] auto edge_key() const {
    return [this](std::uint32_t e) { return representatives_.edges[e]; };
  }

  Representatives representatives_;
  LinkedRows vertex_corners_;     ///< by vertex; item 3 t + k is position k among the sorted ids of triangle t
  LinkedRows edge_sides_;         ///< by edge id; item 3 t + k is side k of the sorted ids of triangle t
  LinkedRows duplicates_;         ///< by triangle that represents a face; items are its duplicates
  IndexTable<3> face_triangles_;  ///< triangles that represent a face, by face
  IndexTable<2> edge_ids_;
  std::vector<std::uint32_t> free_edges_;
};

}  // namespace graze::mesh
