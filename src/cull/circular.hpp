// Arc cosine, arc sine and sine for normal cones, with proved error bounds: the C++ standard guarantees no accuracy
// for its own functions, and they differ between platforms. No branches depend on the value, so that the cost is
// the same for all angles.
//
// acos(x) = sqrt(1 - x) P(x) on [0, 1] and sin(x) = x (pi - x) Q((x - pi/2)^2) on [0, pi]: without the root and the
// zeros, the remaining factor is smooth and needs few terms (P of degree 11, Q of degree 6, both from the Remez
// exchange algorithm). Errors: P 1.05e-11 < 2^-36, Q a relative 2^-46, as tests/cull/circular_test.cpp proves with
// 100 digits; rounding of doubles adds less than 2^-50. Cost: O(1), one root and 20 to 30 products and sums.
#pragma once

#include <cmath>
#include <numbers>

#include "core/namespaces.hpp"

namespace graze::cull {

/// Largest excess of acos_above() and asin_above() over the exact value.
inline constexpr double kArcSlack = 0x1p-34;

namespace detail {

/// Approximates acos(x) / sqrt(1 - x).
inline double arc_cosine_factor(double x) {
  const double x2 = x * x;
  const double x4 = x2 * x2;
  const double low =
      (1.5707963267844354 - 0.21460183340557037 * x) + x2 * (0.08904846057803369 - 0.05078958444380597 * x);
  const double middle =
      (0.03364769615574972 - 0.024165064724500526 * x) + x2 * (0.017825562562634217 - 0.01254093644341894 * x);
  const double high = (0.007592467824496758 - 0.0034911113669075003 * x) +
                      x2 * (0.0010368563210412687 - 0.00014527747955389868 * x);
  return low + x4 * (middle + x4 * high);
}

/// Approximates sin(x) / (x (pi - x)) at z = (x - pi/2)^2.
inline double sine_factor(double z) {
  const double z2 = z * z;
  const double low =
      (0.40528473456934755 - 0.03838665120959074 * z) + z2 * (0.001329340192990807 - 2.4134175010172722e-05 * z);
  const double high = (2.704888346078413e-07 - 2.058278970943414e-09 * z) + z2 * 1.094796341919342e-11;
  return low + (z2 * z2) * high;
}

}  // namespace detail

/// Returns at least acos(x), and less than acos(x) + kArcSlack. Precondition: -1 <= x <= 1.
inline double acos_above(double x) {
  const double size = std::abs(x);
  const double angle = std::sqrt(1.0 - size) * detail::arc_cosine_factor(size);
  return (x < 0.0 ? std::numbers::pi - angle : angle) + 0x1p-36;
}

/// Returns at least asin(x), and less than asin(x) + kArcSlack. Precondition: -1 <= x <= 1.
inline double asin_above(double x) {
  return std::numbers::pi / 2 - acos_above(x) + 0x1p-35;
}

/// Returns sin(x) with a relative error of at most 2^-44. Precondition: 0 <= x <= pi - 2^-7.
inline double sine(double x) {
  const double y = x - std::numbers::pi / 2;
  return (x * (std::numbers::pi - x)) * detail::sine_factor(y * y);
}

}  // namespace graze::cull
