// Partitioning of many items by an id, on all threads, so that each partition fits into a cache.
//
// Items are cut into blocks and ids into partitions, neither of which depends on threads. Each block counts its
// records by partition; sums over partitions and blocks give every block its own places; then each block writes its
// records. So the records of a partition are in the order of the items. Cost: O(items) and blocks times partitions
// counters.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/tasks.hpp"

namespace graze::core {

struct PartitionPlan {
  unsigned shift;          ///< bits of an id that its partition does not depend on
  std::size_t partitions;  ///< number of partitions
  std::size_t block;       ///< items per block
  std::size_t blocks;      ///< number of blocks

  /// Partitions have 2^min_id_bits ids or more; there are about 2^max_partition_bits of them at most.
  PartitionPlan(std::size_t item_count, std::size_t id_count, unsigned min_id_bits, unsigned max_partition_bits)
      : shift(std::max(min_id_bits,
                       static_cast<unsigned>(std::bit_width(id_count)) -
                           std::min(max_partition_bits, static_cast<unsigned>(std::bit_width(id_count))))),
        partitions((id_count >> shift) + 1),
        block(std::max(kMinBlock, (item_count + kMaxBlocks - 1) / kMaxBlocks)),
        blocks((item_count + block - 1) / block) {}

  [[nodiscard]] std::size_t partition_of(std::uint32_t id) const { return id >> shift; }

  /// Counters or places of all blocks, by block, then partition.
  [[nodiscard]] std::vector<std::uint32_t> counters() const {
    return std::vector<std::uint32_t>(blocks * partitions, 0);
  }
  /// Calls visit(counters of the block, first item, end) for every block; blocks run at the same time.
  template <typename Visit>
  void for_blocks(std::span<std::uint32_t> counters, std::size_t item_count, const Visit& visit) const {
    parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) {
        visit(counters.data() + b * partitions, b * block, std::min((b + 1) * block, item_count));
      }
    });
  }
  /// Turns the numbers of records into the places of the first ones; returns where each partition begins, and the
  /// end of the last one.
  [[nodiscard]] std::vector<std::size_t> places_from_counts(std::span<std::uint32_t> counters) const {
    std::vector<std::size_t> begin(partitions + 1);
    std::uint32_t next = 0;
    for (std::size_t p = 0; p < partitions; ++p) {
      begin[p] = next;
      for (std::size_t b = 0; b < blocks; ++b) next += std::exchange(counters[b * partitions + p], next);
    }
    begin[partitions] = next;
    return begin;
  }

 private:
  static constexpr std::size_t kMinBlock = 8192;
  static constexpr std::size_t kMaxBlocks = 64;
};

}  // namespace graze::core
