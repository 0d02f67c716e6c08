// Pairs of triangles that share a vertex or an edge and meet beyond it, at one instant: with the pairs without a
// common vertex (query/intersections.hpp) all self-intersections as mesh repair means them.
//
// Let triangles v a1 a2 and v b1 b2 share v alone and have a second point p in common. On the ray from v through p,
// the point where it leaves the first of the two triangles is on the side of that triangle opposite to v, and in
// the other triangle. So edge a1 a2 meets the other face, or edge b1 b2 does: such pairs are among the edge-face
// pairs that are found anyway. What is left are pairs with a common edge, which the side table passes one after the
// other, and triangles that name a vertex twice and have no side opposite to it: they are compared with the
// triangles of their vertices. Cost: some nanoseconds per edge with two triangles; O(sum of squared degrees) for
// edges with more, and for the vertices of triangles that name one twice.
#pragma once

#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/side_table.hpp"
#include "query/query.hpp"

namespace graze::query {

/// Pairs of triangles that one part of the work found, and how they were decided.
struct TrianglePairPart {
  std::vector<TrianglePair> pairs;
  TierCounts tiers;
};

/// Appends parts with the pairs with a common edge that overlap beyond it, equal faces, and the pairs with a common
/// vertex that overlap beyond it of which one names a vertex twice. Pairs that the body filter leaves out are not
/// tested. Charges the pairs twice, for a copy of them.
void find_overlapping_neighbours(const QueryContext& query, const SideTable& sides, std::span<const Vec3> x,
                                 MemoryBudget& budget, std::vector<TrianglePairPart>& parts);

}  // namespace graze::query
