// Margins and times of bounds of moving points, in units in which the sizes of both motions sum to at most 1:
// computed points and posed doubles each err by 2^-45 (rigid/motion/motion.hpp), and projections round by 2^-47;
// together kGapMargin. Speeds likewise. Constant cost.
#pragma once

#include <cmath>

#include "rigid/motion/motion.hpp"

namespace graze::rigid {

inline constexpr double kGapMargin = 2.0 * kPointError + 0x1p-47;
inline constexpr double kSpeedMargin = kVelocityError + 0x1p-45;

/// |a x b|.
inline double length_of_product(const Vec3& a, const Vec3& b) {
  const Vec3 c = cross(a, b);
  return std::sqrt(dot(c, c));
}

/// A lower bound of the first r > 0 with gap - r speed - r r acceleration_bound / 2 = 0. Precondition: gap > 0,
/// acceleration_bound > 0.
inline double time_to_close(double gap, double speed, double acceleration_bound) {
  const double root = std::sqrt(speed * speed + 2.0 * acceleration_bound * gap);
  const double r = speed > 0.0 ? 2.0 * gap / (speed + root) : (root - speed) / acceleration_bound;
  return r * (1.0 - 0x1p-40);
}

/// t + r, rounded down.
inline double time_after(double t, double r) {
  return (t + r) * (1.0 - 0x1p-52);
}
/// t - r, rounded up.
inline double time_before(double t, double r) {
  const double before = (t - r) + 0x1p-52;
  return before < t ? before : t;
}

}  // namespace graze::rigid
