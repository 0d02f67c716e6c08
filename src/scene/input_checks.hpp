// Checks of what a query is given; each throws InputError with one line that names the culprit. O(vertices).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::scene {

/// The first axis ('x', 'y', 'z') on which a point is not finite, or 0.
inline char axis_not_finite(const Vec3& p) {
  if (!std::isfinite(p.x)) return 'x';
  if (!std::isfinite(p.y)) return 'y';
  return std::isfinite(p.z) ? '\0' : 'z';
}

/// The coordinate on an axis named as above.
inline double coordinate(const Vec3& p, char axis) {
  return axis == 'x' ? p.x : axis == 'y' ? p.y : p.z;
}

/// What a scene has when a body comes to it.
struct SceneCounts {
  std::size_t bodies = 0;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
};
/// Positions finite, ids of triangles in range, and no more of either than a scene can number.
void validate_body(const SceneCounts& counts, const Body& body);

/// As many positions as the scene has vertices, all finite but for removed ones. `name` is what the caller calls
/// the array.
void validate_positions(const Scene& scene, std::span<const Vec3> x, std::string_view name);

/// Both ends of a step; static bodies must not move.
void validate_step(const Scene& scene, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

}  // namespace graze::scene
