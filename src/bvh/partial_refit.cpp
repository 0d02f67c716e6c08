// Slots of leaves, and the blocks above some leaves, for partial refit (bvh/partial_refit.hpp).
#include "bvh/partial_refit.hpp"

#include <algorithm>
#include <functional>

namespace graze::bvh {

std::vector<std::uint32_t> bvh_leaf_slots(const BvhTree& tree, std::size_t leaf_count) {
  constexpr std::size_t kGrain = 16384;
  std::vector<std::uint32_t> slots(leaf_count, kNoNode);
  parallel_for(0, tree.words.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t word = tree.words[i];
      if (word == kNoNode || (word & kLeaf) == 0) continue;
      GRAZE_ASSERT((word & ~kLeaf) < leaf_count);
      slots[word & ~kLeaf] = static_cast<std::uint32_t>(i);
    }
  });
  return slots;
}

detail::BlocksAbove detail::blocks_above(const BvhTree& tree, std::span<const std::uint32_t> slots) {
  // To sort a list of more than 1/kMaxMarkedBlocksDivisor of all blocks takes longer than to visit every block.
  constexpr std::size_t kMaxMarkedBlocksDivisor = 16;
  const std::size_t most = tree.block_count() / kMaxMarkedBlocksDivisor + 64;
  BlocksAbove above;
  above.bits.resize((tree.block_count() + 63) / 64);
  above.few = slots.size() <= most;
  for (const std::uint32_t slot : slots) {
    for (std::uint32_t node = slot; node != kNoNode;) {
      const std::uint32_t block = node / 2;
      const std::uint64_t bit = std::uint64_t{1} << (block % 64);
      if ((above.bits[block / 64] & bit) != 0) break;
      above.bits[block / 64] |= bit;
      if (above.few) {
        above.blocks.push_back(block);
        above.few = above.blocks.size() <= most;
      }
      node = tree.parent[block];
    }
  }
  if (above.few) std::sort(above.blocks.begin(), above.blocks.end(), std::greater<>());
  return above;
}

}  // namespace graze::bvh
