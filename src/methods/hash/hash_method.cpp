// The queries on voxel tables of a spatial hash (methods/hash/hash_method.hpp).
#include "methods/hash/hash_method.hpp"

#include "methods/hash/hash_compose.hpp"
#include "query/leaf_continuous.hpp"
#include "query/leaf_discrete.hpp"

namespace graze::methods {

Stats hash_impacts(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x_t0,
                   std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found) {
  return leaf_queries::impacts_on(query, leaves, x_t0, x_t1, budget, found);
}

FirstImpact hash_first_impact(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x_t0,
                              std::span<const Vec3> x_t1) {
  return leaf_queries::first_impact_on(query, leaves, x_t0, x_t1);
}

Intersections hash_intersections(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x) {
  return leaf_queries::intersections_on(query, leaves, x);
}

Proximities hash_proximities(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x, double d) {
  return leaf_queries::proximities_on(query, leaves, x, d);
}

}  // namespace graze::methods
