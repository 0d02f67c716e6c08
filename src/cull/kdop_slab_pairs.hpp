// Slanted bounds (geometry/kdop_slabs.hpp) of triangles, vertices and edges against each other, in SIMD registers:
// what boxes leave of the pairs inside a voxel (HASH, section 4.3).
//
// Comparisons and minima alone: every instruction set keeps the same pairs. Cost: O(pairs); most of it is waiting
// for bounds, which are asked for some pairs ahead.
#pragma once

#include <cstddef>
#include <span>

#include "cull/box_pairs.hpp"
#include "geometry/kdop_slabs.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze::cull {

/// Keeps the pairs whose bounds overlap, in order, at the beginning of `pairs`, and returns how many: pairs of
/// leaves; of a vertex and a leaf; of edges, whose bounds are unions of those of their ends.
template <std::size_t K>
std::size_t keep_overlapping_leaves(std::span<const KdopSlabs<K>> leaves, std::span<LeafPair> pairs);
template <std::size_t K>
std::size_t keep_overlapping_vertex_faces(std::span<const KdopSlabs<K>> vertices,
                                          std::span<const KdopSlabs<K>> leaves, std::span<PlacePair> pairs);
template <std::size_t K>
std::size_t keep_overlapping_edges(std::span<const KdopSlabs<K>> vertices, std::span<PairVertices> pairs);

}  // namespace graze::cull
