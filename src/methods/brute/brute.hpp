// The method `brute`: every query over all pairs. The reference for the other methods, and the one for tiny scenes.
//
// Preconditions of all: inputs are valid (scene/input_checks.hpp). Results are sorted, and the same for any number
// of threads. Cost: quadratic in the number of features, at a few lanes' work a pair; linear memory beside the
// results.
#pragma once

#include <span>

#include <graze/results.hpp>

#include "mesh/features.hpp"
#include "query/query.hpp"

namespace graze::methods {

/// `features` are those of the scene. Hands the impacts over as FoundImpacts says.
Stats brute_impacts(const DetectorQuery& query, const Features& features, std::span<const Vec3> x_t0,
                    std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found);
FirstImpact brute_first_impact(const DetectorQuery& query, const Features& features, std::span<const Vec3> x_t0,
                               std::span<const Vec3> x_t1);
Intersections brute_intersections(const DetectorQuery& query, const Features& features, std::span<const Vec3> x);
Proximities brute_proximities(const DetectorQuery& query, const Features& features, std::span<const Vec3> x,
                              double d);

}  // namespace graze::methods
