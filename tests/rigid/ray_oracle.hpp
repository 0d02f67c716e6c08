// Rays and segments against triangles in rational arithmetic. Cost: a few rational operations a triangle.
#pragma once

#include <array>
#include <optional>

#include <graze/rigid_world.hpp>

#include "oracle/exact.hpp"

namespace graze::testing {

/// The first parameter at which the ray is in the closed triangle, if it ever is.
std::optional<oracle::Rational> first_parameter(const Ray& ray, const std::array<Vec3, 3>& triangle);
std::optional<oracle::Rational> first_parameter(const Segment& segment, const std::array<Vec3, 3>& triangle);

}  // namespace graze::testing
