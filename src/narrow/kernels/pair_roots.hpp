// Narrow phase, tier b (interval) over a batch: finds the time of impact of feature pairs that the filter left, in
// SIMD lanes.
//
// Runs only the quick root search (narrow/kernels/root_kernel.inl.hpp), with the same operations in the same order
// as its scalar twin (narrow/kernels/roots_scalar.hpp), so every instruction set and every position in a batch
// gives the same bits. The caller must pass undecided pairs to narrow/elementary.hpp, which continues with
// subdivision and exact arithmetic. Cost: O(count), no allocation; about 30 ns per pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/results.hpp>
#include <graze/types.hpp>

#include "geometry/path.hpp"
#include "narrow/kernels/pair_filter.hpp"

namespace graze::narrow {

/// Numbers of results that find_roots wrote.
struct RootCounts {
  std::size_t impacts = 0;
  std::size_t undecided = 0;
};

/// Writes the impacts of the pairs to `impacts` in order, and the indices (ascending) of undecided pairs to
/// `undecided`. Both arrays have capacity for all pairs. Preconditions: at most 2^16 pairs, no thickness,
/// tolerance >= 2^-40. Selects the best SIMD target at run time.
RootCounts find_roots(FeatureKind kind, std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                      double tolerance, Impact* impacts, std::uint16_t* undecided);

}  // namespace graze::narrow
