// k-DOPs of 18 and 26 planes, and their test by the plane directions of a, to which the DOPs of b are aligned on
// the way (dynamically aligned DOP trees, BOXTREE's reference [21]): each plane of the aligned DOP is a sum of
// three planes of b's, the same three for all nodes, found once a query.
//
// Why that holds b: as a sees it (rigid/axis_view.hpp) a point w of b lies along the direction d of a at
// d.offset + v.w, v = M^T d, within the margins. If v = sum of weights x plane directions n of b, all weights >= 0,
// then v.w <= sum of weights x planes. Let v have magnitudes x >= y >= z and e, f, g be the signed axes in that
// order. 26 planes: v = (x - y) e + (y - z)(e + f) + z (e + f + g). 18 planes: v = (x - y - z) e + y (e + f) +
// z (e + g) if x >= y + z, else half of (x + y - z)(e + f) + (x + z - y)(e + g) + (y + z - x)(f + g). These are the
// planes about the corner of a regular DOP that is farthest along v. Weights x length are x + y + z in sum:
// rounding is that of a box's projection, which the view's margins cover.
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

/// How far b's aligned DOP reaches along one direction and against it.
struct DopSlab {
  std::array<float, 3> weight{};
  std::array<std::uint8_t, 3> plane{};  ///< along; the plane against is the number with its last bit changed
  float offset = 0.0F;                  ///< along, margin included
  float offset_against = 0.0F;
};

/// Of 9 or 13 directions.
void align_dops(const AxisView& view, std::span<DopSlab> slabs);

template <std::size_t Planes>
struct DopVolume {
  static_assert(Planes == 18 || Planes == 26);
  /// At 2 i how far it reaches along direction i, at 2 i + 1 how far against it.
  std::array<float, Planes> reach;

  static DopVolume fit(std::span<const Corners> triangles);
  [[nodiscard]] bool holds(const Point& u) const;

  template <class Real>
  class Test {
   public:
    using PlacedA = const DopVolume*;
    struct PlacedB {
      std::array<Real, Planes> reach;
    };

    Test(const Placement& placement, double steps_a, double /*steps_b*/) {
      const AxisView view = view_of_a(placement, steps_a);
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
    [[nodiscard]] bool apart(const PlacedA& a, const PlacedB& b) const {
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
