// The queries of method `hash` (HASH): broad phase by a spatial hash in place of a BVH. The answers are identical
// to those of `brute`, for any number of threads, unless NeighbourTest::LossyNormals is chosen. Cost: linear in
// triangles for the update, plus the candidates.
#pragma once

#include <span>

#include <graze/results.hpp>

#include "methods/hash/hashed_leaves.hpp"
#include "query/query.hpp"

namespace graze::methods {

/// Same contracts as the queries on a hierarchy (methods/bvh/bvh_method.hpp). Without representatives, impacts may
/// be reported repeatedly.
Stats hash_impacts(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x_t0,
                   std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found);
FirstImpact hash_first_impact(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x_t0,
                              std::span<const Vec3> x_t1);
Intersections hash_intersections(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x);
Proximities hash_proximities(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x, double d);

}  // namespace graze::methods
