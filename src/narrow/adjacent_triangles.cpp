// Narrow phase: triangles with a common edge or vertex. See adjacent_triangles.hpp.
//
// Common edge a b. If a, b, c, d are not coplanar, the planes of the triangles meet in the line a b, which each
// triangle meets in the segment a b alone. If they are coplanar and a b c, a b d have area, the triangles overlap
// if and only if c and d are on one side of the line: the signs of two projected areas, along an axis in which one
// of them is not zero. If one has no area and the other has, the first lies in the line a b and the second meets
// that line in a b alone. If neither has area, all lie in one line (or a = b, and two segments start at a):
// comparisons of coordinates decide.
//
// Nearly all pairs of a mesh are not folded: their normals n = (b - a) x (c - a) and m = (b - a) x (d - a) have a
// negative product. Then both triangles have area, and if they are coplanar, c and d are on different sides of a b.
// A filter in doubles proves it. Error bound (u = 2^-53): a component of a normal, l - r, passes four roundings
// (two differences, product, difference): it is wrong by at most (4u + O(u^2)) N + 2 eta, N = |l| + |r|, eta =
// 2^-1075. So the product of two components is wrong by (8u + O(u^2)) N M, and rounding it and the two sums adds 3u
// N M: 16u covers it and the rounding of the bound. Underflow adds at most 2 eta (N + M) + 5 eta per component; the
// absolute term is far above it. Overflow makes the bound infinite or NaN, and the comparison false.
//
// Common vertex v, and side p q of the first triangle intersects the second in x: x is a second common point unless
// it is v. If v is not on the line p q, that is certain.
#include "narrow/adjacent_triangles.hpp"

#include <cmath>

#include "geometry/vec.hpp"
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

/// Whether doubles prove that the normals (b - a) x (c - a) and (b - a) x (d - a) have a negative product.
bool certainly_not_folded(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  constexpr double kError = 16.0 * 0x1p-53;
  constexpr double kTiny = 0x1p-1000;
  const Vec3 e = b - a;
  const Vec3 f = c - a;
  const Vec3 g = d - a;
  double product = 0.0;
  double size = 0.0;
  double sum = 1.0;
  const auto add_component = [&](double e_i, double e_j, double f_i, double f_j, double g_i, double g_j) {
    const double f_left = e_i * f_j;
    const double f_right = e_j * f_i;
    const double g_left = e_i * g_j;
    const double g_right = e_j * g_i;
    product += (f_left - f_right) * (g_left - g_right);
    const double n = std::abs(f_left) + std::abs(f_right);
    const double m = std::abs(g_left) + std::abs(g_right);
    size += n * m;
    sum += n + m;
  };
  add_component(e.y, e.z, f.y, f.z, g.y, g.z);
  add_component(e.z, e.x, f.z, f.x, g.z, g.x);
  add_component(e.x, e.y, f.x, f.y, g.x, g.y);
  return -product > kError * size + kTiny * sum;
}

}  // namespace

bool overlap_beyond_edge(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, bool& exact) {
  if (certainly_not_folded(a, b, c, d)) return false;
  if (orient3d(a, b, c, d, exact) != 0) return false;
  for (const Projection along : kProjections) {
    const int side_c = orient2d(along, a, b, c, exact);
    const int side_d = orient2d(along, a, b, d, exact);
    if (side_c != 0 || side_d != 0) return side_c * side_d > 0;
  }
  if (a == b) return is_collinear(a, c, d, exact) && same_direction(a, c, d);
  return (is_beyond(a, b, c) && is_beyond(a, b, d)) || (is_beyond(b, a, c) && is_beyond(b, a, d));
}

bool overlap_beyond_vertex_if_side_does(const Vec3& v, const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& b,
                                        bool& exact) {
  return !is_collinear(v, p, q, exact) || overlap_beyond_vertex({v, p, q}, b, exact);
}

bool overlap_beyond_vertex(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact) {
  return triangle_contact(a, b, exact).shape != ContactShape::Point;
}

}  // namespace graze::narrow
