// The last stage of a proximity (distance) query: decides one pair exactly.
#pragma once

#include <span>
#include <vector>

#include <graze/results.hpp>

#include "query/query.hpp"

namespace graze::query {

/// Appends the pair if its exact distance at x is <= d.
void test_proximity(const FeaturePair& pair, std::span<const Vec3> x, double d, MemoryBudget& budget, Stats& stats,
                    std::vector<Proximity>& found);

}  // namespace graze::query
