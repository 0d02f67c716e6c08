// Queries at one instant of the methods that work on pairs of leaves: intersections and proximities.
//
// At an instant an edge is a segment, tested as such against the boxes of faces (R-TRI, section 5.1); what is left
// is decided by the exact elementary tests. Contacts among static bodies are tested once and kept.
#pragma once

#include <span>

#include <graze/results.hpp>

#include "query/bounded_leaves.hpp"

namespace graze::query {

Intersections leaf_intersections(const QueryContext& query, BoundedLeaves& mesh, LeafMethod& method,
                                 std::span<const Vec3> x);
Proximities leaf_proximities(const QueryContext& query, BoundedLeaves& mesh, LeafMethod& method,
                             std::span<const Vec3> x, double d);

}  // namespace graze::query
