// An axis-aligned bounding box as two rows of four floats: lower ends and negated upper ends. Two boxes are
// separated exactly if the first row of one exceeds the negated second row of the other in some lane, so an overlap
// test takes two vector comparisons and no shuffle. The fourth lanes store two ids.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "geometry/volume.hpp"

namespace graze::geometry {

struct alignas(32) PackedBox {
  std::array<float, 3> lo{};
  std::uint32_t first = 0;  ///< id for the owner's use
  std::array<float, 3> minus_hi{};
  std::uint32_t second = 0;

  /// Sets the bounds to those of a box; keeps the ids.
  void set(const Aabb& box) {
    lo = box.lo;
    minus_hi = {-box.hi[0], -box.hi[1], -box.hi[2]};
  }
  /// Extends the bounds to contain another box; keeps the ids.
  void include(const PackedBox& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = other.lo[k] < lo[k] ? other.lo[k] : lo[k];
      minus_hi[k] = other.minus_hi[k] < minus_hi[k] ? other.minus_hi[k] : minus_hi[k];
    }
  }
  /// Sets the bounds to the union of the given boxes; keeps the ids.
  template <typename... More>
  void set_union(const PackedBox& one, const More&... more) {
    lo = one.lo;
    minus_hi = one.minus_hi;
    (include(more), ...);
  }

  [[nodiscard]] bool overlaps(const PackedBox& other) const {
    unsigned apart = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      apart |=
          static_cast<unsigned>(lo[k] > -other.minus_hi[k]) | static_cast<unsigned>(other.lo[k] > -minus_hi[k]);
    }
    return apart == 0;
  }
  [[nodiscard]] Aabb box() const { return {lo, {-minus_hi[0], -minus_hi[1], -minus_hi[2]}}; }
};

}  // namespace graze::geometry
