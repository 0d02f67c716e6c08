// k-DOP tree volume with 18 or 26 planes, and the overlap test along the plane directions of a. The k-DOPs of b are
// realigned to these directions during the traversal (dynamically aligned DOP trees, BOXTREE's reference [21]):
// each plane of the aligned k-DOP is a weighted sum of three planes of b's. The three planes are the same for all
// nodes and are found once a query. Constant cost.
//
// Why the aligned k-DOP contains b: as a views it (rigid/axis_view.hpp), a point w of b lies along the direction d
// of a at d.offset + v.w, v = M^T d, within the margins. If v = sum of weights x plane directions n of b, all
// weights >= 0, then v.w <= sum of weights x planes. Let v have magnitudes x >= y >= z, and let e, f, g be the
// signed axes in that order. Then
//   26 planes: v = (x - y) e + (y - z)(e + f) + z (e + f + g)
//   18 planes: v = (x - y - z) e + y (e + f) + z (e + g)                                       if x >= y + z
//              v = half of (x + y - z)(e + f) + (x + z - y)(e + g) + (y + z - x)(f + g)        otherwise
// These are the planes at the corner of a regular k-DOP that is farthest along v. The weights times their lengths
// sum to x + y + z: rounding is that of a box's projection, which the view's margins cover.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "geometry/volume.hpp"
#include "rigid/axis_view.hpp"
#include "rigid/placement.hpp"
#include "rigid/trees/operation_count.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::rigid {

/// Extent of b's aligned k-DOP along one direction and against it.
struct DopSlab {
  std::array<float, 3> weight{};
  /// Planes along the direction; the plane against it has the last bit of the index flipped.
  std::array<std::uint8_t, 3> plane{};
  float offset = 0.0F;  ///< along the direction, margin included
  float offset_against = 0.0F;
};

/// Computes the slabs of 9 directions (18-DOP) or 13 directions (26-DOP).
void align_dops(const LocalView& view, std::span<DopSlab> slabs);

template <std::size_t Planes>
struct DopVolume {
  static_assert(Planes == 18 || Planes == 26);
  /// reach[2 i] is the extent along direction i, reach[2 i + 1] the extent against it.
  std::array<float, Planes> reach;

  static DopVolume fit(std::span<const Corners> triangles);
  [[nodiscard]] bool contains(const Point& u) const;

  template <class Real>
  class Test {
   public:
    using PlacedA = const DopVolume*;
    struct PlacedB {
      std::array<Real, Planes> reach;
    };

    Test(const Placement& placement, double steps_a, double /*steps_b*/) {
      const LocalView view = local_view_of_a(placement, steps_a);
      beyond_ = view.beyond;
      align_dops(view, slabs_);
    }

    [[nodiscard]] bool beyond() const { return beyond_; }
    [[nodiscard]] PlacedA place_a(const DopVolume& volume) const { return &volume; }
    [[nodiscard]] PlacedB place_b(const DopVolume& volume) const {
      PlacedB placed;
      for (std::size_t i = 0; i < slabs_.size(); ++i) {
        const DopSlab& slab = slabs_[i];
        Real along(slab.offset);
        Real against(slab.offset_against);
        for (std::size_t n = 0; n < 3; ++n) {
          const Real weight(slab.weight[n]);
          along = along + weight * Real(volume.reach[slab.plane[n]]);
          against = against + weight * Real(volume.reach[slab.plane[n] ^ 1U]);
        }
        placed.reach[2 * i] = along;
        placed.reach[2 * i + 1] = against;
      }
      return placed;
    }
    [[nodiscard]] bool separated(const PlacedA& a, const PlacedB& b) const {
      for (std::size_t i = 0; i < Planes; ++i) {
        if (-b.reach[i] > Real(a->reach[i ^ 1U])) return true;
      }
      return false;
    }

   private:
    std::array<DopSlab, Planes / 2> slabs_{};
    bool beyond_ = false;
  };
};

using Dop18Volume = DopVolume<18>;
using Dop26Volume = DopVolume<26>;

extern template struct DopVolume<18>;
extern template struct DopVolume<26>;

}  // namespace graze::rigid
