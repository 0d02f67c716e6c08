// "No compatible features", decided before any bound is tested (R-TRI, Algorithm 1: HasCompatible comes first).
//
// A leaf gives and takes up to four kinds of things: 4 bits each. Two leaves are compatible if one gives what
// the other takes. For representatives: bit 0, a vertex given to any face; bit 1, an edge given to a leaf that
// has edges too. Inner nodes hold the union of their leaves, so whole subtrees may drop out. Stored twice a block,
// in the shape that answers for four pairs with one AND. Memory: 8 bytes a leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bvh/tree.hpp"

namespace graze::bvh {

/// What a leaf gives and what it takes.
struct LeafMask {
  std::uint8_t give = 0xF;
  std::uint8_t take = 0xF;
};

/// The mask of a triangle that represents this many vertices and edges; its face is always its own.
constexpr LeafMask representative_mask(std::uint32_t vertex_count, std::uint32_t edge_count) {
  const unsigned vertex = vertex_count > 0 ? 1U : 0U;
  const unsigned edge = edge_count > 0 ? 2U : 0U;
  return {static_cast<std::uint8_t>(vertex | edge), static_cast<std::uint8_t>(1U | edge)};
}

constexpr bool compatible(const LeafMask& a, const LeafMask& b) {
  return ((a.give & b.take) | (b.give & a.take)) != 0;
}

class BvhMasks {
 public:
  BvhMasks() = default;
  /// Masks by leaf number, which may have more than the tree's leaves. Topology changes need new masks, refit does
  /// not. O(n).
  BvhMasks(const BvhTree& tree, std::span<const LeafMask> leaves);

  /// Follows an edit of the tree: old_block as in TreeEditResult (bvh/edit/edit_tree.hpp); is_changed(leaf) for
  /// leaves that stayed in their place and have another mask now. Cost: a light pass over the blocks.
  template <typename IsChanged>
  void follow(const BvhTree& tree, std::span<const std::uint32_t> old_block, std::span<const LeafMask> leaves,
              const IsChanged& is_changed) {
    std::vector<Block> blocks(tree.block_count());
    std::vector<bool> made(tree.block_count());
    for (std::size_t b = tree.block_count(); b-- > 0;) {
      bool same = old_block[b] != kNoNode;
      for (std::size_t i = 2 * b; i < 2 * b + 2; ++i) {
        const std::uint32_t word = tree.words[i];
        if (word == kNoNode) continue;
        if ((word & kLeaf) != 0 ? is_changed(word & ~kLeaf) : made[word]) same = false;
      }
      if (same) {
        blocks[b] = blocks_[old_block[b]];
        continue;
      }
      made[b] = true;
      blocks[b] = make_block(tree, b, blocks, [&](std::uint32_t leaf) { return leaves[leaf]; });
    }
    blocks_ = std::move(blocks);
  }

  /// Masks of some blocks anew, which come after those below them: mask_of(leaf) is another one now for leaves that
  /// stand in them. Cost: the blocks.
  template <typename MaskOf>
  void remake(const BvhTree& tree, std::span<const std::uint32_t> blocks, const MaskOf& mask_of) {
    for (const std::uint32_t b : blocks) blocks_[b] = make_block(tree, b, blocks_, mask_of);
  }

  /// The lanes (bit 2i+j: child i of block a, child j of block b) that are compatible.
  static unsigned lanes(const BvhMasks& a, std::size_t block_a, const BvhMasks& b, std::size_t block_b) {
    std::uint32_t both = a.blocks_[block_a].as_first & b.blocks_[block_b].as_second;
    // Bit 0 of each byte: is the byte nonzero? What a shift drags in from the next byte never reaches bit 0.
    both |= both >> 4U;
    both |= both >> 2U;
    both |= both >> 1U;
    // Gathers the four bits into the top byte; the partial products do not meet.
    return ((both & 0x01010101U) * 0x01020408U) >> 24U & 0xFU;
  }

  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const { return sizeof(Block) * blocks_.size(); }

 private:
  struct Block {
    std::uint32_t as_first = 0;   ///< bytes of children 0, 0, 1, 1: give in the low half, take in the high
    std::uint32_t as_second = 0;  ///< bytes of children 0, 1, 0, 1: take in the low half, give in the high

    Block() = default;
    /// From the children's bytes: give in the low half, take in the high.
    Block(std::uint32_t first, std::uint32_t second)
        : as_first(first | first << 8U | second << 16U | second << 24U),
          as_second(swapped(first) * 0x00010001U | swapped(second) * 0x01000100U) {}
    /// The byte of the node above.
    [[nodiscard]] std::uint32_t both() const { return (as_first | as_first >> 16U) & 0xFFU; }
    static std::uint32_t swapped(std::uint32_t byte) { return byte >> 4U | (byte & 0xFU) << 4U; }
  };
  static std::uint32_t byte_of(const LeafMask& leaf) { return (leaf.give & 0xFU) | (leaf.take & 0xFU) << 4U; }

  /// From those below it, which are made.
  template <typename MaskOf>
  static Block make_block(const BvhTree& tree, std::size_t b, const std::vector<Block>& blocks,
                          const MaskOf& mask_of) {
    const auto byte = [&](std::uint32_t word) {
      if (word == kNoNode) return 0U;
      return (word & kLeaf) != 0 ? byte_of(mask_of(word & ~kLeaf)) : blocks[word].both();
    };
    return {byte(tree.words[2 * b]), byte(tree.words[2 * b + 1])};
  }

  std::vector<Block> blocks_;
};

}  // namespace graze::bvh
