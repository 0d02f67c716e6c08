// From places to results (pipeline/edge_face_places.hpp). Cost: O(n log n) in what was found, plus the pairs of
// triangles.
#include "pipeline/edge_face_places.hpp"

#include <algorithm>

#include "core/sort.hpp"
#include "pipeline/query.hpp"

namespace graze {

namespace {

std::vector<std::array<std::uint32_t, 2>> triangle_pairs_of(const Topology& topology,
                                                            std::span<const EdgeFacePlaces> found,
                                                            MemoryBudget& budget) {
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (const auto& [edge, face] : found) {
    for (const std::uint32_t a : topology.edge_triangles[edge]) {
      const Face& face_a = topology.features.faces[topology.triangle_faces[a]];
      if (share_vertex(face_a, topology.features.faces[face])) continue;
      const auto others = topology.face_triangles[face];
      budget.charge(2 * sizeof(pairs[0]) * others.size());
      for (const std::uint32_t b : others) pairs.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  parallel_sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  pairs.shrink_to_fit();
  return pairs;
}

}  // namespace

void write_intersections(const Topology& topology, std::vector<EdgeFacePlaces> found, MemoryBudget& budget,
                         Intersections& result) {
  parallel_sort(found);  // places ascend as their ids do
  found.erase(std::unique(found.begin(), found.end()), found.end());
  result.edge_face.reserve(found.size());
  for (const auto& [edge, face] : found) {
    result.edge_face.push_back({topology.features.edges[edge], topology.features.faces[face]});
  }
  result.triangle_pairs = triangle_pairs_of(topology, found, budget);
}

}  // namespace graze
