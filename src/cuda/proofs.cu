// Proofs in floats about overlapping feature pairs (proofs.cuh): a thread for each pair.
//
// Pairs that are never coplanar, or never within the gap of it, are dropped first. The others go through a queue in
// shared memory, so that the second proof runs on full warps: it drops pairs that diagonal slabs separate. The
// pairs of two clusters lie together in the list, so that a warp reads few rows of the tables.
//
// Error bounds: methods/cluster/float_proof_kernel.inl.hpp.
#include "cuda/proofs.cuh"

#include "cuda/warp.cuh"
#include "methods/cluster/proofs_lane.hpp"

namespace graze::cuda {

namespace {

using EdgeFacePoints = methods::scalar::EdgeFacePoints<float>;
using FeaturePoints = narrow::scalar::Points<float>;

constexpr unsigned kWarpsPerBlock = 4;
constexpr unsigned kBlocksPerProcessor = 6;

/// A vertex of a pair in the frame of the pair.
struct Vertex {
  float x[6];
  std::uint32_t id;
};

/// The overlapping pairs of one warp.
template <Candidates kWanted>
class Prover {
 public:
  __device__ Prover(const PairInput& input, const PairFrame* frames, const FilterView& filter,
                    const CandidateLists& lists, Counters* counters, OverlappingPair* queue)
      : input_(input), frames_(frames), filter_(filter), lists_(lists), counters_(counters), queue_(queue) {}

  /// The first proof of the pairs of all lanes; some may have none.
  __device__ void add(const OverlappingPair& entry) {
    const bool open = entry.pair != kNoPair && !proved(entry);
    const unsigned lanes = __ballot_sync(kAllLanes, open);
    if (open) queue_[queued_ + static_cast<unsigned>(__popc(lanes & lanes_below()))] = entry;
    queued_ += static_cast<unsigned>(__popc(lanes));
    __syncwarp();
    if (queued_ >= kWarp) drop_separated(kWarp);
  }

  __device__ void finish() {
    if (queued_ > 0) drop_separated(queued_);
  }

 private:
  __device__ const ClusterTable& table_of(const DevicePair& pair, unsigned at) const {
    return input_.tables[at < kOfSecond ? pair.x : pair.y];
  }

  __device__ std::uint32_t id(const OverlappingPair& entry, int corner) const {
    const unsigned at = place(entry.word, corner);
    return table_of(input_.pairs[entry.pair], at).rows[at % kOfSecond].id;
  }

  __device__ Vertex vertex(const DevicePair& pair, std::uint32_t frame_of, unsigned at) const {
    Vertex v;
    const float4* const row = reinterpret_cast<const float4*>(&table_of(pair, at).rows[at % kOfSecond]);
    const float4 left = row[0];
    const float4 right = row[1];  // y, z at t1 and the bits of the id
    v.id = static_cast<std::uint32_t>(__float_as_int(right.z));
    if (frame_of == kOfBoth) {
      v.x[0] = left.x;
      v.x[1] = left.y;
      v.x[2] = left.z;
      v.x[3] = left.w;
      v.x[4] = right.x;
      v.x[5] = right.y;
      return v;
    }
    const ClusterLocalFrame& frame = input_.tables[frame_of == kOfFirstCluster ? pair.x : pair.y].frame;
    const Vec3 p = input_.x.x_t0[v.id];
    const std::array<float, 3> at_t0 = frame.at_t0(p);
    const std::array<float, 3> at_t1 = frame.at_t1(end_of_part(p, input_.x.x_t1[v.id], input_.control->until));
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      v.x[k] = at_t0[static_cast<std::size_t>(k)];
      v.x[3 + k] = at_t1[static_cast<std::size_t>(k)];
    }
    return v;
  }

  __device__ FeaturePoints points_of(const OverlappingPair& entry, const PairFrame& frame) const {
    const DevicePair pair = input_.pairs[entry.pair];
    FeaturePoints points;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const Vertex v = vertex(pair, frame.of, place(entry.word, i));
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        points.x[0][i][k] = v.x[k];
        points.x[1][i][k] = v.x[3 + k];
      }
    }
    return points;
  }

  __device__ EdgeFacePoints edge_face_points(const OverlappingPair& entry, const PairFrame& frame) const {
    const DevicePair pair = input_.pairs[entry.pair];
    const auto point = [&](int corner) -> methods::scalar::Point<float> {
      const Vertex v = vertex(pair, frame.of, place(entry.word, corner));
      return {{v.x[0], v.x[1], v.x[2]}};
    };
    return {point(0), point(1), {point(2), point(3), point(4)}};
  }

  /// Whether the first proof rules the pair out.
  __device__ bool proved(const OverlappingPair& entry) const {
    const PairFrame frame = frames_[entry.pair];
    const float off_by = 0.5F * frame.error + frame.position_error;
    if constexpr (kWanted == Candidates::Touching) {
      return methods::scalar::never_coplanar_in_floats<bool>(points_of(entry, frame), off_by);
    } else if constexpr (kWanted == Candidates::WithinGap) {
      const FeaturePoints p = points_of(entry, frame);
      return kind(entry.word) == kEdgeEdge
                 ? methods::scalar::beyond_gap_along_normal<false, bool>(p, off_by, frame.gap)
                 : methods::scalar::beyond_gap_along_normal<true, bool>(p, off_by, frame.gap);
    } else {
      return methods::scalar::edge_beside_plane<bool>(edge_face_points(entry, frame), 0.5F * frame.error);
    }
  }

  /// The second proof of the last `count` pairs of the queue; what it leaves are candidates.
  __device__ void drop_separated(unsigned count) {
    queued_ -= count;
    const OverlappingPair entry = queue_[queued_ + (lane_id() < count ? lane_id() : 0)];
    __syncwarp();
    const bool there = lane_id() < count;
    const PairFrame frame = frames_[entry.pair];
    if constexpr (kWanted == Candidates::EdgeFaces) {
      // Pairs that are proved to intersect go to the elementary tests like the undecided ones: it is the same work.
      const float delta = 0.5F * frame.error;
      emit_edge_face(there && !methods::scalar::prove_edge_face<bool>(edge_face_points(entry, frame), delta).apart,
                     entry);
    } else {
      const float room = 3.0F * frame.error + 1.75F * frame.gap;
      const FeaturePoints p = points_of(entry, frame);
      const bool edges = kind(entry.word) == kEdgeEdge;
      const bool apart = edges ? methods::scalar::separated_by_slabs<2, bool>(p, room)
                               : methods::scalar::separated_by_slabs<1, bool>(p, room);
      emit(there && !apart, edges, entry);
    }
  }

  __device__ void emit(bool wanted, bool edges, const OverlappingPair& entry) {
    uint4 v = make_uint4(id(entry, 0), id(entry, 1), id(entry, 2), id(entry, 3));
    if (edges && v.x > v.z) v = make_uint4(v.z, v.w, v.x, v.y);
    const bool keep = wanted && filter_.tests(v.x, edges ? v.z : v.y);
    const std::uint32_t at_ee = warp_append(keep && edges, &counters_->ee);
    if (keep && edges && at_ee < lists_.ee_capacity) lists_.ee[at_ee] = v;
    const std::uint32_t at_vf = warp_append(keep && !edges, &counters_->vf);
    if (keep && !edges && at_vf < lists_.vf_capacity) lists_.vf[at_vf] = v;
  }

  __device__ void emit_edge_face(bool wanted, const OverlappingPair& entry) {
    const uint4 v = make_uint4(id(entry, 0), id(entry, 1), id(entry, 2), id(entry, 3));
    const std::uint32_t last = id(entry, 4);
    const bool keep = wanted && filter_.tests(v.x, v.z);
    const std::uint32_t at = warp_append(keep, &counters_->ee);
    if (keep && at < lists_.ee_capacity) {
      lists_.ee[at] = v;
      lists_.last[at] = last;
    }
  }

  const PairInput& input_;
  const PairFrame* frames_;
  const FilterView& filter_;
  const CandidateLists& lists_;
  Counters* counters_;
  OverlappingPair* queue_;
  unsigned queued_ = 0;
};

template <Candidates kWanted>
__global__ void __launch_bounds__(kWarpsPerBlock* kWarp, kBlocksPerProcessor)
    prove_pairs_kernel(PairInput input, OverlapList overlaps, FilterView filter, CandidateLists lists,
                       Counters* counters) {
  __shared__ OverlappingPair queues[kWarpsPerBlock][2 * kWarp];
  const std::uint32_t count = min(counters->overlaps, overlaps.capacity);
  Prover<kWanted> prover(input, overlaps.frames, filter, lists, counters, queues[threadIdx.x / kWarp]);
  const std::uint32_t warp = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarp;
  const std::uint32_t warps = gridDim.x * kWarpsPerBlock;
  for (std::uint64_t base = std::uint64_t{warp} * kWarp; base < count; base += std::uint64_t{warps} * kWarp) {
    const std::uint64_t i = base + lane_id();
    prover.add(i < count ? overlaps.overlaps[i] : OverlappingPair{kNoPair, 0});
  }
  prover.finish();
}

}  // namespace

void prove_pairs(Candidates wanted, const PairInput& input, const OverlapList& overlaps, const FilterView& filter,
                 const CandidateLists& lists, Counters* counters, unsigned processors, cudaStream_t stream) {
  const unsigned blocks = kBlocksPerProcessor * processors;
  constexpr unsigned kThreads = kWarpsPerBlock * kWarp;
  switch (wanted) {
    case Candidates::Touching:
      prove_pairs_kernel<Candidates::Touching>
          <<<blocks, kThreads, 0, stream>>>(input, overlaps, filter, lists, counters);
      break;
    case Candidates::WithinGap:
      prove_pairs_kernel<Candidates::WithinGap>
          <<<blocks, kThreads, 0, stream>>>(input, overlaps, filter, lists, counters);
      break;
    case Candidates::EdgeFaces:
      prove_pairs_kernel<Candidates::EdgeFaces>
          <<<blocks, kThreads, 0, stream>>>(input, overlaps, filter, lists, counters);
      break;
  }
}

}  // namespace graze::cuda
