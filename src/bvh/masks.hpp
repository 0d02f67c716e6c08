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
#include <vector>

#include "bvh/tree.hpp"

namespace graze {

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
  };
  std::vector<Block> blocks_;
};

}  // namespace graze
