// Finds every pair of primitives whose boxes overlap, once, from voxel tables of a spatial hash: within one table
// or between two.
//
// The primitives of a cell are tested against each other in SIMD lanes (HASH, section 4.3: inside a voxel), and
// against the primitives of coarser cells around it that extend into it. A pair may share several cells; it counts
// only in the cell where the intersection of its boxes begins along all three axes: each primitive has a mask of
// the axes along which it begins in a cell, and the two masks together must cover all axes. The primitives of a
// cell with many are sorted along an axis and swept. Groups of voxels are independent and run on any thread; in the
// order of group numbers the output is identical for every number of threads and every instruction set. The whole
// candidate set is never stored. Cost: O(entries + tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/function_ref.hpp"
#include "hash/voxel_table.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze::hash {

/// Counters of one group.
struct VoxelPairCounts {
  std::uint64_t box_tests = 0;
  std::uint64_t pairs = 0;     ///< pairs whose boxes overlap, each counted once
  std::uint64_t repeated = 0;  ///< overlaps found again in other cells
};

/// Generator of overlapping pairs. The tables must not change during its lifetime.
class VoxelPairs {
 public:
  using Sink = FunctionRef<void(std::span<const LeafPair> pairs)>;

  explicit VoxelPairs(const VoxelTable& self);
  /// Pairs are (primitive of a, primitive of b). Precondition: both tables have the same cell rule and, for Levels,
  /// the same unit or, for Largest, the same cell size.
  VoxelPairs(const VoxelTable& a, const VoxelTable& b);

  [[nodiscard]] std::size_t group_count() const { return groups_.size(); }
  /// Calls sink(pairs) for the pairs of a group, in chunks. Different groups may run at the same time. Exceptions
  /// of the sink propagate.
  VoxelPairCounts run_group(std::size_t group, Sink sink) const;

 private:
  /// Voxels [first, last) of a table without heavy ones, or a part of the rows of one heavy voxel.
  struct Group {
    bool second = false;  ///< voxels of b, tested against coarser cells of a
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t part = 0;
    std::uint32_t parts = 0;  ///< 0: the group has no heavy voxel
  };
  struct HeavyCell;
  class HeavyCells;
  class Worker;

  void add_groups(const VoxelTable& table, bool second);

  const VoxelTable* a_;
  const VoxelTable* b_;  ///< null: pairs within a
  std::shared_ptr<const HeavyCells> heavy_a_;
  std::shared_ptr<const HeavyCells> heavy_b_;
  std::vector<Group> groups_;
};

}  // namespace graze::hash
