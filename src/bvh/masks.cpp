// See masks.hpp.
#include "bvh/masks.hpp"

#include "core/assert.hpp"

namespace graze {

BvhMasks::BvhMasks(const BvhTree& tree, std::span<const LeafMask> leaves) : blocks_(tree.block_count()) {
  for_blocks_bottom_up(tree, [&](std::uint32_t b) {
    const auto byte = [&](std::uint32_t word) {
      if (word == kNoNode) return 0U;
      if ((word & kLeaf) == 0) return blocks_[word].both();
      GRAZE_ASSERT((word & ~kLeaf) < leaves.size());
      return byte_of(leaves[word & ~kLeaf]);
    };
    blocks_[b] = Block(byte(tree.words[std::size_t{2} * b]), byte(tree.words[std::size_t{2} * b + 1]));
  });
}

}  // namespace graze
