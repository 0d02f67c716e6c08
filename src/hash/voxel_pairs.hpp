// Every pair of primitives whose boxes overlap, once, from tables of voxels: of one with itself, or of two.
//
// The primitives of a cell are tested against each other in SIMD lanes (HASH, section 4.3: inside a voxel), and
// against those of the coarser cells around it that reach into it. A pair shares several cells; it counts in the
// one where the intersection of its boxes begins along all three axes: each primitive knows along which axes it
// begins in a cell, and together they must begin along all. Where a cell is crowded its primitives are sorted along
// an axis and swept. Groups of voxels are independent and run on any thread; taken by group number the output is
// the same at any number of threads and on every instruction set. Nothing holds the whole candidate set. Cost:
// O(entries + tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hash/voxel_table.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze::hash {

/// What a group saw.
struct VoxelPairCounts {
  std::uint64_t box_tests = 0;
  std::uint64_t pairs = 0;     ///< whose boxes overlap, each once
  std::uint64_t repeated = 0;  ///< those that came up again in other cells
};

/// The tables must not change while it lives.
class VoxelPairs {
 public:
  using Sink = std::function<void(std::span<const LeafPair>)>;

  explicit VoxelPairs(const VoxelTable& self);
  /// Pairs are (primitive of a, primitive of b). Precondition: cells of the same rule, and of the same unit or, of
  /// Largest, of the same size.
  VoxelPairs(const VoxelTable& a, const VoxelTable& b);

  [[nodiscard]] std::size_t group_count() const { return groups_.size(); }
  /// Calls sink(pairs) for the pairs of a group, some at a time. Different groups may run at the same time.
  /// Exceptions of the sink pass through.
  VoxelPairCounts run_group(std::size_t group, const Sink& sink) const;

 private:
  /// Voxels [first, last) of a table, less heavy ones; or a part of the rows of one that is heavy.
  struct Group {
    bool second = false;  ///< of b's voxels, against coarser cells of a
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t part = 0;
    std::uint32_t parts = 0;  ///< 0: not heavy
  };
  struct HeavyCell;
  class HeavyCells;
  class Worker;

  void add_groups(const VoxelTable& table, bool second);

  const VoxelTable* a_;
  const VoxelTable* b_;  ///< null: a with itself
  std::shared_ptr<const HeavyCells> heavy_a_;
  std::shared_ptr<const HeavyCells> heavy_b_;
  std::vector<Group> groups_;
};

}  // namespace graze::hash
