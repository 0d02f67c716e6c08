// Topology of a binary bounding volume hierarchy (BVH), the broad-phase structure: parent and child links without
// volumes, so that one tree can carry boxes or k-DOPs (volumes.hpp).
//
// Nodes are stored in blocks of two siblings: block b holds nodes 2b and 2b+1. Block 0 holds the root (node 0) and
// an unused slot. A node with m leaves owns m-1 contiguous blocks: first the block of its children, then the blocks
// of the left child, then the blocks of the right child. So n leaves take exactly n blocks, parents precede
// children, a subtree is a range of blocks, and builders know each block's position in advance, which makes them
// parallel and deterministic. In a two-level tree (two_level.hpp) each level has this layout by itself: the upper
// level is blocks [0, upper_blocks), the roots of the lower trees are its leaves, and the blocks of the lower trees
// follow it. Memory: 12 bytes per leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <graze/types.hpp>

#include "core/tasks.hpp"

namespace graze::bvh {

/// Word of a node: kLeaf | primitive for a leaf, the block of its children for an inner node.
inline constexpr std::uint32_t kLeaf = 0x80000000U;
/// Word of a slot that holds no node.
inline constexpr std::uint32_t kNoNode = 0xffffffffU;
/// Maximum number of leaves of a tree: traversal packs a block index with two more bits into 32 bits.
inline constexpr std::size_t kMaxLeaves = std::size_t{1} << 30U;

struct BvhTree {
  std::vector<std::uint32_t> words;   ///< word of each node slot: 2 * block_count() entries
  std::vector<std::uint32_t> parent;  ///< for each block, the node whose children it holds; kNoNode for block 0
  std::size_t leaf_count = 0;

  /// Number of blocks of the upper level; 0 if the tree has one level only.
  std::uint32_t upper_blocks = 0;

  /// Block ranges, ascending, that hold whole subtrees: refit processes them in parallel. A piece of the lower
  /// level may hold several small adjacent trees.
  struct Piece {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::vector<Piece> pieces;
  std::vector<Piece> upper_pieces;  ///< pieces of the upper level: refitted after the whole lower level
  std::vector<std::uint32_t> top;   ///< blocks that are in no piece, ascending; block 0 always is one

  std::uint32_t depth = 0;  ///< number of edges on the longest path from the root to a leaf

  [[nodiscard]] std::size_t block_count() const { return parent.size(); }
  [[nodiscard]] std::size_t node_count() const { return leaf_count == 0 ? 0 : 2 * leaf_count - 1; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return sizeof(std::uint32_t) * (words.size() + parent.size() + top.size()) +
           sizeof(Piece) * (pieces.size() + upper_pieces.size());
  }
};

/// Calls make(block) for every block, children before parents: first the pieces, in parallel, then the blocks above
/// the pieces; the lower level before the upper level.
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
