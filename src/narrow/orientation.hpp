// Exact signs of the orientation determinants of points given in doubles, in space and in the axis planes.
//
// A floating-point evaluation with a proved error bound decides unless the points are nearly degenerate; then the
// determinant is evaluated in integers. Any finite doubles.
#pragma once

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Sign of det(a - d, b - d, c - d), i.e. of (a - d) . ((b - d) x (c - d)): -1, 0 or +1. Sets `exact` (and never
/// clears it) when integers were needed.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, bool& exact);

/// An axis plane: the two coordinates that a projection along the named axis keeps, in cyclic order.
enum class Projection { AlongX, AlongY, AlongZ };

/// Sign of the signed area of a, b, c projected along an axis: the sign of that component of (b - a) x (c - a).
int orient2d(Projection projection, const Vec3& a, const Vec3& b, const Vec3& c, bool& exact);

}  // namespace graze::narrow
