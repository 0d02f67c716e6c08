// Keeps representatives valid while triangles come and go (R-TRI, Curtis et al. 2008, section 4.3.2): tearing and
// fracture without a new assignment.
//
// What a removed triangle represented goes to a duplicate of it, else to a triangle that still touches the feature,
// else the feature is gone; a new triangle takes the features that are new. Nothing else changes. The incidence
// that this needs is kept as linked lists (O(1) to join and leave, whatever the valence) and two hash tables. Cost:
// O(triangles) to make; O(1) expected a triangle removed or added.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <graze/types.hpp>

#include "mesh/linked_rows.hpp"
#include "mesh/representatives.hpp"

namespace graze {

class RepresentativeUpdater {
 public:
  /// Keeps a reference: `representatives` must outlive it and be changed by it alone. Ids < vertex_count.
  RepresentativeUpdater(Representatives& representatives, std::size_t vertex_count);

  /// Removes triangles by index, then adds new ones; returns the indices of the new: freed ones are used again, the
  /// one freed last first. Triangles that stay keep their index, edges that stay keep their edge id; freed edge ids
  /// are used again too. Vertices may have been added: ids must be < vertex_count, which never shrinks. InputError,
  /// and nothing changed, for an index that is not there or is named twice, an id out of range, or too many
  /// triangles.
  std::vector<std::uint32_t> update(std::span<const std::uint32_t> removed, std::span<const Triangle> added,
                                    std::size_t vertex_count);

  [[nodiscard]] bool is_removed(std::uint32_t triangle) const { return removed_[triangle] != 0; }

 private:
  struct FaceHash {
    std::size_t operator()(const Face& face) const;
  };

  void check(std::span<const std::uint32_t> removed, std::span<const Triangle> added,
             std::size_t vertex_count) const;
  void link(std::uint32_t triangle);
  void unlink(std::uint32_t triangle);
  void remove(std::uint32_t triangle);
  void add(std::uint32_t triangle, const Triangle& vertices);
  /// The triangle that stands for this one's face.
  [[nodiscard]] std::uint32_t representative_of(std::uint32_t triangle) const;
  void represent_vertex(std::uint32_t triangle, VertexId v);
  void represent_edge(std::uint32_t triangle, std::uint32_t e);

  Representatives& representatives_;
  std::size_t vertex_count_;
  LinkedRows vertex_corners_;  ///< by vertex; item 3 t + k: place k among t's sorted ids
  LinkedRows edge_sides_;      ///< by edge id; item 3 t + k: side k of t's sorted ids
  LinkedRows duplicates_;      ///< by triangle that stands for a face; items are the other triangles with that face
  std::unordered_map<Face, std::uint32_t, FaceHash> face_triangle_;  ///< the triangle that stands for it
  std::unordered_map<std::uint64_t, std::uint32_t> edge_ids_;
  std::vector<std::uint8_t> removed_;
  std::vector<std::uint32_t> free_triangles_;
  std::vector<std::uint32_t> free_edges_;
};

}  // namespace graze
