// Projection axes for the contour test (ICCD, section IV-C): a direction along which every triangle of a patch
// keeps a positive area for the whole step, and the projection to the plane along it.
//
// The paper projects along the axis of the normal cone. Here that axis is rounded to one with a component of 1 and
// two multiples of 2^-20, so that the projection needs one product per coordinate, its kernel is exactly the axis,
// and exact arithmetic on projected points stays short. projects_positively() proves that the rounded axis is still
// valid. Cost: O(1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <graze/types.hpp>

#include "cull/normal_cone.hpp"

namespace graze::cull {

/// The axis D: 1 at coordinate `dominant`, q_u and q_w at the next two in cyclic order. Both are multiples of 2^-20
/// and at most 1 in size. The sign of D has no meaning.
struct ProjectionAxis {
  std::uint8_t dominant = 2;
  double q_u = 0.0;
  double q_w = 0.0;

  [[nodiscard]] std::size_t u() const { return (dominant + std::size_t{1}) % 3; }
  [[nodiscard]] std::size_t w() const { return (dominant + std::size_t{2}) % 3; }

  friend bool operator==(const ProjectionAxis&, const ProjectionAxis&) = default;
};

/// Returns whether all directions of the cone are proved to have a positive dot product with D, or all a negative
/// one. True is certain; false may mean that the proof failed (within 3e-6 radians of the limit).
bool projects_positively(const NormalCone& cone, const ProjectionAxis& axis);

/// Returns the representable axis nearest to the cone's axis, if it projects the cone positively.
std::optional<ProjectionAxis> projection_axis(const NormalCone& cone);

struct Vec2 {
  double x = 0.0;
  double y = 0.0;
};

/// Projects p to the plane along D. The map is linear, and zero only for multiples of D. Not finite if it
/// overflows.
inline Vec2 project(const ProjectionAxis& axis, const Vec3& p) {
  const std::array<double, 3> x{p.x, p.y, p.z};
  const double along = x[axis.dominant];
  return {x[axis.u()] - axis.q_u * along, x[axis.w()] - axis.q_w * along};
}

/// Returns an upper bound on |computed - exact| for both components of a finite projection of points whose
/// coordinates are at most `max_abs_coordinate` = M in size. The product, of size at most M, is wrong by at most u
/// M + 2^-1075, u = 2^-53; the difference, of size at most 2 M (1 + u), by u times its size: 3 u M + 2^-1075 up to
/// second order, which is below the computed 4 u M + 2^-1073.
inline double projection_error(double max_abs_coordinate) {
  return 0x1p-51 * max_abs_coordinate + 2.0 * std::numeric_limits<double>::denorm_min();
}

}  // namespace graze::cull
