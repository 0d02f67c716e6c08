// See masks.hpp.
#include "bvh/masks.hpp"

#include "core/assert.hpp"

namespace graze {

BvhMasks::BvhMasks(const BvhTree& tree, std::span<const LeafMask> leaves) : blocks_(tree.block_count()) {
  for (std::size_t b = tree.block_count(); b-- > 0;) {
    const auto byte = [&](std::uint32_t word) {
      if (word == kNoNode) return 0U;
      if ((word & kLeaf) == 0) return blocks_[word].both();
      GRAZE_ASSERT((word & ~kLeaf) < leaves.size());
      return byte_of(leaves[word & ~kLeaf]);
    };
    blocks_[b] = Block(byte(tree.words[2 * b]), byte(tree.words[2 * b + 1]));
  }
}

}  // namespace graze
