// See query/proximity_test.hpp.
#include "query/proximity_test.hpp"

#include <array>

#include <graze/elementary.hpp>

namespace graze::query {

void test_proximity(const FeaturePair& pair, std::span<const Vec3> x, double d, MemoryBudget& budget, Stats& stats,
                    std::vector<Proximity>& found) {
  const std::array points = {x[pair.vertices[0]], x[pair.vertices[1]], x[pair.vertices[2]], x[pair.vertices[3]]};
  const bool vertex_face = pair.kind == FeatureKind::VertexFace;
  ++(vertex_face ? stats.vf_tests : stats.ee_tests);
  const bool within =
      vertex_face ? within_vertex_face(points, d, &stats.tiers) : within_edge_edge(points, d, &stats.tiers);
  if (!within) return;
  budget.charge(sizeof(Proximity));
  const ElementaryDistance at = vertex_face ? distance_vertex_face(points) : distance_edge_edge(points);
  found.push_back({.pair = pair, .distance = at.distance, .weights = at.weights, .normal = at.normal});
}

}  // namespace graze::query
