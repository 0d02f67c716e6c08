// Bounds of features against each other, in SIMD registers: the step between pairs of triangles and elementary
// tests (R-TRI, Curtis et al. 2008, section 5.1).
//
// Two comparisons of four lanes a pair (geometry/packed_box.hpp) and no arithmetic: every instruction set keeps the
// same pairs. Cost: O(pairs).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "geometry/packed_box.hpp"
#include "mesh/leaf.hpp"
#include "narrow/kernels/pair_filter.hpp"

namespace graze::cull {

/// Two places: of a vertex or an edge, and of a face or an edge.
struct PlacePair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// Of pairs of edges, whose bounds hold the ids of their ends: writes those that overlap and share no vertex, in
/// order and canonical, to `kept`, and returns how many. The edge with the smaller vertex comes first. Room for one
/// more than there are pairs.
std::size_t overlapping_edges(std::span<const PackedBox> edges, std::span<const PlacePair> pairs,
                              PairVertices* kept);

/// Of pairs of a vertex and a leaf: writes those whose bounds overlap and that are not incident to `kept`, in
/// order, and returns how many. Room for one more than there are pairs.
std::size_t overlapping_vertex_faces(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                                     std::span<const PlacePair> pairs, PlacePair* kept);

/// The same for those who must know which pairs they were: vertices of the kept ones, those of faces as the leaf
/// has them, and the places, ascending, in `pairs`, of which there are at most 2^16. Room for one more in both.
std::size_t overlapping_edges(std::span<const PackedBox> edges, std::span<const PlacePair> pairs,
                              PairVertices* kept, std::uint16_t* places);
std::size_t overlapping_vertex_faces(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                                     std::span<const PlacePair> pairs, PairVertices* kept, std::uint16_t* places);

}  // namespace graze::cull
