// Times of impact (elementary.cuh): a thread for each candidate.
//
// With thickness the filter, which rejects most candidates, runs on full warps and leaves the others in a queue in
// shared memory, which the search takes 32 at a time.
#include "cuda/elementary.cuh"

#include <limits>

#include "cuda/warp.cuh"

namespace graze::cuda {

namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kWarpsPerBlock = kThreads / kWarp;

/// Writes an impact, word by word: its bytes of padding are not left undefined.
__device__ void write_impact(Impact* to, bool edge_edge, const uint4& v, const ElementaryImpact& found) {
  Impact impact;
  impact.pair.kind = edge_edge ? FeatureKind::EdgeEdge : FeatureKind::VertexFace;
  impact.pair.vertices[0] = v.x;
  impact.pair.vertices[1] = v.y;
  impact.pair.vertices[2] = v.z;
  impact.pair.vertices[3] = v.w;
  impact.toi_lo = found.toi_lo;
  impact.toi_hi = found.toi_hi;
  for (int i = 0; i < 4; ++i) impact.weights[i] = found.weights[i];
  impact.normal = found.normal;
  impact.side = found.side;
  impact.remembered_side = found.side;
  *to = impact;
}

/// One warp's way through the candidates of one kind.
template <bool kVertexFace, bool kThick>
class Tester {
 public:
  __device__ Tester(const ElementaryInput& input, const ImpactLists& lists, Counters* counters, uint4* queue)
      : input_(input), lists_(lists), counters_(counters), queue_(queue) {}

  __device__ void run(const DeviceCandidate* candidates, std::uint32_t count) {
    const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
    const std::uint32_t warps = gridDim.x * kWarpsPerBlock;
    for (std::uint32_t base = warp * kWarp; base < count; base += warps * kWarp) {
      const std::uint32_t i = base + lane_id();
      const bool there = i < count;
      const uint4 candidate = candidates[there ? i : base];
      if constexpr (kThick) {
        bool open = false;
        if (there) {
          const PairPoints points = load(candidate);
          open = !never_within<kVertexFace>(points, input_.limits) &&
                 !quickly_apart<kVertexFace>(points, input_.limits);
        }
        const unsigned lanes = __ballot_sync(kAllLanes, open);
        if (open) queue_[length_ + static_cast<unsigned>(__popc(lanes & lanes_below()))] = candidate;
        length_ += static_cast<unsigned>(__popc(lanes));
        __syncwarp();
        if (length_ >= kWarp) search_queue(kWarp);
      } else {
        search(there, candidate);
      }
    }
    if (kThick && length_ > 0) search_queue(length_);
  }

 private:
  /// Decides a pair that the search left open, where that is easy: the filter rules it out, or it starts at a
  /// common point. Few pairs are left open, so it does not matter that other lanes wait.
  __device__ QuickResult settle(const uint4& v) {
    const PairPoints points = load(v);
    if (never_touches<kVertexFace>(points)) {
      atomicAdd(&counters_->settled_by_filter, 1U);
      return {IntervalOutcome::Apart, {}};
    }
    if (!starts_at_common_point<kVertexFace>(points)) return {IntervalOutcome::Undecided, {}};
    atomicAdd(&counters_->settled_exactly, 1U);
    return {IntervalOutcome::Contact, impact_at_start<kVertexFace>(points)};
  }

  __device__ PairPoints load(const uint4& v) const {
    const VertexId vertices[4] = {v.x, v.y, v.z, v.w};
    return load_points(input_.x.x_t0, input_.x.x_t1, vertices);
  }

  __device__ void search_queue(unsigned count) {
    length_ -= count;
    const bool there = lane_id() < count;
    const uint4 candidate = queue_[length_ + (there ? lane_id() : 0)];
    __syncwarp();
    search(there, candidate);
  }

  __device__ void search(bool there, const uint4& v) {
    QuickResult result{IntervalOutcome::Apart, {}};
    if (there) {
      const PairPoints points = load(v);
      if constexpr (kThick) {
        result = thick_roots<kVertexFace>(points, input_.limits);
      } else {
        result = roots<kVertexFace>(points, input_.limits.tolerance);
      }
    }
    if (!kThick && result.outcome == IntervalOutcome::Undecided) result = settle(v);
    const bool undecided = result.outcome == IntervalOutcome::Undecided;
    const std::uint32_t left = warp_append(undecided, &counters_->undecided);
    if (undecided && left < lists_.undecided_capacity)
      lists_.undecided[left] = {v, kVertexFace ? 0U : 1U, 0U, load(v)};
    bool contact = result.outcome == IntervalOutcome::Contact;
    if (input_.first && contact) {
      // The sum turns -0 into 0, whose bits are in order.
      const auto bits = static_cast<unsigned long long>(__double_as_longlong(result.impact.toi_lo + 0.0));
      contact = bits <= atomicMin(&counters_->best_toi, bits);
    }
    const std::uint32_t place = warp_append(contact, &counters_->records);
    if (!contact || place >= lists_.capacity) return;
    write_impact(&lists_.impacts[place], !kVertexFace, v, result.impact);
    if (lists_.ranks != nullptr) {
      lists_.ranks[place] = atomicAdd(&lists_.bucket_lengths[input_.scenes.bucket(!kVertexFace, v.x)], 1U);
    }
  }

  const ElementaryInput& input_;
  const ImpactLists& lists_;
  Counters* counters_;
  uint4* queue_;
  unsigned length_ = 0;
};

template <bool kThick>
__global__ void __launch_bounds__(kThreads)
    test_candidates_kernel(ElementaryInput input, ImpactLists lists, Counters* counters) {
  __shared__ uint4 queues[kThick ? kWarpsPerBlock : 1][2 * kWarp];
  uint4* const queue = queues[kThick ? threadIdx.x / kWarp : 0];
  const CandidateLists& candidates = input.candidates;
  Tester<true, kThick>(input, lists, counters, queue).run(candidates.vf, min(counters->vf, candidates.vf_capacity));
  Tester<false, kThick>(input, lists, counters, queue)
      .run(candidates.ee, min(counters->ee, candidates.ee_capacity));
}

__device__ bool precedes(const Impact& a, const Impact& b) {
  if (a.toi_lo != b.toi_lo) return a.toi_lo < b.toi_lo;
  if (a.pair.kind != b.pair.kind) return a.pair.kind == FeatureKind::VertexFace;
  for (int i = 0; i < 4; ++i) {
    if (a.pair.vertices[i] != b.pair.vertices[i]) return a.pair.vertices[i] < b.pair.vertices[i];
  }
  return false;
}

constexpr unsigned kEarliestThreads = 1024;

__global__ void __launch_bounds__(kEarliestThreads)
    find_earliest_kernel(const Impact* impacts, std::uint32_t capacity, const Counters* counters,
                         Impact* earliest) {
  __shared__ std::uint32_t best[kEarliestThreads];
  const std::uint32_t count = min(counters->records, capacity);
  if (count == 0) return;
  const double limit = __longlong_as_double(static_cast<long long>(counters->best_toi));
  constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t own = kNone;
  for (std::uint32_t i = threadIdx.x; i < count; i += kEarliestThreads) {
    if (impacts[i].toi_lo == limit && (own == kNone || precedes(impacts[i], impacts[own]))) own = i;
  }
  best[threadIdx.x] = own;
  for (unsigned half = kEarliestThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      const std::uint32_t other = best[threadIdx.x + half];
      const std::uint32_t mine = best[threadIdx.x];
      if (other != kNone && (mine == kNone || precedes(impacts[other], impacts[mine]))) best[threadIdx.x] = other;
    }
  }
  if (threadIdx.x == 0) *earliest = impacts[best[0]];
}

}  // namespace

void test_candidates(const ElementaryInput& input, const ImpactLists& lists, Counters* counters,
                     unsigned processors, cudaStream_t stream) {
  constexpr unsigned kBlocksPerProcessor = 8;
  const unsigned blocks = kBlocksPerProcessor * processors;
  if (input.limits.thickness > 0.0) {
    test_candidates_kernel<true><<<blocks, kThreads, 0, stream>>>(input, lists, counters);
  } else {
    test_candidates_kernel<false><<<blocks, kThreads, 0, stream>>>(input, lists, counters);
  }
}

void find_earliest(const Impact* impacts, std::uint32_t capacity, const Counters* counters, Impact* earliest,
                   cudaStream_t stream) {
  find_earliest_kernel<<<1, kEarliestThreads, 0, stream>>>(impacts, capacity, counters, earliest);
}

}  // namespace graze::cuda
