// Narrow phase: exact signs of orientation determinants, in space and in the axis planes.
//
// A floating-point filter with a proved error bound decides unless the points are nearly degenerate; then exact
// arithmetic evaluates the determinant in integers. Accepts any finite doubles. Cost: O(1).
#pragma once

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Sign of det(a - d, b - d, c - d) = (a - d) . ((b - d) x (c - d)): -1, 0 or +1. Sets `exact` (never clears it) if
/// exact arithmetic was needed.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, bool& exact);

/// Whether doubles suffice to prove that orient3d() is not 0.
bool certainly_not_coplanar(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// A projection along an axis; it keeps the other two coordinates, in cyclic order.
enum class Projection { AlongX, AlongY, AlongZ };

/// Sign of the area of a, b, c projected along an axis, that is, of that component of (b - a) x (c - a). Sets
/// `exact` as orient3d does.
int orient2d(Projection projection, const Vec3& a, const Vec3& b, const Vec3& c, bool& exact);

}  // namespace graze::narrow
