// The protocol that rigid objects are timed by (BOXTREE, section 5): two copies of an object, scaled into a cube of
// size 2, at a given distance; one of them makes a full tumbling turn about z and x in many small steps.
//
// Results are bit-identical on every platform: + - * / sqrt and sin_turns only. Cost: linear in vertices and in
// steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// Steps of a full turn in the paper, and the usual distances here: from deep penetration to separated most of the
/// time.
inline constexpr std::size_t kTumbleSteps = 5000;
inline constexpr double kTumbleDistances[] = {0.8, 1.2, 1.6, 2.0};

/// Returns the shape translated and uniformly scaled so that its box is centred at the origin and its longest side
/// is 2. Ignores vertices that no triangle uses for the box. Only translates a shape that is a single point.
/// Preconditions: finite positions, ids in range.
[[nodiscard]] Shape scaled_to_cube(Shape shape);

/// Returns the poses of a full turn: a is at the origin, b is `distance` away along x; in step k, b is rotated by
/// k/steps of a full turn about x and then by the same angle about z. For all k < steps.
[[nodiscard]] std::vector<PosePair> tumble(double distance, std::size_t steps = kTumbleSteps);
/// Returns the poses of step k.
[[nodiscard]] PosePair tumble_pose(double distance, std::size_t k, std::size_t steps);

/// Returns a tumbling object by name: car-body, headlight, lock, torus, torus-soup, sphere, sphere-soup or scan,
/// with about this many triangles (0: 50,000), scaled to the cube. "NAME:COUNT" also gives the count. Throws
/// InputError for an unknown name or an invalid count.
[[nodiscard]] Shape tumble_shape(std::string_view name, std::size_t triangles = 0);

}  // namespace graze::scenes
