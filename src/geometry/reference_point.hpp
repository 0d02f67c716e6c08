// The reference position of a vertex during a session, and bounds of its displacement (ADAPTIVE, sections 4.1 and
// 4.3).
//
// Bounds, distances and the candidate pairs that follow from them are computed for reference positions, once per
// session (temporal coherence). They hold while no vertex is farther from its reference position than its
// displacement bound, nor farther along an axis than its side: two features whose reference positions are a
// distance d apart stay separated while the largest displacements of the two add up to less than d. A reference
// position may be any point, so its own rounding loses nothing. One array, 32 bytes per vertex, which kernels
// gather.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::geometry {

struct alignas(32) ReferencePoint {
  Vec3 x;                           ///< reference position; finite
  float displacement_bound = 0.0F;  ///< >= 0; bounds hold up to this distance from x
  /// Displacement bound along each axis, in 256ths of displacement_bound; kWholeBound is all of it. Bounds hold up
  /// to this distance along the axis.
  std::array<std::uint8_t, 3> sides{kWholeBound, kWholeBound, kWholeBound};

  static constexpr std::uint8_t kWholeBound = 255;
  /// The displacement bound along an axis. The product is exact: a float has 24 bits, a share 8.
  [[nodiscard]] double side(std::size_t axis) const {
    const auto whole = static_cast<double>(displacement_bound);
    return sides[axis] == kWholeBound ? whole : whole * (static_cast<double>(sides[axis]) * (1.0 / 256.0));
  }
};
static_assert(sizeof(ReferencePoint) == 32);

}  // namespace graze::geometry
