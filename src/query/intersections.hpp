// The result of an intersection query: sorts the edge-face pairs that a method found, removes duplicates, and
// derives the pairs of triangles that intersect.
//
// No method keeps lists of the triangles of every edge and face. One pass over the scene's triangles finds them for
// the edges and faces of the result. Cost: O(triangles), a few nanoseconds each, and O(n log n) for n pairs found.
#pragma once

#include <vector>

#include <graze/results.hpp>
#include <graze/scene.hpp>

#include "core/memory_budget.hpp"

namespace graze::query {

/// Fills `result` with the edge-face pairs, and with the pairs of triangles without a shared vertex such that one
/// triangle has the edge and the other triangle is the face.
void write_intersections(const Scene& scene, std::vector<Intersection> found, MemoryBudget& budget,
                         Intersections& result);

}  // namespace graze::query
