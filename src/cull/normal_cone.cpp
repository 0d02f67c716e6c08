// Cones of control normals and their merge, and why they hold what they must. u = 2^-53 throughout.
//
// enclose. Which axis is tried needs no proof: the angle is measured to the axis as rounded to floats. A normal's
// computed unit vector is its own within 5 u in each component (square 3 u, root 1.5 u + u, inverse and product 2 u
// and second order; the square's range excludes underflow that counts). The axis's length is within 3 u, the dot
// product adds 3 u and the quotient u: a cosine is within 15 u < 2^-48 of that of the computed normal, and
// acos_above(cosine - 2^-48) is no less than its angle. The exact normal is off by at most its error e: an angle of
// asin(e / length), which is <= pi/3 e / length up to e / length = 1/2. 1.0625 covers that and its rounding.
//
// merge. Unit vectors p, q at a true angle T; the computed cosine is within 18 u < 2^-48 of cos T, since products
// of floats are exact, so that  t = acos_above(computed - 2^-48)  has  T <= t <= T + acos(1 - 2^-47) + 2^-34, which
// is T + 2^-23 + 2^-34 (acos changes fastest at its ends). Where not  t <= |a - b|  for the angles a and b of the
// cones, s = (t + b - a) / 2 is in (0, t), and the axis is v = sin(t - s) p + sin(s) q. Were T = t, v would lie s
// from p and t - s from q, and the cone of angle a + s = b + t - s would be the smallest. As T falls from t, the
// angle of v to p changes at a rate of at most |sin(s)| / |v|, that to q likewise:
//   T <= pi/2: v is at least as long as either part, so the rate is <= 1 and the change <= 2^-23 + 2^-34;
//   beyond, to pi - 2^-7: |v| >= sin(T) / 2 > 2^-8.1, while t - T < 2^-47 / sin(T) + 2^-34 < 2^-33.9: below 2^-25.
// Rounding of v (sines relative 2^-44, components few u of its parts) turns it by less than 2^-43 2 / |v| < 2^-33,
// and floats by 2^-24. In all less than 1.9e-7; kMergeSlop = 2^-22 = 2.4e-7 is added to the angle.
#include "cull/normal_cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "cull/circular.hpp"
#include "geometry/vec.hpp"

namespace graze::cull {

namespace {

constexpr double kCosineSlop = 0x1p-48;
constexpr double kMergeSlop = 0x1p-22;
/// Squares of lengths that neither underflow in a way that counts nor overflow.
constexpr double kSmallestSquare = 0x1p-900;
constexpr double kLargestSquare = 0x1p1000;

Vec3 from_floats(const std::array<float, 3>& a) {
  return {double{a[0]}, double{a[1]}, double{a[2]}};
}

std::array<float, 3> to_floats(const Vec3& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

/// Sets the cone, or leaves it unknown if the angle reaches pi or is NaN. In place: floats written one by one and
/// copied as a whole wait for each other. Rounding to nearest takes off at most 2^-24 of what 2^-23 has put on.
inline void set(NormalCone& cone, const std::array<float, 3>& axis, double angle) {
  const auto rounded = static_cast<float>(angle * (1.0 + 0x1p-23));
  if (!(double{rounded} < std::numbers::pi)) return;
  cone.axis[0] = axis[0];
  cone.axis[1] = axis[1];
  cone.axis[2] = axis[2];
  cone.angle = rounded;
}

/// An axis of the smallest cone of three unit vectors, of which p and q are the farthest apart, cosine = p.q: the
/// middle of p and q if the circle over them holds `out`, else the axis of the circle through the three, as long as
/// that p.axis = 1. Only a choice: needs no proof. Both are computed and one selected: which it is, is a coin toss
/// that a branch would lose. kCount only tells the callers apart, so that each has it inline.
template <std::size_t kCount>
inline Vec3 central_of_three(const Vec3& p, const Vec3& q, const Vec3& out, double cosine) {
  const Vec3 middle = p + q;
  const Vec3 circle = cross(q - p, out - p);
  // The second: normals closer than 2^-20 or so, where floats could not tell the two axes apart.
  const bool two =
      (static_cast<int>(dot(middle, out) >= 1.0 + cosine) | static_cast<int>(dot(circle, circle) < 0x1p-84)) != 0;
  const double along = dot(circle, p);
  const double upright = std::abs(along) > 0x1p-100 ? 1.0 / along : 1.0;  // the floats to come shall not overflow
  const double scale = two ? 0.5 : upright;
  return {scale * (two ? middle.x : circle.x), scale * (two ? middle.y : circle.y),
          scale * (two ? middle.z : circle.z)};
}

inline Vec3 central(const std::array<Vec3, 3>& unit) {
  const double c01 = dot(unit[0], unit[1]);
  const double c02 = dot(unit[0], unit[2]);
  const double c12 = dot(unit[1], unit[2]);
  const double least = std::min(c02, std::min(c01, c12));
  const auto p = static_cast<std::size_t>(c12 == least);
  const std::size_t out = (1 - p) * (2 - static_cast<std::size_t>(c02 == least));
  return central_of_three<3>(unit[p], unit[3 - p - out], unit[out], least);
}

/// Of more than three nearly the smallest: the two farthest apart and the one that lies farthest out decide.
template <std::size_t kCount>
Vec3 central(const std::array<Vec3, kCount>& unit) {
  std::size_t p = 0;
  std::size_t q = kCount - 1;
  double cosine = dot(unit[p], unit[q]);
  for (std::size_t a = 0; a < kCount; ++a) {
    for (std::size_t b = a + 1; b < kCount; ++b) {
      if (const double c = dot(unit[a], unit[b]); c < cosine) {
        p = a;
        q = b;
        cosine = c;
      }
    }
  }
  const Vec3 middle = unit[p] + unit[q];
  const auto* out = std::min_element(unit.begin(), unit.end(),
                                     [&](const Vec3& a, const Vec3& b) { return dot(middle, a) < dot(middle, b); });
  return central_of_three<kCount>(unit[p], unit[q], *out, cosine);
}

/// `result` comes unknown and stays so where nothing is proved.
template <std::size_t kCount>
inline void enclose(const std::array<Vec3, kCount>& normals, const std::array<double, kCount>& errors,
                    NormalCone& result) {
  std::array<Vec3, kCount> unit;
  double doubt = 0.0;
  for (std::size_t k = 0; k < kCount; ++k) {
    const double square = dot(normals[k], normals[k]);
    if (!(square >= kSmallestSquare && square <= kLargestSquare)) return;  // NaN as well
    const double inverse = 1.0 / std::sqrt(square);
    const double relative = errors[k] * inverse;
    if (!(relative <= 0.5)) return;
    unit[k] = inverse * normals[k];
    doubt = std::max(doubt, relative);
  }
  const std::array<float, 3> axis = to_floats(central(unit));
  const Vec3 exact_axis = from_floats(axis);
  const double square = dot(exact_axis, exact_axis);
  if (!(square >= kSmallestSquare && square <= kLargestSquare)) return;  // opposite normals, or all about pi/2
  double least = dot(exact_axis, unit[0]);
  for (std::size_t k = 1; k < kCount; ++k) least = std::min(least, dot(exact_axis, unit[k]));
  const double cosine = least / std::sqrt(square) - kCosineSlop;
  const double angle = acos_above(std::max(cosine, -1.0));
  set(result, axis, angle + 1.0625 * doubt);
}

}  // namespace

NormalCone triangle_cone(const VertexPath& a, const VertexPath& b, const VertexPath& c) {
  NormalCone result;
  const ControlNormals<1> normals = control_normals(a, b, c);
  enclose(normals.normal, normals.error, result);
  return result;
}

NormalCone triangle_cone(const QuadraticPath& a, const QuadraticPath& b, const QuadraticPath& c) {
  NormalCone result;
  const ControlNormals<2> normals = control_normals(a, b, c);
  enclose(normals.normal, normals.error, result);
  return result;
}

NormalCone merge(const NormalCone& a, const NormalCone& b) {
  NormalCone result;
  if (!a.known() || !b.known()) return result;
  if (a.axis == b.axis) return a.angle >= b.angle ? a : b;
  Vec3 p = from_floats(a.axis);
  Vec3 q = from_floats(b.axis);
  p = (1.0 / std::sqrt(dot(p, p))) * p;
  q = (1.0 / std::sqrt(dot(q, q))) * q;
  const double cosine = dot(p, q) - kCosineSlop;
  if (!(cosine > -1.0 + 0x1p-15)) return result;
  const double between = acos_above(cosine);
  const double wider = double{b.angle} - double{a.angle};
  if (between <= wider) return b;
  if (between <= -wider) return a;
  const double step = 0.5 * (between + wider);
  const double scale = 1.0 / std::sqrt((1.0 - cosine) * (1.0 + cosine));  // 1 / sin, nearly: a length of about 1
  const Vec3 v = (scale * sine(between - step)) * p + (scale * sine(step)) * q;
  const std::array<float, 3> axis = to_floats(v);
  set(result, axis, 0.5 * (double{a.angle} + double{b.angle} + between) + kMergeSlop);
  return result;
}

}  // namespace graze::cull
