// Tables, bounds and nodes (tables.cuh): a warp for each cluster or node.
//
// The arithmetic is that of methods/cluster/cluster_table.cpp, operation by operation, so that a table has the bits
// of the processor's, and its error bounds hold. Minima and maxima do not depend on their order; the sum of the
// normals goes face by face.
//
// Error bound of the end of a part, as in query/step_prefix.hpp: each of the terms and the sum of (1-t) a + t b
// errs by at most 2^-53.
#include "cuda/tables.cuh"

#include <limits>
#include <utility>

#include "cuda/self_proof.cuh"
#include "cuda/warp.cuh"
#include "methods/cluster/cluster_bounds.hpp"

namespace graze::cuda {

namespace {

constexpr unsigned kWarpsPerBlock = 4;
using methods::kSlabErrors;

__device__ void combine(SummaryBlock& a, const SummaryBlock& b) {
  for (int k = 0; k < 3; ++k) {
    a.lo[k] = min(a.lo[k], b.lo[k]);
    a.hi[k] = max(a.hi[k], b.hi[k]);
  }
  a.largest = max(a.largest, b.largest);
  a.displacement += b.displacement;
  a.wrong = min(a.wrong, b.wrong);
}

__device__ SummaryBlock shuffled(const SummaryBlock& a, unsigned step) {
  SummaryBlock b;
  for (int k = 0; k < 3; ++k) {
    b.lo[k] = __shfl_xor_sync(kAllLanes, a.lo[k], step);
    b.hi[k] = __shfl_xor_sync(kAllLanes, a.hi[k], step);
  }
  b.largest = __shfl_xor_sync(kAllLanes, a.largest, step);
  b.displacement = __shfl_xor_sync(kAllLanes, a.displacement, step);
  b.wrong = __shfl_xor_sync(kAllLanes, a.wrong, step);
  return b;
}

constexpr unsigned kSummaryThreads = 256;

/// Combines the parts of the threads of a block, in an order that depends on nothing else; the first thread has the
/// result.
__device__ SummaryBlock combine_block(SummaryBlock part) {
  __shared__ SummaryBlock warps[kSummaryThreads / kWarp];
  for (unsigned step = kWarp / 2; step > 0; step /= 2) combine(part, shuffled(part, step));
  __syncthreads();
  if (lane_id() == 0) warps[threadIdx.x / kWarp] = part;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < kSummaryThreads / kWarp; ++w) combine(part, warps[w]);
  }
  return part;
}

__device__ SummaryBlock nothing() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}, 0.0, 0.0, kNoWrong};
}

/// The gap of query/query.cpp, reported_gap().
__device__ double gap_of(const SummaryRequest& request, double size) {
  if (request.thickness == 0.0) return request.distance;
  const double slack = max(request.tolerance * min(1.0, request.thickness), 0x1p-43 * size);
  return (request.thickness + slack) * (1.0 + 0x1p-40);
}

__device__ void write_control(const SummaryBlock& all, std::uint32_t count, const SummaryRequest& request,
                              StepControl* control) {
  double size = 0.0;
  for (int k = 0; k < 3; ++k) size = max(size, all.hi[k] - all.lo[k]);
  control->size = size;
  control->largest = all.largest;
  control->displacement = all.displacement / max(count, 1U);
  control->wrong = all.wrong;
  constexpr double kFirstDisplacement =
      1.0 / 64.0;  // of a cluster's size, as in methods/cluster/cluster_search.cpp
  constexpr double kShortest = 0x1p-12;
  const double relative = request.cluster_size > 0.0 ? control->displacement / request.cluster_size : 0.0;
  const double given = *request.until;
  double until = given > 0.0 ? given : 1.0;
  while (given == 0.0 && until > kShortest && until * relative > kFirstDisplacement) until *= 0.5;
  control->until = until;
  control->position_error = until == 1.0 ? 0.0 : 0x1p-49 * all.largest + 8.0 * 0x1p-1074;
  control->gap = gap_of(request, size) + control->position_error;
}

__global__ void __launch_bounds__(kSummaryThreads)
    summarize_kernel(OwnPositions x, SummaryRequest request, SummaryBlock* blocks, std::uint32_t* ticket,
                     StepControl* control) {
  SummaryBlock part = nothing();
  const Vec3* const given_t0 = request.given->x_t0;
  const Vec3* const given_t1 = request.given->x_t1;
  for (std::uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < x.count; v += gridDim.x * blockDim.x) {
    const Vec3 at_t0 = given_t0 != nullptr ? given_t0[v] : x.x_t0[v];
    const Vec3 at_t1 = given_t1 != nullptr ? given_t1[v] : x.x_t1[v];
    if (given_t0 != nullptr) x.x_t0[v] = at_t0;
    if (given_t1 != nullptr) x.x_t1[v] = at_t1;
    const double p[3] = {at_t0.x, at_t0.y, at_t0.z};
    const double q[3] = {at_t1.x, at_t1.y, at_t1.z};
    const bool is_fixed = request.is_static != nullptr && request.is_static[v] != 0;
    double moved = 0.0;
    for (int k = 0; k < 3; ++k) {
      if (!isfinite(p[k]) || !isfinite(q[k]) || (is_fixed && p[k] != q[k])) part.wrong = min(part.wrong, v);
      part.lo[k] = min(part.lo[k], min(p[k], q[k]));
      part.hi[k] = max(part.hi[k], max(p[k], q[k]));
      part.largest = max(part.largest, max(fabs(p[k]), fabs(q[k])));
      moved = max(moved, fabs(q[k] - p[k]));
    }
    part.displacement += moved;
  }
  part = combine_block(part);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    blocks[blockIdx.x] = part;
    __threadfence();
    is_last = atomicAdd(ticket, 1U) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  part = threadIdx.x < gridDim.x ? blocks[threadIdx.x] : nothing();
  part = combine_block(part);
  if (threadIdx.x != 0) return;
  write_control(part, x.count, request, control);
  *ticket = 0;
}

/// One warp's view of a cluster while its table is filled: the lane's vertex.
struct LaneVertex {
  float x[6];  ///< rows as in methods::LinearBox
};

struct LaneBounds {
  float lo[6];
  float hi[6];
  float error;
};

__device__ LaneVertex in_frame(const ClusterLocalFrame& frame, const Vec3& p, const Vec3& q) {
  const std::array<float, 3> at_t0 = frame.at_t0(p);
  const std::array<float, 3> at_t1 = frame.at_t1(q);
  return {{at_t0[0], at_t0[1], at_t0[2], at_t1[0], at_t1[1], at_t1[2]}};
}

/// Bounds of all lanes, without margin, and the error.
__device__ LaneBounds bounds_of(const LaneVertex& v) {
  LaneBounds bounds;
  float largest = 0.0F;
  for (int k = 0; k < 6; ++k) {
    bounds.lo[k] = warp_min(v.x[k]);
    bounds.hi[k] = warp_max(v.x[k]);
    largest = max(largest, max(-bounds.lo[k], bounds.hi[k]));
  }
  bounds.error = ClusterLocalFrame::error_of(largest);
  return bounds;
}

__device__ float size_of(const LaneBounds& bounds) {
  float size = 0.0F;
  for (int k = 0; k < 6; ++k) size = max(size, (bounds.hi[k] + bounds.error) - (bounds.lo[k] - bounds.error));
  return size;
}

/// The frame of a cluster that the shared one does not resolve; the shared one if its extent overflows.
__device__ ClusterLocalFrame own_frame_of(const ClusterLocalFrame& shared, const Vec3& p, const Vec3& q) {
  const double at_t0[3] = {p.x, p.y, p.z};
  const double at_t1[3] = {q.x, q.y, q.z};
  double middle[6];
  double size = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double lo0 = warp_min(at_t0[k]);
    const double hi0 = warp_max(at_t0[k]);
    const double lo1 = warp_min(at_t1[k]);
    const double hi1 = warp_max(at_t1[k]);
    middle[k] = 0.5 * lo0 + 0.5 * hi0;
    middle[3 + k] = 0.5 * lo1 + 0.5 * hi1;
    size = max(size, max(hi0 - lo0, hi1 - lo1));
  }
  if (!isfinite(size)) return shared;
  return methods::own_frame({middle[0], middle[1], middle[2]}, {middle[3], middle[4], middle[5]}, size);
}

/// The unit normal of a cluster, or 0: the sum of the normals of its faces in the middle of the step.
__device__ std::array<float, 3> normal_of(const ClusterShape& shape, const LaneVertex& v) {
  float middle[3];
  for (int k = 0; k < 3; ++k) middle[k] = v.x[k] + v.x[3 + k];
  const std::uint32_t word = shape.faces[lane_id()];
  float corner[3][3];
  for (int c = 0; c < 3; ++c) {
    const int place = static_cast<int>(word >> (8 * c) & 31U);
    for (int k = 0; k < 3; ++k) corner[c][k] = __shfl_sync(kAllLanes, middle[k], place);
  }
  float own[3];
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    own[k] = (corner[1][i] - corner[0][i]) * (corner[2][j] - corner[0][j]) -
             (corner[1][j] - corner[0][j]) * (corner[2][i] - corner[0][i]);
  }
  methods::NormalSum sum;
  for (int f = 0; f < shape.face_count; ++f) {
    const float x = __shfl_sync(kAllLanes, own[0], f);
    const float y = __shfl_sync(kAllLanes, own[1], f);
    const float z = __shfl_sync(kAllLanes, own[2], f);
    if (shape.contour_count > 0) {
      sum.add_oriented(x, y, z, (shape.faces[f] & methods::kFlippedFace) != 0);
    } else {
      sum.add_turned(x, y, z);
    }
  }
  return sum.unit();
}

/// Coordinate along direction d of the ten diagonals of a 26-DOP, in the order of methods::SlabBox.
template <int kDirection>
__device__ float along_diagonal(const float* x) {
  constexpr float kX[10] = {1, 1, 0, 0, 1, -1, 1, 1, 1, 1};
  constexpr float kY[10] = {1, -1, 1, 1, 0, 0, 1, 1, -1, -1};
  constexpr float kZ[10] = {0, 0, 1, -1, 1, 1, 1, -1, 1, -1};
  return (kX[kDirection] * x[0] + kY[kDirection] * x[1]) + kZ[kDirection] * x[2];
}

template <int kDirection>
__device__ void fill_slab(const LaneVertex& v, float room, ClusterTable& table) {
  for (int end = 0; end < 2; ++end) {
    const float at = along_diagonal<kDirection>(&v.x[3 * end]);
    const float lo = warp_min(at) - room;
    const float hi = warp_max(at) + room;
    if (lane_id() == kDirection) {
      table.slabs_lo[end][kDirection] = lo;
      table.slabs_hi[end][kDirection] = hi;
    }
  }
}

template <int... kDirections>
__device__ void fill_slabs(const LaneVertex& v, float room, ClusterTable& table,
                           std::integer_sequence<int, kDirections...>) {
  (fill_slab<kDirections>(v, room, table), ...);
}

/// Notes that the bounds of a child of a node are there. The warp that brings the last child of a node computes the
/// node's bounds, as a child of the level above, and so on up to the root.
__device__ void refit_above(const TreeView& tree, std::uint32_t node) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const unsigned lane = lane_id();
  for (std::uint32_t level = 0; level + 1 < tree.level_count; ++level) {
    const std::uint32_t below = level == 0 ? tree.cluster_count : tree.counts[level - 1];
    const std::uint32_t children = min(kTreeWidth, below - node * kTreeWidth);
    __threadfence();
    __syncwarp();
    std::uint32_t before = 0;
    if (lane == 0) before = atomicAdd(&tree.arrived[level][node], 1U);
    if (__shfl_sync(kAllLanes, before, 0) + 1 != children) return;
    __threadfence();
    __syncwarp();  // what lane 0 has seen, all lanes see
    if (lane == 0) tree.arrived[level][node] = 0;
    const TreeNode& from = tree.levels[level][node];
    TreeNode& to = tree.levels[level + 1][node / kTreeWidth];
    const unsigned child = node % kTreeWidth;
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) {
      const double lo = warp_min(lane < children ? from.lo[k][lane] : kInfinity);
      const double hi = warp_max(lane < children ? from.hi[k][lane] : -kInfinity);
      if (lane == k) {
        to.lo[k][child] = lo;
        to.hi[k][child] = hi;
      }
    }
    node /= kTreeWidth;
  }
}

template <bool kProveSelf>
__global__ void __launch_bounds__(kWarpsPerBlock* kWarp)
    fill_tables_kernel(const ClusterShape* shapes, const __grid_constant__ TreeView tree, ScenesView scenes,
                       PositionsView x, const StepControl* control, ClusterTable* tables) {
  __shared__ SelfProofSpace spaces[kProveSelf ? kWarpsPerBlock : 1];
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::uint32_t c = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarp;
  const std::uint32_t places = (tree.cluster_count + kTreeWidth - 1) / kTreeWidth * kTreeWidth;
  if (c >= places) return;
  const unsigned lane = lane_id();
  TreeNode& node = tree.levels[0][c / kTreeWidth];
  const unsigned child = c % kTreeWidth;
  if (c >= tree.cluster_count) {  // a missing child
    if (lane < 6) {
      node.lo[lane][child] = kInfinity;
      node.hi[lane][child] = -kInfinity;
    }
    return;
  }
  const ClusterShape& shape = shapes[c];
  ClusterTable& table = tables[c];
  const std::uint32_t id = shape.ids[lane];
  const Vec3 p = x.x_t0[id];
  const Vec3 q = end_of_part(p, x.x_t1[id], control->until);
  const ClusterLocalFrame& shared = scenes.frame_of_cluster(c);
  ClusterLocalFrame frame = shared;
  LaneVertex v = in_frame(frame, p, q);
  LaneBounds bounds = bounds_of(v);
  bool own = false;
  if (!methods::resolves(size_of(bounds), bounds.error)) {
    frame = own_frame_of(shared, p, q);
    own = !(frame == shared);
    v = in_frame(frame, p, q);
    bounds = bounds_of(v);
  }
  float moved = 0.0F;
  for (int k = 0; k < 3; ++k) moved = max(moved, fabsf(v.x[k] - v.x[3 + k]));
  moved = warp_max(moved);
  float size = 0.0F;
  for (int k = 0; k < 3; ++k) size = max(size, bounds.hi[k] - bounds.lo[k]);
  const std::array<float, 3> normal = normal_of(shape, v);
  float slab_lo[2];
  float slab_hi[2];
  for (int end = 0; end < 2; ++end) {
    const float* const at = &v.x[3 * end];
    const float along = normal[0] * at[0] + normal[1] * at[1] + normal[2] * at[2];
    slab_lo[end] = warp_min(along) - kSlabErrors * bounds.error;
    slab_hi[end] = warp_max(along) + kSlabErrors * bounds.error;
  }
  fill_slabs(v, 4.0F * bounds.error, table, std::make_integer_sequence<int, 10>());
  table.rows[lane] = {v.x[0], v.x[1], v.x[2], v.x[3], v.x[4], v.x[5], id, 0.0F};
  bool self_free = false;
  if constexpr (kProveSelf) {
    self_free = proved_free_of_self_collision(shape, normal, bounds.error, frame.length_up(control->position_error),
                                              v.x, spaces[threadIdx.x / kWarp]);
  }
  methods::LinearBox box;
  for (std::size_t k = 0; k < 6; ++k) {
    box.lo[k] = bounds.lo[k] - bounds.error;
    box.hi[k] = bounds.hi[k] + bounds.error;
  }
  const methods::SceneBox in_scene = methods::scene_box(frame, bounds.error, box);
#pragma unroll
  for (unsigned k = 0; k < 6; ++k) {
    if (lane != k) continue;
    table.lo[k] = box.lo[k];
    table.hi[k] = box.hi[k];
    node.lo[k][child] = in_scene.lo[k];
    node.hi[k][child] = in_scene.hi[k];
  }
  if (lane == 0) {
    for (std::size_t k = 0; k < 3; ++k) table.normal[k] = normal[k];
    for (int end = 0; end < 2; ++end) {
      table.slab_lo[end] = slab_lo[end];
      table.slab_hi[end] = slab_hi[end];
    }
    table.error = bounds.error;
    table.slow = moved <= methods::kSlowDisplacement * size ? 1U : 0U;
    table.own_frame = own ? 1U : 0U;
    table.self_free = self_free ? 1U : 0U;
    table.frame = frame;
  }
  if (scenes.of_cluster == nullptr) refit_above(tree, c / kTreeWidth);
}

__device__ double finite_or_zero(double x) {
  return isfinite(x) ? x : 0.0;
}
__device__ double warp_sum(double x) {
  for (unsigned step = kWarp / 2; step > 0; step /= 2) x += __shfl_xor_sync(kAllLanes, x, step);
  return x;
}

/// Sums of the clusters of one lowest node.
__global__ void measure_nodes_kernel(const ClusterTable* tables, TreeView tree, double* sums) {
  const std::uint32_t i = blockIdx.x;
  const std::uint32_t c = i * kTreeWidth + lane_id();
  const bool there = c < tree.cluster_count;
  double size = 0.0;
  double node_size = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double lo = tree.levels[0][i].lo[k][lane_id()];
    const double hi = tree.levels[0][i].hi[k][lane_id()];
    if (there) size += finite_or_zero(hi - lo);
    node_size += finite_or_zero(warp_max(hi) - warp_min(lo));
  }
  size = warp_sum(size);
  const double own = warp_sum(there && tables[c].own_frame != 0 ? 1.0 : 0.0);
  if (lane_id() != 0) return;
  sums[3 * static_cast<std::size_t>(i)] = size;
  sums[3 * static_cast<std::size_t>(i) + 1] = node_size;
  sums[3 * static_cast<std::size_t>(i) + 2] = own;
}

/// Adds the sums of all nodes: a warp, each lane its nodes in order.
__global__ void measure_all_kernel(std::uint32_t count, double* sums) {
  double all[3] = {0.0, 0.0, 0.0};
  for (std::uint32_t i = lane_id(); i < count; i += kWarp) {
    for (int k = 0; k < 3; ++k) all[k] += sums[3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(k)];
  }
  for (int k = 0; k < 3; ++k) {
    const double sum = warp_sum(all[k]);
    if (lane_id() == 0) sums[3 * static_cast<std::size_t>(count) + static_cast<std::size_t>(k)] = sum;
  }
}

unsigned blocks_for(std::uint32_t warps) {
  return (warps + kWarpsPerBlock - 1) / kWarpsPerBlock;
}
std::uint32_t padded(std::uint32_t count) {
  return (count + kTreeWidth - 1) / kTreeWidth * kTreeWidth;
}

}  // namespace

void summarize(const OwnPositions& x, const SummaryRequest& request, SummaryBlock* blocks, std::uint32_t* ticket,
               StepControl* control, cudaStream_t stream) {
  static_assert(kSummaryBlocks <= kSummaryThreads);
  const unsigned wanted = (x.count + kSummaryThreads - 1) / kSummaryThreads;
  const unsigned count = wanted < 1 ? 1 : wanted > kSummaryBlocks ? kSummaryBlocks : wanted;
  summarize_kernel<<<count, kSummaryThreads, 0, stream>>>(x, request, blocks, ticket, control);
}

void fill_tables(const ClusterShape* shapes, const TreeView& tree, const ScenesView& scenes, const PositionsView& x,
                 const StepControl* control, bool prove_self, ClusterTable* tables, cudaStream_t stream) {
  if (tree.cluster_count == 0) return;
  const unsigned blocks = blocks_for(padded(tree.cluster_count));
  constexpr unsigned kThreads = kWarpsPerBlock * kWarp;
  if (prove_self) {
    fill_tables_kernel<true><<<blocks, kThreads, 0, stream>>>(shapes, tree, scenes, x, control, tables);
  } else {
    fill_tables_kernel<false><<<blocks, kThreads, 0, stream>>>(shapes, tree, scenes, x, control, tables);
  }
}

void measure(const ClusterTable* tables, const TreeView& tree, double* sums, cudaStream_t stream) {
  if (tree.cluster_count == 0) return;
  measure_nodes_kernel<<<tree.counts[0], kWarp, 0, stream>>>(tables, tree, sums);
  measure_all_kernel<<<1, kWarp, 0, stream>>>(tree.counts[0], sums);
}

}  // namespace graze::cuda
