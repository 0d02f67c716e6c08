// Refit of a BVH: computes the bounding volumes of a tree's nodes bottom-up, in linear time, in the layout that the
// overlap test reads. partial_refit.hpp refits only the nodes above some leaves.
//
// A block of two siblings is kRows rows of four floats, {lo of 2b, lo of 2b+1, hi of 2b, hi of 2b+1}, one row per
// slab direction, so that the lanes of one register test four pairs of nodes. The block of two boxes fills one
// cache line. Padding rows are (-infinity, infinity); the volumes of slots without a node are empty. Refit visits
// blocks from the last to the first: pieces of the tree in parallel, then the blocks above the pieces; in a
// two-level tree the lower level before the upper level. Minima and maxima do not depend on the order, so the
// result has the same bits with any number of threads. Memory: 64 (box), 160 (18-DOP), 224 (26-DOP) bytes per leaf.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bvh/tree.hpp"
#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/volume.hpp"

namespace graze::bvh {

template <typename Volume>
class BvhVolumes {
 public:
  static constexpr std::size_t kRows = Volume::kRows;
  struct alignas(kRows % 4 == 0 ? 64 : 32) Block {
    std::array<std::array<float, 4>, kRows> rows;
  };

  /// Returns a copy of a node's volume.
  [[nodiscard]] Volume node(std::size_t index) const {
    Volume volume;
    const Block& block = blocks_[index / 2];
    for (std::size_t k = 0; k < Volume::kDirections; ++k) {
      volume.lo[k] = block.rows[k][index % 2];
      volume.hi[k] = block.rows[k][2 + index % 2];
    }
    return volume;
  }

  [[nodiscard]] std::size_t block_count() const { return blocks_.size(); }
  [[nodiscard]] const float* data() const { return blocks_.empty() ? nullptr : blocks_[0].rows[0].data(); }
  [[nodiscard]] std::size_t memory_bytes() const { return sizeof(Block) * blocks_.capacity(); }

  /// Recomputes the volume of every node as the union of its leaves' volumes. leaf(primitive) returns a leaf's
  /// Volume; it is called once per leaf, from several threads. Allocates only if the tree exceeds the capacity, and
  /// then with spare capacity to grow.
  template <typename Leaf>
  void refit(const BvhTree& tree, const Leaf& leaf) {
    // The code below writes all slots but the second slot of block 0. The padding of a block is written once, here.
    if (tree.block_count() > blocks_.capacity()) {
      const std::size_t grown = blocks_.empty() ? 0 : blocks_.capacity() + blocks_.capacity() / 4;
      blocks_.clear();  // avoids copying the old blocks: all are overwritten
      blocks_.reserve(std::max(tree.block_count(), grown));
    }
    blocks_.resize(tree.block_count(), empty_block());
    if (tree.leaf_count < 2) blocks_[0] = empty_block();
    for_blocks_bottom_up(tree, [&](std::uint32_t b) { refit_block(tree, b, leaf); });
  }

  /// Sets the volume of one node and leaves the volumes of its ancestors as they are: for partial rewrites of the
  /// tree.
  void set_node(std::size_t index, const Volume& volume) { put(index, volume); }

  /// Sets the parents of blocks [first, last) to the unions of their children, from the last block to the first.
  /// Reads the volumes of leaves, and of nodes whose children are outside the range, without updating them.
  void refit_blocks(const BvhTree& tree, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t b = last; b-- > first;) pass_up(tree, b);
  }

 private:
  static Block empty_block() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Block block;
    block.rows.fill({kInfinity, kInfinity, -kInfinity, -kInfinity});
    for (std::size_t k = Volume::kDirections; k < kRows; ++k) {
      block.rows[k] = {-kInfinity, -kInfinity, kInfinity, kInfinity};
    }
    return block;
  }

  void put(std::size_t index, const Volume& volume) {
    Block& block = blocks_[index / 2];
    for (std::size_t k = 0; k < Volume::kDirections; ++k) {
      block.rows[k][index % 2] = volume.lo[k];
      block.rows[k][2 + index % 2] = volume.hi[k];
    }
  }

  /// Writes the leaves of a block, then the union of both nodes into the parent. The inner nodes of the block were
  /// written when their own child blocks were refitted.
  template <typename Leaf>
  void refit_block(const BvhTree& tree, std::uint32_t b, const Leaf& leaf) {
    for (std::size_t index = std::size_t{2} * b; index < std::size_t{2} * b + 2; ++index) {
      const std::uint32_t word = tree.words[index];
      if (word != kNoNode && (word & kLeaf) != 0) put(index, leaf(word & ~kLeaf));
    }
    pass_up(tree, b);
  }

  void pass_up(const BvhTree& tree, std::uint32_t b) {
    const std::uint32_t parent = tree.parent[b];
    if (parent == kNoNode) return;
    const Block& block = blocks_[b];
    Block& above = blocks_[parent / 2];
    const std::size_t side = parent % 2;
    for (std::size_t k = 0; k < Volume::kDirections; ++k) {
      const auto& row = block.rows[k];
      above.rows[k][side] = row[1] < row[0] ? row[1] : row[0];
      above.rows[k][2 + side] = row[3] > row[2] ? row[3] : row[2];
    }
  }

  std::vector<Block> blocks_;
};

/// Refits to swept triangles. `vertices` come from make_vertex_volumes; the leaf with number i is triangles[i].
template <typename Volume>
void bvh_refit(const BvhTree& tree, std::span<const Volume> vertices, std::span<const Triangle> triangles,
               BvhVolumes<Volume>& volumes) {
  volumes.refit(tree, [&](std::uint32_t i) { return triangle_volume(vertices, triangles[i]); });
}

}  // namespace graze::bvh
