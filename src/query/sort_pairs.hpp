// Deterministic order of results: sorts what was found by feature pair, and removes duplicates.
//
// Impacts and proximities are large, and a scene may have more of them than triangles. So small keys are sorted,
// and the results are then permuted in place, without a second array of them. Cost: O(n) where few pairs share
// their first vertex (core/bucket_sort.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include <graze/results.hpp>

#include "core/namespaces.hpp"

namespace graze::query {

/// Bytes per result that the sorts below allocate beside the results.
inline constexpr std::size_t kSortBytes = 56;

/// Sort by pair and remove duplicates, on all threads. Throw InputError beyond 2^32 - 1 results.
void sort_impacts(std::vector<Impact>& impacts);
void sort_proximities(std::vector<Proximity>& proximities);
void sort_intersections(std::vector<Intersection>& intersections);
void sort_triangle_pairs(std::vector<TrianglePair>& pairs);

}  // namespace graze::query
