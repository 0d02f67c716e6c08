// The intersection query: edge-face pairs by the method, then the pairs of triangles that intersect, the same for
// all methods.
//
// No method keeps lists of the triangles of every edge and face: they are found among the triangles of a vertex
// (mesh/vertex_stars.hpp). Cost: O(triangles) and O(pairs found), a few nanoseconds each.
#pragma once

#include <span>
#include <vector>

#include <graze/results.hpp>

#include "query/contact_method.hpp"

namespace graze::query {

/// Finds the edge-face pairs by the method, then the pairs of triangles: without a shared vertex, such that one
/// triangle has the edge and the other is the face; with options.adjacent also those of
/// query/adjacent_triangles.hpp.
Intersections find_intersections(ContactMethod& method, const QueryContext& query, std::span<const Vec3> x,
                                 const IntersectionOptions& options);

}  // namespace graze::query
