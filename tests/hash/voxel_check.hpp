// Compares the pairs from voxels with all pairs of boxes: each overlapping pair once, in the same order at any
// number of threads, with equal counts. A failure is returned as text.
#pragma once

#include <cstdint>

#include <graze/research.hpp>
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

/// Pairs of a whole run, in order of groups; `fault` says what is wrong with its chunks.
struct VoxelRun {
  std::vector<LeafPair> pairs;
  VoxelPairCounts counts;
  std::string fault;
};
VoxelRun run_all(const VoxelPairs& pairs);

/// The numbers 0, 1, ... count - 1.
std::vector<std::uint32_t> all_numbers(std::size_t count);

/// Pairs whose boxes overlap, by brute force; a < b for pairs within one set.
std::vector<LeafPair> overlapping(std::span<const PackedBox> boxes, std::span<const std::uint32_t> numbers);
std::vector<LeafPair> overlapping(std::span<const PackedBox> boxes_a, std::span<const std::uint32_t> numbers_a,
                                  std::span<const PackedBox> boxes_b, std::span<const std::uint32_t> numbers_b);

/// Empty if a run has each expected pair once and counts them; else the fault. Self runs may report a pair in
/// either order.
std::string compare(const VoxelRun& run, std::vector<LeafPair> expected, bool is_self);

/// Builds a table and runs it on 1, 2 and 7 threads. Empty if everything is correct.
std::string check_self(std::span<const PackedBox> boxes, std::span<const std::uint32_t> numbers,
                       const research::HashOptions& options);
std::string check_two(std::span<const PackedBox> boxes_a, std::span<const std::uint32_t> numbers_a,
                      std::span<const PackedBox> boxes_b, std::span<const std::uint32_t> numbers_b,
                      const research::HashOptions& options);

std::size_t entry_count(const VoxelTable& table);

}  // namespace graze::testing
