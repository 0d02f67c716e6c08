// Last tier of the tests of shapes: the squared distance of two cores as a fraction of integers, exact for any
// doubles.
//
// Hulls of points: the algorithm of gjk.hpp on integers (geometry/lattice.hpp). Of a simplex of up to four
// differences of points it takes the subset with positive weights whose nearest point to the origin is nearest;
// there is one because the nearest point of a hull lies inside of the hull of affinely independent points
// (Caratheodory). The next difference is the farthest in the direction of the origin; if it is no farther than the
// simplex, the simplex has the answer. Each step comes strictly nearer and there are finitely many subsets, so it
// ends. It starts from the simplex that floating point found, which mostly is the answer. Planes: the least value
// of the plane at a point, over the length of the normal. Cost: some ten microseconds for doubles of similar
// magnitudes; O(n) for each step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rigid/shapes/solid.hpp"

namespace graze::rigid {

/// The exact comparison of the distance d of two cores with a radius r, in rounded numbers.
struct ExactGap {
  bool meets = false;     ///< d <= r
  double distance = 0.0;  ///< d - r if they do not meet, within 2^-48 of itself or a few of the smallest doubles
};

/// Indices of points of both hulls.
struct WarmSimplex {
  std::array<std::array<std::uint32_t, 2>, 4> pairs{};
  std::size_t count = 0;
};

/// The hulls of the points of a and of b; r is the sum of their radii. Precondition: neither is curved.
ExactGap exact_gap(const Solid& a, const Solid& b, const WarmSimplex& start);
/// A half-space and the hull of the points of b; r is the radius of b. Precondition: b is not curved.
ExactGap exact_gap(const Plane& plane, const Solid& b);
/// Two half-spaces; r is 0.
ExactGap exact_gap(const Plane& a, const Plane& b);

}  // namespace graze::rigid
