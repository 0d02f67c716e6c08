// Sphere tree volume: bounding spheres, 16 bytes, and their overlap test: the distance of the centres against the
// sum of the radii. Constant cost.
//
// As a views b (rigid/axis_view.hpp), a point w of b is at offset + M w within the margins m. So if points of two
// spheres touch, |c_a - (offset + M c_b)| <= r_a + |M| r_b + |m|, and |M|^2 is at most the largest sum of
// magnitudes in a row of M^T M, the identity for a rotation. Squares and sums of floats err by at most 2^-20 of
// themselves; that is added to |M|, |m| and, because radii are at most 3.5, to the constant.
#pragma once

#include <array>
#include <span>

#include "rigid/axis_view.hpp"
#include "rigid/placement.hpp"
#include "rigid/trees/operation_count.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::rigid {

struct SphereVolume {
  std::array<float, 3> centre;
  float radius;

  /// A small sphere, not necessarily the smallest: the best of several steps from the centre of the box towards the
  /// farthest point.
  static SphereVolume fit(std::span<const Corners> triangles);
  [[nodiscard]] bool contains(const Point& u) const;

  template <class Real>
  class Test;
};

/// Factor and margin of a view, as the test needs them.
struct SphereScale {
  float growth = 1.0F;  ///< factor of b's radii
  float margin = 0.0F;
};
SphereScale sphere_scale(const LocalView& view);

template <class Real>
class SphereVolume::Test {
 public:
  using PlacedA = const SphereVolume*;
  struct PlacedB {
    std::array<Real, 3> centre;
    Real radius;
  };

  Test(const Placement& placement, double steps_a, double /*steps_b*/)
      : view_(local_view_of_a(placement, steps_a)), scale_(sphere_scale(view_)) {}

  [[nodiscard]] bool beyond() const { return view_.beyond; }
  [[nodiscard]] PlacedA place_a(const SphereVolume& volume) const { return &volume; }
  [[nodiscard]] PlacedB place_b(const SphereVolume& volume) const {
    PlacedB placed;
    for (std::size_t k = 0; k < 3; ++k) {
      placed.centre[k] = Real(view_.offset[k]);
      for (std::size_t i = 0; i < 3; ++i)
        placed.centre[k] = placed.centre[k] + Real(view_.slope[i][k]) * Real(volume.centre[i]);
    }
    placed.radius = Real(scale_.growth) * Real(volume.radius) + Real(scale_.margin);
    return placed;
  }
  [[nodiscard]] bool separated(const PlacedA& a, const PlacedB& b) const {
    const Real x = b.centre[0] - Real(a->centre[0]);
    const Real y = b.centre[1] - Real(a->centre[1]);
    const Real z = b.centre[2] - Real(a->centre[2]);
    const Real reach = b.radius + Real(a->radius);
    return x * x + y * y + z * z > reach * reach;
  }

 private:
  LocalView view_;
  SphereScale scale_;
};

}  // namespace graze::rigid
