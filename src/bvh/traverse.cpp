// Front and groups of the broad-phase traversal (traverse.hpp); the inner loop is in traverse_simd.cpp.
#include "bvh/traverse.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace graze::bvh {

namespace {

/// Target size of the front: enough pairs to keep many threads busy, but not more than two small trees have work
/// for.
std::size_t front_goal(std::size_t leaves_a, std::size_t leaves_b) {
  return std::min<std::size_t>(1024, (leaves_a + leaves_b) / 64);
}

/// Returns the number of leaves below a block. Its subtree is a range of blocks, one fewer than its leaves; the
/// path along the last inner nodes leads to the last block.
std::size_t leaves_below(const BvhTree& tree, std::uint32_t block) {
  std::uint32_t last = block;
  while (true) {
    const std::uint32_t* words = &tree.words[std::size_t{2} * last];
    if ((words[0] & words[1] & kLeaf) != 0) return last - block + std::size_t{2};
    last = (words[1] & kLeaf) == 0 ? words[1] : words[0];
  }
}

}  // namespace

BvhTraversal::BvhTraversal(const BvhView& self) : trees_{.a = self, .b = self, .self = true} {
  if (self.tree->leaf_count < 2) return;
  if (self.self_free != nullptr && self.self_free[self.tree->words[0]] != 0) return;
  const std::uint32_t children = self.tree->words[0] << 2U | 3U;
  front_.push_back({children, children});
  make_front(front_goal(self.tree->leaf_count, self.tree->leaf_count));
}

BvhTraversal::BvhTraversal(const BvhView& a, const BvhView& b) : trees_{.a = a, .b = b} {
  GRAZE_ASSERT(a.row_count == b.row_count && (a.masks == nullptr) == (b.masks == nullptr));
  if (a.tree->leaf_count == 0 || b.tree->leaf_count == 0) return;
  front_.push_back({1U, 1U});  // the first node of block 0: the roots
  make_front(front_goal(a.tree->leaf_count, b.tree->leaf_count));
}

BvhTraversal::BvhTraversal(const BvhView& self, std::span<const std::uint32_t> blocks)
    : trees_{.a = self, .b = self, .self = true} {
  std::size_t leaves = 0;
  for (const std::uint32_t block : blocks) {
    if (self.self_free != nullptr && self.self_free[block] != 0) continue;
    front_.push_back({block << 2U | 3U, block << 2U | 3U});
    leaves += leaves_below(*self.tree, block);
  }
  make_front(front_goal(leaves, leaves));
}

void BvhTraversal::make_front(std::size_t goal) {
  const auto keep = [&](std::span<const LeafPair> pairs) {
    found_.insert(found_.end(), pairs.begin(), pairs.end());
  };
  // Each round descends one level. Long thin trees may never reach the goal, so the number of rounds is bounded.
  constexpr int kRounds = 64;
  std::vector<detail::BlockPair> next;
  for (int round = 0; round < kRounds && !front_.empty() && front_.size() < goal; ++round) {
    next.clear();
    front_tests_ += detail::traverse_blocks(trees_, front_, &next, keep);
    front_.swap(next);
  }
}

std::uint64_t BvhTraversal::run_group(std::size_t group, detail::LeafPairCall sink) const {
  GRAZE_ASSERT(group < group_count());
  if (group == 0) {
    if (!found_.empty()) sink(found_);
    return front_tests_;
  }
  const std::size_t begin = (group - 1) * kBlockPairsPerGroup;
  const std::size_t end = std::min(begin + kBlockPairsPerGroup, front_.size());
  return detail::traverse_blocks(trees_, std::span(front_).subspan(begin, end - begin), nullptr, sink);
}

}  // namespace graze::bvh
