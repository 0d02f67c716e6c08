// Tier b over a batch: the first contacts of feature pairs that tier a has left, in SIMD lanes.
//
// The quick way alone (narrow/kernels/root_kernel.inl.hpp): the same operations in the same order as its scalar
// twin (narrow/kernels/roots_scalar.hpp), lane by lane, so that every instruction set, and every place in a batch,
// gives the same bits. What it cannot decide is left to the caller, who must ask narrow/elementary.hpp, which
// begins with the same twin. Cost: O(count), no allocation; about 30 ns a pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/results.hpp>
#include <graze/types.hpp>

#include "geometry/path.hpp"
#include "narrow/kernels/pair_filter.hpp"

namespace graze::narrow {

/// What find_roots wrote.
struct RootCounts {
  std::size_t impacts = 0;
  std::size_t undecided = 0;
};

/// Writes the impacts of the pairs to `impacts` in their order, and the places (ascending) of those that are not
/// decided to `undecided`; both have room for as many as there are pairs, at most 2^16. Without thickness; the
/// tolerance is at least 2^-40. Best target at run time.
RootCounts find_roots(FeatureKind kind, std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                      double tolerance, Impact* impacts, std::uint16_t* undecided);

}  // namespace graze::narrow
