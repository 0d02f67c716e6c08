// Edge-face pairs of discrete queries while they are sorted: places instead of vertex ids, and the pairs of
// triangles that follow from them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/results.hpp>

#include "mesh/topology.hpp"

namespace graze {

class MemoryBudget;

/// Places of an edge and a face in their lists.
struct EdgeFacePlaces {
  std::uint32_t edge = 0;
  std::uint32_t face = 0;

  friend auto operator<=>(const EdgeFacePlaces&, const EdgeFacePlaces&) = default;
};

/// Sorts what was found, each once, and fills a result with it: the pairs in vertex ids, and the pairs of triangles
/// without a shared vertex of which one has the edge and the other is the face.
void write_intersections(const Topology& topology, std::vector<EdgeFacePlaces> found, MemoryBudget& budget,
                         Intersections& result);

}  // namespace graze
