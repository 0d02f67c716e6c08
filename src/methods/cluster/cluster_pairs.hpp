// The pairs of features of pairs of clusters that may touch: the candidates of an elementary test, each once.
//
// In SIMD lanes, on tables that stay in registers or in the first-level cache:
//
// 1. Clusters that slanted directions tell apart are left out.
//
// 2. Features of each cluster that may meet the other's box and slab: of every vertex on which sides of them it
// stays all the step, one bit a side; a feature is apart if its vertices have a bit in common.
//
// 3. Of those, each pair whose bounds linear in time meet, less what is incident. Clusters that hardly move are
// bounded for all of the step at once.
//
// 4. Less pairs that are proved never to be coplanar, in floats with a bound of their error (without a thickness
// only), and those that slanted directions tell apart.
//
// A cluster by itself is left out if it is proved free (self_proof.inl.hpp; without a thickness only).
//
// Cost of a pair of clusters: some hundred nanoseconds. No allocation but of the buffer.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <graze/stats.hpp>

#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// What candidates are asked for.
struct PairRules {
  float gap = 0.0F;      ///< in the clusters' frame, rounded up: features farther apart are none
  bool touching = true;  ///< without a thickness: pairs that are never coplanar are none
  float blur = 0.0F;     ///< what positions may be off by besides the clusters' errors; a part of the gap
};

/// Candidates, by kind: vertex ids in canonical order.
struct PairBuffer {
  std::vector<std::array<VertexId, 4>> vertex_faces;
  std::vector<std::array<VertexId, 4>> edge_edges;
};

/// Appends the candidates of these pairs of clusters. Deterministic order, the same on every instruction set; which
/// pairs the floats rule out is, too. Calls full(context) whenever the buffer holds many, and at the end.
void collect_pairs(std::span<const Cluster> clusters, std::span<const ClusterPair> pairs, const PairRules& rules,
                   PairBuffer& buffer, ClusterCounts& counts, void (*full)(void* context), void* context);

}  // namespace graze::methods
