// Traversal of the cluster tree (traversal.cuh): a warp for each cluster, which tests the 32 children of a node at
// once, depth first.
//
// Comparisons are exact, as in methods/cluster/cluster_traversal.cpp: the gap is subtracted first, which rounds by
// less than the margin of the bounds. A cluster tests only children that hold clusters of its own or a higher
// number, so that each pair comes once. Cost: proportional to the tests; the stack of a warp holds the children of
// one node a level.
//
// A batch has no tree: a cluster tests the clusters of its scene that come after it, 32 at once, which are a few
// hundred at the most where thousands of scenes fit into memory. Cost: the square of the clusters of a scene.
//
// Positions that are wrong leave no pairs, so that what follows is idle.
#include "cuda/traversal.cuh"

#include "cuda/warp.cuh"

namespace graze::cuda {

namespace {

constexpr unsigned kWarpsPerBlock = 4;
constexpr unsigned kStack = kTreeWidth * kMaxLevels;

/// Bounds of a cluster with room for the gap.
struct WideBox {
  double lo[6];
  double hi[6];
};

/// All bounds of the child are read at once: a read that waits for a comparison costs more than one in vain.
__device__ bool overlaps(const WideBox& a, const TreeNode& node, unsigned child) {
  double lo[6];
  double hi[6];
#pragma unroll
  for (int k = 0; k < 6; ++k) {
    lo[k] = node.lo[k][child];
    hi[k] = node.hi[k][child];
  }
  bool apart = false;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const bool above = (a.lo[k] > hi[k]) & (a.lo[3 + k] > hi[3 + k]);
    const bool below = (a.hi[k] < lo[k]) & (a.hi[3 + k] < lo[3 + k]);
    apart = apart | above | below;
  }
  return !apart;
}

__device__ WideBox wide_box(const TreeView& tree, std::uint32_t cluster, double gap) {
  const TreeNode& node = tree.levels[0][cluster / kTreeWidth];
  const double room = gap * (1.0 + 0x1p-50);
  WideBox box;
  for (int k = 0; k < 6; ++k) {
    box.lo[k] = node.lo[k][cluster % kTreeWidth] - room;
    box.hi[k] = node.hi[k][cluster % kTreeWidth] + room;
  }
  return box;
}

__global__ void __launch_bounds__(kWarpsPerBlock* kWarp)
    traverse_scenes_kernel(const __grid_constant__ TreeView tree, ScenesView scenes, const StepControl* control,
                           std::uint32_t first, std::uint32_t last, DevicePair* pairs, std::uint32_t capacity,
                           Counters* counters) {
  const std::uint32_t a = first + blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarp;
  if (a >= last || control->wrong != kNoWrong) return;
  const WideBox box = wide_box(tree, a, control->gap);
  const std::uint32_t end = scenes.cluster_ends[scenes.of_cluster[a]];
  unsigned long long tests = 0;
  unsigned long long overlapping = 0;
  for (std::uint32_t base = a; base < end; base += kWarp) {
    const std::uint32_t b = base + lane_id();
    const bool hit = b < end && (b == a || overlaps(box, tree.levels[0][b / kTreeWidth], b % kTreeWidth));
    const std::uint32_t place = warp_append(hit, &counters->pairs);
    if (hit && place < capacity) pairs[place] = make_uint2(a, b);
    tests += kWarp;
    overlapping += static_cast<unsigned>(__popc(__ballot_sync(kAllLanes, hit)));
  }
  if (lane_id() != 0) return;
  atomicAdd(&counters->bv_tests, tests);
  atomicAdd(&counters->overlapping, overlapping);
}

__global__ void __launch_bounds__(kWarpsPerBlock* kWarp)
    traverse_kernel(const __grid_constant__ TreeView tree, const StepControl* control, std::uint32_t first,
                    std::uint32_t last, DevicePair* pairs, std::uint32_t capacity, Counters* counters) {
  __shared__ std::uint32_t stacks[kWarpsPerBlock][kStack];
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned lane = lane_id();
  const std::uint32_t a = first + blockIdx.x * kWarpsPerBlock + warp;
  if (a >= last || control->wrong != kNoWrong) return;
  const WideBox box = wide_box(tree, a, control->gap);
  // An entry of the stack is a node and, in the highest bits, its level.
  constexpr unsigned kLevelShift = 28;
  std::uint32_t* const stack = stacks[warp];
  unsigned depth = 1;
  std::uint32_t top = (tree.level_count - 1) << kLevelShift;
  unsigned long long tests = 0;
  unsigned long long overlapping = 0;
  while (depth > 0) {
    --depth;
    const std::uint32_t level = top >> kLevelShift;
    const std::uint32_t node = top & ((1U << kLevelShift) - 1U);
    const std::uint32_t child = node * kTreeWidth + lane;
    const std::uint32_t below = level == 0 ? tree.cluster_count : tree.counts[level - 1];
    // The child that holds cluster a on its level: children before it hold lower numbers alone.
    const std::uint32_t own = a >> (5 * level);
    const bool there = child < below && child >= own;
    const bool hit = there && ((level == 0 && child == a) || overlaps(box, tree.levels[level][node], lane));
    tests += kTreeWidth;
    if (level == 0) {
      const std::uint32_t place = warp_append(hit, &counters->pairs);
      if (hit && place < capacity) pairs[place] = make_uint2(a, child);
      overlapping += static_cast<unsigned>(__popc(__ballot_sync(kAllLanes, hit)));
    } else {
      const unsigned hits = __ballot_sync(kAllLanes, hit);
      if (hit)
        stack[depth + static_cast<unsigned>(__popc(hits & lanes_below()))] = child | (level - 1) << kLevelShift;
      depth += static_cast<unsigned>(__popc(hits));
      __syncwarp();
    }
    if (depth > 0) top = stack[depth - 1];
    __syncwarp();
  }
  if (lane != 0) return;
  atomicAdd(&counters->bv_tests, tests);
  atomicAdd(&counters->overlapping, overlapping);
}

}  // namespace

void traverse(const TreeView& tree, const ScenesView& scenes, const StepControl* control, std::uint32_t first,
              std::uint32_t last, DevicePair* pairs, std::uint32_t capacity, Counters* counters,
              cudaStream_t stream) {
  if (first >= last) return;
  const unsigned blocks = (last - first + kWarpsPerBlock - 1) / kWarpsPerBlock;
  if (scenes.of_cluster != nullptr) {
    traverse_scenes_kernel<<<blocks, kWarpsPerBlock * kWarp, 0, stream>>>(tree, scenes, control, first, last, pairs,
                                                                          capacity, counters);
    return;
  }
  traverse_kernel<<<blocks, kWarpsPerBlock * kWarp, 0, stream>>>(tree, control, first, last, pairs, capacity,
                                                                 counters);
}

}  // namespace graze::cuda
