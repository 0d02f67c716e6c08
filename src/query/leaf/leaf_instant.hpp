// Queries at one instant (discrete collision detection, distance queries) of the methods that work on pairs of
// leaves: intersections and proximities.
//
// At an instant an edge is a segment, which is tested against the boxes of faces (R-TRI, section 5.1); the exact
// elementary tests decide the remaining pairs. Contacts among static bodies are tested once and kept.
#pragma once

#include <span>

#include <graze/results.hpp>

#include "query/leaf/bounded_leaves.hpp"

namespace graze::query {

Intersections leaf_intersections(const QueryContext& query, BoundedLeaves& mesh, LeafMethod& method,
                                 std::span<const Vec3> x);
Stats leaf_proximities(const QueryContext& query, BoundedLeaves& mesh, LeafMethod& method, std::span<const Vec3> x,
                       double d, MemoryBudget& budget, FoundProximities found);

}  // namespace graze::query
