// See masks.hpp.
#include "bvh/masks.hpp"

#include "core/assert.hpp"

namespace graze {

BvhMasks::BvhMasks(const BvhTree& tree, std::span<const LeafMask> leaves) : blocks_(tree.block_count()) {
  // Low half: give; high half: take.
  std::vector<std::uint8_t> bytes(tree.words.size());
  for (std::size_t b = tree.block_count(); b-- > 0;) {
    for (std::size_t i = 2 * b; i < 2 * b + 2; ++i) {
      const std::uint32_t word = tree.words[i];
      if (word == kNoNode || (word & kLeaf) == 0) continue;
      GRAZE_ASSERT((word & ~kLeaf) < leaves.size());
      const LeafMask& leaf = leaves[word & ~kLeaf];
      bytes[i] = static_cast<std::uint8_t>((leaf.give & 0xFU) | (leaf.take & 0xFU) << 4U);
    }
    if (tree.parent[b] != kNoNode) {
      bytes[tree.parent[b]] = static_cast<std::uint8_t>(bytes[2 * b] | bytes[2 * b + 1]);
    }
    const std::uint32_t first = bytes[2 * b];
    const std::uint32_t second = bytes[2 * b + 1];
    const auto swapped = [](std::uint32_t byte) { return byte >> 4U | (byte & 0xFU) << 4U; };
    blocks_[b].as_first = first | first << 8U | second << 16U | second << 24U;
    blocks_[b].as_second = swapped(first) * 0x00010001U | swapped(second) * 0x01000100U;
  }
}

}  // namespace graze
