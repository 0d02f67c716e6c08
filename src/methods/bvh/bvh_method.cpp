// The queries on a hierarchy (methods/bvh/bvh_method.hpp).
#include "methods/bvh/bvh_method.hpp"

#include "methods/bvh/bvh_compose.hpp"
#include "methods/bvh/orphan_tests.hpp"
#include "query/leaf_continuous.hpp"
#include "query/leaf_discrete.hpp"

namespace graze::methods {

Stats bvh_impacts(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                  std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found) {
  return leaf_queries::impacts_on(query, hierarchy, x_t0, x_t1, budget, found);
}

FirstImpact bvh_first_impact(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                             std::span<const Vec3> x_t1) {
  return leaf_queries::first_impact_on(query, hierarchy, x_t0, x_t1);
}

Intersections bvh_intersections(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x) {
  return leaf_queries::intersections_on(query, hierarchy, x);
}

Proximities bvh_proximities(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x, double d) {
  return leaf_queries::proximities_on(query, hierarchy, x, d);
}

}  // namespace graze::methods
