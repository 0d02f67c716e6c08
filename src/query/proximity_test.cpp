// See query/proximity_test.hpp.
#include "query/proximity_test.hpp"

#include <algorithm>
#include <array>

#include <graze/elementary.hpp>

#include "core/sort.hpp"

namespace graze::query {

void test_proximity(const FeaturePair& pair, std::span<const Vec3> x, double d, MemoryBudget& budget, Stats& stats,
                    std::vector<Proximity>& found) {
  const std::array points = {x[pair.vertices[0]], x[pair.vertices[1]], x[pair.vertices[2]], x[pair.vertices[3]]};
  const bool vertex_face = pair.kind == FeatureKind::VertexFace;
  ++(vertex_face ? stats.vf_tests : stats.ee_tests);
  const bool within =
      vertex_face ? within_vertex_face(points, d, &stats.tiers) : within_edge_edge(points, d, &stats.tiers);
  if (!within) return;
  budget.charge(2 * sizeof(Proximity));  // in the block's list, and in the merged list
  const ElementaryDistance at = vertex_face ? distance_vertex_face(points) : distance_edge_edge(points);
  found.push_back({.pair = pair, .distance = at.distance, .weights = at.weights});
}

void sort_proximities(std::vector<Proximity>& proximities) {
  parallel_sort(proximities, [](const Proximity& a, const Proximity& b) { return a.pair < b.pair; });
  const auto same = [](const Proximity& a, const Proximity& b) { return a.pair == b.pair; };
  proximities.erase(std::unique(proximities.begin(), proximities.end(), same), proximities.end());
}

}  // namespace graze::query
