// The methods on a bounding volume hierarchy: basic, no-dupl, adj, r-tri. All queries; the same answers as those of
// `brute`, for any number of threads.
#pragma once

#include <span>

#include <graze/results.hpp>

#include "methods/bvh/hierarchy.hpp"
#include "query/query.hpp"

namespace graze::methods {

/// `hierarchy` is updated for the step. Preconditions as in methods/brute/brute.hpp. The impacts are handed over as
/// FoundImpacts says; those of `basic` may repeat.
Stats bvh_impacts(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                  std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found);
FirstImpact bvh_first_impact(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                             std::span<const Vec3> x_t1);
Intersections bvh_intersections(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x);
Proximities bvh_proximities(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x, double d);

}  // namespace graze::methods
