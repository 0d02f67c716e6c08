// Feature pairs of pairs of clusters whose bounds overlap (pairs.cuh): a warp for each pair of clusters, with the
// steps and the arithmetic of methods/cluster/cluster_pairs.cpp.
//
// 1. Skips pairs that k-DOP slabs separate, and a cluster with itself that is proved free of self-collision
//    (tables.cuh).
// 2. Selects the features of each cluster near the other one, by outcodes of the vertices: a lane for each vertex,
// then
//    for each edge and face.
// 3. Compares bounds linear in time: the features of the longer list are in registers, one a lane; those of the
// shorter
//    one come from shared memory, one a round, or several where a list has less than half a warp.
// 4. Drops incident pairs, on full warps by a queue in shared memory, and appends the others to a list, in which a
// warp
//    reserves places by the block.
//
// Clusters of different frames: the coordinates of both are computed anew from the positions, in the frame of the
// smaller scale, so that the error is that of a coordinate rounded once; slabs are left out.
//
// Error bounds: methods/cluster/feature_lists.inl.hpp.
#include "cuda/pairs.cuh"

#include "cuda/self_proof.cuh"
#include "cuda/warp.cuh"
#include "methods/cluster/cluster_bounds.hpp"

namespace graze::cuda {

namespace {

constexpr unsigned kWarpsPerBlock = 4;
constexpr unsigned kBlocksPerProcessor = 8;
constexpr unsigned kVertices = methods::kClusterVertices;
constexpr unsigned kEdges = methods::kClusterEdges;
constexpr unsigned kFaces = methods::kClusterFaces;
using methods::kSlabErrors;

/// Places that a warp reserves in the list at once.
constexpr unsigned kReserve = 64;

/// Bounds of a feature at both ends of the step.
struct alignas(16) FeatureBounds {
  float lo[6];
  float hi[6];
};

/// Shared memory of a warp.
struct Space {
  float4 x_left[2 * kVertices];   ///< x, y, z at t0 and x at t1
  float2 x_right[2 * kVertices];  ///< y, z at t1
  std::uint32_t ids[2 * kVertices];
  FeatureBounds bounds[kEdges];
  std::uint32_t vertices[2][kVertices];
  std::uint32_t edges[2][kEdges];
  std::uint32_t faces[2][kFaces];
  FeatureWord queue[2 * kWarp];  ///< overlapping pairs; a warp takes the last 32 at a time
};

/// A cluster as the warp has it: its lane's vertex, and the same bounds in all lanes.
struct Side {
  float x[6];
  float lo[6];
  float hi[6];
  std::array<float, 3> normal;
  float slab_lo[2];
  float slab_hi[2];
  float error;
};

struct Lengths {
  unsigned vertices;
  unsigned edges;
  unsigned faces;
};

struct Tally {
  std::uint32_t pairs = 0;
  unsigned long long feature_tests = 0;
  unsigned long long feature_pairs = 0;
};

__device__ void load_x(const Space& space, unsigned at, float (&x)[6]) {
  const float4 left = space.x_left[at];
  const float2 right = space.x_right[at];
  x[0] = left.x;
  x[1] = left.y;
  x[2] = left.z;
  x[3] = left.w;
  x[4] = right.x;
  x[5] = right.y;
}

__device__ void store_row(Space& space, unsigned side, const float (&x)[6], std::uint32_t id) {
  const unsigned at = side * kVertices + lane_id();
  space.x_left[at] = float4{x[0], x[1], x[2], x[3]};
  space.x_right[at] = float2{x[4], x[5]};
  space.ids[at] = id;
}

/// Takes a cluster as its table has it.
__device__ Side take_table(const ClusterTable& table, unsigned side, Space& space) {
  Side taken;
  const float4* const row = reinterpret_cast<const float4*>(&table.rows[lane_id()]);
  const float4 left = row[0];
  const float4 right = row[1];  // y, z at t1 and the bits of the id
  taken.x[0] = left.x;
  taken.x[1] = left.y;
  taken.x[2] = left.z;
  taken.x[3] = left.w;
  taken.x[4] = right.x;
  taken.x[5] = right.y;
  store_row(space, side, taken.x, static_cast<std::uint32_t>(__float_as_int(right.z)));
#pragma unroll
  for (int k = 0; k < 6; ++k) {
    taken.lo[k] = table.lo[k];
    taken.hi[k] = table.hi[k];
  }
  taken.normal = {table.normal[0], table.normal[1], table.normal[2]};
#pragma unroll
  for (int end = 0; end < 2; ++end) {
    taken.slab_lo[end] = table.slab_lo[end];
    taken.slab_hi[end] = table.slab_hi[end];
  }
  taken.error = table.error;
  return taken;
}

/// Computes the coordinates of a cluster in a frame that is not its own. It has no slab in it.
__device__ Side take_in_frame(const ClusterShape& shape, const ClusterLocalFrame& frame, const PositionsView& x,
                              double until, unsigned side, Space& space) {
  Side taken{};
  const std::uint32_t id = shape.ids[lane_id()];
  const Vec3 p = x.x_t0[id];
  const std::array<float, 3> at_t0 = frame.at_t0(p);
  const std::array<float, 3> at_t1 = frame.at_t1(end_of_part(p, x.x_t1[id], until));
  float largest = 0.0F;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    taken.x[k] = at_t0[static_cast<std::size_t>(k)];
    taken.x[3 + k] = at_t1[static_cast<std::size_t>(k)];
  }
#pragma unroll
  for (int k = 0; k < 6; ++k) {
    taken.lo[k] = warp_min(taken.x[k]);
    taken.hi[k] = warp_max(taken.x[k]);
    largest = max(largest, max(-taken.lo[k], taken.hi[k]));
  }
  taken.error = ClusterLocalFrame::error_of(largest);
#pragma unroll
  for (int k = 0; k < 6; ++k) {
    taken.lo[k] -= taken.error;
    taken.hi[k] += taken.error;
  }
  store_row(space, side, taken.x, id);
  return taken;
}

/// Whether diagonal slabs separate two clusters of one frame, in the same order at both ends of the step.
__device__ bool separated_by_slabs(const ClusterTable& a, const ClusterTable& b, float gap) {
  const float room = 1.75F * gap;
  bool apart = false;
  const unsigned direction = lane_id();
  if (direction < 10) {
    const auto above = [&](const ClusterTable& high, const ClusterTable& low, int end) {
      return high.slabs_hi[end][direction] - (low.slabs_lo[end][direction] - room) < 0.0F;
    };
    apart = (above(b, a, 0) && above(b, a, 1)) || (above(a, b, 0) && above(a, b, 1));
  }
  return __any_sync(kAllLanes, apart);
}

/// The sides of another cluster's box and slab beyond which this lane's vertex stays during the whole step, by bit.
__device__ std::uint32_t outcode(const Side& own, const Side& other, float gap, bool has_slabs) {
  const float room = own.error + gap;
  const float(&x)[6] = own.x;
  std::uint32_t code = 0;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    if (x[k] > other.hi[k] + room && x[3 + k] > other.hi[3 + k] + room) code |= 1U << (2 * k);
    if (x[k] < other.lo[k] - room && x[3 + k] < other.lo[3 + k] - room) code |= 2U << (2 * k);
  }
  if (!has_slabs) return code;
  const float slab_room = kSlabErrors * own.error + 1.01F * gap;
  const float along0 = along(other.normal, x);
  const float along1 = along(other.normal, x + 3);
  if (along0 > other.slab_hi[0] + slab_room && along1 > other.slab_hi[1] + slab_room) code |= 64U;
  if (along0 < other.slab_lo[0] - slab_room && along1 < other.slab_lo[1] - slab_room) code |= 128U;
  return code;
}

/// Appends the words of the lanes with `wanted` to a list in shared memory.
__device__ void append(std::uint32_t* list, unsigned& count, bool wanted, std::uint32_t word) {
  const unsigned lanes = __ballot_sync(kAllLanes, wanted);
  if (wanted) list[count + static_cast<unsigned>(__popc(lanes & lanes_below()))] = word;
  count += static_cast<unsigned>(__popc(lanes));
}

/// Lists the features of a cluster whose vertices share no outcode bit, as words of places.
__device__ Lengths choose(const ClusterShape& shape, std::uint32_t code, unsigned side, bool vertices,
                          Space& space) {
  const unsigned lane = lane_id();
  const std::uint32_t second = side == 0 ? 0 : kOfSecond;
  Lengths lengths{0, 0, 0};
  if (vertices)
    append(space.vertices[side], lengths.vertices, lane < shape.owned_vertices && code == 0, lane + second);
  for (unsigned at = 0; at < shape.edge_count; at += kWarp) {
    const std::uint32_t word = shape.edges[at + lane];
    const unsigned p = word & 31U;
    const unsigned q = word >> 8U & 31U;
    const std::uint32_t common =
        __shfl_sync(kAllLanes, code, static_cast<int>(p)) & __shfl_sync(kAllLanes, code, static_cast<int>(q));
    append(space.edges[side], lengths.edges, at + lane < shape.edge_count && common == 0,
           (p + second) | (q + second) << kPlaceBits);
  }
  const std::uint32_t word = shape.faces[lane];
  const unsigned p = word & 31U;
  const unsigned q = word >> 8U & 31U;
  const unsigned r = word >> 16U & 31U;
  const std::uint32_t common = __shfl_sync(kAllLanes, code, static_cast<int>(p)) &
                               __shfl_sync(kAllLanes, code, static_cast<int>(q)) &
                               __shfl_sync(kAllLanes, code, static_cast<int>(r));
  append(space.faces[side], lengths.faces, lane < shape.face_count && common == 0,
         (p + second) | (q + second) << kPlaceBits | (r + second) << (2 * kPlaceBits));
  __syncwarp();
  return lengths;
}

template <int kCorners>
__device__ FeatureBounds bounds_of(const Space& space, std::uint32_t word, float room, bool swept) {
  FeatureBounds bounds;
  float x[6];
  load_x(space, place(word, 0), x);
#pragma unroll
  for (int k = 0; k < 6; ++k) bounds.lo[k] = bounds.hi[k] = x[k];
#pragma unroll
  for (int corner = 1; corner < kCorners; ++corner) {
    load_x(space, place(word, corner), x);
#pragma unroll
    for (int k = 0; k < 6; ++k) {
      bounds.lo[k] = min(bounds.lo[k], x[k]);
      bounds.hi[k] = max(bounds.hi[k], x[k]);
    }
  }
  if (swept) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      bounds.lo[k] = bounds.lo[3 + k] = min(bounds.lo[k], bounds.lo[3 + k]);
      bounds.hi[k] = bounds.hi[3 + k] = max(bounds.hi[k], bounds.hi[3 + k]);
    }
  }
#pragma unroll
  for (int k = 0; k < 6; ++k) {
    bounds.lo[k] -= room;
    bounds.hi[k] += room;
  }
  return bounds;
}

template <bool kSwept>
__device__ bool overlap(const FeatureBounds& a, const FeatureBounds& b) {
  bool apart = false;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    if (kSwept) {
      apart = apart | (b.hi[k] < a.lo[k]) | (a.hi[k] < b.lo[k]);
    } else {
      apart = apart | ((b.hi[k] < a.lo[k]) & (b.hi[3 + k] < a.lo[3 + k])) |
              ((a.hi[k] < b.lo[k]) & (a.hi[3 + k] < b.lo[3 + k]));
    }
  }
  return !apart;
}

/// The overlapping pairs of a warp on their way to the list.
class Collector {
 public:
  __device__ Collector(Space& space, const OverlapList& list, Counters* counters)
      : space_(space), list_(list), counters_(counters) {}

  /// The pairs that follow are those of a pair of clusters.
  __device__ void start(std::uint32_t pair) { pair_ = pair; }

  /// Adds the words of the lanes with `overlaps`.
  __device__ void push(bool overlaps, FeatureWord word) {
    append(space_.queue, queued_, overlaps, word);
    __syncwarp();
    if (queued_ >= kWarp) drain(kWarp);
  }

  /// Takes what is left of the pair of clusters.
  __device__ void end() {
    if (queued_ > 0) drain(queued_);
  }

  /// Marks the places that stay empty.
  __device__ void finish() {
    while (next_ < end_) {
      const std::uint32_t at = next_ + lane_id();
      if (at < end_ && at < list_.capacity) list_.overlaps[at] = {kNoPair, 0};
      next_ += kWarp;
    }
  }

 private:
  __device__ std::uint32_t id(FeatureWord word, int corner) const { return space_.ids[place(word, corner)]; }

  __device__ bool is_incident(FeatureWord word) const {
    const std::uint32_t ids[4] = {id(word, 0), id(word, 1), id(word, 2), id(word, 3)};
    if (kind(word) == kEdgeFace) {
      const std::uint32_t last = id(word, 4);
      return ids[0] == ids[2] || ids[0] == ids[3] || ids[0] == last || ids[1] == ids[2] || ids[1] == ids[3] ||
             ids[1] == last;
    }
    const bool edges = kind(word) == kEdgeEdge;
    return ids[0] == ids[2] || ids[0] == ids[3] ||
           (edges ? ids[1] == ids[2] || ids[1] == ids[3] : ids[0] == ids[1]);
  }

  /// Appends the last `count` pairs of the queue to the list, without incident ones.
  __device__ void drain(unsigned count) {
    queued_ -= count;
    const FeatureWord word = space_.queue[queued_ + (lane_id() < count ? lane_id() : 0)];
    __syncwarp();
    const bool keep = lane_id() < count && !is_incident(word);
    const unsigned lanes = __ballot_sync(kAllLanes, keep);
    const auto kept = static_cast<std::uint32_t>(__popc(lanes));
    if (next_ + kept > end_) {
      finish();
      if (lane_id() == 0) next_ = atomicAdd(&counters_->overlaps, kReserve);
      next_ = __shfl_sync(kAllLanes, next_, 0);
      end_ = next_ + kReserve;
    }
    const std::uint32_t at = next_ + static_cast<std::uint32_t>(__popc(lanes & lanes_below()));
    if (keep && at < list_.capacity) list_.overlaps[at] = {pair_, word};
    next_ += kept;
  }

  Space& space_;
  const OverlapList& list_;
  Counters* counters_;
  std::uint32_t pair_ = kNoPair;
  unsigned queued_ = 0;
  std::uint32_t next_ = 0;  ///< the next place that is reserved for this warp
  std::uint32_t end_ = 0;
};

/// Compares the bounds of two lists and pushes the overlapping pairs. The first feature of a pair, whose places
/// come first in its word, is of list `a`. kSelf: a list with itself, each pair once.
template <int kCornersA, int kCornersB, bool kSelf, bool kSwept>
__device__ void compare_lists(const std::uint32_t* a, unsigned a_count, const std::uint32_t* b, unsigned b_count,
                              std::uint32_t of_kind, float room, Space& space, Collector& collector, Tally& tally) {
  if (a_count == 0 || b_count == 0) return;
  const unsigned lane = lane_id();
  const std::uint32_t kind_bits = of_kind << kKindShift;
  tally.feature_tests += kSelf ? a_count * (a_count - 1) / 2 : a_count * b_count;
  // Rows come from shared memory, columns are in registers.
  const bool a_rows = kSelf || a_count <= b_count;
  const std::uint32_t* const rows = a_rows ? a : b;
  const std::uint32_t* const columns = a_rows ? b : a;
  const unsigned row_count = a_rows ? a_count : b_count;
  const unsigned column_count = a_rows ? b_count : a_count;
  __syncwarp();
  for (unsigned i = lane; i < row_count; i += kWarp) {
    space.bounds[i] = a_rows ? bounds_of<kCornersA>(space, rows[i], room, kSwept)
                             : bounds_of<kCornersB>(space, rows[i], room, kSwept);
  }
  __syncwarp();
  for (unsigned base = 0; base < column_count; base += kWarp) {
    const unsigned here = min(column_count - base, kWarp);
    // Lanes per row: the columns, rounded up to a power of two.
    const unsigned width = here <= 1 ? 1U : 1U << (32 - __clz(static_cast<int>(here - 1)));
    const unsigned step = kWarp / width;
    const unsigned column = base + (lane & (width - 1));
    const bool has_column = column < column_count;
    const std::uint32_t column_word = columns[has_column ? column : base];
    FeatureBounds own;
    if (kSelf) {
      own = space.bounds[has_column ? column : base];
    } else {
      own = a_rows ? bounds_of<kCornersB>(space, column_word, 0.0F, kSwept)
                   : bounds_of<kCornersA>(space, column_word, 0.0F, kSwept);
    }
    for (unsigned first = 0; first < row_count; first += step) {
      const unsigned row = first + lane / width;
      const bool there = has_column && row < row_count && (!kSelf || row < column);
      const unsigned at = row < row_count ? row : 0;
      const bool hit = there && overlap<kSwept>(space.bounds[at], own);
      const unsigned hits = __ballot_sync(kAllLanes, hit);
      if (hits == 0) continue;
      tally.feature_pairs += static_cast<unsigned>(__popc(hits));
      const std::uint32_t row_word = rows[at];
      const std::uint32_t word_a = a_rows ? row_word : column_word;
      const std::uint32_t word_b = a_rows ? column_word : row_word;
      collector.push(hit, word_a | word_b << (kPlaceBits * kCornersA) | kind_bits);
    }
  }
}

template <bool kSwept, Candidates kWanted>
__device__ void compare_all(bool self, const Lengths& a, const Lengths& b, float room, Space& space,
                            Collector& collector, Tally& tally) {
  if constexpr (kWanted == Candidates::EdgeFaces) {
    const unsigned second = self ? 0 : 1;
    compare_lists<2, 3, false, true>(space.edges[0], a.edges, space.faces[second], b.faces, kEdgeFace, room, space,
                                     collector, tally);
    if (self) return;
    compare_lists<2, 3, false, true>(space.edges[1], b.edges, space.faces[0], a.faces, kEdgeFace, room, space,
                                     collector, tally);
  } else {
    if (self) {
      compare_lists<1, 3, false, kSwept>(space.vertices[0], a.vertices, space.faces[0], a.faces, kVertexFace, room,
                                         space, collector, tally);
      // Both edges of a pair are enlarged, each by half of the room.
      compare_lists<2, 2, true, kSwept>(space.edges[0], a.edges, space.edges[0], a.edges, kEdgeEdge, 0.5F * room,
                                        space, collector, tally);
      return;
    }
    compare_lists<1, 3, false, kSwept>(space.vertices[0], a.vertices, space.faces[1], b.faces, kVertexFace, room,
                                       space, collector, tally);
    compare_lists<1, 3, false, kSwept>(space.vertices[1], b.vertices, space.faces[0], a.faces, kVertexFace, room,
                                       space, collector, tally);
    compare_lists<2, 2, false, kSwept>(space.edges[0], a.edges, space.edges[1], b.edges, kEdgeEdge, room, space,
                                       collector, tally);
  }
}

template <Candidates kWanted>
__global__ void __launch_bounds__(kWarpsPerBlock* kWarp, kBlocksPerProcessor)
    compare_pairs_kernel(PairInput input, OverlapList list, Counters* counters) {
  __shared__ Space spaces[kWarpsPerBlock];
  Space& space = spaces[threadIdx.x / kWarp];
  const unsigned lane = lane_id();
  const StepControl& control = *input.control;
  const std::uint32_t last = min(counters->pairs, input.pair_capacity);
  Tally tally;
  Collector collector(space, list, counters);
  while (true) {
    std::uint32_t at = 0;
    if (lane == 0) at = atomicAdd(&counters->next_pair, 1U);
    at = __shfl_sync(kAllLanes, at, 0);
    if (at >= last) break;
    const DevicePair pair = input.pairs[at];
    const bool self = pair.x == pair.y;
    const ClusterShape& shape_a = input.shapes[pair.x];
    const ClusterShape& shape_b = input.shapes[pair.y];
    const ClusterTable& table_a = input.tables[pair.x];
    const ClusterTable& table_b = input.tables[pair.y];
    const bool one_frame = self || (table_a.own_frame | table_b.own_frame) == 0 || table_a.frame == table_b.frame;
    const bool of_first = one_frame || table_a.frame.scale <= table_b.frame.scale;
    const ClusterLocalFrame& frame = of_first ? table_a.frame : table_b.frame;
    const float gap = frame.length_up(control.gap);
    const float position_error = frame.length_up(control.position_error);
    __syncwarp();
    if (!self && one_frame && separated_by_slabs(table_a, table_b, gap)) continue;
    Lengths a;
    Lengths b;
    float error;
    constexpr bool kLoneVertices = kWanted != Candidates::EdgeFaces;
    if (self) {
      if (table_a.self_free != 0) continue;
      const Side side = take_table(table_a, 0, space);
      error = side.error + side.error;
      a = choose(shape_a, 0U, 0, kLoneVertices, space);
      b = a;
    } else {
      const Side first = one_frame ? take_table(table_a, 0, space)
                                   : take_in_frame(shape_a, frame, input.x, control.until, 0, space);
      const Side second = one_frame ? take_table(table_b, 1, space)
                                    : take_in_frame(shape_b, frame, input.x, control.until, 1, space);
      error = first.error + second.error;
      const std::uint32_t code_a = outcode(first, second, gap, one_frame);
      const std::uint32_t code_b = outcode(second, first, gap, one_frame);
      a = choose(shape_a, code_a, 0, kLoneVertices, space);
      if (a.faces == 0) continue;
      b = choose(shape_b, code_b, 1, kLoneVertices, space);
      if (b.faces == 0) continue;
    }
    __syncwarp();
    ++tally.pairs;
    if (lane == 0) {
      list.frames[at] = {error, gap, position_error,
                         one_frame  ? kOfBoth
                         : of_first ? kOfFirstCluster
                                    : kOfSecondCluster};
    }
    collector.start(at);
    const float room = error + gap;
    if ((table_a.slow & table_b.slow) != 0) {
      compare_all<true, kWanted>(self, a, b, room, space, collector, tally);
    } else {
      compare_all<false, kWanted>(self, a, b, room, space, collector, tally);
    }
    collector.end();
  }
  collector.finish();
  if (lane == 0 && tally.pairs > 0) {
    atomicAdd(&counters->cluster_pairs, static_cast<unsigned long long>(tally.pairs));
    atomicAdd(&counters->feature_tests, tally.feature_tests);
    atomicAdd(&counters->feature_pairs, tally.feature_pairs);
  }
}

}  // namespace

void compare_pairs(Candidates wanted, const PairInput& input, const OverlapList& list, Counters* counters,
                   unsigned processors, cudaStream_t stream) {
  const unsigned blocks = kBlocksPerProcessor * processors;
  constexpr unsigned kThreads = kWarpsPerBlock * kWarp;
  switch (wanted) {
    case Candidates::Touching:
      compare_pairs_kernel<Candidates::Touching><<<blocks, kThreads, 0, stream>>>(input, list, counters);
      break;
    case Candidates::WithinGap:
      compare_pairs_kernel<Candidates::WithinGap><<<blocks, kThreads, 0, stream>>>(input, list, counters);
      break;
    case Candidates::EdgeFaces:
      compare_pairs_kernel<Candidates::EdgeFaces><<<blocks, kThreads, 0, stream>>>(input, list, counters);
      break;
  }
}

}  // namespace graze::cuda
