// Surroundings of a rigid object: floors, ramps and rooms of a few large triangles, tilted in their own
// coordinates, and the poses of an object that tumbles above their ground; a small copy of the object that tumbles
// beside it. What is fine meets what is coarse, as a robot does its room.
//
// Results are bit-identical on every platform. Cost: linear in triangles and in steps.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// Names: floor (2 triangles, 20 by 20), ramp (8, a wedge), room (12, 20 by 20 by 20), stairs (40 long steps), and
/// tenth (the object itself at a tenth of its size).
[[nodiscard]] std::span<const std::string_view> surrounding_names();

/// The surroundings of an object that fits into the cube [-1, 1]^3 (scaled_to_cube). Throws InputError for an
/// unknown name.
[[nodiscard]] Shape make_surrounding(std::string_view name, const Shape& object);

/// Poses of a full turn: the object tumbles at the origin, as b does in tumble(). The ground of the surroundings,
/// or the centre of the small copy, is `distance` away: at 1.75 and more nothing of the cube reaches the ground.
[[nodiscard]] std::vector<PosePair> tumble_above(std::string_view name, double distance, std::size_t steps);

}  // namespace graze::scenes
