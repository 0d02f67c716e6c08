// Whether a moving triangle keeps one side up along an axis: the sign of its area in projection, for a whole step.
//
// What a cone says of all triangles of a patch and any axis, for one triangle and a given axis, and without a
// square root: with n(t) the normal, n(t) * D > 0 (Wong and Baciu's low curvature condition, Adaptive, section 5).
// The area is a quadratic polynomial of time, and lies between the least and the largest of its control values.
// Error: let m be the largest component of the edges from a, at both ends, u = 2^-53. A component of an edge, as
// computed, is off by u m, times an entry of D, at most 1, by 2 u m in all, and their difference, at most 2 m, by
// 5 u m. Products of two such are off by 2 * 2 m * 5 u m + 4 u m^2 = 24 u m^2, the difference of two by 56 u m^2,
// the sum of two of these by 128 u m^2, up to second order. What underflows is far less while m > 2^-400. Twice
// that is asked for. Cost: O(1).
#pragma once

#include <algorithm>
#include <cmath>

#include "cull/projection.hpp"
#include "geometry/path.hpp"
#include "geometry/vec.hpp"

namespace graze::cull {

/// The two edges from the first vertex, at one end of the step.
struct ProjectedEdges {
  Vec2 b;
  Vec2 c;
};

/// 1 if it is proved that the triangle's area along the axis is positive at all times of the step, -1 if negative,
/// 0 if neither. "Positive" is the same for all triangles and one axis, and changes with the orientation of a
/// triangle.
inline int projected_side(const ProjectionAxis& axis, const VertexPath& a, const VertexPath& b,
                          const VertexPath& c) {
  const Vec3 b0 = b.t0 - a.t0;
  const Vec3 c0 = c.t0 - a.t0;
  const Vec3 b1 = b.t1 - a.t1;
  const Vec3 c1 = c.t1 - a.t1;
  const double m = std::max(std::max(max_abs(b0), max_abs(c0)), std::max(max_abs(b1), max_abs(c1)));
  const ProjectedEdges t0{project(axis, b0), project(axis, c0)};
  const ProjectedEdges t1{project(axis, b1), project(axis, c1)};
  const auto area = [](const Vec2& p, const Vec2& q) { return p.x * q.y - p.y * q.x; };
  const double first = area(t0.b, t0.c);
  const double middle = area(t0.b, t1.c) + area(t1.b, t0.c);  // twice the control value
  const double last = area(t1.b, t1.c);
  // Comparisons are such that what is not a number proves nothing.
  if (!(m > 0x1p-400 && m < 0x1p400)) return 0;
  const double error = 0x1p-45 * m * m;
  if (first > error && middle > error && last > error) return 1;
  if (first < -error && middle < -error && last < -error) return -1;
  return 0;
}

}  // namespace graze::cull
