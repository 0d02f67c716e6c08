// Refit of what lies above some leaves (ADAPTIVE, section 4.3): bottom-up along their ways to the root, each block
// once.
//
// Blocks above the leaves are marked, climbing from each leaf until a marked one. Parents come before their
// children, so marked blocks are passed up from the last to the first: few from a sorted list, many by a pass over
// all blocks, on several threads, that leaves out the others. Minima and maxima do not depend on the order:
// afterwards volumes have the bits that a refit of the whole tree gives. Cost: O(k log n) for k leaves of n, and a
// bit a block.
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

/// The node slot of each leaf, by number, of which there are `leaf_count`; kNoNode for those that are not in the
/// tree. To be made anew when the topology changes. O(n), in parallel.
std::vector<std::uint32_t> bvh_leaf_slots(const BvhTree& tree, std::size_t leaf_count);

namespace detail {

/// The blocks on the ways from some nodes to the root.
struct BlocksAbove {
  std::vector<std::uint64_t> bits;    ///< one a block
  std::vector<std::uint32_t> blocks;  ///< descending; only if they are few
  bool few = true;

  [[nodiscard]] bool contains(std::uint32_t block) const { return (bits[block / 64] >> (block % 64) & 1U) != 0; }
};
BlocksAbove blocks_above(const BvhTree& tree, std::span<const std::uint32_t> slots);

}  // namespace detail

/// Gives the leaves at these slots new volumes, and the nodes above them the unions. leaf(primitive) gives a leaf's
/// Volume, and is called once for each slot, from several threads. Precondition: volumes were refitted to this
/// tree. Should memory run out, nothing has changed.
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
