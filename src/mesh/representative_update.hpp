// Keeps representatives valid while triangles come and go (R-TRI, Curtis et al. 2008, section 4.3.2): tearing and
// fracture without a new assignment.
//
// What a removed triangle represented goes to a duplicate of it, else to a triangle that still touches the feature,
// else the feature is gone; a new triangle takes the features that are new. Nothing else changes. The incidence
// that this needs is kept as linked lists (O(1) to join and leave, whatever the valence) of the triangles that
// stand for a face, and two tables. Cost: O(triangles) to make; O(1) expected a triangle removed or added.
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

/// What happened to a triangle that stands for a face, or did.
struct RepresentativeEvent {
  enum class Kind : std::uint8_t {
    Went,      ///< its face is gone
    TookOver,  ///< it stands for the face of `from`, a duplicate, and represents all that `from` did
    Gained,    ///< it represents more than before
    Came,      ///< with a face that none had
  };
  Kind kind = Kind::Came;
  TriangleId triangle = 0;
  TriangleId from = 0;
  Representatives::Entry before;  ///< of `triangle`; for TookOver that of `from`
};

class RepresentativeUpdater {
 public:
  /// Ids < vertex_count. An entry with the vertices of kRemovedTriangle is that of a removed one.
  RepresentativeUpdater(Representatives representatives, std::size_t vertex_count);

  /// Removes what the change removes, then adds what it adds, a triangle with other vertices under its own id;
  /// returns what came of it, in order. Triangles that stay keep their entry but for its order, edges that stay
  /// their id; freed edge ids are used again. InputError, and nothing changed, if the change is not one of this
  /// state (a triangle that is not there, an id out of range, less of anything) or there are too many triangles. If
  /// memory runs out, all is to be made anew.
  std::vector<RepresentativeEvent> update(const MeshChange& change);

  [[nodiscard]] const Representatives& representatives() const { return representatives_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_corners_.row_count(); }
  [[nodiscard]] bool is_removed(TriangleId triangle) const {
    return representatives_.entries[triangle].vertices == kRemovedTriangle;
  }
  /// Calls visit(triangle) once for each triangle that stands for a face with this vertex, or this edge.
  template <typename Visit>
  void for_fan(VertexId v, const Visit& visit) const {
    for (const std::uint32_t corner : vertex_corners_[v]) visit(corner / 3);
  }
  template <typename Visit>
  void for_triangles_of_edge(std::uint32_t e, const Visit& visit) const {
    for (const std::uint32_t side : edge_sides_[e]) visit(side / 3);
  }
  /// 2^32 - 1 for an edge that is gone.
  [[nodiscard]] std::uint32_t first_triangle_of_edge(std::uint32_t e) const {
    const std::uint32_t side = edge_sides_.first(e);
    return side == LinkedRows::kNone ? LinkedRows::kNone : side / 3;
  }
  /// Whether more than 32 triangles have the edge.
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
  LinkedRows vertex_corners_;     ///< by vertex; item 3 t + k: place k among t's sorted ids
  LinkedRows edge_sides_;         ///< by edge id; item 3 t + k: side k of t's sorted ids
  LinkedRows duplicates_;         ///< by triangle that stands for a face; items are the others with that face
  IndexTable<3> face_triangles_;  ///< triangles that stand for a face
  IndexTable<2> edge_ids_;
  std::vector<std::uint32_t> free_edges_;
};

}  // namespace graze::mesh
