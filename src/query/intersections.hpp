// The intersection query: edge-face pairs by the method, then the pairs of triangles that intersect, the same for
// all methods.
//
// No method keeps lists of the triangles of every edge and face: they are found in a table of the triangles' sides
// (mesh/side_table.hpp), which is made by the first query that needs it and kept for the next ones. Cost: O(pairs
// found), and with options.adjacent O(triangles), some nanoseconds each; the table once after every edit.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <graze/results.hpp>

#include "mesh/side_table.hpp"
#include "query/contact_method.hpp"

namespace graze::query {

/// Finds the edge-face pairs by the method, then the pairs of triangles: without a shared vertex, such that one
/// triangle has the edge and the other is the face; with options.adjacent also those of
/// query/adjacent_triangles.hpp. `kept` is the table of the scene's sides, or is filled; it is charged to the
/// memory cap of the query.
Intersections find_intersections(ContactMethod& method, const QueryContext& query, std::span<const Vec3> x,
                                 const IntersectionOptions& options, std::optional<SideTable>& kept);

}  // namespace graze::query
