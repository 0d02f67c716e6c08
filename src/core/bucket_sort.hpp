// A parallel bucket sort for values whose leading key is spread evenly, such as vertex ids.
//
// Values go into buckets by the upper bits of their key, about eight to a bucket; buckets are then sorted one by
// one. Both passes run on all threads: the values are cut into blocks, each block counts its values by bucket, and
// a prefix sum over buckets and blocks gives every block its own places. Cost: O(n) where keys are spread, else O(n
// log n); one more array of n values, and at most 8 bytes per value for the counts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/tasks.hpp"

namespace graze::core {

/// Sorts by `less`, a strict total order of values that differ. Precondition: key_of(v) is a std::uint64_t below
/// 2^key_bits and never decreases in that order; fewer than 2^32 values.
template <typename T, typename Allocator, typename KeyOf, typename Less>
void bucket_sort(std::vector<T, Allocator>& values, unsigned key_bits, const KeyOf& key_of, const Less& less) {
  constexpr std::size_t kMinForBuckets = 512;
  constexpr std::size_t kMinPerBlock = 8192;
  constexpr std::size_t kMaxBlocks = 16;
  constexpr unsigned kValuesPerBucketBits = 3;
  const std::size_t count = values.size();
  if (count < kMinForBuckets) {
    std::sort(values.begin(), values.end(), less);
    return;
  }
  const unsigned width = std::min(key_bits, static_cast<unsigned>(std::bit_width(count)) - kValuesPerBucketBits);
  const unsigned shift = key_bits - width;
  const std::size_t buckets = std::size_t{1} << width;
  const std::size_t blocks = std::clamp<std::size_t>(count / kMinPerBlock, 1, kMaxBlocks);
  const auto begin_of = [&](std::size_t block) { return block * count / blocks; };
  const auto bucket_of = [&](const T& value) { return static_cast<std::size_t>(key_of(value) >> shift); };

  std::vector<std::uint32_t> places(blocks * buckets, 0);  // by block, then bucket: first counts, then next places
  parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      std::uint32_t* const counts = places.data() + block * buckets;
      for (std::size_t i = begin_of(block); i < begin_of(block + 1); ++i) ++counts[bucket_of(values[i])];
    }
  });
  // Prefix sums: within runs of buckets in parallel, then over the runs.
  constexpr std::size_t kBucketsPerRun = 1024;
  const std::size_t runs = (buckets + kBucketsPerRun - 1) / kBucketsPerRun;
  std::vector<std::uint32_t> ends(buckets);
  std::vector<std::uint32_t> run_begins(runs + 1, 0);
  const auto for_runs = [&](const auto& fn) {
    parallel_for(0, runs, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t run = first; run < last; ++run) {
        fn(run, run * kBucketsPerRun, std::min((run + 1) * kBucketsPerRun, buckets));
      }
    });
  };
  for_runs([&](std::size_t run, std::size_t begin, std::size_t end) {
    std::uint32_t next = 0;
    for (std::size_t bucket = begin; bucket < end; ++bucket) {
      for (std::size_t block = 0; block < blocks; ++block) {
        next += std::exchange(places[block * buckets + bucket], next);
      }
      ends[bucket] = next;
    }
    run_begins[run + 1] = next;
  });
  for (std::size_t run = 0; run < runs; ++run) run_begins[run + 1] += run_begins[run];
  for_runs([&](std::size_t run, std::size_t begin, std::size_t end) {
    for (std::size_t block = 0; block < blocks; ++block) {
      for (std::size_t bucket = begin; bucket < end; ++bucket) places[block * buckets + bucket] += run_begins[run];
    }
    for (std::size_t bucket = begin; bucket < end; ++bucket) ends[bucket] += run_begins[run];
  });
  std::vector<T, Allocator> dealt(count);
  parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      std::uint32_t* const place = places.data() + block * buckets;
      for (std::size_t i = begin_of(block); i < begin_of(block + 1); ++i) {
        dealt[place[bucket_of(values[i])]++] = std::move(values[i]);
      }
    }
  });
  values.swap(dealt);
  constexpr std::size_t kGrain = 1024;
  parallel_for(0, buckets, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      const std::size_t begin = bucket == 0 ? 0 : ends[bucket - 1];
      std::sort(values.begin() + static_cast<std::ptrdiff_t>(begin),
                values.begin() + static_cast<std::ptrdiff_t>(ends[bucket]), less);
    }
  });
}

}  // namespace graze::core
