// Incidence lists (ICCD, Tang et al. 2009, section V-B): the leaves of every vertex and of every edge.
//
// A leaf is a triangle that stands for a face, numbered as the hierarchies number it; duplicates have none, so a
// face appears once. Procedural representatives walk these lists, so their order is fixed: the triangle that
// represents the feature by R-TRI first, because it nearly always answers, then by ascending leaf. Unlike the paper
// an edge may have any number of leaves. Edge ids are those of the representatives, which survive edits. Cost:
// O(vertices + edges + triangles) time; 4 bytes a vertex, an edge, and each time a leaf is named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"

namespace graze {

/// The leaf of a triangle that stands for no face.
inline constexpr std::uint32_t kNoLeaf = std::numeric_limits<std::uint32_t>::max();

struct Incidence {
  Rows vertex_leaves;                         ///< by vertex id, unused vertices included: the fans
  Rows edge_leaves;                           ///< by edge id; none for an id that an edit freed
  std::vector<std::uint32_t> leaf_triangles;  ///< by leaf; kNoLeaf for a leaf that is free

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Preconditions: `leaf_of_triangle` is a different leaf for each triangle that stands for a face, kNoLeaf for the
/// others; vertex ids < vertex_count. Leaves need not be dense: those that no triangle has are free.
Incidence make_incidence(const Representatives& representatives, std::span<const std::uint32_t> leaf_of_triangle,
                         std::size_t vertex_count);

}  // namespace graze
