// Where a vertex is at home during a session, and how far it may stray (ADAPTIVE, sections 4.1 and 4.3).
//
// Bounds, distances and the pairs that follow from them are made for homes, once a session. They hold as long as no
// vertex strays farther than its reach, nor farther along an axis than its side: two features whose homes are a
// distance d apart stay apart while the farthest strays of both add up to less than d. Homes may be anywhere, so
// that their roundings cost nothing. One array, 32 bytes a vertex, which is how kernels gather it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::geometry {

struct alignas(32) ReferencePoint {
  Vec3 x;                           ///< home; finite
  float displacement_bound = 0.0F;  ///< >= 0: bounds hold the vertex up to this distance from home
  /// Of the reach, in 256ths, or all of it: bounds hold the vertex up to this distance along each axis.
  std::array<std::uint8_t, 3> sides{kWholeUnit, kWholeUnit, kWholeUnit};

  static constexpr std::uint8_t kWholeUnit = 255;
  /// The distance along an axis: exact, as a float has 24 bits and a share 8.
  [[nodiscard]] double side(std::size_t axis) const {
    const auto whole = static_cast<double>(displacement_bound);
    return sides[axis] == kWholeUnit ? whole : whole * (static_cast<double>(sides[axis]) * (1.0 / 256.0));
  }
};
static_assert(sizeof(ReferencePoint) == 32);

}  // namespace graze::geometry
