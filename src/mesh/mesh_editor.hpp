// Mesh edits (topology changes: tearing, fracture): incremental update of the leaves of a mesh: the triangle of
// each leaf, the features that it represents and its neighbours.
//
// A leaf is a face. It keeps its number as long as some triangle has that face. Free numbers are reused, so the
// numbering has gaps. All structures over leaves update themselves from the reported LeafChanges. Cost: O(n) to
// construct, O(1) expected per triangle changed by an edit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/mesh_change.hpp"
#include "mesh/orphan_set.hpp"
#include "mesh/representative_update.hpp"
#include "mesh/representatives.hpp"

namespace graze::mesh {

/// Effect of an edit on leaves; numbers ascend without duplicates. A number in both `removed` and `added` has a new
/// face.
struct LeafChanges {
  std::vector<std::uint32_t> removed;    ///< leaves whose face no longer exists
  std::vector<std::uint32_t> added;      ///< leaves with a new face: free numbers first, then new numbers
  std::vector<std::uint32_t> touched;    ///< leaves that remain, with another triangle or order of features
  std::vector<Triangle> touched_before;  ///< for each entry of `touched`, its vertices in the previous order
  /// Features of removed and added leaves, each once; the caller fills `hubs`.
  TouchedFeatures features;

  [[nodiscard]] bool empty() const { return removed.empty() && added.empty() && touched.empty(); }
};

class MeshEditor {
 public:
  /// Constructs from leaf_triangles: the triangle of each leaf, kNoLeaf for a free number. Each triangle that
  /// represents a face must have a leaf.
  MeshEditor(Representatives representatives, std::span<const Triangle> triangles,
             std::vector<std::uint32_t> leaf_triangles, std::size_t vertex_count);

  /// Applies a change. Throws InputError, with nothing changed, if the change does not fit this state (see
  /// RepresentativeUpdater). If memory runs out, the editor is unusable and must be rebuilt.
  LeafChanges apply(const MeshChange& change);

  [[nodiscard]] const Representatives& representatives() const { return updater_.representatives(); }
  [[nodiscard]] std::size_t vertex_count() const { return updater_.vertex_count(); }
  /// Returns the triangle of each leaf; kNoLeaf for a free number.
  [[nodiscard]] std::span<const std::uint32_t> leaf_triangles() const { return leaf_triangles_; }
  /// Returns the leaf of a triangle that represents its face; kNoLeaf for other triangles.
  [[nodiscard]] std::uint32_t leaf_of(TriangleId triangle) const { return leaf_of_triangle_[triangle]; }

  /// Precondition of entry() and id(): the leaf is not free.
  [[nodiscard]] const Representatives::Entry& entry(std::uint32_t leaf) const {
    return representatives().entries[leaf_triangles_[leaf]];
  }
  [[nodiscard]] RepresentativeId id(std::uint32_t leaf) const {
    return representatives().ids[leaf_triangles_[leaf]];
  }
  /// for_leaves_of_vertex and for_leaves_of_edge call visit(leaf) once for each leaf, in any order.
  template <typename Visit>
  void for_leaves_of_vertex(VertexId v, const Visit& visit) const {
    updater_.for_fan(v, [&](std::uint32_t t) { visit(leaf_of_triangle_[t]); });
  }
  template <typename Visit>
  void for_leaves_of_edge(std::uint32_t e, const Visit& visit) const {
    updater_.for_triangles_of_edge(e, [&](std::uint32_t t) { visit(leaf_of_triangle_[t]); });
  }

  /// Returns kNoLeaf if the edge no longer exists.
  [[nodiscard]] std::uint32_t first_leaf_of_edge(std::uint32_t e) const {
    const std::uint32_t triangle = updater_.first_triangle_of_edge(e);
    return triangle == kNoLeaf ? kNoLeaf : leaf_of_triangle_[triangle];
  }
  /// Calls visit(other leaf) for the leaves across each edge of this leaf, possibly more than once. If more than 32
  /// faces share an edge, each of them is a neighbour of the first one only, and the first one of all: this keeps
  /// connectivity, and asking all of them costs O(1) each. Precondition: the leaf is not free.
  template <typename Visit>
  void for_neighbours(std::uint32_t leaf, const Visit& visit) const {
    for (const std::uint32_t e : entry(leaf).edges) {
      if (e == kNoEdge) continue;
      const std::uint32_t first = first_leaf_of_edge(e);
      if (first != leaf && updater_.has_many_triangles(e)) {
        visit(first);
        continue;
      }
      for_leaves_of_edge(e, [&](std::uint32_t other) {
        if (other != leaf) visit(other);
      });
    }
  }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  RepresentativeUpdater updater_;
  std::vector<std::uint32_t> leaf_triangles_;
  std::vector<std::uint32_t> leaf_of_triangle_;
  std::vector<std::uint32_t> free_leaves_;
};

}  // namespace graze::mesh
