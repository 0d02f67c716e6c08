// Narrow phase: input checks. Reject NaN and infinity in the points of one elementary test, and bad distances.
#pragma once

#include <span>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Throws InputError, with index and value, for the first point that has a coordinate which is not finite. `test`
/// names the public function in the message.
void require_finite(const char* test, std::span<const Vec3> points);

/// Throws InputError unless d is finite and >= 0.
void require_distance(const char* test, double d);

}  // namespace graze::narrow
