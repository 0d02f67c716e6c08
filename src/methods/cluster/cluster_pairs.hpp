// Mid phase of method `auto`: finds the feature pairs of pairs of clusters that may touch, the candidates of the
// elementary tests, each once.
//
// In SIMD lanes, on tables that stay in registers or in the first-level cache:
//
// 1. Skips pairs of clusters that k-DOP slabs separate.
// 2. Selects the features of each cluster that may overlap the other's box and slab. Each vertex gets an outcode,
//    one bit per side beyond which it stays during the whole step; a feature is separated if its vertices share a
//    bit.
// 3. Keeps each pair of selected features whose bounds linear in time overlap and that is not incident. Slow
//    clusters use bounds swept over the whole step instead; where only a prefix of the step is asked for, in which
//    clusters hardly move, they use their positions at t0 and a gap for the displacements, also in 1 and 2.
// 4. Drops pairs that are proved never coplanar, or with a gap never that close to coplanar, in floats with an
//    error bound, and pairs that k-DOP slabs separate.
//
// A pair of a cluster with itself is skipped if the cluster is proved free of self-collision (self_proof.inl.hpp;
// without thickness only). Cost per pair of clusters: some hundred nanoseconds. Only the buffer allocates.
#pragma once

#include <array>
#include <span>

#include <graze/stats.hpp>

#include "core/function_ref.hpp"
#include "core/uninitialized_vector.hpp"
#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// Parameters that decide which feature pairs are candidates.
struct PairRules {
  double gap = 0.0;             ///< largest distance of a candidate
  bool touching = true;         ///< no thickness: only pairs that touch count
  double position_error = 0.0;  ///< bound on position errors other than the clusters' `error`; included in gap
  /// Share of the step, in [0, 1]: pairs that come within the gap later need not be candidates.
  double prefix = 1.0;
};

/// Candidates by kind: vertex ids in canonical order.
struct PairBuffer {
  using List = UninitializedVector<std::array<VertexId, 4>>;

  List vertex_faces;
  List edge_edges;

  /// Takes memory for a usual block, so that the lists seldom grow.
  PairBuffer() {
    constexpr std::size_t kUsualPairs = 1024;
    vertex_faces.reserve(kUsualPairs);
    edge_edges.reserve(kUsualPairs);
  }
};

/// Appends the candidates of these pairs of clusters. Candidates and their order are deterministic and the same on
/// every instruction set. Calls full() whenever the buffer holds some thousands, and at the end; full() must
/// consume and empty the buffer.
void collect_pairs(std::span<const Cluster> clusters, std::span<const ClusterPair> pairs, const PairRules& rules,
                   PairBuffer& buffer, ClusterCounts& counts, FunctionRef<void()> full);

}  // namespace graze::methods
