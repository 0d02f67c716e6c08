// Number of orphans of a soup: feature pairs that no pair of non-adjacent triangles covers (ICCD, Tang et al. 2009,
// section V-D), with the paper's adjacency, a common vertex.
//
// A method that visits only pairs of triangles without a common vertex finds a vertex-face pair through some
// triangle of the vertex, and an edge-edge pair through some triangles of both edges. It misses a pair if all of
// these triangle pairs share a vertex. If n triangles share one vertex there are about n^2 orphans, so they are
// counted without enumeration; mesh/orphan_set.hpp lists the orphans that a method needs. Unlike in the paper the
// soup is arbitrary. Cost: O(n log n) for n triangles of any shape.
#pragma once

#include <cstdint>

#include "mesh/topology.hpp"
#include "research/namespaces.hpp"

namespace graze::papers {

struct OrphanCounts {
  std::uint64_t vf = 0;
  std::uint64_t ee = 0;

  friend bool operator==(const OrphanCounts&, const OrphanCounts&) = default;
};

OrphanCounts count_orphans(const Topology& topology);

}  // namespace graze::papers
