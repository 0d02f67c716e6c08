// From the edge-face pairs that a discrete query found to its result: sorted, each once, and the pairs of triangles
// that follow from them.
//
// No method keeps lists of the triangles of every edge and face. They are looked up for those found, in one pass
// over the scene's triangles. Cost: O(triangles), a few nanoseconds each, and O(n log n) in what was found.
#pragma once

#include <vector>

#include <graze/results.hpp>
#include <graze/scene.hpp>

#include "core/memory_budget.hpp"

namespace graze::query {

/// Fills a result: the pairs, and the pairs of triangles without a shared vertex of which one has the edge and the
/// other is the face.
void write_intersections(const Scene& scene, std::vector<Intersection> found, MemoryBudget& budget,
                         Intersections& result);

}  // namespace graze::query
