// Narrow phase: input checks of the elementary tests. See require_finite.hpp.
#include "narrow/require_finite.hpp"

#include <graze/error.hpp>

#include "geometry/vec.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace graze::narrow {

void require_finite(const char* test, std::span<const Vec3> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& p = points[i];
    if (!is_finite(p)) {
      throw InputError(fmt::format("{}: point {} is not finite: ({}, {}, {})", test, i, p.x, p.y, p.z));
    }
  }
}

void require_distance(const char* test, double d) {
  if (!std::isfinite(d) || d < 0.0) {
    throw InputError(fmt::format("{}: distance must be finite and at least 0, not {}", test, d));
  }
}

}  // namespace graze::narrow
