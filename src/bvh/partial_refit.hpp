// Partial refit: updates the volumes above some leaves only (ADAPTIVE, section 4.3), bottom-up along their paths to
// the root, each block once.
//
// From each leaf the refit climbs and marks blocks until it reaches a marked block. Parents precede children, so
// the marked blocks are processed from the last to the first: a few from a sorted list, many by a parallel pass
// over all blocks that skips unmarked ones. Minima and maxima do not depend on the order, so the volumes have the
// same bits as after a refit of the whole tree. Cost: O(k log n) for k of n leaves, and one bit per block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/tree.hpp"
#include "bvh/volumes.hpp"
#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze::bvh {

/// Returns the node slot of each leaf number in [0, leaf_count); kNoNode for leaves that are not in the tree.
/// Recompute the slots when the topology changes. Cost: O(n), in parallel.
std::vector<std::uint32_t> bvh_leaf_slots(const BvhTree& tree, std::size_t leaf_count);

namespace detail {

/// The blocks on the paths from some nodes to the root.
struct BlocksAbove {
  std::vector<std::uint64_t> bits;    ///< one bit per block
  std::vector<std::uint32_t> blocks;  ///< descending; complete only if `few`
  bool few = true;

  [[nodiscard]] bool contains(std::uint32_t block) const { return (bits[block / 64] >> (block % 64) & 1U) != 0; }
};
BlocksAbove blocks_above(const BvhTree& tree, std::span<const std::uint32_t> slots);

}  // namespace detail

/// Refits the leaves at these slots and their ancestors. leaf(primitive) returns a leaf's Volume; it is called once
/// per slot, from several threads. Precondition: the volumes were refitted to this tree. If memory runs out,
/// nothing has changed.
template <typename Volume, typename Leaf>
void bvh_refit_leaves(const BvhTree& tree, BvhVolumes<Volume>& volumes, std::span<const std::uint32_t> slots,
                      const Leaf& leaf) {
  constexpr std::size_t kGrain = 1024;
  GRAZE_ASSERT(volumes.block_count() == tree.block_count());
  const detail::BlocksAbove above = detail::blocks_above(tree, slots);
  parallel_for(0, slots.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      GRAZE_ASSERT((tree.words[slots[i]] & kLeaf) != 0 && tree.words[slots[i]] != kNoNode);
      volumes.set_node(slots[i], leaf(tree.words[slots[i]] & ~kLeaf));
    }
  });
  if (above.few) {
    for (const std::uint32_t b : above.blocks) volumes.refit_blocks(tree, b, b + 1);
    return;
  }
  for_blocks_bottom_up(tree, [&](std::uint32_t b) {
    if (above.contains(b)) volumes.refit_blocks(tree, b, b + 1);
  });
}

}  // namespace graze::bvh
