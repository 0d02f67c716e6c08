// How many orphans a soup has: feature pairs that no pair of non-adjacent triangles covers (ICCD, Tang et al. 2009,
// section V-D), by the paper's adjacency, a common vertex.
//
// A method that only visits pairs of triangles without a common vertex meets a vertex-face pair through some
// triangle of the vertex, and an edge-edge pair through some triangles of both edges. Where all of those touch, it
// never does. Where n triangles meet at one vertex there are about n^2 orphans, so they are counted without being
// enumerated; mesh/orphan_set.hpp lists those that a method needs. Unlike the paper nothing is assumed of the soup.
// Cost: O(n log n) for n triangles of any shape.
#pragma once

#include <cstdint>

#include "mesh/topology.hpp"

namespace graze::mesh {

struct OrphanCounts {
  std::uint64_t vf = 0;
  std::uint64_t ee = 0;

  friend bool operator==(const OrphanCounts&, const OrphanCounts&) = default;
};

OrphanCounts count_orphans(const Topology& topology);

}  // namespace graze::mesh
