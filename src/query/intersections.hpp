// The intersection query: edge-face pairs by the method, then the pairs of triangles that intersect, the same for
// all methods.
//
// No method keeps lists of the triangles of every edge and face. One pass over the scene's triangles finds them for
// the edges and faces of the result. Cost: O(triangles), a few nanoseconds each, and O(n log n) for n pairs found.
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

/// Sorts the edge-face pairs that a method found, and removes duplicates.
std::vector<Intersection> sorted_intersections(std::vector<Intersection> found);

}  // namespace graze::query
