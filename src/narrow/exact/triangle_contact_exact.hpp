// Narrow phase, exact arithmetic: the intersection of two triangles in integers, for pairs that only touch, are
// coplanar, have no area, or are too close to these cases for the filter in doubles.
#pragma once

#include <array>

#include <graze/types.hpp>

#include "narrow/triangle_contact.hpp"

namespace graze::narrow {

/// Contract as of triangle_contact. Each coordinate is the rounded exact value, so the result does not depend on
/// the order of the triangles or of their corners.
TriangleContact exact_triangle_contact(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace graze::narrow
