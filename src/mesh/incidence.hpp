// Incidence lists (ICCD, Tang et al. 2009, section V-B): the leaves of every vertex and of every edge.
//
// A leaf is a triangle that stands for a face, numbered as the hierarchies number it; duplicates have none, so a
// face appears once. Procedural representatives walk these lists, so their order is fixed: the triangle that
// represents the feature by R-TRI first, because it nearly always answers, then by ascending leaf. Unlike the paper
// an edge may have any number of leaves. Edge ids are those of the representatives, which survive edits. Cost:
// O(vertices + edges + triangles) time; 8 bytes a vertex and an edge, 4 each time a leaf is named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "mesh/representatives.hpp"
#include "mesh/row_pool.hpp"

namespace graze::mesh {

/// The leaf of a triangle that stands for no face, and the triangle of a leaf that is free.
inline constexpr std::uint32_t kNoLeaf = std::numeric_limits<std::uint32_t>::max();

struct Incidence {
  RowPool vertex_leaves;  ///< by vertex id, unused vertices included: the fans
  RowPool edge_leaves;    ///< by edge id; none for an id that an edit freed

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// `leaf_triangles`: by leaf, its triangle, kNoLeaf for a leaf that is free. Preconditions: each triangle that
/// stands for a face is there once, and no other; vertex ids < vertex_count.
Incidence make_incidence(const Representatives& representatives, std::span<const std::uint32_t> leaf_triangles,
                         std::size_t vertex_count);

}  // namespace graze::mesh
