// The relative placement of two objects in the local frame of one of them, the viewer: along its own three axes and
// in its own relative units. The viewer's bounding volumes are then used as stored; only the other object's are
// rotated.
//
// If triangles touch at a point that is u in the viewer's relative coordinates and w in the other's, then
//   |u[k] - offset[k] - sum over i of slope[i][k] w[i]| <= margin[k]   for k = 0, 1, 2.
// Poses are orthonormal only within 1e-6. The margin contains the deviation of the viewer's axes from orthogonal
// (its coordinates are at most 1), the rounding of these floats, and the rounding of some thirty float operations
// on numbers up to the sum of their magnitudes. A viewer that is much smaller than the other object is treated as
// if its size were 2^-40 of the unit, so that nothing overflows. Constant cost.
#pragma once

#include <array>

#include "rigid/placement.hpp"

namespace graze::rigid {

struct LocalView {
  std::array<std::array<float, 3>, 3> slope{};  ///< [axis of the other object][axis of the viewer]
  std::array<float, 3> offset{};
  std::array<float, 3> margin{};
  bool beyond = false;  ///< so far separated that squares might overflow: nothing intersects
};

/// The view of object a on b, and of object b on a. `steps` is Placed::steps of the viewer.
LocalView local_view_of_a(const Placement& placement, double steps);
LocalView local_view_of_b(const Placement& placement, double steps);

}  // namespace graze::rigid
