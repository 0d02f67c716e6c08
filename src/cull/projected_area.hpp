// Decides whether a moving triangle keeps one side up along an axis: the sign of its projected area for a whole
// step.
//
// A normal cone proves this for all triangles of a patch; this test proves it for one triangle and a given axis D,
// without a square root: n(t) * D > 0 for the normal n(t) (Wong and Baciu's low curvature condition, ADAPTIVE,
// section 5). The area is a quadratic polynomial of time and lies between the smallest and the largest of its
// control values. Error bound: let m be the largest component of the edges from a at both ends of the step, u =
// 2^-53. A computed edge component is wrong by at most u m, its product with an entry of D (at most 1) by 2 u m in
// total, and a difference of two, of size at most 2 m, by 5 u m. Products of two differences are wrong by 2 * 2 m *
// 5 u m + 4 u m^2 = 24 u m^2, the difference of two products by 56 u m^2, the sum of two such by 128 u m^2, up to
// second order. Underflow contributes far less while m > 2^-400. The threshold is twice this bound. Cost: O(1).
#pragma once

#include <algorithm>
#include <cmath>

#include "cull/projection.hpp"
#include "geometry/path.hpp"
#include "geometry/vec.hpp"

namespace graze::cull {

/// The two projected edges from the first vertex, at one end of the step.
struct ProjectedEdges {
  Vec2 b;
  Vec2 c;
};

/// Returns 1 if the triangle's projected area is proved positive at all times of the step, -1 if it is proved
/// negative, 0 if neither. The sign convention is the same for all triangles projected along one axis, and flips
/// with the orientation of a triangle.
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
  // The comparisons are written so that NaN proves nothing.
  if (!(m > 0x1p-400 && m < 0x1p400)) return 0;
  const double error = 0x1p-45 * m * m;
  if (first > error && middle > error && last > error) return 1;
  if (first < -error && middle < -error && last < -error) return -1;
  return 0;
}

}  // namespace graze::cull
