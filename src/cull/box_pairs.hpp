// Overlap tests of feature bounding boxes in SIMD registers: the stage between triangle pairs and elementary tests
// (R-TRI, Curtis et al. 2008, section 5.1).
//
// Two comparisons of four lanes per pair (geometry/packed_box.hpp) and no arithmetic, so that every instruction set
// keeps the same pairs. Cost: O(pairs).
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

/// Two indices: of a vertex or an edge, and of a face or an edge.
struct IndexPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// Writes the edge pairs that overlap and share no vertex to `kept`, in order and canonical (the edge with the
/// smaller vertex first), and returns their number. The boxes hold the vertex ids of their edges. Precondition:
/// `kept` has space for one more than there are pairs.
std::size_t overlapping_edges(std::span<const PackedBox> edges, std::span<const IndexPair> pairs,
                              PairVertices* kept);

/// Writes the pairs of a vertex and a leaf whose bounds overlap and that are not incident to `kept`, in order, and
/// returns their number. Precondition: `kept` has space for one more than there are pairs.
std::size_t overlapping_vertex_faces(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                                     std::span<const IndexPair> pairs, IndexPair* kept);

/// Variants that also report which pairs were kept: vertices of the kept pairs (a face's in the leaf's order) and
/// their indices in `pairs`, ascending. Preconditions: at most 2^16 pairs; both outputs have space for one more
/// than that.
std::size_t overlapping_edges(std::span<const PackedBox> edges, std::span<const IndexPair> pairs,
                              PairVertices* kept, std::uint16_t* places);
std::size_t overlapping_vertex_faces(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                                     std::span<const IndexPair> pairs, PairVertices* kept, std::uint16_t* places);

}  // namespace graze::cull
