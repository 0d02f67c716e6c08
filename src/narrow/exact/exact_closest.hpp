// Narrow phase, exact arithmetic: closest points of a vertex and a face, or of two edges, in integers. Exact for
// every shape, so no error bounds are needed. Only source files include this header (see big_integer.hpp).
#pragma once

#include "narrow/exact/big_integer.hpp"

#include <array>

namespace graze::narrow {

enum class PairKind { VertexFace, EdgeEdge };

using IntPoints = std::array<IntVec, 4>;

/// The squared distance is num / den in squared lattice units. The barycentric weights of the closest points are
/// weights / weight_den; those of each feature sum to 1. `direction` points from the closest point of the second
/// feature to that of the first; it is not normalised, and zero iff num is zero.
struct ExactClosest {
  Int num;
  Int den;
  std::array<Int, 4> weights;
  Int weight_den;
  IntVec direction;
};

ExactClosest exact_closest(PairKind kind, const IntPoints& points);

/// The separation of the features along n, times |n|: min of n.p over the first feature - max of n.p over the
/// second.
Int exact_gap(PairKind kind, const IntVec& n, const IntPoints& points);

/// The common normal of the features: (f1-f0)x(f2-f0) or (a1-a0)x(b1-b0).
IntVec exact_normal(PairKind kind, const IntPoints& points);

/// The side of the first feature: the sign of exact_normal() dotted with v - f0 or a0 - b0.
int exact_side(PairKind kind, const IntPoints& points);

}  // namespace graze::narrow
