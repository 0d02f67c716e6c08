// The diagonal slabs of a k-DOP, without the three axis slabs of its box: a bounding volume for callers that store
// boxes separately (HASH, section 4.3: the 26-DOPs inside a voxel).
//
// Stores lower ends and negated upper ends, padded to whole vectors of four floats. Two volumes are separated
// exactly if a lower end of one exceeds the upper end of the other along some direction. A union needs only minima.
// Cost of an overlap test: six vector comparisons for a 26-DOP.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "geometry/volume.hpp"

namespace graze::geometry {

/// K diagonal slabs: 6 (18-DOP) or 10 (26-DOP). The default is the whole space.
template <std::size_t K>
struct alignas(16) KdopSlabs {
  using Volume = Dop<3 + K>;
  static constexpr std::size_t kLanes = (K + 3) / 4 * 4;

  std::array<float, kLanes> lo;
  std::array<float, kLanes> minus_hi;

  KdopSlabs() {
    lo.fill(-std::numeric_limits<float>::infinity());
    minus_hi.fill(-std::numeric_limits<float>::infinity());
  }
  explicit KdopSlabs(const Volume& volume) : KdopSlabs() {
    for (std::size_t k = 0; k < K; ++k) {
      lo[k] = volume.lo[3 + k];
      minus_hi[k] = -volume.hi[3 + k];
    }
  }

  void include(const KdopSlabs& other) {
    for (std::size_t k = 0; k < kLanes; ++k) lo[k] = other.lo[k] < lo[k] ? other.lo[k] : lo[k];
    for (std::size_t k = 0; k < kLanes; ++k) {
      minus_hi[k] = other.minus_hi[k] < minus_hi[k] ? other.minus_hi[k] : minus_hi[k];
    }
  }
  [[nodiscard]] bool overlaps(const KdopSlabs& other) const {
    int apart = 0;
    for (std::size_t k = 0; k < kLanes; ++k) {
      apart |= static_cast<int>(lo[k] > -other.minus_hi[k]) | static_cast<int>(other.lo[k] > -minus_hi[k]);
    }
    return apart == 0;
  }
};

template <std::size_t K>
KdopSlabs<K> union_of(const KdopSlabs<K>& a, const KdopSlabs<K>& b) {
  KdopSlabs<K> both = a;
  both.include(b);
  return both;
}

}  // namespace graze::geometry
