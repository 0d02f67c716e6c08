// Refuses NaN and infinity in the points of one elementary test, naming the point and its value.
#pragma once

#include <span>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Throws InputError for the first point with a coordinate that is not finite. `test` names the public function.
void require_finite(const char* test, std::span<const Vec3> points);

/// Throws InputError unless d is finite and >= 0.
void require_distance(const char* test, double d);

}  // namespace graze::narrow
