// Bottom-up construction of the feature masks (masks.hpp). Cost: O(n).
#include "bvh/masks.hpp"

#include "core/assert.hpp"

namespace graze::bvh {

BvhMasks::BvhMasks(const BvhTree& tree, std::span<const LeafMask> leaves) : blocks_(tree.block_count()) {
  const auto mask_of = [&](std::uint32_t leaf) {
    GRAZE_ASSERT(leaf < leaves.size());
    return leaves[leaf];
  };
  for_blocks_bottom_up(tree, [&](std::uint32_t b) { blocks_[b] = make_block(tree, b, blocks_, mask_of); });
}

}  // namespace graze::bvh
