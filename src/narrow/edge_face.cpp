// Narrow phase: intersection of the closed segment p-q and the closed triangle a-b-c, decided by signs of
// orientation determinants alone. s_p and s_q are the sides of p and q with respect to the plane of the triangle.
//
//   case                answer
//   boxes disjoint      no
//   s_p = s_q != 0      no: the segment is strictly on one side
//   not both zero       the segment intersects the plane in one point X; X is in the closed triangle iff the line
//                       p-q passes the three sides of the triangle in one sense (zero: it passes through the side)
//   both zero, area     all points are coplanar: drop an axis along which the triangle keeps its area (so the
//                       projection is one-to-one on the plane) and test in 2D
//   both zero, no area  the triangle is the union of its sides: three segment-segment tests
// A filter in doubles decides each sign; exact arithmetic is needed only where a determinant is (nearly) zero.
// Cost: O(1).
#include "narrow/edge_face.hpp"

#include <graze/elementary.hpp>

#include "narrow/orientation.hpp"
#include "narrow/require_finite.hpp"

#include <algorithm>
#include <cstddef>

namespace graze::narrow {

namespace {

constexpr std::array kProjections{Projection::AlongZ, Projection::AlongX, Projection::AlongY};

bool overlap(double a0, double a1, double b0, double b1) {
  return std::min(a0, a1) <= std::max(b0, b1) && std::min(b0, b1) <= std::max(a0, a1);
}

bool boxes_overlap(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  return overlap(p.x, q.x, a.x, b.x) && overlap(p.y, q.y, a.y, b.y) && overlap(p.z, q.z, a.z, b.z);
}

bool box_overlaps(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& f) {
  const auto axis = [&](double Vec3::*c) {
    return std::min(p.*c, q.*c) <= std::max({f[0].*c, f[1].*c, f[2].*c}) &&
           std::min({f[0].*c, f[1].*c, f[2].*c}) <= std::max(p.*c, q.*c);
  };
  return axis(&Vec3::x) && axis(&Vec3::y) && axis(&Vec3::z);
}

/// Whether two coplanar segments intersect, given the sides of a and b of line pq, and of p and q of line ab.
/// Returns false if all are zero, that is, for collinear segments, which callers handle.
bool planar_segments_intersect(int side_a, int side_b, int side_p, int side_q) {
  return side_a * side_b <= 0 && side_p * side_q <= 0 && (side_a != 0 || side_b != 0 || side_p != 0 || side_q != 0);
}

bool coplanar_edge_intersects_face(Projection plane, int area, const Vec3& p, const Vec3& q,
                                   const std::array<Vec3, 3>& f, bool& exact) {
  std::array<int, 3> side_p{};
  std::array<int, 3> side_q{};
  std::array<int, 3> side_f{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& from = f[i];
    const Vec3& to = f[(i + 1) % 3];
    side_p[i] = area * orient2d(plane, from, to, p, exact);
    side_q[i] = area * orient2d(plane, from, to, q, exact);
    if (side_p[i] < 0 && side_q[i] < 0) {
      return false;  // the segment is strictly outside of this side
    }
    side_f[i] = orient2d(plane, p, q, f[i], exact);
  }
  const auto inside = [](const std::array<int, 3>& s) { return s[0] >= 0 && s[1] >= 0 && s[2] >= 0; };
  if (inside(side_p) || inside(side_q)) {
    return true;
  }
  // Neither end is inside. If the segment overlaps a side collinearly, it covers that side, so it crosses the next
  // side at their common corner and is not collinear with it.
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (planar_segments_intersect(side_f[i], side_f[j], side_p[i], side_q[i])) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, bool& exact) {
  if (!boxes_overlap(p, q, a, b) || orient3d(p, q, a, b, exact) != 0) {
    return false;
  }
  // The points are coplanar. A projection in which any three of them have an area is one-to-one on their plane.
  for (const Projection plane : kProjections) {
    const int side_a = orient2d(plane, p, q, a, exact);
    const int side_b = orient2d(plane, p, q, b, exact);
    const int side_p = orient2d(plane, a, b, p, exact);
    const int side_q = orient2d(plane, a, b, q, exact);
    if (side_a != 0 || side_b != 0 || side_p != 0 || side_q != 0) {
      return planar_segments_intersect(side_a, side_b, side_p, side_q);
    }
  }
  return true;  // all points are collinear, and the boxes overlap
}

bool edge_intersects_face(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& face, bool& exact) {
  if (!box_overlaps(p, q, face)) {
    return false;
  }
  const auto& [a, b, c] = face;
  const int side_p = orient3d(a, b, c, p, exact);
  const int side_q = orient3d(a, b, c, q, exact);
  if (side_p * side_q > 0) {
    return false;
  }
  if (side_p != 0 || side_q != 0) {
    const int ab = orient3d(p, q, a, b, exact);
    const int bc = orient3d(p, q, b, c, exact);
    if (ab * bc < 0) {
      return false;
    }
    const int ca = orient3d(p, q, c, a, exact);
    return ab * ca >= 0 && bc * ca >= 0;
  }
  for (const Projection plane : kProjections) {
    const int area = orient2d(plane, a, b, c, exact);
    if (area != 0) {
      return coplanar_edge_intersects_face(plane, area, p, q, face, exact);
    }
  }
  return segments_intersect(p, q, a, b, exact) || segments_intersect(p, q, b, c, exact) ||
         segments_intersect(p, q, c, a, exact);
}

bool intersect_edge_face_unchecked(const std::array<Vec3, 5>& points, TierCounts& tiers) {
  bool exact = false;
  const bool intersects = edge_intersects_face(points[0], points[1], {points[2], points[3], points[4]}, exact);
  ++(exact ? tiers.exact : tiers.filter);
  return intersects;
}

}  // namespace graze::narrow

namespace graze {

using namespace narrow;
using namespace geometry;

bool intersect_edge_face(const std::array<Vec3, 5>& points, TierCounts* tiers) {
  narrow::require_finite("intersect_edge_face", points);
  TierCounts unused;
  return narrow::intersect_edge_face_unchecked(points, tiers != nullptr ? *tiers : unused);
}

}  // namespace graze
