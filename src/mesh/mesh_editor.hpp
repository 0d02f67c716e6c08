// Leaves of a mesh that is edited: which triangle each stands for, what it represents, and who is beside it, kept
// in step with changes of the triangles.
//
// A leaf is a face. It keeps its number as long as some triangle has that face; numbers that are free are used
// again, so the numbers have holes. All structures over leaves follow an edit from what it reports. Cost: O(n) to
// make, O(1) expected for each triangle that an edit changes.
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

/// What an edit did to leaves; numbers ascend, each once. One may be in both `removed` and `added`: another face.
struct LeafChanges {
  std::vector<std::uint32_t> removed;    ///< leaves whose face went
  std::vector<std::uint32_t> added;      ///< leaves with a new face: free numbers first, then new ones
  std::vector<std::uint32_t> touched;    ///< leaves that stay, with another triangle or order of features
  std::vector<Triangle> touched_before;  ///< by place in `touched`: the vertices in the order before
  TouchedFeatures features;              ///< of leaves removed and added, each once; `hubs` is for others to fill

  [[nodiscard]] bool empty() const { return removed.empty() && added.empty() && touched.empty(); }
};

class MeshEditor {
 public:
  /// leaf_triangles: by leaf, the triangle; kNoLeaf for a free one. Every triangle that stands for a face has one.
  MeshEditor(Representatives representatives, std::span<const Triangle> triangles,
             std::vector<std::uint32_t> leaf_triangles, std::size_t vertex_count);

  /// InputError, and nothing changed, for a change of another state: see RepresentativeUpdater. If memory runs out,
  /// all is to be made anew.
  LeafChanges apply(const MeshChange& change);

  [[nodiscard]] const Representatives& representatives() const { return updater_.representatives(); }
  [[nodiscard]] std::size_t vertex_count() const { return updater_.vertex_count(); }
  /// kNoLeaf: free.
  [[nodiscard]] std::span<const std::uint32_t> leaf_triangles() const { return leaf_triangles_; }
  /// Of the triangle that stands for its face; kNoLeaf for others.
  [[nodiscard]] std::uint32_t leaf_of(TriangleId triangle) const { return leaf_of_triangle_[triangle]; }

  /// Preconditions of these: the leaf is not free.
  [[nodiscard]] const Representatives::Entry& entry(std::uint32_t leaf) const {
    return representatives().entries[leaf_triangles_[leaf]];
  }
  [[nodiscard]] RepresentativeId id(std::uint32_t leaf) const {
    return representatives().ids[leaf_triangles_[leaf]];
  }
  /// Call visit(leaf) once for each, in any order.
  template <typename Visit>
  void for_leaves_of_vertex(VertexId v, const Visit& visit) const {
    updater_.for_fan(v, [&](std::uint32_t t) { visit(leaf_of_triangle_[t]); });
  }
  template <typename Visit>
  void for_leaves_of_edge(std::uint32_t e, const Visit& visit) const {
    updater_.for_triangles_of_edge(e, [&](std::uint32_t t) { visit(leaf_of_triangle_[t]); });
  }

  /// kNoLeaf for an edge that is gone.
  [[nodiscard]] std::uint32_t first_leaf_of_edge(std::uint32_t e) const {
    const std::uint32_t triangle = updater_.first_triangle_of_edge(e);
    return triangle == kNoLeaf ? kNoLeaf : leaf_of_triangle_[triangle];
  }
  /// Calls visit(other leaf) for the leaves across each edge of this one; one may come more than once. Of an edge
  /// with very many faces each is a neighbour of the first one only, and that of all: so what hangs together does,
  /// and all of them together are asked for O(1) each. Precondition: the leaf is not free.
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
