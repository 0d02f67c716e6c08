// Feature pairs of pairs of clusters (pairs.cuh): a warp for each pair of clusters, with the steps and the
// arithmetic of methods/cluster/cluster_pairs.cpp.
//
// 1. Skips pairs that k-DOP slabs separate, and a cluster with itself that is proved free of self-collision.
// 2. Selects the features of each cluster near the other one, by outcodes of the vertices: a lane for each vertex,
// then
//    for each edge and face.
// 3. Compares bounds linear in time: the features of the longer list are in registers, one a lane; those of the
// shorter
//    one come from shared memory, one a round, or several where a list has less than half a warp.
// 4. Overlapping pairs go through three queues in shared memory, so that each proof runs on full warps: incident
// pairs
//    are dropped, then pairs that are never coplanar (or never within the gap of it), then pairs that diagonal
//    slabs separate.
//
// Clusters of different frames: the coordinates of both are computed anew from the positions, in the frame of the
// smaller scale, so that the error is that of a coordinate rounded once; slabs are left out.
//
// Error bounds: methods/cluster/feature_lists.inl.hpp, float_proof.inl.hpp and self_proof.inl.hpp.
#include "cuda/pairs.cuh"

#include "cuda/warp.cuh"
#include "methods/cluster/cluster_bounds.hpp"
#include "methods/cluster/proofs_lane.hpp"

namespace graze::cuda {

namespace {

using narrow::scalar::Points;

constexpr unsigned kWarpsPerBlock = 4;
constexpr unsigned kVertices = methods::kClusterVertices;
constexpr unsigned kEdges = methods::kClusterEdges;
constexpr unsigned kFaces = methods::kClusterFaces;
using methods::kSlabErrors;

/// A pair of features as a word: six bits for each vertex, its row in Space::rows; the kind in the highest bits.
constexpr unsigned kPlaceBits = 6;
constexpr std::uint32_t kPlaceMask = (1U << kPlaceBits) - 1U;
constexpr std::uint32_t kOfSecond = kVertices;  // added to places of the second cluster
constexpr unsigned kKindShift = 30;
enum Kind : std::uint32_t { kVertexFace = 0, kEdgeEdge = 1, kEdgeFace = 2 };

__device__ unsigned place(std::uint32_t word, int corner) {
  return word >> (kPlaceBits * corner) & kPlaceMask;
}

/// Bounds of a feature at both ends of the step.
struct alignas(16) FeatureBounds {
  float lo[6];
  float hi[6];
};

/// A queue of pairs; a warp takes the last 32 at a time.
struct Queue {
  std::uint32_t words[2 * kWarp];
};

/// Shared memory of a warp. The proof of a cluster with itself uses the room of `bounds` before the lists exist.
struct Space {
  VertexRow rows[2 * kVertices];
  FeatureBounds bounds[kEdges];
  std::uint32_t vertices[2][kVertices];
  std::uint32_t edges[2][kEdges];
  std::uint32_t faces[2][kFaces];
  Queue overlapping;
  Queue open;
  Queue left;
};

/// What a warp knows of the pair of clusters that it works on; the same in all lanes.
struct PairState {
  float error[2];
  float gap;
  float position_error;
  float lo[2][6];
  float hi[2][6];
  std::array<float, 3> normal[2];
  float slab_lo[2][2];
  float slab_hi[2][2];
  bool has_slabs;
  bool swept;  ///< bounds of the whole step are compared: both clusters are slow
};

struct Lengths {
  unsigned vertices;
  unsigned edges;
  unsigned faces;
};

struct Tally {
  unsigned long long pairs = 0;
  unsigned long long feature_tests = 0;
  unsigned long long feature_pairs = 0;
};

__device__ void load_x(const VertexRow& row, float (&x)[6]) {
  const float4 left = *reinterpret_cast<const float4*>(&row.x0);
  const float2 right = *reinterpret_cast<const float2*>(&row.y1);
  x[0] = left.x;
  x[1] = left.y;
  x[2] = left.z;
  x[3] = left.w;
  x[4] = right.x;
  x[5] = right.y;
}

/// Copies the table of a cluster to shared memory.
__device__ void take_table(const ClusterTable& table, unsigned side, Space& space, PairState& state) {
  const float4* const from = reinterpret_cast<const float4*>(table.rows);
  float4* const to = reinterpret_cast<float4*>(&space.rows[side * kVertices]);
  for (unsigned i = lane_id(); i < 2 * kVertices; i += kWarp) to[i] = from[i];
  for (int k = 0; k < 6; ++k) {
    state.lo[side][k] = table.lo[k];
    state.hi[side][k] = table.hi[k];
  }
  state.normal[side] = {table.normal[0], table.normal[1], table.normal[2]};
  for (int end = 0; end < 2; ++end) {
    state.slab_lo[side][end] = table.slab_lo[end];
    state.slab_hi[side][end] = table.slab_hi[end];
  }
  state.error[side] = table.error;
}

/// Computes the coordinates of a cluster in a frame that is not its own.
__device__ void take_in_frame(const ClusterShape& shape, const ClusterLocalFrame& frame, const PositionsView& x,
                              double until, unsigned side, Space& space, PairState& state) {
  const std::uint32_t id = shape.ids[lane_id()];
  const Vec3 p = x.x_t0[id];
  const std::array<float, 3> at_t0 = frame.at_t0(p);
  const std::array<float, 3> at_t1 = frame.at_t1(end_of_part(p, x.x_t1[id], until));
  const float row[6] = {at_t0[0], at_t0[1], at_t0[2], at_t1[0], at_t1[1], at_t1[2]};
  float largest = 0.0F;
  for (int k = 0; k < 6; ++k) {
    state.lo[side][k] = warp_min(row[k]);
    state.hi[side][k] = warp_max(row[k]);
    largest = max(largest, max(-state.lo[side][k], state.hi[side][k]));
  }
  const float error = ClusterLocalFrame::error_of(largest);
  for (int k = 0; k < 6; ++k) {
    state.lo[side][k] -= error;
    state.hi[side][k] += error;
  }
  state.error[side] = error;
  space.rows[side * kVertices + lane_id()] = {row[0], row[1], row[2], row[3], row[4], row[5], id, 0.0F};
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

__device__ float along(const std::array<float, 3>& direction, const float* x) {
  return (direction[0] * x[0] + direction[1] * x[1]) + direction[2] * x[2];
}

/// The sides of the other cluster's box and slab beyond which this lane's vertex stays during the whole step, by
/// bit.
__device__ std::uint32_t outcode(const Space& space, const PairState& state, unsigned side) {
  const unsigned other = 1 - side;
  const float room = state.error[side] + state.gap;
  float x[6];
  load_x(space.rows[side * kVertices + lane_id()], x);
  std::uint32_t code = 0;
  for (int k = 0; k < 3; ++k) {
    if (x[k] > state.hi[other][k] + room && x[3 + k] > state.hi[other][3 + k] + room) code |= 1U << (2 * k);
    if (x[k] < state.lo[other][k] - room && x[3 + k] < state.lo[other][3 + k] - room) code |= 2U << (2 * k);
  }
  if (!state.has_slabs) return code;
  const float slab_room = kSlabErrors * state.error[side] + 1.01F * state.gap;
  const float along0 = along(state.normal[other], x);
  const float along1 = along(state.normal[other], x + 3);
  if (along0 > state.slab_hi[other][0] + slab_room && along1 > state.slab_hi[other][1] + slab_room) code |= 64U;
  if (along0 < state.slab_lo[other][0] - slab_room && along1 < state.slab_lo[other][1] - slab_room) code |= 128U;
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
  load_x(space.rows[place(word, 0)], x);
  for (int k = 0; k < 6; ++k) bounds.lo[k] = bounds.hi[k] = x[k];
  for (int corner = 1; corner < kCorners; ++corner) {
    load_x(space.rows[place(word, corner)], x);
    for (int k = 0; k < 6; ++k) {
      bounds.lo[k] = min(bounds.lo[k], x[k]);
      bounds.hi[k] = max(bounds.hi[k], x[k]);
    }
  }
  if (swept) {
    for (int k = 0; k < 3; ++k) {
      bounds.lo[k] = bounds.lo[3 + k] = min(bounds.lo[k], bounds.lo[3 + k]);
      bounds.hi[k] = bounds.hi[3 + k] = max(bounds.hi[k], bounds.hi[3 + k]);
    }
  }
  for (int k = 0; k < 6; ++k) {
    bounds.lo[k] -= room;
    bounds.hi[k] += room;
  }
  return bounds;
}

template <bool kSwept>
__device__ bool overlap(const FeatureBounds& a, const FeatureBounds& b) {
  bool apart = false;
  for (int k = 0; k < 3; ++k) {
    if (kSwept) {
      apart = apart || b.hi[k] < a.lo[k] || a.hi[k] < b.lo[k];
    } else {
      apart = apart || (b.hi[k] < a.lo[k] && b.hi[3 + k] < a.lo[3 + k]) ||
              (a.hi[k] < b.lo[k] && a.hi[3 + k] < b.lo[3 + k]);
    }
  }
  return !apart;
}

/// The coordinates of the four points of a pair.
__device__ Points<float> points_of(const Space& space, std::uint32_t word) {
  Points<float> p;
  for (int point = 0; point < 4; ++point) {
    float x[6];
    load_x(space.rows[place(word, point)], x);
    for (int k = 0; k < 3; ++k) {
      p.x[0][point][k] = x[k];
      p.x[1][point][k] = x[3 + k];
    }
  }
  return p;
}

/// The pairs of one pair of clusters on their way through the queues.
template <Candidates kWanted>
class Pipeline {
 public:
  __device__ Pipeline(Space& space, const PairState& state, const FilterView& filter, const CandidateLists& lists,
                      Counters* counters)
      : space_(space), state_(state), filter_(filter), lists_(lists), counters_(counters) {}

  /// Adds the words of the lanes with `overlaps`.
  __device__ void push(bool overlaps, std::uint32_t word) {
    append(space_.overlapping.words, overlapping_, overlaps, word);
    __syncwarp();
    if (overlapping_ >= kWarp) drop_incident(kWarp);
  }

  __device__ void finish() {
    if (overlapping_ > 0) drop_incident(overlapping_);
    if (open_ > 0) drop_proved(open_);
    if (left_ > 0) drop_separated(left_);
  }

 private:
  /// The word of this lane of the last `count` of a queue, of `size`.
  __device__ std::uint32_t take(const Queue& queue, unsigned& size, unsigned count) {
    size -= count;
    const std::uint32_t word = queue.words[size + (lane_id() < count ? lane_id() : 0)];
    __syncwarp();
    return word;
  }

  __device__ methods::scalar::EdgeFacePoints<float> edge_face_points(std::uint32_t word) const {
    const auto point = [&](int corner) -> methods::scalar::Point<float> {
      const VertexRow& row = space_.rows[place(word, corner)];
      return {{row.x0, row.y0, row.z0}};
    };
    return {point(0), point(1), {point(2), point(3), point(4)}};
  }

  __device__ std::uint32_t id(std::uint32_t word, int corner) const { return space_.rows[place(word, corner)].id; }

  __device__ void drop_incident(unsigned count) {
    const std::uint32_t word = take(space_.overlapping, overlapping_, count);
    bool incident = false;
    if (kWanted == Candidates::EdgeFaces) {
      const std::uint32_t p = id(word, 0);
      const std::uint32_t q = id(word, 1);
      for (int corner = 2; corner < 5; ++corner) {
        const std::uint32_t v = id(word, corner);
        incident = incident || v == p || v == q;
      }
    } else {
      const std::uint32_t ids[4] = {id(word, 0), id(word, 1), id(word, 2), id(word, 3)};
      const bool edges = word >> kKindShift == kEdgeEdge;
      incident =
          ids[0] == ids[2] || ids[0] == ids[3] || (edges ? ids[1] == ids[2] || ids[1] == ids[3] : ids[0] == ids[1]);
    }
    append(space_.open.words, open_, lane_id() < count && !incident, word);
    __syncwarp();
    if (open_ >= kWarp) drop_proved(kWarp);
  }

  __device__ void drop_proved(unsigned count) {
    const std::uint32_t word = take(space_.open, open_, count);
    const float error = state_.error[0] + state_.error[1];
    const float off_by = 0.5F * error + state_.position_error;
    bool proved = false;
    if constexpr (kWanted == Candidates::Touching) {
      proved = methods::scalar::never_coplanar_in_floats<bool>(points_of(space_, word), off_by);
    } else if constexpr (kWanted == Candidates::WithinGap) {
      const Points<float> p = points_of(space_, word);
      proved = word >> kKindShift == kEdgeEdge
                   ? methods::scalar::beyond_gap_along_normal<false, bool>(p, off_by, state_.gap)
                   : methods::scalar::beyond_gap_along_normal<true, bool>(p, off_by, state_.gap);
    } else {
      proved = methods::scalar::edge_beside_plane<bool>(edge_face_points(word), 0.5F * error);
    }
    append(space_.left.words, left_, lane_id() < count && !proved, word);
    __syncwarp();
    if (left_ >= kWarp) drop_separated(kWarp);
  }

  __device__ void drop_separated(unsigned count) {
    const std::uint32_t word = take(space_.left, left_, count);
    const bool there = lane_id() < count;
    if constexpr (kWanted == Candidates::EdgeFaces) {
      // Pairs that are proved to intersect go to the elementary tests like the undecided ones: it is the same work.
      const float delta = 0.5F * (state_.error[0] + state_.error[1]);
      emit_edge_face(there && !methods::scalar::prove_edge_face<bool>(edge_face_points(word), delta).apart, word);
    } else {
      const float room = 3.0F * (state_.error[0] + state_.error[1]) + 1.75F * state_.gap;
      const Points<float> p = points_of(space_, word);
      const bool edges = word >> kKindShift == kEdgeEdge;
      const bool apart = edges ? methods::scalar::separated_by_slabs<2, bool>(p, room)
                               : methods::scalar::separated_by_slabs<1, bool>(p, room);
      emit(there && !apart, edges, word);
    }
  }

  __device__ void emit(bool wanted, bool edges, std::uint32_t word) {
    uint4 v = make_uint4(id(word, 0), id(word, 1), id(word, 2), id(word, 3));
    if (edges && v.x > v.z) v = make_uint4(v.z, v.w, v.x, v.y);
    const bool keep = wanted && filter_.tests(v.x, edges ? v.z : v.y);
    const std::uint32_t at_ee = warp_append(keep && edges, &counters_->ee);
    if (keep && edges && at_ee < lists_.ee_capacity) lists_.ee[at_ee] = v;
    const std::uint32_t at_vf = warp_append(keep && !edges, &counters_->vf);
    if (keep && !edges && at_vf < lists_.vf_capacity) lists_.vf[at_vf] = v;
  }

  __device__ void emit_edge_face(bool wanted, std::uint32_t word) {
    const uint4 v = make_uint4(id(word, 0), id(word, 1), id(word, 2), id(word, 3));
    const std::uint32_t last = id(word, 4);
    const bool keep = wanted && filter_.tests(v.x, v.z);
    const std::uint32_t at = warp_append(keep, &counters_->ee);
    if (keep && at < lists_.ee_capacity) {
      lists_.ee[at] = v;
      lists_.last[at] = last;
    }
  }

  Space& space_;
  const PairState& state_;
  const FilterView& filter_;
  const CandidateLists& lists_;
  Counters* counters_;
  unsigned overlapping_ = 0;
  unsigned open_ = 0;
  unsigned left_ = 0;
};

/// Compares the bounds of two lists and pushes the overlapping pairs. The first feature of a pair, whose places
/// come first in its word, is of list `a`. kSelf: a list with itself, each pair once.
template <int kCornersA, int kCornersB, bool kSelf, bool kSwept, Candidates kWanted>
__device__ void compare_lists(const std::uint32_t* a, unsigned a_count, const std::uint32_t* b, unsigned b_count,
                              std::uint32_t kind, float room, Space& space, Pipeline<kWanted>& pipeline,
                              Tally& tally) {
  if (a_count == 0 || b_count == 0) return;
  const unsigned lane = lane_id();
  const std::uint32_t kind_bits = kind << kKindShift;
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
      pipeline.push(hit, word_a | word_b << (kPlaceBits * kCornersA) | kind_bits);
    }
  }
}

template <bool kSwept, Candidates kWanted>
__device__ void compare_all(bool self, const Lengths& a, const Lengths& b, Space& space, const PairState& state,
                            Pipeline<kWanted>& pipeline, Tally& tally) {
  const float room = state.error[0] + state.error[1] + state.gap;
  if constexpr (kWanted == Candidates::EdgeFaces) {
    const unsigned second = self ? 0 : 1;
    compare_lists<2, 3, false, true>(space.edges[0], a.edges, space.faces[second], b.faces, kEdgeFace, room, space,
                                     pipeline, tally);
    if (self) return;
    compare_lists<2, 3, false, true>(space.edges[1], b.edges, space.faces[0], a.faces, kEdgeFace, room, space,
                                     pipeline, tally);
  } else {
    if (self) {
      compare_lists<1, 3, false, kSwept>(space.vertices[0], a.vertices, space.faces[0], a.faces, kVertexFace, room,
                                         space, pipeline, tally);
      // Both edges of a pair are enlarged, each by half of the room.
      compare_lists<2, 2, true, kSwept>(space.edges[0], a.edges, space.edges[0], a.edges, kEdgeEdge, 0.5F * room,
                                        space, pipeline, tally);
      return;
    }
    compare_lists<1, 3, false, kSwept>(space.vertices[0], a.vertices, space.faces[1], b.faces, kVertexFace, room,
                                       space, pipeline, tally);
    compare_lists<1, 3, false, kSwept>(space.vertices[1], b.vertices, space.faces[0], a.faces, kVertexFace, room,
                                       space, pipeline, tally);
    compare_lists<2, 2, false, kSwept>(space.edges[0], a.edges, space.edges[1], b.edges, kEdgeEdge, room, space,
                                       pipeline, tally);
  }
}

using PlanePoint = methods::scalar::PlaneVector<float>;
using ContourBounds = methods::scalar::EdgeBounds<float>;

/// Room for the proof of a cluster with itself, in that of Space::bounds: its vertices in the plane of its normal,
/// and the bounds of the edges of its contour.
struct SelfProofSpace {
  PlanePoint plane[kVertices];
  ContourBounds edges[kVertices];
};
static_assert(sizeof(SelfProofSpace) <= sizeof(FeatureBounds) * kEdges);

__device__ PlanePoint from_to(const PlanePoint& p, const PlanePoint& q) {
  return {{q.x[0] - p.x[0], q.x[1] - p.x[1]}, {q.y[0] - p.y[0], q.y[1] - p.y[1]}};
}

/// Whether the edges of the contour that are not neighbours are separated.
__device__ bool contour_is_simple(const ClusterShape& shape, float off, SelfProofSpace& space) {
  const unsigned lane = lane_id();
  const unsigned count = shape.contour_count;
  ContourBounds own;
  if (lane < count) {
    own = methods::scalar::bounds_of_edge(space.plane[shape.contour[lane]], space.plane[shape.contour[lane + 1]],
                                          off);
    space.edges[lane] = own;
  }
  __syncwarp();
  bool simple = true;
  for (unsigned i = 0; i + 2 < count; ++i) {
    const unsigned past = i == 0 ? count - 1 : count;  // the last edge is a neighbour of the first
    if (lane < i + 2 || lane >= past) continue;
    const ContourBounds& other = space.edges[i];
    bool apart = false;
    for (int k = 0; k < 8; k += 2) {
      apart = apart || (own.hi[k] < other.lo[k] && own.hi[k + 1] < other.lo[k + 1]) ||
              (other.hi[k] < own.lo[k] && other.hi[k + 1] < own.lo[k + 1]);
    }
    simple = simple && apart;
  }
  return __all_sync(kAllLanes, simple);
}

/// Whether no two features of a cluster touch unless they are incident: methods/cluster/self_proof.inl.hpp. The
/// table of the cluster is in the first rows.
__device__ bool proved_free_of_self_collision(const ClusterShape& shape, const PairState& state, Space& all) {
  if (shape.contour_count == 0 || !(state.error[0] < 1.0F)) return false;
  std::array<float, 3> u{};
  std::array<float, 3> v{};
  if (!methods::scalar::across(state.normal[0], u, v)) return false;
  SelfProofSpace& space = reinterpret_cast<SelfProofSpace&>(all.bounds);
  const unsigned lane = lane_id();
  const float off = kSlabErrors * state.error[0] + 1.8F * state.position_error;
  float x[6];
  load_x(all.rows[lane], x);
  PlanePoint point;
  for (int end = 0; end < 2; ++end) {
    point.x[end] = along(u, x + 3 * end);
    point.y[end] = along(v, x + 3 * end);
  }
  __syncwarp();
  space.plane[lane] = point;
  __syncwarp();
  const std::uint32_t word = shape.faces[lane];
  const PlanePoint& first = space.plane[word & 31U];
  methods::scalar::SureQuadratic<float> area = methods::scalar::cross(
      from_to(first, space.plane[word >> 8U & 31U]), from_to(first, space.plane[word >> 16U & 31U]), off);
  const float sign = (word & methods::kFlippedFace) != 0 ? -1.0F : 1.0F;
  const bool mirrored = __shfl_sync(kAllLanes, sign * area.c0, 0) < 0.0F;
  const float turn = mirrored ? -sign : sign;
  area.c0 *= turn;
  area.c1 *= turn;
  area.c2 *= turn;
  const bool right = lane >= shape.face_count || methods::scalar::is_positive<bool>(area);
  if (!__all_sync(kAllLanes, right)) return false;
  __syncwarp();
  // A mirrored plane has the same contour.
  return contour_is_simple(shape, off, space);
}

template <Candidates kWanted>
__global__ void __launch_bounds__(kWarpsPerBlock* kWarp)
    collect_pairs_kernel(PairInput input, CandidateLists lists, Counters* counters) {
  __shared__ Space spaces[kWarpsPerBlock];
  Space& space = spaces[threadIdx.x / kWarp];
  const unsigned lane = lane_id();
  const StepControl& control = *input.control;
  const std::uint32_t last = min(min(counters->pairs, input.pair_capacity), input.last_pair);
  Tally tally;
  while (true) {
    std::uint32_t at = 0;
    if (lane == 0) at = input.first_pair + atomicAdd(&counters->next_pair, 1U);
    at = __shfl_sync(kAllLanes, at, 0);
    if (at >= last) break;
    const DevicePair pair = input.pairs[at];
    const bool self = pair.x == pair.y;
    const ClusterShape& shape_a = input.shapes[pair.x];
    const ClusterShape& shape_b = input.shapes[pair.y];
    const ClusterTable& table_a = input.tables[pair.x];
    const ClusterTable& table_b = input.tables[pair.y];
    const bool one_frame = self || (table_a.own_frame | table_b.own_frame) == 0 || table_a.frame == table_b.frame;
    const ClusterLocalFrame& frame =
        one_frame || table_a.frame.scale <= table_b.frame.scale ? table_a.frame : table_b.frame;
    PairState state;
    state.gap = frame.length_up(control.gap);
    state.position_error = frame.length_up(control.position_error);
    state.has_slabs = one_frame;
    __syncwarp();
    if (!self && one_frame && separated_by_slabs(table_a, table_b, state.gap)) continue;
    if (one_frame) {
      take_table(table_a, 0, space, state);
      if (!self) take_table(table_b, 1, space, state);
    } else {
      take_in_frame(shape_a, frame, input.x, control.until, 0, space, state);
      take_in_frame(shape_b, frame, input.x, control.until, 1, space, state);
    }
    __syncwarp();
    Lengths a;
    Lengths b;
    if (self) {
      state.error[1] = state.error[0];
      if (kWanted != Candidates::WithinGap && proved_free_of_self_collision(shape_a, state, space)) continue;
      __syncwarp();
      a = choose(shape_a, 0U, 0, kWanted != Candidates::EdgeFaces, space);
      b = a;
    } else {
      a = choose(shape_a, outcode(space, state, 0), 0, kWanted != Candidates::EdgeFaces, space);
      if (a.faces == 0) continue;
      b = choose(shape_b, outcode(space, state, 1), 1, kWanted != Candidates::EdgeFaces, space);
      if (b.faces == 0) continue;
    }
    ++tally.pairs;
    Pipeline<kWanted> pipeline(space, state, input.filter, lists, counters);
    state.swept = (table_a.slow & table_b.slow) != 0;
    if (state.swept) {
      compare_all<true>(self, a, b, space, state, pipeline, tally);
    } else {
      compare_all<false>(self, a, b, space, state, pipeline, tally);
    }
    pipeline.finish();
  }
  if (lane == 0) {
    atomicAdd(&counters->cluster_pairs, tally.pairs);
    atomicAdd(&counters->feature_tests, tally.feature_tests);
    atomicAdd(&counters->feature_pairs, tally.feature_pairs);
  }
}

}  // namespace

void collect_pairs(Candidates wanted, const PairInput& input, const CandidateLists& lists, Counters* counters,
                   unsigned processors, cudaStream_t stream) {
  constexpr unsigned kBlocksPerProcessor = 8;
  const unsigned blocks = kBlocksPerProcessor * processors;
  constexpr unsigned kThreads = kWarpsPerBlock * kWarp;
  switch (wanted) {
    case Candidates::Touching:
      collect_pairs_kernel<Candidates::Touching><<<blocks, kThreads, 0, stream>>>(input, lists, counters);
      break;
    case Candidates::WithinGap:
      collect_pairs_kernel<Candidates::WithinGap><<<blocks, kThreads, 0, stream>>>(input, lists, counters);
      break;
    case Candidates::EdgeFaces:
      collect_pairs_kernel<Candidates::EdgeFaces><<<blocks, kThreads, 0, stream>>>(input, lists, counters);
      break;
  }
}

}  // namespace graze::cuda
