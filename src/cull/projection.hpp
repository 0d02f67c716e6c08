// Projection along a fixed axis to a plane, as a linear map whose kernel is exactly that axis.
//
// The axis D has component 1 at `dominant` and q_u, q_w at the next two in cyclic order, so that
// (p[u] - q_u p[d], p[w] - q_w p[d]) drops D and nothing else, and is exact in integers. Cost: O(1), two products.
#pragma once

#include <cstdint>
#include <limits>

#include <graze/types.hpp>

namespace graze {

struct Vec2 {
  double x = 0.0;
  double y = 0.0;
};

/// |q_u|, |q_w| <= 1, exact multiples of 2^-20.
struct ProjectionAxis {
  std::uint8_t dominant = 2;
  double q_u = 0.0;
  double q_w = 0.0;
};

inline Vec2 project(const ProjectionAxis& axis, const Vec3& p) {
  switch (axis.dominant) {
    case 0:
      return {p.y - axis.q_u * p.x, p.z - axis.q_w * p.x};
    case 1:
      return {p.z - axis.q_u * p.y, p.x - axis.q_w * p.y};
    default:
      return {p.x - axis.q_u * p.z, p.y - axis.q_w * p.z};
  }
}

/// Bounds |computed - exact| of each component, for coordinates up to max_abs: u = 2^-53, one product (u max_abs
/// and an underflow) and one difference of at most 2 max_abs, with room.
inline double projection_error(double max_abs) {
  return 0x1p-51 * max_abs + std::numeric_limits<double>::min();
}

}  // namespace graze
