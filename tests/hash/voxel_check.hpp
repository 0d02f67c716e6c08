// Pairs from voxels against all pairs of boxes: each pair that overlaps once, in the same order at any number of
// threads, and counts that do not change. A failure is a text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/packed_box.hpp"
#include "hash/voxel_pairs.hpp"
#include "hash/voxel_table.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace hash;

/// Pairs of a whole run, by group; chunks checked.
struct VoxelRun {
  std::vector<LeafPair> pairs;
  VoxelPairCounts counts;
  std::string fault;
};
VoxelRun run_all(const VoxelPairs& pairs);

/// 0, 1, ... count - 1.
std::vector<std::uint32_t> all_numbers(std::size_t count);

/// Pairs whose boxes overlap, by brute force; of a self run a < b.
std::vector<LeafPair> overlapping(std::span<const PackedBox> boxes, std::span<const std::uint32_t> numbers);
std::vector<LeafPair> overlapping(std::span<const PackedBox> boxes_a, std::span<const std::uint32_t> numbers_a,
                                  std::span<const PackedBox> boxes_b, std::span<const std::uint32_t> numbers_b);

/// Empty if a run has each expected pair once and counts them; else what is wrong. Self runs may name a pair
/// either way round.
std::string compare(const VoxelRun& run, std::vector<LeafPair> expected, bool is_self);

/// A table of its own, made and run on 1, 2 and 7 threads. Empty if all is right.
std::string check_self(std::span<const PackedBox> boxes, std::span<const std::uint32_t> numbers,
                       const HashOptions& options);
std::string check_two(std::span<const PackedBox> boxes_a, std::span<const std::uint32_t> numbers_a,
                      std::span<const PackedBox> boxes_b, std::span<const std::uint32_t> numbers_b,
                      const HashOptions& options);

std::size_t entry_count(const VoxelTable& table);

}  // namespace graze::testing
