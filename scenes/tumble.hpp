// The protocol that rigid objects are timed by (BOXTREE, section 5): two copies of an object, scaled into a cube of
// size 2, at a distance; one of them makes a full tumbling turn about z and x in many small steps.
//
// The same bits on every platform: + - * / sqrt and sin_turns only. Linear in vertices, and in steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// Steps of a full turn in the paper, and the distances that are usual here: from far inside each other to apart
/// most of the time.
inline constexpr std::size_t kTumbleSteps = 5000;
inline constexpr double kTumbleDistances[] = {0.8, 1.2, 1.6, 2.0};

/// The shape moved and scaled uniformly so that its box is centred at the origin and its longest side is 2.
/// Vertices that no triangle uses do not count. A shape that is a single point is only moved. Finite positions, ids
/// in range.
[[nodiscard]] Shape scaled_to_cube(Shape shape);

/// The poses of a full turn: a stands at the origin, b is `distance` away along x; in step k it is turned by
/// k/steps of a full turn about x, and then by as much about z. For all k < steps.
[[nodiscard]] std::vector<PosePair> tumble(double distance, std::size_t steps = kTumbleSteps);
/// The one of step k.
[[nodiscard]] PosePair tumble_pose(double distance, std::size_t k, std::size_t steps);

/// An object to tumble by name: car-body, headlight, lock, torus, torus-soup, sphere, sphere-soup or scan, with
/// about so many triangles (0: 50,000), scaled to the cube. "NAME:COUNT" says the count too. Throws InputError for
/// a name that there is not and for a count that is none.
[[nodiscard]] Shape tumble_shape(std::string_view name, std::size_t triangles = 0);

}  // namespace graze::scenes
