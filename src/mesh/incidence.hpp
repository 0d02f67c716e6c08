// Incidence lists (ICCD, Tang et al. 2009, section V-B): the leaves at every vertex and at every edge.
//
// A leaf is a triangle that represents a face, with the number it has in the hierarchies; a duplicate triangle has
// no leaf, so each face appears once. Procedural representatives scan these lists, so their order is fixed: first
// the triangle that represents the feature by R-TRI, because it nearly always decides, then the other leaves in
// ascending order. Unlike in the paper, an edge may have any number of leaves. Edge ids are those of the
// representatives, which persist under edits. Cost: O(vertices + edges + triangles) time; 8 bytes per vertex and
// per edge, 4 per entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "mesh/representatives.hpp"
#include "mesh/row_pool.hpp"

namespace graze::mesh {

/// Leaf of a triangle that represents no face; triangle of a free leaf number.
inline constexpr std::uint32_t kNoLeaf = std::numeric_limits<std::uint32_t>::max();

struct Incidence {
  RowPool vertex_leaves;  ///< by vertex id, unused vertices included: the fan of each vertex
  RowPool edge_leaves;    ///< by edge id; empty for an id freed by an edit

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Builds the lists. leaf_triangles[leaf] is the triangle of a leaf, kNoLeaf for a free number. Preconditions: it
/// contains each triangle that represents a face exactly once, and no other triangle; vertex ids < vertex_count.
Incidence make_incidence(const Representatives& representatives, std::span<const std::uint32_t> leaf_triangles,
                         std::size_t vertex_count);

}  // namespace graze::mesh
