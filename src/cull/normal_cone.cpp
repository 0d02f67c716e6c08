// Cones of control normals, their merge, and the proof that each contains the normals it must. u = 2^-53
// throughout.
//
// enclose(). The choice of the axis needs no proof, because the angle is measured to the axis after it is rounded
// to floats. A computed unit vector differs from the exact unit vector of the computed normal by at most 5 u in
// each component (square 3 u, root 1.5 u + u, inverse and product 2 u, second-order terms; the range check on the
// square excludes underflow that matters). The length of the axis is accurate to 3 u, the dot product adds 3 u and
// the quotient u: a computed cosine is within 15 u < 2^-48 of the cosine of the computed normal, so
// acos_above(cosine - 2^-48) is at least the angle of the computed normal. The exact normal differs from the
// computed one by at most its error e, that is by an angle of asin(e / length), which is <= pi/3 e / length for e /
// length <= 1/2. The factor 1.0625 covers this and its rounding.
//
// merge(). Let the unit vectors p and q enclose the true angle T. The computed cosine is within 18 u < 2^-48 of cos
// T, since products of floats are exact, so  t = acos_above(computed - 2^-48)  satisfies  T <= t <= T + acos(1 -
// 2^-47) + 2^-34 = T + 2^-23 + 2^-34  (acos changes fastest at its ends). Unless  t <= |a - b|  for the angles a
// and b of the cones, s = (t + b - a) / 2 is in (0, t), and the axis is v = sin(t - s) p + sin(s) q. If T were t, v
// would lie at the angle s from p and t - s from q, and the cone of angle a + s = b + t - s would be the smallest.
// As T decreases from t, the angle between v and p changes at a rate of at most |sin(s)| / |v|, and the angle
// between v and q likewise:
//   T <= pi/2: v is at least as long as either term, so the rate is <= 1 and the change <= 2^-23 + 2^-34;
//   pi/2 < T <= pi - 2^-7: |v| >= sin(T) / 2 > 2^-8.1, t - T < 2^-47 / sin(T) + 2^-34 < 2^-33.9: change < 2^-25.
// Rounding of v (sines to a relative 2^-44, components to a few u of the terms) turns it by less than 2^-43 2 / |v|
// < 2^-33, and rounding to floats by 2^-24. The total is less than 1.9e-7; kMergeSlop = 2^-22 = 2.4e-7 is added to
// the angle.
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
/// Range of squared lengths in which neither overflow nor an underflow that matters occurs.
constexpr double kSmallestSquare = 0x1p-900;
constexpr double kLargestSquare = 0x1p1000;

Vec3 from_floats(const std::array<float, 3>& a) {
  return {double{a[0]}, double{a[1]}, double{a[2]}};
}

std::array<float, 3> to_floats(const Vec3& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

/// Sets the cone, or leaves it unknown if the angle reaches pi or is NaN. Writes in place, because a copy of a
/// struct whose floats were just stored one by one stalls on store forwarding. Rounding to nearest subtracts at
/// most 2^-24 relative, and the factor has added 2^-23.
inline void set(NormalCone& cone, const std::array<float, 3>& axis, double angle) {
  const auto rounded = static_cast<float>(angle * (1.0 + 0x1p-23));
  if (!(double{rounded} < std::numbers::pi)) return;
  cone.axis[0] = axis[0];
  cone.axis[1] = axis[1];
  cone.axis[2] = axis[2];
  cone.angle = rounded;
}

/// Returns an axis of the smallest cone around three unit vectors. Precondition: p and q enclose the largest angle,
/// and cosine = p.q. The axis is the bisector of p and q if the circle over them contains `out`, else the axis of
/// the circle through all three, scaled so that p.axis = 1. The result is only a choice and needs no proof. Both
/// axes are computed and one is selected, since a branch would be mispredicted half of the time. kCount only makes
/// one instantiation per caller, so that each is inlined.
template <std::size_t kCount>
inline Vec3 central_of_three(const Vec3& p, const Vec3& q, const Vec3& out, double cosine) {
  const Vec3 middle = p + q;
  const Vec3 circle = cross(q - p, out - p);
  // The second condition holds for normals closer than about 2^-20, where the two axes round to the same floats.
  const bool two =
      (static_cast<int>(dot(middle, out) >= 1.0 + cosine) | static_cast<int>(dot(circle, circle) < 0x1p-84)) != 0;
  const double along = dot(circle, p);
  // The threshold prevents overflow when the axis is rounded to floats.
  const double upright = std::abs(along) > 0x1p-100 ? 1.0 / along : 1.0;
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

/// Returns nearly the axis of the smallest cone for more than three unit vectors: the two that enclose the largest
/// angle and the one farthest from their bisector decide.
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

/// Encloses the control normals in a cone. `result` must be unknown on entry, and stays unknown if nothing can be
/// proved.
template <std::size_t kCount>
inline void enclose(const std::array<Vec3, kCount>& normals, const std::array<double, kCount>& errors,
                    NormalCone& result) {
  std::array<Vec3, kCount> unit;
  double doubt = 0.0;
  for (std::size_t k = 0; k < kCount; ++k) {
    const double square = dot(normals[k], normals[k]);
    if (!(square >= kSmallestSquare && square <= kLargestSquare)) return;  // also rejects NaN
    const double inverse = 1.0 / std::sqrt(square);
    const double relative = errors[k] * inverse;
    if (!(relative <= 0.5)) return;
    unit[k] = inverse * normals[k];
    doubt = std::max(doubt, relative);
  }
  const std::array<float, 3> axis = to_floats(central(unit));
  const Vec3 exact_axis = from_floats(axis);
  const double square = dot(exact_axis, exact_axis);
  // Normals that are opposite, or all about pi/2 from the axis, give no usable axis.
  if (!(square >= kSmallestSquare && square <= kLargestSquare)) return;
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
  const double scale = 1.0 / std::sqrt((1.0 - cosine) * (1.0 + cosine));  // about 1 / sin: |v| is about 1
  const Vec3 v = (scale * sine(between - step)) * p + (scale * sine(step)) * q;
  const std::array<float, 3> axis = to_floats(v);
  set(result, axis, 0.5 * (double{a.angle} + double{b.angle} + between) + kMergeSlop);
  return result;
}

}  // namespace graze::cull
