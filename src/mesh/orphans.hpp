// Orphans: feature pairs that no pair of non-adjacent triangles covers (ICCD, Tang et al. 2009, "orphan sets").
//
// A method that only visits pairs of triangles without a common vertex meets a vertex-face pair through some
// triangle of the vertex, and an edge-edge pair through some triangles of both edges. Where all of those touch, it
// never does: such pairs must be tested on their own. They depend on topology alone. Unlike the paper nothing is
// assumed of the mesh: edges may have any number of triangles.
#pragma once

#include <cstdint>

#include "mesh/topology.hpp"

namespace graze {

struct OrphanCounts {
  std::uint64_t vf = 0;
  std::uint64_t ee = 0;

  friend bool operator==(const OrphanCounts&, const OrphanCounts&) = default;
};

/// How many orphans there are. Linear for bounded valence; quadratic in the triangles that meet at one vertex.
OrphanCounts count_orphans(const Topology& topology);

}  // namespace graze
