// Vector arithmetic on Vec3: pure functions in which every operation rounds once (-ffp-contract=off).
#pragma once

#include <algorithm>
#include <cmath>

#include <graze/types.hpp>

#include "core/host_device.hpp"
#include "core/namespaces.hpp"

namespace graze {

// The operators are in the namespace of Vec3, where argument-dependent lookup finds them.
GRAZE_HOST_DEVICE inline Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
GRAZE_HOST_DEVICE inline Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
GRAZE_HOST_DEVICE inline Vec3 operator-(const Vec3& a) {
  return {-a.x, -a.y, -a.z};
}
GRAZE_HOST_DEVICE inline Vec3 operator*(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}

}  // namespace graze

namespace graze::geometry {

GRAZE_HOST_DEVICE inline double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
GRAZE_HOST_DEVICE inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec3& a) {
  return std::hypot(a.x, a.y, a.z);
}
GRAZE_HOST_DEVICE inline double max_abs(const Vec3& a) {
  return std::max(std::abs(a.x), std::max(std::abs(a.y), std::abs(a.z)));
}
GRAZE_HOST_DEVICE inline bool is_finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// The position at time t of a vertex that moves linearly from a (t = 0) to b (t = 1); exact at both ends.
GRAZE_HOST_DEVICE inline Vec3 lerp(const Vec3& a, const Vec3& b, double t) {
  return (1.0 - t) * a + t * b;
}

}  // namespace graze::geometry
