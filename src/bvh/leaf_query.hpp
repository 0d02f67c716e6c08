// The leaves that overlap with some leaves of a tree, in that tree or in another (ADAPTIVE, section 4.3: a
// traversal for each dangling triangle, where they are few).
//
// Each leaf stays where it is and goes against the root: the walk of traverse.hpp, which then tests two nodes at a
// time. Pieces of the list run on any thread; their pairs are put together in order: the same at any number of
// threads. Cost: O(log n) a leaf, and what overlaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/traverse.hpp"

namespace graze::bvh {

/// Appends the pairs (leaf at one of the slots of a, leaf of b) whose volumes overlap and whose masks, where there
/// are any, are compatible: all for which keep(pair), slot by slot. Of one tree, so a leaf meets itself, and two
/// leaves of the list meet twice. Returns the number of bound tests. Views as in BvhTraversal; nothing proved is
/// heeded.
template <typename Keep>
std::uint64_t bvh_query_leaves(const BvhView& a, std::span<const std::uint32_t> slots, const BvhView& b,
                               const Keep& keep, std::vector<LeafPair>& pairs) {
  constexpr std::size_t kLeavesPerBlock = 32;
  if (b.tree->leaf_count == 0) return 0;
  struct Piece {
    const Keep* keep = nullptr;
    std::vector<LeafPair> pairs{};
    std::uint64_t tests = 0;
  };
  std::vector<Piece> pieces((slots.size() + kLeavesPerBlock - 1) / kLeavesPerBlock, Piece{&keep});
  parallel_for(0, pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    std::vector<detail::BlockPair> from;
    for (std::size_t p = first; p < last; ++p) {
      from.clear();
      for (const std::uint32_t slot :
           slots.subspan(p * kLeavesPerBlock, std::min(kLeavesPerBlock, slots.size() - p * kLeavesPerBlock))) {
        from.push_back({slot / 2 << 2U | 1U << slot % 2, 1U});  // against the first node of block 0: the root
      }
      detail::Walk walk{.a = a, .b = b, .context = &pieces[p]};
      walk.call = [](void* context, const LeafPair* found, std::size_t count) {
        auto& piece = *static_cast<Piece*>(context);
        for (const LeafPair& pair : std::span(found, count)) {
          if ((*piece.keep)(pair)) piece.pairs.push_back(pair);
        }
      };
      pieces[p].tests = detail::walk_blocks(walk, from, nullptr);
    }
  });
  std::uint64_t tests = 0;
  for (const Piece& piece : pieces) {
    pairs.insert(pairs.end(), piece.pairs.begin(), piece.pairs.end());
    tests += piece.tests;
  }
  return tests;
}

}  // namespace graze::bvh
