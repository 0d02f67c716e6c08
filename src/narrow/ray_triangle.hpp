// Narrow phase: the first point of a ray or segment in a closed triangle. A filter in doubles decides nearly all,
// exact arithmetic the rest: rays through edges and corners, coplanar triangles, triangles without area.
#pragma once

#include <array>
#include <limits>
#include <optional>

#include <graze/stats.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// The points origin + t direction, 0 <= t <= max, in real arithmetic. A segment has an `end`, which is what its
/// points lead to at t = 1; its direction is end - origin rounded, and max is 1.
struct RayLine {
  Vec3 origin;
  Vec3 direction;
  double max = std::numeric_limits<double>::infinity();
  std::optional<Vec3> end = {};
};

/// Whether a line hits a triangle, and bounds of the first t at which it does.
struct RayCrossing {
  bool hit = false;
  double lo = 0.0;
  double hi = 0.0;
};

/// Decides exactly for finite points. Precondition: a line without an end has a direction that is not zero.
RayCrossing cross_triangle(const RayLine& line, const std::array<Vec3, 3>& triangle, TierCounts& tiers);

/// Compares the first t of two triangles exactly: -1, 0 or 1. Precondition: the line hits both.
int compare_crossings(const RayLine& line, const std::array<Vec3, 3>& one, const std::array<Vec3, 3>& other);
/// The first t, within one unit in the last place. Precondition: the line hits the triangle.
double crossing_parameter(const RayLine& line, const std::array<Vec3, 3>& triangle);

}  // namespace graze::narrow
