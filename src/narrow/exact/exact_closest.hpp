// Closest points of a vertex and a face, or of two edges, in integers: exact for every shape, no error bounds
// needed. Included by sources only (see big_integer.hpp).
#pragma once

#include "narrow/exact/big_integer.hpp"

#include <array>

namespace graze::narrow {

enum class PairKind { VertexFace, EdgeEdge };

using IntPoints = std::array<IntVec, 4>;

/// Squared distance = num / den, in lattice units; the weights of the closest points over weight_den (those of each
/// feature sum to it); `direction`, from the second feature's point to the first's, not normalised, zero iff num
/// is.
struct ExactClosest {
  Int num;
  Int den;
  std::array<Int, 4> weights;
  Int weight_den;
  IntVec direction;
};

ExactClosest exact_closest(PairKind kind, const IntPoints& points);

/// min over points of the first feature of n.p - max over the second's: what separates them along n, times |n|.
Int exact_gap(PairKind kind, const IntVec& n, const IntPoints& points);

/// The features' common normal: (f1-f0)x(f2-f0) or (a1-a0)x(b1-b0).
IntVec exact_normal(PairKind kind, const IntPoints& points);

/// Sign of that normal dotted with v - f0 or a0 - b0: the side of the first feature.
int exact_side(PairKind kind, const IntPoints& points);

}  // namespace graze::narrow
