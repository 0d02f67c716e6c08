// AABB tree volume: boxes aligned with the axes of a tree's local frame, 24 bytes, and the overlap test of two of
// them along the six directions of their axes (van den Bergen's "SAT lite", which he found to be faster than all 15
// directions; we did not measure 15 directions here).
//
// Each object views the other's box rotated: its centre, and its half extents along the viewer's axes. Both are
// correct within the margins of rigid/axis_view.hpp: the boxes are separated if the distance of the centres exceeds
// the sum of the half extents and the margin. NaN never separates. Constant cost.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "geometry/volume.hpp"
#include "rigid/axis_view.hpp"
#include "rigid/placement.hpp"
#include "rigid/trees/operation_count.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::rigid {

struct AabbVolume {
  std::array<float, 3> centre;
  std::array<float, 3> half;

  /// Relative points err by at most 2^-53; the volume is large enough to contain the real points too.
  static AabbVolume fit(std::span<const Corners> triangles) {
    AabbVolume volume{};
    for (std::size_t k = 0; k < 3; ++k) {
      double lo = triangles[0][0][k];
      double hi = lo;
      for (const Corners& corners : triangles) {
        for (const Point& corner : corners) {
          lo = std::min(lo, corner[k]);
          hi = std::max(hi, corner[k]);
        }
      }
      volume.centre[k] = static_cast<float>(0.5 * (lo + hi));
      const auto centre = static_cast<double>(volume.centre[k]);
      volume.half[k] = round_up(std::max(hi - centre, centre - lo) + 0x1p-50);
    }
    return volume;
  }
  [[nodiscard]] bool contains(const Point& u) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(std::abs(u[k] - static_cast<double>(centre[k])) <= static_cast<double>(half[k]))) return false;
    }
    return true;
  }

  template <class Real>
  class Test;
};

template <class Real>
class AabbVolume::Test {
 public:
  /// A box as stored, and as the other object views it. The rotated half extents include the margins.
  struct Placed {
    const AabbVolume* volume;
    std::array<Real, 3> centre;
    std::array<Real, 3> half;
  };
  using PlacedA = Placed;
  using PlacedB = Placed;

  Test(const Placement& placement, double steps_a, double steps_b)
      : from_a_(local_view_of_a(placement, steps_a)), from_b_(local_view_of_b(placement, steps_b)) {}

  [[nodiscard]] bool beyond() const { return from_a_.beyond || from_b_.beyond; }
  [[nodiscard]] PlacedA place_a(const AabbVolume& volume) const { return turned(volume, from_b_); }
  [[nodiscard]] PlacedB place_b(const AabbVolume& volume) const { return turned(volume, from_a_); }
  [[nodiscard]] bool separated(const PlacedA& a, const PlacedB& b) const {
    return beside(*a.volume, b) || beside(*b.volume, a);
  }

 private:
  static Placed turned(const AabbVolume& volume, const LocalView& view) {
    Placed placed;
    placed.volume = &volume;
    for (std::size_t k = 0; k < 3; ++k) {
      Real middle(view.offset[k]);
      Real reach(view.margin[k]);
      for (std::size_t i = 0; i < 3; ++i) {
        const Real slope(view.slope[i][k]);
        middle = middle + slope * Real(volume.centre[i]);
        reach = reach + magnitude(slope) * Real(volume.half[i]);
      }
      placed.centre[k] = middle;
      placed.half[k] = reach;
    }
    return placed;
  }
  static bool beside(const AabbVolume& volume, const Placed& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (magnitude(other.centre[k] - Real(volume.centre[k])) > other.half[k] + Real(volume.half[k])) return true;
    }
    return false;
  }

  LocalView from_a_;
  LocalView from_b_;
};

}  // namespace graze::rigid
