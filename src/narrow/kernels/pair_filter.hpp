// Tier a over a batch: rejects, in SIMD lanes, feature pairs that provably never touch in the step.
//
// Pairs come as vertex ids; the kernel loads the paths of its lanes' vertices and turns rows into columns in
// registers, so that nothing is copied in between. It runs the same operations in the same order as its scalar twin
// (narrow/kernels/filter_scalar.hpp), lane by lane, so every instruction set gives the same survivors. Cost:
// O(count), no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "geometry/path.hpp"

namespace graze::narrow {

/// A pair's vertex ids in canonical order, as in FeaturePair.
using PairVertices = std::array<VertexId, 4>;

/// Writes the places (ascending) of the pairs that are not proved apart to `survivors` (room for as many as there
/// are pairs, at most 2^16), and returns how many. With thickness > 0, apart means farther than thickness. Best
/// target at run time.
std::size_t filter_pairs(FeatureKind kind, std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                         double thickness, std::uint16_t* survivors);

}  // namespace graze::narrow
