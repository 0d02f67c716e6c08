// Boxes of single features over a step, in float, rounded outward: half the memory of doubles, and never smaller
// than the true box. Stored for edges, or made on demand from four points.
//
// A box proves that two features cannot touch: if their boxes have no common point at any time, neither have they.
// Only minima, maxima and directed roundings; coordinates beyond the range of float become infinite, which is
// conservative. Cost: O(1).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <graze/types.hpp>

namespace graze {

/// The largest float <= x. Precondition: not NaN.
inline float float_below(double x) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  if (x > double{kLargest}) return x == std::numeric_limits<double>::infinity() ? static_cast<float>(x) : kLargest;
  if (x < -double{kLargest}) return -std::numeric_limits<float>::infinity();
  const auto f = static_cast<float>(x);
  if (double{f} <= x) return f;
  // The next float down: from a positive one the bits decrease, from a negative one they increase, and from zero
  // comes the smallest negative one.
  const auto bits = std::bit_cast<std::uint32_t>(f);
  if (f == 0.0F) return -std::numeric_limits<float>::denorm_min();
  return std::bit_cast<float>(f > 0.0F ? bits - 1 : bits + 1);
}
/// The smallest float >= x.
inline float float_above(double x) {
  return -float_below(-x);
}

/// Closed; empty where some lo > hi.
struct FeatureBox {
  std::array<float, 3> lo{};
  std::array<float, 3> hi{};

  friend bool operator==(const FeatureBox&, const FeatureBox&) = default;
};

/// The box of some points: of a swept vertex from its two ends, a swept edge from four, a swept face from six.
template <typename... Points>
FeatureBox box_of_points(const Vec3& first, const Points&... others) {
  const auto axis = [&](double Vec3::*c) {
    double lo = first.*c;
    double hi = first.*c;
    ((lo = std::min(lo, others.*c), hi = std::max(hi, others.*c)), ...);
    return std::array{float_below(lo), float_above(hi)};
  };
  const auto x = axis(&Vec3::x);
  const auto y = axis(&Vec3::y);
  const auto z = axis(&Vec3::z);
  return {{x[0], y[0], z[0]}, {x[1], y[1], z[1]}};
}

inline FeatureBox swept_vertex_box(const Vec3& p_t0, const Vec3& p_t1) {
  return box_of_points(p_t0, p_t1);
}
inline FeatureBox swept_edge_box(const Vec3& a_t0, const Vec3& b_t0, const Vec3& a_t1, const Vec3& b_t1) {
  return box_of_points(a_t0, b_t0, a_t1, b_t1);
}

/// A box that holds all points within `gap` >= 0 of `box` on every axis.
inline FeatureBox inflated(const FeatureBox& box, double gap) {
  FeatureBox result;
  for (std::size_t k = 0; k < 3; ++k) {
    // The sum rounds to nearest in double: one double further is safe, and rarely another float.
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    result.lo[k] = gap == 0.0 ? box.lo[k] : float_below(std::nextafter(double{box.lo[k]} - gap, -kInfinity));
    result.hi[k] = gap == 0.0 ? box.hi[k] : float_above(std::nextafter(double{box.hi[k]} + gap, kInfinity));
  }
  return result;
}

/// Whether the closed boxes share a point. Exact; no branch until the end.
inline bool boxes_overlap(const FeatureBox& a, const FeatureBox& b) {
  bool overlap = true;
  for (std::size_t k = 0; k < 3; ++k) overlap &= a.lo[k] <= b.hi[k] && b.lo[k] <= a.hi[k];
  return overlap;
}

}  // namespace graze
