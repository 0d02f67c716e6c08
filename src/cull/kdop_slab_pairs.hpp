// Overlap tests of k-DOP slabs without the box (geometry/kdop_slabs.hpp) of triangles, vertices and edges, in SIMD
// registers: culls the pairs inside a voxel whose boxes overlap (HASH, section 4.3).
//
// Only comparisons and minima, so that every instruction set keeps the same pairs. Cost: O(pairs), dominated by
// memory latency; bounds are prefetched some pairs ahead.
#pragma once

#include <cstddef>
#include <span>

#include "cull/box_pairs.hpp"
#include "geometry/kdop_slabs.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze::cull {

/// Move the pairs whose k-DOPs overlap to the beginning of `pairs`, in order, and return their number: pairs of
/// leaves; of a vertex and a leaf; of edges, whose bounds are the unions of their ends' bounds.
template <std::size_t K>
std::size_t keep_overlapping_leaves(std::span<const KdopSlabs<K>> leaves, std::span<LeafPair> pairs);
template <std::size_t K>
std::size_t keep_overlapping_vertex_faces(std::span<const KdopSlabs<K>> vertices,
                                          std::span<const KdopSlabs<K>> leaves, std::span<IndexPair> pairs);
template <std::size_t K>
std::size_t keep_overlapping_edges(std::span<const KdopSlabs<K>> vertices, std::span<PairVertices> pairs);

}  // namespace graze::cull
