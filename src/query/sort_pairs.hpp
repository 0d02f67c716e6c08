// Deterministic order of results: sorts what was found by feature pair, and removes duplicates.
//
// Impacts and proximities are large, and a scene may have more of them than triangles. They come in the blocks of a
// query. Small keys are sorted, and the results then go from their blocks to their places, each once, on all
// threads. Intersections and pairs of triangles are small, and are sorted themselves. Cost: O(n) where few results
// share their first id (core/bucket_sort.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include <graze/results.hpp>

#include "core/namespaces.hpp"

namespace graze::query {

/// Bytes per result that the sorts below allocate beside the results that they are given.
template <typename Result>
inline constexpr std::size_t kSortBytes = 56 + sizeof(Result);

/// Returns the results of all blocks, sorted by pair and without duplicates: the first of equal pairs stays. On all
/// threads. Throws InputError beyond 2^32 - 1 results.
std::vector<Impact> sorted_impacts(std::vector<std::vector<Impact>> blocks);
std::vector<Proximity> sorted_proximities(std::vector<std::vector<Proximity>> blocks);

/// Return the values of all blocks, sorted and without duplicates, on all threads. Throw InputError beyond 2^32 - 1
/// values.
std::vector<Intersection> sorted_intersections(std::vector<std::vector<Intersection>> blocks);
std::vector<TrianglePair> sorted_triangle_pairs(std::vector<std::vector<TrianglePair>> blocks);

}  // namespace graze::query
