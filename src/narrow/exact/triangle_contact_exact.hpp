// What two triangles that meet have in common, in integers: for those that touch, lie in one plane, have no area,
// or are too close to that for doubles.
#pragma once

#include <array>

#include <graze/types.hpp>

#include "narrow/triangle_contact.hpp"

namespace graze::narrow {

/// As triangle_contact. Every coordinate is the exact one, rounded, so the order of the triangles and of their
/// corners does not matter.
TriangleContact exact_triangle_contact(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace graze::narrow
