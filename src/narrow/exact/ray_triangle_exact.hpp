// Narrow phase, exact arithmetic: the first point of a ray or segment in a closed triangle of any shape. O(1).
#pragma once

#include <array>
#include <optional>

#include <graze/types.hpp>

#include "narrow/ray_triangle.hpp"

namespace graze::narrow {

/// The first t, within one unit in the last place (0 exactly), or nothing if the line does not hit the triangle.
std::optional<double> exact_crossing(const RayLine& line, const std::array<Vec3, 3>& triangle);

}  // namespace graze::narrow
