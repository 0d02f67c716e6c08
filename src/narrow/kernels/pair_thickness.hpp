// Narrow phase with thickness over a batch: finds the first time within thickness of feature pairs that the filter
// left, in SIMD lanes.
//
// Runs only the quick search (narrow/kernels/thick_kernel.inl.hpp), with the same operations in the same order as
// its scalar twin (narrow/kernels/thick_scalar.hpp), so every instruction set and every position in a batch gives
// the same bits. The caller must pass undecided pairs to narrow/elementary.hpp. Cost: O(count), no allocation.
#pragma once

#include "narrow/kernels/pair_roots.hpp"

namespace graze::narrow {

/// Writes the impacts and the indices of undecided pairs, as find_roots() does. Preconditions: at most 2^16 pairs,
/// thickness > 0, tolerance >= 2^-40. Selects the best SIMD target at run time.
RootCounts find_thick_roots(FeatureKind kind, std::span<const VertexPath> paths,
                            std::span<const PairVertices> pairs, const ElementaryOptions& options, Impact* impacts,
                            std::uint16_t* undecided);

}  // namespace graze::narrow
