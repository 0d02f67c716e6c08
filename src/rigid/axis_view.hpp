// A placement as one of its two objects sees it: along its own three axes and in its own relative units, so that
// its own boxes and balls are what its tree says, and only the other object's have to be turned.
//
// If triangles meet at a point that is u in the viewer's relative coordinates and w in the other's, then
//   |u[k] - offset[k] - sum over i of slope[i][k] w[i]| <= margin[k]   for k = 0, 1, 2.
// Poses are orthonormal only within 1e-6: how far the viewer's axes are from orthogonal is in the margin (its
// coordinates are at most 1), and so is the rounding of these floats and of some thirty float operations with
// numbers up to the sum of their magnitudes. A viewer that is very much smaller than the other object is seen as if
// it were 2^-40 of the unit: no smaller unit, no overflow. Constant cost.
#pragma once

#include <array>

#include "rigid/placement.hpp"

namespace graze::rigid {

struct AxisView {
  std::array<std::array<float, 3>, 3> slope{};  ///< [axis of the other][axis of the viewer]
  std::array<float, 3> offset{};
  std::array<float, 3> margin{};
  bool beyond = false;  ///< so far apart that squares might overflow: nothing meets
};

/// Of object a looking at b, and of b looking at a. `steps` is that of the viewer, as of the placement.
AxisView view_of_a(const Placement& placement, double steps);
AxisView view_of_b(const Placement& placement, double steps);

}  // namespace graze::rigid
