// Method `hash`: all queries; the same answers as those of `brute`, for any number of threads.
#pragma once

#include <span>

#include <graze/results.hpp>

#include "methods/hash/hashed_leaves.hpp"
#include "query/query.hpp"

namespace graze::methods {

/// As those on a hierarchy (methods/bvh/bvh_method.hpp). Impacts may repeat without representatives.
Stats hash_impacts(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x_t0,
                   std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found);
FirstImpact hash_first_impact(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x_t0,
                              std::span<const Vec3> x_t1);
Intersections hash_intersections(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x);
Proximities hash_proximities(const DetectorQuery& query, HashedLeaves& leaves, std::span<const Vec3> x, double d);

}  // namespace graze::methods
