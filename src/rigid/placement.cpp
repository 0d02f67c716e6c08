// Directions, slopes and error margins of a placement. See the header.
//
// With unit 2^e, a direction s and posed doubles x_a and x_b, the margin bounds the difference between s.(x_b -
// x_a) 2^-e and its value in floats. Error bounds (u = 2^-53, |s| is the sum of absolute coordinates, coordinates
// of s <= 1.01, entries of rotations <= 1.01):
//  - Posing rounds each coordinate by at most 4 u (3.1 max_coordinate + |t|) (four roundings), + 2^-1070 for
//  underflow. So
//    does posing the centre of each object, and their difference once more: 5 of these for each object, times |s|.
//  - Slopes are dot products of doubles, of axes or of cross products of axes: at most 10 u each, then rounded to
//    floats by 2^-24 of themselves. |Coordinates| <= 1; where triangles are projected, these are rounded as well.
//  - The offset is a dot product, 4 u |s| |difference|, rounded to a float.
//  - Slack of the boxes: that share of the slopes.
//  - Traversal: the interval of a root, and a product and a sum for each step, each within 2^-24 of numbers that
//    are at most twice the sum of the slopes (and the offset, for b): 2^-22 (steps + 8) of it.
// Underflow in floats errs by 2^-149 for each operation; 2^-120 covers 2^29 of them.
#include "rigid/placement.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"

namespace graze::rigid {

namespace {

constexpr double kUnit = 0x1p-53;
/// Index of the first cross product.
constexpr std::size_t kProducts = 6;

std::array<Vec3, 3> columns(const Pose& pose) {
  const auto& r = pose.rotation;
  return {Vec3{r[0].x, r[1].x, r[2].x}, Vec3{r[0].y, r[1].y, r[2].y}, Vec3{r[0].z, r[1].z, r[2].z}};
}

/// For each r, the cross product of axis r + 1 and axis r + 2 (mod 3).
std::array<Vec3, 3> products(const std::array<Vec3, 3>& axes) {
  return {cross(axes[1], axes[2]), cross(axes[2], axes[0]), cross(axes[0], axes[1])};
}

struct Covered {
  double lo;
  double hi;
};
/// The interval of an object's root along a direction, measured from its centre.
Covered covered(const std::array<double, 3>& slopes, const Placed& object) {
  Covered sum{0.0, 0.0};
  for (std::size_t i = 0; i < 3; ++i) {
    const double one = slopes[i] * static_cast<double>(object.lo[i]);
    const double other = slopes[i] * static_cast<double>(object.hi[i]);
    sum.lo += std::min(one, other);
    sum.hi += std::max(one, other);
  }
  return sum;
}

/// Bound of the difference between a posed coordinate and its real value.
double posing_error(const Placed& object) {
  return 4.0 * kUnit * (3.1 * object.max_coordinate + max_abs(object.pose.translation)) + 0x1p-1070;
}

}  // namespace

Placement place(const Placed& a, const Placed& b, bool with_lengths) {
  Placement placement;
  const auto columns_a = columns(a.pose);
  const auto columns_b = columns(b.pose);
  // Half the vector between the centres: the difference of two large numbers may overflow.
  const Vec3 half = 0.5 * posed(b.pose, b.local_frame.origin) - 0.5 * posed(a.pose, a.local_frame.origin);
  // Choose the unit so that both objects fit and their distance is a float.
  placement.exponent = std::max(a.local_frame.exponent, b.local_frame.exponent);
  if (const double far = max_abs(half); far > 0.0 && std::isfinite(far))
    placement.exponent = std::max(placement.exponent, std::ilogb(far) - 60);
  const double scale = std::ldexp(1.0, -placement.exponent);
  const double scale_a = std::ldexp(1.0, a.local_frame.exponent - placement.exponent);
  const double scale_b = std::ldexp(1.0, b.local_frame.exponent - placement.exponent);
  const Vec3 apart = 2.0 * (scale * half);
  const double far = max_abs(apart);
  const double posing = 5.0 * (posing_error(a) + posing_error(b)) * scale;

  // One margin for all directions. No direction is longer than 1.01, so the slopes of one object sum to at most
  // 1.75 of its scale, and an offset is at most 1.75 far. Slopes of short cross products do not err less.
  const double both = scale_a + scale_b;
  const double margin =
      1.001 * (2.75 * (posing + 4.0 * kUnit * far + 20.0 * kUnit * both) +
               1.75 * (0x1p-23 * (both + far) + a.slack * scale_a + b.slack * scale_b +
                       0x1p-22 * ((a.steps + 8.0) * scale_a + (b.steps + 8.0) * (scale_b + far)))) +
      0x1p-120;
  std::fill_n(placement.margin.begin(), kProducts + 9, static_cast<float>(margin));  // within 2^-24 of the double
  std::array<double, 3> slope_a{};
  std::array<double, 3> slope_b{};
  const auto fill = [&](std::size_t k, const Vec3& s) {
    for (std::size_t i = 0; i < 3; ++i) {
      slope_a[i] *= scale_a;
      slope_b[i] *= scale_b;
      placement.slope_a[i][k] = static_cast<float>(slope_a[i]);
      placement.slope_b[i][k] = static_cast<float>(slope_b[i]);
    }
    const double offset = dot(s, apart);
    placement.offset[k] = static_cast<float>(offset);
    if (with_lengths) {
      const double length = std::sqrt(dot(s, s));
      // Nearly parallel axes give a tiny cross product that is mostly rounding. It may separate boxes, but it does
      // not measure their distance.
      placement.inverse_length[k] = length > 1e-3 ? static_cast<float>((1.0 - 0x1p-20) / length) : 0.0F;
    }
    return offset;
  };
  /// Fills the direction of an axis. Returns the gap between the roots along it, or a number below zero.
  const auto fill_axis = [&](std::size_t k, const Vec3& s) {
    for (std::size_t i = 0; i < 3; ++i) {
      slope_a[i] = dot(columns_a[i], s);
      slope_b[i] = dot(columns_b[i], s);
    }
    const double offset = fill(k, s);
    const auto [lo_a, hi_a] = covered(slope_a, a);
    const auto [lo_b, hi_b] = covered(slope_b, b);
    return std::max(offset + lo_b - hi_a, lo_a - (offset + hi_b)) - margin;
  };
  for (std::size_t k = 0; k < 6; ++k) {
    const double gap = fill_axis(k, k < 3 ? columns_a[k] : columns_b[k - 3]);
    if (!(gap > 0.0) || !std::isfinite(gap)) continue;
    placement.roots_separated = true;
    if (!with_lengths) return placement;
    placement.gap = std::max(placement.gap, gap * static_cast<double>(placement.inverse_length[k]));
  }
  if (placement.roots_separated) return placement;
  // Slopes along a cross product of axes: a_i . (a_p x b_q) = (a_i x a_p) . b_q, which is zero for i = p.
  const std::array<Vec3, 3> across_a = products(columns_a);
  const std::array<Vec3, 3> across_b = products(columns_b);
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t q = 0; q < 3; ++q) {
      for (std::size_t i = 0; i < 3; ++i) {
        // products()[r] is axis r + 1 times axis r + 2; the opposite order changes the sign.
        slope_a[i] = i == p ? 0.0 : (p == (i + 1) % 3 ? 1.0 : -1.0) * dot(across_a[3 - i - p], columns_b[q]);
        slope_b[i] = i == q ? 0.0 : (i == (q + 1) % 3 ? 1.0 : -1.0) * dot(across_b[3 - i - q], columns_a[p]);
      }
      fill(kProducts + 3 * p + q, cross(columns_a[p], columns_b[q]));
    }
  }
  return placement;
}

double max_displacement(const Placed& object, const Pose& from, const Pose& to) {
  // x = o + y with |y| <= sqrt(3) 2^exponent: P1 x - P0 x = (P1 o - P0 o) + (R1 - R0) y.
  double turn = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 row = to.rotation[i] - from.rotation[i];
    turn += dot(row, row);
  }
  const Vec3 middle = posed(to, object.local_frame.origin) - posed(from, object.local_frame.origin);
  const double size = 1.75 * std::ldexp(1.0, object.local_frame.exponent);
  Placed at_from = object;
  at_from.pose = from;
  Placed at_to = object;
  at_to.pose = to;
  return 1.001 * (length(middle) + std::sqrt(turn) * size) + 8.0 * (posing_error(at_from) + posing_error(at_to));
}

}  // namespace graze::rigid
