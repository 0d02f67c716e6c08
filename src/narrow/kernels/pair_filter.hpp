// Narrow phase, tier a (filter) over a batch: rejects, in SIMD lanes, feature pairs that provably never touch in
// the step.
//
// Pairs are vertex ids. The kernel loads the paths of the vertices of its lanes and transposes rows into columns in
// registers, so no intermediate copy is needed. It runs the same operations in the same order as its scalar twin
// (narrow/kernels/filter_scalar.hpp), so every instruction set gives the same survivors; interval refinement and
// exact arithmetic (narrow/elementary.hpp) decide these. Cost: O(count), no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "geometry/path.hpp"

namespace graze::narrow {

/// The vertex ids of a pair in canonical order, as in FeaturePair.
using PairVertices = std::array<VertexId, 4>;

/// Writes the indices (ascending) of the pairs that are not proved separated to `survivors`, which has capacity for
/// all pairs, and returns their number. With thickness > 0, separated means farther apart than thickness.
/// Precondition: at most 2^16 pairs. Selects the best SIMD target at run time.
std::size_t filter_pairs(FeatureKind kind, std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                         double thickness, std::uint16_t* survivors);

}  // namespace graze::narrow
