// Every pair of primitives whose boxes overlap, once, from tables of voxels: of one with itself, or of two.
//
// Inside a voxel all entries of a cell are tested against each other in SIMD lanes, and against those of the
// coarser cells around it. A pair shares several cells; it counts in the one where the intersection of its boxes
// begins along all three axes, which both can tell by themselves. Groups of voxels are independent and run on any
// thread; taken by group number the output is the same at any number of threads. Nothing holds the whole candidate
// set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "hash/voxel_table.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze {

/// What a group saw.
struct VoxelPairCounts {
  std::uint64_t box_tests = 0;
  std::uint64_t pairs = 0;     ///< whose boxes overlap, each once
  std::uint64_t repeated = 0;  ///< those that came up again in other cells
};

/// The tables must not change while it lives.
class VoxelPairs {
 public:
  explicit VoxelPairs(const VoxelTable& self);
  /// Pairs are (primitive of a, primitive of b). Both tables of the same cell rule.
  VoxelPairs(const VoxelTable& a, const VoxelTable& b);

  [[nodiscard]] std::size_t group_count() const;
  /// Calls sink(pairs) for the pairs of a group, in chunks of at most 1024. Different groups may run at the same
  /// time. Exceptions of the sink pass through.
  VoxelPairCounts run_group(std::size_t group, const std::function<void(std::span<const LeafPair>)>& sink) const;
};

}  // namespace graze
