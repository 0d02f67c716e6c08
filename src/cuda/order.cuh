// The order of results on the GPU: impacts sorted by pair, as query/sort_pairs.hpp sorts them; in a batch scene by
// scene.
//
// A bucket holds the impacts of one kind with the same first vertex: a few. The narrow phase counts them
// (elementary.cuh), a scan turns the lengths into places, and each impact counts the smaller pairs of its bucket.
// Where a bucket is too long for that, radix sorts order all. Cost: O(n + vertices) and n times the length of a
// bucket; the order does not depend on the run.
#pragma once

#include <graze/results.hpp>

#include "cuda/device_scene.cuh"
#include "cuda/runtime/buffer.cuh"

namespace graze::cuda {

/// The longest bucket whose impacts are compared with each other.
inline constexpr std::uint32_t kMaxBucket = 2048;

/// Order of an impact within its bucket: the vertices but the first, and the number of the impact.
using BucketKey = uint4;

class ImpactOrder {
 public:
  explicit ImpactOrder(Usage& usage)
      : begins_(usage), slots_(usage), bucket_keys_(usage), order_(usage), temporary_(usage), keys_(usage) {}

  /// Makes room for `capacity` impacts of a scene.
  void reserve(std::uint32_t vertex_count, std::uint32_t capacity);

  /// Writes the impacts in order to `sorted`, in memory of the GPU or in pinned memory, unless
  /// counters->most_in_bucket, which it computes, exceeds kMaxBucket. Preconditions: there is room; ranks and
  /// lengths are those of the impacts.
  void sort(const Impact* impacts, const std::uint32_t* ranks, const std::uint32_t* bucket_lengths,
            const ScenesView& scenes, std::uint32_t capacity, Counters* counters, Impact* sorted,
            cudaStream_t stream);
  /// Writes where the impacts of each scene of a batch begin, and their number, after sort().
  void find_scenes(const ScenesView& scenes, const Counters* counters, std::uint32_t capacity,
                   std::uint32_t* scene_begins, cudaStream_t stream) const;
  /// The same as sort() with radix sorts, for any `count` impacts of any buckets. May allocate.
  void sort_by_radix(const Impact* impacts, std::uint32_t count, const ScenesView& scenes, Impact* sorted,
                     cudaStream_t stream);

 private:
  std::uint32_t bucket_count_ = 0;
  DeviceBuffer<std::uint32_t> begins_;   ///< by bucket
  DeviceBuffer<std::uint32_t> slots_;    ///< bucket of each slot, or room for a radix sort
  DeviceBuffer<BucketKey> bucket_keys_;  ///< by slot: impacts by bucket, in any order within it
  DeviceBuffer<std::uint32_t> order_;    ///< impacts by place
  DeviceBuffer<std::byte> temporary_;
  DeviceBuffer<std::uint64_t> keys_;
};

}  // namespace graze::cuda
