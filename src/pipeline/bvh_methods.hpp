// The methods on one bounding volume hierarchy: basic, no-dupl, r-tri. All queries; sorted results, the same for
// any number of threads, and the same as those of `brute`.
#pragma once

#include <span>

#include <graze/results.hpp>

#include "pipeline/hierarchy.hpp"
#include "pipeline/query.hpp"

namespace graze {

/// `hierarchy` is updated for the step. Preconditions as in pipeline/brute.hpp.
Impacts bvh_impacts(const Query& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                    std::span<const Vec3> x_t1);
FirstImpact bvh_first_impact(const Query& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                             std::span<const Vec3> x_t1);

}  // namespace graze
