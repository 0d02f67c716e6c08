// Narrow phase: intersection of two closed triangles of any shape, decided by signs of orientation determinants
// alone. The six sides, those of the corners of each triangle with respect to the plane of the other, are computed
// once.
//
//   case                                 answer
//   1  boxes disjoint                    no
//   2  a common corner                   yes
//   3  all corners strictly on one side  no
//   4  neither has only zero sides       both have an area, and their planes intersect in a line: two more signs
//   5  only zero sides, both an area     coplanar: no iff a side of one separates them in a projection
//   6  otherwise                         one has no area: yes iff an edge of one intersects the other
//
// The projection of case 5 keeps the area of a, so it is one-to-one on the plane. Case 6 holds for all triangles:
// their intersection is convex and closed, so it has an extreme point, which is on an edge of one of the two. Case
// 4 follows Devillers and Guigue, Faster triangle-triangle intersection tests (2002), in the notation of
// narrow/kernels/triangle_pairs.cpp. Its proof, for sides that may be zero:
//
// Give each triangle a lone corner p (b: o), such that the sides of the other two, q and r, are not on its side,
// and not both zero if p's is. Let s be coordinates off the line of intersection, in the plane of each triangle,
// positive on the side given to the lone corner, and t coordinates along the line. Then s(q) - s(p) and s(r) - s(p)
// are negative, the edges p-q and p-r cut the line at one parameter each, the interval of the triangle on the line
// lies between the two (for a zero side it ends at a corner), and
//   det(o - p, v - o, u - p) = (s(u) - s(p)) (s(v) - s(o)) (t(o-v) - t(p-u)) det(P, e, O)
// for edges p-u of a and o-v of b that cut the line at t(p-u) and t(o-v); P and O are unit steps in s, e in t. So
// the sign of the determinant, that is orient3d(o, v, u, p), is that of t(o-v) - t(p-u) if e is oriented such that
// det(P, e, O) is positive. Corner q comes before r along that e iff the lone corner of b is given the negative
// side of a, if p, q, r are in cyclic order, and for b iff p is given the positive side of b.
//
// Each sign comes from a filter, then from exact arithmetic (narrow/orientation.hpp). Cost: O(1), at most eight
// signs in space unless a triangle has no area.
#include <graze/elementary.hpp>

#include "narrow/edge_face.hpp"
#include "narrow/orientation.hpp"
#include "narrow/require_finite.hpp"

#include <algorithm>
#include <cstddef>

namespace graze::narrow {

namespace {

bool boxes_disjoint(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  const auto apart = [&](double Vec3::*c) {
    return std::max({a[0].*c, a[1].*c, a[2].*c}) < std::min({b[0].*c, b[1].*c, b[2].*c}) ||
           std::max({b[0].*c, b[1].*c, b[2].*c}) < std::min({a[0].*c, a[1].*c, a[2].*c});
  };
  return apart(&Vec3::x) || apart(&Vec3::y) || apart(&Vec3::z);
}

using Corners = std::array<Vec3, 3>;
using Sides = std::array<int, 3>;

constexpr std::array kProjections{Projection::AlongZ, Projection::AlongX, Projection::AlongY};

bool have_common_corner(const Corners& a, const Corners& b) {
  for (const Vec3& p : a) {
    for (const Vec3& q : b) {
      if (p.x == q.x && p.y == q.y && p.z == q.z) return true;
    }
  }
  return false;
}

/// Whether the corners of t are strictly on one side of the plane of p0, p1, p2, and their sides: positive where
/// (p1 - p0) x (p2 - p0) points to.
bool strictly_on_one_side(const Corners& plane, const Corners& t, Sides& sides, bool& exact) {
  for (std::size_t i = 0; i < 3; ++i) sides[i] = -orient3d(plane[0], plane[1], plane[2], t[i], exact);
  return sides[0] != 0 && sides[0] == sides[1] && sides[0] == sides[2];
}

bool all_zero(const Sides& sides) {
  return sides[0] == 0 && sides[1] == 0 && sides[2] == 0;
}

/// The lone corner of a triangle that intersects the plane of the other.
struct Lone {
  std::size_t corner = 0;
  int side = 0;  ///< the side that it is given: not that of the other two, of which one may be zero
};

/// Precondition: not all sides are equal.
Lone lone_corner(const Sides& s) {
  for (std::size_t i = 0; i < 3; ++i) {
    const int j = s[(i + 1) % 3];
    const int k = s[(i + 2) % 3];
    if (s[i] != 0 && s[i] * j <= 0 && s[i] * k <= 0) return {i, s[i]};
    if (s[i] == 0 && j == k) return {i, -j};
  }
  return {};
}

/// Case 4 of the head of this file.
bool cross_in_line(const Corners& a, const Sides& sides_a, const Corners& b, const Sides& sides_b, bool& exact) {
  const Lone lone_a = lone_corner(sides_a);
  const Lone lone_b = lone_corner(sides_b);
  const auto other = [](std::size_t corner, bool in_cyclic_order) {
    return (corner + (in_cyclic_order ? 1U : 2U)) % 3;
  };
  const Vec3& p = a[lone_a.corner];
  const Vec3& o = b[lone_b.corner];
  const bool cyclic_a = lone_b.side < 0;
  const bool cyclic_b = lone_a.side > 0;
  const Vec3& start_a = a[other(lone_a.corner, cyclic_a)];
  const Vec3& end_a = a[other(lone_a.corner, !cyclic_a)];
  const Vec3& start_b = b[other(lone_b.corner, cyclic_b)];
  const Vec3& end_b = b[other(lone_b.corner, !cyclic_b)];
  return orient3d(o, end_b, start_a, p, exact) >= 0 && orient3d(o, start_b, end_a, p, exact) <= 0;
}

/// Whether a side of t has all of `others` strictly outside. `area`: the sign of the area of t.
bool a_side_separates(Projection plane, int area, const Corners& t, const Corners& others, bool& exact) {
  for (std::size_t i = 0; i < 3; ++i) {
    const auto outside = [&](const Vec3& p) { return area * orient2d(plane, t[i], t[(i + 1) % 3], p, exact) < 0; };
    if (outside(others[0]) && outside(others[1]) && outside(others[2])) return true;
  }
  return false;
}

bool an_edge_intersects(const Corners& edges, const Corners& face, bool& exact) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (edge_intersects_face(edges[i], edges[(i + 1) % 3], face, exact)) {
      return true;
    }
  }
  return false;
}

/// Cases 5 and 6 of the head of this file.
bool intersect_without_line(const Corners& a, const Corners& b, bool coplanar, bool& exact) {
  for (const Projection plane : kProjections) {
    if (!coplanar) break;
    const int area_a = orient2d(plane, a[0], a[1], a[2], exact);
    if (area_a == 0) continue;
    const int area_b = orient2d(plane, b[0], b[1], b[2], exact);
    if (area_b == 0) break;  // the projection is one-to-one on the plane of a: b has no area
    return !a_side_separates(plane, area_a, a, b, exact) && !a_side_separates(plane, area_b, b, a, exact);
  }
  return an_edge_intersects(a, b, exact) || an_edge_intersects(b, a, exact);
}

}  // namespace

bool triangles_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact) {
  if (boxes_disjoint(a, b)) return false;
  if (have_common_corner(a, b)) return true;
  Sides sides_a{};
  Sides sides_b{};
  if (strictly_on_one_side(a, b, sides_b, exact) || strictly_on_one_side(b, a, sides_a, exact)) return false;
  const bool coplanar_a = all_zero(sides_a);
  const bool coplanar_b = all_zero(sides_b);
  if (!coplanar_a && !coplanar_b) return cross_in_line(a, sides_a, b, sides_b, exact);
  return intersect_without_line(a, b, coplanar_a && coplanar_b, exact);
}

bool intersect_triangle_triangle_unchecked(const std::array<Vec3, 6>& points, TierCounts& tiers) {
  bool exact = false;
  const bool intersects =
      triangles_intersect({points[0], points[1], points[2]}, {points[3], points[4], points[5]}, exact);
  ++(exact ? tiers.exact : tiers.filter);
  return intersects;
}

}  // namespace graze::narrow

namespace graze {

using namespace narrow;
using namespace geometry;

bool intersect_triangle_triangle(const std::array<Vec3, 6>& points, TierCounts* tiers) {
  narrow::require_finite("intersect_triangle_triangle", points);
  TierCounts unused;
  return narrow::intersect_triangle_triangle_unchecked(points, tiers != nullptr ? *tiers : unused);
}

}  // namespace graze
