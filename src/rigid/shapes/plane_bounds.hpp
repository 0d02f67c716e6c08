// Distance of a half-space and the core of a solid, in doubles or double-doubles, with bounds: the least value of
// the plane at a point of the core, over the length of the normal. Negative inside.
//
// The normal is scaled to a largest coordinate of about 1, the pair so that its extent L, with the distance of the
// plane from its origin included, is in the window of narrow/closest.hpp. Error, with u of body.hpp: the support
// value errs by 52 u L |n|, offset and subtraction by 2 u L |n|, quotient and |n| by 4 u 2 L: below 128 u L.
// Coordinates of the normal that underflow in scaling are below 2^-1022 of it: negligible. Cost: O(n) in the points
// of the core.
#pragma once

#include <cmath>

#include "rigid/shapes/body.hpp"
#include "rigid/shapes/gjk.hpp"

namespace graze::rigid {

/// The plane relative to its origin, in the units of a pair.
struct ScaledPlane {
  Vec3 normal;
  double offset = 0.0;
  double length = 0.0;  ///< |offset| / |normal|, about: part of the extent

  ScaledPlane(const Plane& plane, int exponent) {
    const int size = std::ilogb(geometry::max_abs(plane.normal));
    const PowerOfTwo scale(size);
    normal = {scale(plane.normal.x), scale(plane.normal.y), scale(plane.normal.z)};
    if (plane.offset != 0.0) offset = PowerOfTwo(size + exponent)(plane.offset);
    length = std::abs(offset);  // |normal| >= 1
  }
};

/// The exponent of a pair of a plane and what has this size about the plane's origin: 0 if that is in the window.
/// The distance of the plane from its origin may be beyond the doubles, where the normal is tiny.
inline int plane_exponent(const Plane& plane, double size) {
  constexpr int kLeastExponent = -1090;  // below the exponent of every double
  int exponent = size > 0.0 ? std::ilogb(size) + 1 : kLeastExponent;
  if (plane.offset != 0.0)
    exponent = std::max(exponent, std::ilogb(plane.offset) - std::ilogb(geometry::max_abs(plane.normal)) + 1);
  exponent = std::max(exponent, kLeastExponent);
  return exponent >= -60 && exponent <= 60 ? 0 : exponent;
}

template <class T>
Bounds<T> plane_bounds(const ScaledPlane& plane, const Body<T>& body, double extent) {
  const T error(narrow::kError<T> * extent);
  const narrow::Vec<T> n{T(plane.normal.x), T(plane.normal.y), T(plane.normal.z)};
  const T length = narrow::square_root(narrow::dot(n, n));
  const Support<T> lowest = body.support({-n.x, -n.y, -n.z});
  const T gap = (-lowest.value - T(plane.offset)) / length;
  Bounds<T> bounds;
  bounds.lo = gap - error;
  bounds.hi = gap + error;
  bounds.direction = {-n.x, -n.y, -n.z};  // from the solid to the half-space
  bounds.on_b = lowest.point;
  bounds.on_a = lowest.point - T(gap / length) * n;
  return bounds;
}

}  // namespace graze::rigid
