// Input validation of scenes and queries: rejects NaN, infinity and ids out of range. Each check throws InputError
// with one line that names the invalid item, before any state changes. Cost: O(vertices), and O(triangles) for a
// body.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::scene {

/// Returns the first axis ('x', 'y', 'z') on which a point is not finite, or 0.
inline char axis_not_finite(const Vec3& p) {
  if (!std::isfinite(p.x)) return 'x';
  if (!std::isfinite(p.y)) return 'y';
  return std::isfinite(p.z) ? '\0' : 'z';
}

/// Returns the coordinate of a point on an axis 'x', 'y' or 'z'.
inline double coordinate(const Vec3& p, char axis) {
  return axis == 'x' ? p.x : axis == 'y' ? p.y : p.z;
}

/// Counts of a scene before a body is added.
struct SceneCounts {
  std::size_t bodies = 0;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
};
/// Checks a body: positions are finite, vertex ids of triangles are in range, and the scene's limits are not
/// exceeded.
void validate_body(const SceneCounts& counts, const Body& body);

/// Checks that there is one position per vertex of the scene, and that all are finite, except those of removed
/// vertices. `name` is the caller's name of the array, for the message.
void validate_positions(const Scene& scene, std::span<const Vec3> x, std::string_view name);

/// Checks both ends of a step: positions are valid, and static bodies do not move.
void validate_step(const Scene& scene, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

}  // namespace graze::scene
