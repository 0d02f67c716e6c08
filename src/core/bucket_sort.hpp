// A parallel bucket sort for values whose leading key is spread evenly, such as vertex ids.
//
// Values go into coarse buckets by the upper bits of their key, about a hundred to a bucket; each bucket then goes,
// in the cache, into finer ones by the next bits, and these, of a few values each, are sorted by comparisons. Both
// passes run on all threads: for the first the values are cut into blocks, each block counts its values by bucket,
// and a prefix sum over buckets and blocks gives every block its own places; for the second they are cut into runs
// of buckets with about the same number of values. Cost: O(n) where keys are spread, else O(n log n); one more
// array of n values, and half a byte per value for the counts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tasks.hpp"
#include "core/uninitialized_vector.hpp"

namespace graze::core {

namespace detail {

/// Sorts the values of one coarse bucket from `from` to `to` (arrays that do not overlap): first by `bits` bits of
/// the key above `shift`, then by comparisons.
template <typename T, typename KeyOf, typename Less>
void sort_bucket(std::span<const T> from, T* to, unsigned shift, const KeyOf& key_of, const Less& less) {
  constexpr std::size_t kMinForBuckets = 24;
  constexpr unsigned kMaxBits = 10;
  const unsigned bits = std::min({shift, kMaxBits, static_cast<unsigned>(std::bit_width(from.size()))});
  if (from.size() < kMinForBuckets || bits == 0) {
    std::copy(from.begin(), from.end(), to);
    std::sort(to, to + from.size(), less);
    return;
  }
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1U;
  const auto bucket_of = [&](const T& value) {
    return static_cast<std::size_t>(key_of(value) >> (shift - bits) & mask);
  };
  std::array<std::uint32_t, (std::size_t{1} << kMaxBits)> next;  // by bucket: first counts, then next places
  std::fill_n(next.begin(), std::size_t{1} << bits, 0U);
  for (const T& value : from) ++next[bucket_of(value)];
  std::uint32_t begin = 0;
  for (std::size_t bucket = 0; bucket <= mask; ++bucket) begin += std::exchange(next[bucket], begin);
  for (const T& value : from) to[next[bucket_of(value)]++] = value;
  begin = 0;
  for (std::size_t bucket = 0; bucket <= mask; ++bucket) {  // next[] has the ends now
    if (next[bucket] > begin + 1) std::sort(to + begin, to + next[bucket], less);
    begin = next[bucket];
  }
}

}  // namespace detail

/// Sorts by `less`, a strict total order of values that differ. Precondition: key_of(v) is a std::uint64_t below
/// 2^key_bits and never decreases in that order; fewer than 2^32 values.
template <typename T, typename KeyOf, typename Less>
void bucket_sort(std::span<T> values, unsigned key_bits, const KeyOf& key_of, const Less& less) {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr std::size_t kMinForBuckets = 512;
  constexpr std::size_t kMinPerBlock = 4096;
  constexpr std::size_t kMaxBlocks = 32;
  constexpr unsigned kValuesPerBucketBits = 7;
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
  UninitializedVector<T> dealt(count);
  parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      std::uint32_t* const place = places.data() + block * buckets;
      for (std::size_t i = begin_of(block); i < begin_of(block + 1); ++i) {
        dealt[place[bucket_of(values[i])]++] = values[i];
      }
    }
  });
  // A piece has the buckets that begin in its share of the values.
  constexpr std::size_t kValuesPerPiece = 2048;
  const std::size_t pieces = (count + kValuesPerPiece - 1) / kValuesPerPiece;
  const auto first_bucket = [&](std::size_t piece) {
    if (piece == 0) return std::size_t{0};
    if (piece == pieces) return buckets;
    const auto end =
        std::lower_bound(ends.begin(), ends.end(), static_cast<std::uint32_t>(piece * kValuesPerPiece));
    return static_cast<std::size_t>(end - ends.begin()) + 1;
  };
  parallel_for(0, pieces, 1, [&](std::size_t first, std::size_t last) {
    const std::size_t end_bucket = first_bucket(last);
    for (std::size_t bucket = first_bucket(first); bucket < end_bucket; ++bucket) {
      const std::size_t begin = bucket == 0 ? 0 : ends[bucket - 1];
      detail::sort_bucket(std::span<const T>(dealt).subspan(begin, ends[bucket] - begin), values.data() + begin,
                          shift, key_of, less);
    }
  });
}

}  // namespace graze::core
