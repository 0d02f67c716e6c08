// Edits of a tree between steps, when leaves have gone, come, or stand for another face (breaking, tearing,
// growing: Tang, Curtis, Yoon, Manocha 2009, V-E and VI-B).
//
// Leaves that are touched are taken out, and those that are there hung in beside a neighbour across an edge, from
// the old mesh inwards; what no old leaf touches is built by itself and hung in by its box, or, of a tree by
// connectivity, becomes a component. There components that leaves join are made one, and those that came apart are
// split along the tree they have: subtrees that lie on one side stay as they are. A node of which two thirds
// have come since it was built is built anew, so depth stays O(log^2 n) at worst, and that costs O(log n) a
// leaf and edit. Then the tree is laid out again as tree.hpp says. Cost: O(touched log n), and linear passes of a
// few ns a leaf. Deterministic, at any number of threads. Should memory run out halfway, the tree is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/two_level.hpp"
#include "geometry/volume.hpp"

namespace graze::bvh {

/// The mesh around a tree's leaves as it is after an edit. Calls come from one thread.
class EditedLeaves {
 public:
  virtual ~EditedLeaves() = default;
  /// Whether there is such a leaf now, and it belongs to this tree.
  [[nodiscard]] virtual bool has(std::uint32_t leaf) const = 0;
  /// Appends the leaves of this tree across its edges; repeats do no harm. Symmetric.
  virtual void neighbours(std::uint32_t leaf, std::vector<std::uint32_t>& out) const = 0;
  [[nodiscard]] virtual Aabb box(std::uint32_t leaf) const = 0;
  /// Asked for only when `connected`.
  [[nodiscard]] virtual Vec3 normal(std::uint32_t leaf) const = 0;
};

/// What an edit did.
struct TreeEditResult {
  /// Of each block after it: the block before whose node had the same leaves below, none of them touched, in the
  /// same order; else kNoNode.
  std::vector<std::uint32_t> old_block;
  std::size_t rebuilt_leaves = 0;  ///< leaves below nodes that were built anew
};

struct TreeEdit {
  std::span<const std::uint32_t>
      touched;  ///< leaves that went, came or stand for another face; ascending, each once
  /// If `connected`: {leaf, neighbour before the edit} for the touched leaves that were there. Repeats, and links
  /// between leaves that are both touched, do no harm.
  std::span<const LeafLink> lost;
  bool connected = false;  ///< components are those of the mesh (bvh_build_two_level); else there is one
};

/// A tree that bvh_build made becomes one of two levels with one component, in the same blocks; set
/// options.upper.builder to what built it. Precondition: before the edit the tree held the leaves it should.
TreeEditResult bvh_edit(TwoLevelTree& two_level, const TreeEdit& edit, const EditedLeaves& leaves);

}  // namespace graze::bvh
