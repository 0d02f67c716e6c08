// The topology of a binary hierarchy: who is whose child, without any volume, so that one tree can carry boxes or
// k-DOPs.
//
// Nodes come in blocks of two siblings: block b holds the nodes 2b and 2b+1. Block 0 holds the root (node 0) and an
// unused slot. A node with m leaves owns m-1 blocks, and they lie together: its children first, then the blocks of
// the left child, then those of the right one. So n leaves take exactly n blocks, parents come before children, a
// subtree is a range, and builders know every place in advance, which makes them parallel and deterministic.
// In a tree of two levels (two_level.hpp) the same holds in each level by itself: the upper one, where the roots of
// the lower trees stand as leaves would, is the blocks [0, upper_blocks), and the lower trees lie behind it.
// Memory: 12 bytes a leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <graze/types.hpp>

#include "core/tasks.hpp"

namespace graze::bvh {

/// A leaf's word is kLeaf | primitive; an inner node's is the block of its children.
inline constexpr std::uint32_t kLeaf = 0x80000000U;
/// The word of slots that hold no node.
inline constexpr std::uint32_t kNoNode = 0xffffffffU;
/// Most leaves a tree can have: traversal packs a block with two more bits.
inline constexpr std::size_t kMaxLeaves = std::size_t{1} << 30U;

struct BvhTree {
  std::vector<std::uint32_t> words;   ///< of each node slot: 2 * block_count()
  std::vector<std::uint32_t> parent;  ///< of each block: the node whose children it holds; kNoNode for block 0
  std::size_t leaf_count = 0;

  /// Blocks of the upper level; 0 where there is one level only.
  std::uint32_t upper_blocks = 0;

  /// Whole subtrees, as block ranges in ascending order, that refit can work on at the same time. A piece of the
  /// lower level may be several small trees that lie side by side.
  struct Piece {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::vector<Piece> pieces;
  std::vector<Piece> upper_pieces;  ///< of the upper level: after all below it
  std::vector<std::uint32_t> top;   ///< the blocks that are in no piece, ascending; 0 is always here

  std::uint32_t depth = 0;  ///< edges on the longest way from the root to a leaf

  [[nodiscard]] std::size_t block_count() const { return parent.size(); }
  [[nodiscard]] std::size_t node_count() const { return leaf_count == 0 ? 0 : 2 * leaf_count - 1; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return sizeof(std::uint32_t) * (words.size() + parent.size() + top.size()) +
           sizeof(Piece) * (pieces.size() + upper_pieces.size());
  }
};

/// Calls make(block) for every block after those of its children: pieces on several threads, then what is above
/// them.
template <typename Make>
void for_blocks_bottom_up(const BvhTree& tree, const Make& make) {
  const auto run = [&](const std::vector<BvhTree::Piece>& pieces) {
    parallel_for(0, pieces.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first; p < last; ++p) {
        for (std::uint32_t b = pieces[p].end; b-- > pieces[p].begin;) make(b);
      }
    });
  };
  std::size_t rest = tree.top.size();
  run(tree.pieces);
  while (rest > 0 && tree.top[rest - 1] >= tree.upper_blocks) make(tree.top[--rest]);
  run(tree.upper_pieces);
  while (rest > 0) make(tree.top[--rest]);
}

}  // namespace graze::bvh
