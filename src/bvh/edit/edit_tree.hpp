// Local edits of a BVH between steps: leaves are removed, inserted or represent another face (breaking, tearing,
// growing: Tang, Curtis, Yoon, Manocha 2009, V-E and VI-B).
//
// The edit removes all touched leaves and inserts those that exist after it beside a neighbour across an edge, from
// the old mesh inwards. Added leaves without an old neighbour are built as a tree, which is inserted by its box or,
// in a connected tree, becomes a component. In a connected tree, components joined by added leaves are merged, and
// disconnected ones are split along their tree: subtrees that lie on one side are kept. A node is rebuilt when two
// thirds of it were inserted since it was built, so the depth stays O(log^2 n) at worst, at a cost of O(log n) per
// leaf and edit. Finally the tree is laid out again as in tree.hpp. Cost: O(touched log n), and linear passes of a
// few ns per leaf. Deterministic with any number of threads. If memory runs out during an edit, the tree is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/two_level.hpp"
#include "geometry/volume.hpp"

namespace graze::bvh {

/// The mesh around a tree's leaves, as it is after an edit. Calls come from one thread.
class EditedLeaves {
 public:
  virtual ~EditedLeaves() = default;
  /// Returns whether this leaf exists after the edit and belongs to this tree.
  [[nodiscard]] virtual bool has(std::uint32_t leaf) const = 0;
  /// Appends the leaves of this tree across the edges of a leaf; duplicates are allowed. The relation is symmetric.
  virtual void neighbours(std::uint32_t leaf, std::vector<std::uint32_t>& out) const = 0;
  [[nodiscard]] virtual Aabb box(std::uint32_t leaf) const = 0;
  /// Called only if TreeEdit::connected is true.
  [[nodiscard]] virtual Vec3 normal(std::uint32_t leaf) const = 0;
};

/// Result of an edit.
struct TreeEditResult {
  /// For each block after the edit, the block before it whose node had the same leaves in the same order, none of
  /// them touched; kNoNode if there is none.
  std::vector<std::uint32_t> old_block;
  std::size_t rebuilt_leaves = 0;  ///< number of leaves below rebuilt nodes
};

struct TreeEdit {
  std::span<const std::uint32_t>
      touched;  ///< leaves removed, inserted or with another face; ascending, without duplicates
  /// If `connected`: {leaf, neighbour before the edit} for the touched leaves that existed before. Duplicates, and
  /// links between two touched leaves, are allowed.
  std::span<const LeafLink> lost;
  bool connected = false;  ///< components are those of the mesh (bvh_build_two_level); else there is one component
};

/// Edits the tree. A tree from bvh_build becomes a two-level tree with one component, in the same blocks; set
/// options.upper.builder to the builder that made it. Precondition: before the edit the tree held exactly the
/// leaves of the mesh before the edit.
TreeEditResult bvh_edit(TwoLevelTree& two_level, const TreeEdit& edit, const EditedLeaves& leaves);

}  // namespace graze::bvh
