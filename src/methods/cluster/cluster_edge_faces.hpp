// Mid phase of intersections by method `auto`: finds the edge-face pairs of pairs of clusters that intersect at one
// instant, and those that floats cannot decide, each once.
//
// In SIMD lanes, as in cluster_pairs.hpp: clusters that k-DOP slabs separate and clusters proved free of
// self-intersection are skipped; features near the other cluster are selected, and pairs whose boxes overlap are
// kept. The signs of five determinants then decide nearly all of them: the sides of the edge's ends of the plane of
// the face, and the senses in which the line of the edge passes the sides of the face. Each sign has an error
// bound. Cost per pair of clusters: some hundred nanoseconds. Only the buffer allocates.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <graze/stats.hpp>

#include "core/function_ref.hpp"
#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// Vertices of an edge, then of a face, in canonical order.
using EdgeFaceVertices = std::array<VertexId, 5>;

/// Edge-face pairs without a common vertex.
struct EdgeFaceBuffer {
  std::vector<EdgeFaceVertices> proved;     ///< pairs that intersect
  std::vector<EdgeFaceVertices> undecided;  ///< pairs that may intersect
};

/// Appends the pairs of these pairs of clusters. Precondition: the clusters' positions at t0 and t1 are the same.
/// Pairs and their order are deterministic and the same on every instruction set. Calls full() whenever the buffer
/// holds some thousands, and at the end; full() must consume and empty the buffer.
void collect_edge_faces(std::span<const Cluster> clusters, std::span<const ClusterPair> pairs,
                        EdgeFaceBuffer& buffer, ClusterCounts& counts, FunctionRef<void()> full);

}  // namespace graze::methods
