// Narrow phase: lower bounds of the distances of a batch of feature pairs at their reference positions, in SIMD
// lanes (ADAPTIVE, sections 4.2 and 6: the distance heuristic).
//
// A bound is certified: any direction w separates the two features by at least the gap of their projections on w,
// divided by |w|, minus the rounding errors. So a bound never exceeds the distance of the closed features, and is
// as good as the better of two guesses of w: the common normal, and the difference of the closest points. The
// kernel runs the same operations in the same order as the scalar twin (narrow/kernels/distance_scalar.hpp), so
// every instruction set computes the same bits. Cost: O(count), no allocation; 7 ns per pair with AVX-512, 11 ns
// with AVX2.
#pragma once

#include <cstddef>
#include <span>

#include <graze/types.hpp>

#include "geometry/reference_point.hpp"
#include "narrow/kernels/pair_filter.hpp"

namespace graze::narrow {

/// Sets bounds[i] to a lower bound of the distance of the features of pairs[i] at their reference positions: a
/// float >= 0, never denormal or infinite. For features of ordinary size and shape it is within 2^-20 of the
/// distance, relative to the larger of the distance and the size of the features. Vertices of a pair may be
/// anywhere and may coincide. The bound is 0 if nothing is known, e.g. if they are 2^150 or more apart or a
/// coordinate is NaN.
void pair_distances(FeatureKind kind, std::span<const ReferencePoint> reference_points,
                    std::span<const PairVertices> pairs, float* bounds);

}  // namespace graze::narrow
