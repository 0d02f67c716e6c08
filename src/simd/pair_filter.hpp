// Tier a over a batch: rejects, in SIMD lanes, feature pairs that provably never touch in the step.
//
// The kernel runs the same operations in the same order as its scalar twin (narrow/filter.hpp), lane by lane, so
// every instruction set gives the same survivors. Cost: O(count), no allocation.
#pragma once

#include <cstddef>
#include <cstdint>

#include <graze/types.hpp>

namespace graze {

/// Pairs side by side, as structure of arrays.
struct PairBatch {
  static constexpr std::size_t kCapacity = 256;
  /// [end of step][point of PairStep][axis][pair]
  alignas(64) double x[2][4][3][kCapacity];
};

/// Writes the indices (ascending) of the pairs that are not proved apart to `survivors` (room for count, count <=
/// kCapacity), and returns how many. With thickness > 0, apart means farther than thickness. Best target at run
/// time.
std::size_t filter_pairs(FeatureKind kind, const PairBatch& batch, std::size_t count, double thickness,
                         std::uint16_t* survivors);

}  // namespace graze
