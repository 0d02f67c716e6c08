// Leaf queries: finds the leaves that overlap some given leaves of a tree, in the same tree or in another one
// (ADAPTIVE, section 4.3: one traversal per dangling triangle, if there are few).
//
// Each given leaf is tested against the root by the traversal of traverse.hpp, which then tests two nodes at a
// time. Parts of the list run on any thread, and their pairs are concatenated in order: the result is the same with
// any number of threads. Cost: O(log n) per leaf, plus the overlaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/traverse.hpp"

namespace graze::bvh {

/// Appends the pairs (leaf at one of the slots of a, leaf of b), slot by slot, whose volumes overlap, whose masks,
/// if any, are compatible, and for which keep(pair) is true. If a and b are the same tree, a leaf is paired with
/// itself too, and two leaves of the list are paired twice. Returns the number of bound tests. Views as in
/// BvhTraversal; self_free is ignored.
template <typename Keep>
std::uint64_t bvh_query_leaves(const BvhView& a, std::span<const std::uint32_t> slots, const BvhView& b,
                               const Keep& keep, std::vector<LeafPair>& pairs) {
  constexpr std::size_t kLeavesPerTask = 32;
  if (b.tree->leaf_count == 0) return 0;
  struct Piece {
    std::vector<LeafPair> pairs{};
    std::uint64_t tests = 0;
  };
  std::vector<Piece> pieces((slots.size() + kLeavesPerTask - 1) / kLeavesPerTask);
  parallel_for(0, pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    std::vector<detail::BlockPair> from;
    for (std::size_t p = first; p < last; ++p) {
      from.clear();
      for (const std::uint32_t slot :
           slots.subspan(p * kLeavesPerTask, std::min(kLeavesPerTask, slots.size() - p * kLeavesPerTask))) {
        from.push_back({slot / 2 << 2U | 1U << slot % 2, 1U});  // against the first node of block 0: the root
      }
      const auto keep_some = [&](std::span<const LeafPair> found) {
        for (const LeafPair& pair : found) {
          if (keep(pair)) pieces[p].pairs.push_back(pair);
        }
      };
      pieces[p].tests = detail::traverse_blocks({.a = a, .b = b}, from, nullptr, keep_some);
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
