// Axes of projection for the contour test (ICCD, section IV-C): a direction along which every triangle of a patch
// keeps a positive area for the whole step, and the map to the plane along it.
//
// The paper projects along the cone's axis. Here the axis is rounded to one with a component of 1 and two multiples
// of 2^-20, so that the map to the plane needs one product a coordinate, its kernel is the axis exactly, and exact
// arithmetic on projected points stays short. Whether the rounded axis still serves is proved. Cost: O(1).
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
/// and at most 1 in size. Its sign says nothing.
struct ProjectionAxis {
  std::uint8_t dominant = 2;
  double q_u = 0.0;
  double q_w = 0.0;

  [[nodiscard]] std::size_t u() const { return (dominant + std::size_t{1}) % 3; }
  [[nodiscard]] std::size_t w() const { return (dominant + std::size_t{2}) % 3; }

  friend bool operator==(const ProjectionAxis&, const ProjectionAxis&) = default;
};

/// Whether it is proved that all directions of the cone have a positive dot product with D, or all a negative one.
/// True is certain; false may be for lack of proof (within 3e-6 radians of the limit).
bool projects_positively(const NormalCone& cone, const ProjectionAxis& axis);

/// The axis nearest to the cone's that the form allows, if it projects positively.
std::optional<ProjectionAxis> projection_axis(const NormalCone& cone);

struct Vec2 {
  double x = 0.0;
  double y = 0.0;
};

/// p in the plane, along D: linear, and zero for D and its multiples alone. Not finite where it overflows.
inline Vec2 project(const ProjectionAxis& axis, const Vec3& p) {
  const std::array<double, 3> x{p.x, p.y, p.z};
  const double along = x[axis.dominant];
  return {x[axis.u()] - axis.q_u * along, x[axis.w()] - axis.q_w * along};
}

/// At least |computed - exact| of both components of a finite projection, for points whose coordinates are at most
/// `max_abs_coordinate` = M in size. The product, of size at most M, is off by u M + 2^-1075, u = 2^-53; the
/// difference, of size at most 2 M (1 + u), by u times that: 3 u M + 2^-1075 and second order, below 4 u M +
/// 2^-1073 as computed.
inline double projection_error(double max_abs_coordinate) {
  return 0x1p-51 * max_abs_coordinate + 2.0 * std::numeric_limits<double>::denorm_min();
}

}  // namespace graze::cull
