// Feature masks: skip a pair of nodes without compatible features before testing its bounds (R-TRI, Algorithm 1,
// where HasCompatible comes first).
//
// A leaf offers ("give") and accepts ("take") up to four kinds of features, 4 bits each. Two leaves are compatible
// if one offers a kind that the other accepts. With representatives, bit 0 is a represented vertex, which any face
// accepts, and bit 1 is a represented edge, which a leaf accepts if it represents an edge too. The mask of an inner
// node is the union of the masks of its leaves, so traversal can skip whole subtrees. Each block stores its masks
// in two arrangements, so that one AND decides four pairs. Memory: 8 bytes per leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bvh/tree.hpp"

namespace graze::bvh {

/// Kinds of features that a leaf offers (`give`) and accepts (`take`), one bit each.
struct LeafMask {
  std::uint8_t give = 0xF;
  std::uint8_t take = 0xF;
};

/// Returns the mask of a triangle that represents this many vertices and edges. Every leaf represents its own face.
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
  /// Computes all masks. `leaves` is indexed by leaf number and may have entries for leaves that are not in the
  /// tree. A change of the topology requires new masks; refit does not. Cost: O(n).
  BvhMasks(const BvhTree& tree, std::span<const LeafMask> leaves);

  /// Updates the masks after an edit of the tree. old_block is TreeEditResult::old_block (bvh/edit/edit_tree.hpp);
  /// is_changed(leaf) says whether a leaf that kept its slot has a new mask. Cost: one cheap pass over the blocks.
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

  /// Recomputes the masks of `blocks`, which must list child blocks before their parents. mask_of(leaf) returns the
  /// new mask of each leaf in these blocks. Cost: O(blocks).
  template <typename MaskOf>
  void remake(const BvhTree& tree, std::span<const std::uint32_t> blocks, const MaskOf& mask_of) {
    for (const std::uint32_t b : blocks) blocks_[b] = make_block(tree, b, blocks_, mask_of);
  }

  /// Returns the compatible lanes; bit 2i+j is child i of block a with child j of block b.
  static unsigned lanes(const BvhMasks& a, std::size_t block_a, const BvhMasks& b, std::size_t block_b) {
    std::uint32_t both = a.blocks_[block_a].as_first & b.blocks_[block_b].as_second;
    // Sets bit 0 of each byte if the byte is not 0. Bits shifted in from the next byte never reach bit 0.
    both |= both >> 4U;
    both |= both >> 2U;
    both |= both >> 1U;
    // Collects the four bits in the top byte; the partial products do not overlap.
    return ((both & 0x01010101U) * 0x01020408U) >> 24U & 0xFU;
  }

  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const { return sizeof(Block) * blocks_.size(); }

 private:
  struct Block {
    std::uint32_t as_first = 0;   ///< bytes of children 0, 0, 1, 1: give in the low half, take in the high half
    std::uint32_t as_second = 0;  ///< bytes of children 0, 1, 0, 1: take in the low half, give in the high half

    Block() = default;
    /// Constructs from the bytes of the two children: give in the low half, take in the high half.
    Block(std::uint32_t first, std::uint32_t second)
        : as_first(first | first << 8U | second << 16U | second << 24U),
          as_second(swapped(first) * 0x00010001U | swapped(second) * 0x01000100U) {}
    /// Returns the byte of the parent node: the union of both children.
    [[nodiscard]] std::uint32_t both() const { return (as_first | as_first >> 16U) & 0xFFU; }
    static std::uint32_t swapped(std::uint32_t byte) { return byte >> 4U | (byte & 0xFU) << 4U; }
  };
  static std::uint32_t byte_of(const LeafMask& leaf) { return (leaf.give & 0xFU) | (leaf.take & 0xFU) << 4U; }

  /// Computes the masks of one block; the masks of its child blocks must be up to date.
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
