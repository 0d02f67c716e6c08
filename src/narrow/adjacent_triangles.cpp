// Narrow phase: triangles with a common edge or vertex. See adjacent_triangles.hpp.
//
// Common edge a b. If a, b, c, d are not coplanar, the planes of the triangles meet in the line a b, which each
// triangle meets in the segment a b alone. If they are coplanar and a b c, a b d have area, the triangles overlap
// if and only if c and d are on one side of the line: the signs of two projected areas, along an axis in which one
// of them is not zero. If one has no area and the other has, the first lies in the line a b and the second meets
// that line in a b alone. If neither has area, all lie in one line (or a = b, and two segments start at a):
// comparisons of coordinates decide.
#include "narrow/adjacent_triangles.hpp"

#include "narrow/orientation.hpp"
#include "narrow/triangle_contact.hpp"

namespace graze::narrow {

namespace {

constexpr std::array kAxes = {&Vec3::x, &Vec3::y, &Vec3::z};
constexpr std::array kProjections = {Projection::AlongX, Projection::AlongY, Projection::AlongZ};

/// Whether p and q, on a line through a, are both on the same side of a. Precondition: the three are collinear.
bool same_direction(const Vec3& a, const Vec3& p, const Vec3& q) {
  for (double Vec3::*axis : kAxes) {
    if (p.*axis == a.*axis) continue;
    return p.*axis > a.*axis ? q.*axis > a.*axis : q.*axis < a.*axis;
  }
  return false;  // p = a
}

bool is_collinear(const Vec3& a, const Vec3& b, const Vec3& c, bool& exact) {
  for (const Projection along : kProjections) {
    if (orient2d(along, a, b, c, exact) != 0) return false;
  }
  return true;
}

/// Whether p lies strictly beyond b, seen from a. Precondition: the three are collinear, and a is not b.
bool is_beyond(const Vec3& a, const Vec3& b, const Vec3& p) {
  for (double Vec3::*axis : kAxes) {
    if (a.*axis == b.*axis) continue;
    return b.*axis > a.*axis ? p.*axis > b.*axis : p.*axis < b.*axis;
  }
  return false;
}

}  // namespace

bool overlap_beyond_edge(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, bool& exact) {
  if (orient3d(a, b, c, d, exact) != 0) return false;
  for (const Projection along : kProjections) {
    const int side_c = orient2d(along, a, b, c, exact);
    const int side_d = orient2d(along, a, b, d, exact);
    if (side_c != 0 || side_d != 0) return side_c * side_d > 0;
  }
  if (a == b) return is_collinear(a, c, d, exact) && same_direction(a, c, d);
  return (is_beyond(a, b, c) && is_beyond(a, b, d)) || (is_beyond(b, a, c) && is_beyond(b, a, d));
}

bool overlap_beyond_vertex(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact) {
  return triangle_contact(a, b, exact).shape != ContactShape::Point;
}

}  // namespace graze::narrow
