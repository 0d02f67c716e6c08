// Sorting of impacts (order.cuh).
#include "cuda/order.cuh"

#include <algorithm>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/warp.cuh"

namespace graze::cuda {

namespace {

constexpr unsigned kThreads = 256;

__device__ std::uint32_t bucket_of(const FeaturePair& pair, const ScenesView& scenes) {
  return scenes.bucket(pair.kind == FeatureKind::EdgeEdge, pair.vertices[0]);
}

/// Whether a precedes b: two keys of one bucket.
__device__ bool precedes(const BucketKey& a, const BucketKey& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

struct Buckets {
  ScenesView scenes;
  const std::uint32_t* begins;
  const std::uint32_t* lengths;
};

__global__ void __launch_bounds__(kThreads)
    fill_slots(const Impact* impacts, const std::uint32_t* ranks, Buckets buckets, std::uint32_t capacity,
               Counters* counters, BucketKey* keys, std::uint32_t* buckets_of_slots) {
  const std::uint32_t count = min(counters->records, capacity);
  std::uint32_t most = 0;
  for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    const std::uint32_t rank = ranks[i];
    const FeaturePair pair = impacts[i].pair;
    const std::uint32_t bucket = bucket_of(pair, buckets.scenes);
    const std::uint32_t slot = buckets.begins[bucket] + rank;
    keys[slot] = make_uint4(pair.vertices[1], pair.vertices[2], pair.vertices[3], i);
    buckets_of_slots[slot] = bucket;
    most = max(most, rank + 1);
  }
  __syncwarp();
  most = __reduce_max_sync(kAllLanes, most);
  if (lane_id() == 0 && most > 0) atomicMax(&counters->most_in_bucket, most);
}

/// A thread for each slot: neighbours compare themselves with the same keys.
__global__ void __launch_bounds__(kThreads)
    place_impacts(const BucketKey* keys, const std::uint32_t* buckets_of_slots, Buckets buckets,
                  std::uint32_t capacity, const Counters* counters, std::uint32_t* order) {
  if (counters->most_in_bucket > kMaxBucket) return;
  const std::uint32_t count = min(counters->records, capacity);
  for (std::uint32_t slot = blockIdx.x * kThreads + threadIdx.x; slot < count; slot += gridDim.x * kThreads) {
    const BucketKey own = keys[slot];
    const std::uint32_t bucket = buckets_of_slots[slot];
    const std::uint32_t begin = buckets.begins[bucket];
    const std::uint32_t end = begin + buckets.lengths[bucket];
    std::uint32_t place = begin;
#pragma unroll 4
    for (std::uint32_t other = begin; other < end; ++other) place += precedes(keys[other], own) ? 1U : 0U;
    order[place] = own.w;
  }
}

/// Copies impacts to their places, a word of eight bytes a thread, so that writes are in order.
__global__ void __launch_bounds__(kThreads)
    gather_impacts(const Impact* impacts, const std::uint32_t* order, std::uint32_t known_count,
                   std::uint32_t capacity, const Counters* counters, Impact* sorted) {
  static_assert(sizeof(Impact) % sizeof(std::uint64_t) == 0);
  constexpr std::uint32_t kWords = sizeof(Impact) / sizeof(std::uint64_t);
  if (counters != nullptr && counters->most_in_bucket > kMaxBucket) return;
  const std::uint64_t count = counters != nullptr ? min(counters->records, capacity) : known_count;
  const auto* const from = reinterpret_cast<const std::uint64_t*>(impacts);
  auto* const to = reinterpret_cast<std::uint64_t*>(sorted);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t word = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; word < count * kWords;
       word += stride) {
    const std::uint64_t place = word / kWords;
    to[word] = from[std::uint64_t{order[place]} * kWords + word % kWords];
  }
}

/// Which part of a pair is the key of a radix sort, from the last to the first.
enum class Part { Last, First, Kind, Scene };

__global__ void __launch_bounds__(kThreads) fill_keys(const Impact* impacts, std::uint32_t count, ScenesView scenes,
                                                      Part part, const std::uint32_t* order, std::uint64_t* keys) {
  for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    const FeaturePair& pair = impacts[order[i]].pair;
    switch (part) {
      case Part::Last:
        keys[i] = std::uint64_t{pair.vertices[2]} << 32U | pair.vertices[3];
        break;
      case Part::First:
        keys[i] = std::uint64_t{pair.vertices[0]} << 32U | pair.vertices[1];
        break;
      case Part::Kind:
        keys[i] = pair.kind == FeatureKind::VertexFace ? 0 : 1;
        break;
      case Part::Scene:
        keys[i] = scenes.of_vertex == nullptr ? 0 : scenes.of_vertex[pair.vertices[0]];
        break;
    }
  }
}

/// Where the impacts of each scene begin, and how many there are.
__global__ void __launch_bounds__(kThreads)
    fill_scene_begins(ScenesView scenes, const std::uint32_t* begins, const Counters* counters,
                      std::uint32_t capacity, std::uint32_t* scene_begins) {
  for (std::uint32_t s = blockIdx.x * kThreads + threadIdx.x; s <= scenes.count; s += gridDim.x * kThreads) {
    const std::uint32_t bucket = 2 * scenes.first_vertices[s];
    scene_begins[s] = bucket < 2 * scenes.vertex_count ? begins[bucket] : min(counters->records, capacity);
  }
}

__global__ void __launch_bounds__(kThreads) fill_identity(std::uint32_t* order, std::uint32_t count) {
  for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) order[i] = i;
}

unsigned blocks_for(std::size_t items) {
  constexpr std::size_t kMaxBlocks = 2048;
  return static_cast<unsigned>(std::clamp<std::size_t>((items + kThreads - 1) / kThreads, 1, kMaxBlocks));
}

std::size_t scan_bytes(std::uint32_t buckets) {
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<const std::uint32_t*>(nullptr),
                                      static_cast<std::uint32_t*>(nullptr), static_cast<int>(buckets)),
        "plan a scan");
  return bytes;
}

}  // namespace

void ImpactOrder::reserve(std::uint32_t vertex_count, std::uint32_t capacity) {
  bucket_count_ = 2 * vertex_count;
  begins_.reserve(bucket_count_, "places of results");
  slots_.reserve(capacity, "places of results");
  bucket_keys_.reserve(capacity, "places of results");
  order_.reserve(capacity, "places of results");
  temporary_.reserve(scan_bytes(bucket_count_), "memory of a scan");
}

void ImpactOrder::sort(const Impact* impacts, const std::uint32_t* ranks, const std::uint32_t* bucket_lengths,
                       const ScenesView& scenes, std::uint32_t capacity, Counters* counters, Impact* sorted,
                       cudaStream_t stream) {
  std::size_t bytes = temporary_.capacity();
  check(cub::DeviceScan::ExclusiveSum(temporary_.data(), bytes, bucket_lengths, begins_.data(),
                                      static_cast<int>(bucket_count_), stream),
        "scan the lengths of buckets");
  const Buckets buckets{scenes, begins_.data(), bucket_lengths};
  const unsigned blocks = blocks_for(capacity);
  fill_slots<<<blocks, kThreads, 0, stream>>>(impacts, ranks, buckets, capacity, counters, bucket_keys_.data(),
                                              slots_.data());
  place_impacts<<<blocks, kThreads, 0, stream>>>(bucket_keys_.data(), slots_.data(), buckets, capacity, counters,
                                                 order_.data());
  gather_impacts<<<blocks_for(std::size_t{capacity} * 4), kThreads, 0, stream>>>(impacts, order_.data(), 0,
                                                                                 capacity, counters, sorted);
}

void ImpactOrder::find_scenes(const ScenesView& scenes, const Counters* counters, std::uint32_t capacity,
                              std::uint32_t* scene_begins, cudaStream_t stream) const {
  fill_scene_begins<<<blocks_for(scenes.count + 1), kThreads, 0, stream>>>(scenes, begins_.data(), counters,
                                                                           capacity, scene_begins);
}

void ImpactOrder::sort_by_radix(const Impact* impacts, std::uint32_t count, const ScenesView& scenes,
                                Impact* sorted, cudaStream_t stream) {
  const auto length = static_cast<int>(count);
  keys_.reserve(2 * static_cast<std::size_t>(count), "keys of results");
  std::uint64_t* const keys = keys_.data();
  std::uint64_t* const sorted_keys = keys + count;
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, sorted_keys, order_.data(), slots_.data(), length),
        "plan a sort");
  bytes = std::max(bytes, temporary_.capacity());
  temporary_.reserve(bytes, "memory of a sort");
  const unsigned blocks = blocks_for(count);
  std::uint32_t* from = order_.data();
  std::uint32_t* to = slots_.data();
  fill_identity<<<blocks, kThreads, 0, stream>>>(from, count);
  for (const Part part : {Part::Last, Part::First, Part::Kind, Part::Scene}) {
    if (part == Part::Scene && scenes.of_vertex == nullptr) continue;
    fill_keys<<<blocks, kThreads, 0, stream>>>(impacts, count, scenes, part, from, keys);
    const int bits = part == Part::Kind ? 1 : 64;
    check(cub::DeviceRadixSort::SortPairs(temporary_.data(), bytes, keys, sorted_keys, from, to, length, 0, bits,
                                          stream),
          "sort results");
    std::swap(from, to);
  }
  gather_impacts<<<blocks_for(std::size_t{count} * 4), kThreads, 0, stream>>>(impacts, from, count, count, nullptr,
                                                                              sorted);
}

}  // namespace graze::cuda
