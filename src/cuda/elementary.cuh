// Narrow phase on the GPU: times of impact of the candidates of a step, one candidate a thread, with the arithmetic
// of the host's kernels (kernels/elementary_device.cuh), so that results have the host's bits.
//
// What neither filter nor quick search decides is left to the host, with the coordinates of its points.
#pragma once

#include <graze/results.hpp>

#include "cuda/device_scene.cuh"
#include "cuda/kernels/elementary_device.cuh"
#include "cuda/proofs.cuh"

namespace graze::cuda {

/// A candidate that is left to the host.
struct UndecidedPair {
  uint4 vertices;
  std::uint32_t edge_edge;  ///< 1 for a pair of edges
  std::uint32_t unused;
  PairPoints points;
};

struct ImpactLists {
  Impact* impacts;
  std::uint32_t capacity;
  /// Rank of each impact within its bucket, and lengths of the buckets, by kind and first vertex (order.cuh); null
  /// if only the first impact is wanted.
  std::uint32_t* ranks;
  std::uint32_t* bucket_lengths;
  UndecidedPair* undecided;
  std::uint32_t undecided_capacity;
};

struct ElementaryInput {
  PositionsView x;
  ScenesView scenes;
  CandidateLists candidates;
  ThickLimits limits;
  bool first;  ///< only impacts that may be the earliest are wanted
};

/// Appends the impacts among the candidates to the lists, and counts them; those beyond the capacity are counted
/// alone. Their order depends on the run.
void test_candidates(const ElementaryInput& input, const ImpactLists& lists, Counters* counters,
                     unsigned processors, cudaStream_t stream);

/// Writes the earliest of the impacts, by toi_lo and then by pair, to `*earliest`: one of `counters->records`,
/// which is not zero.
void find_earliest(const Impact* impacts, std::uint32_t capacity, const Counters* counters, Impact* earliest,
                   cudaStream_t stream);

}  // namespace graze::cuda
