// OBB tree volume: oriented bounding boxes, 60 bytes, and the separating axis test of two of them along all 15
// directions (BOXTREE's reference [11]). Constant cost.
//
// Box: |axis_i . (u - centre)| <= half_i, and also u - centre = sum of x_i axis_i with |x_i| <= half_i. Half
// extents are large enough for both, because float axes are orthonormal only within 2e-7. As a views b
// (rigid/axis_view.hpp), in the coordinates y_i = axis_i . (u - centre) of a's box, b's box is T + C x + e, where T
// = A (offset + M c_b - c_a), C = (A M B^T) / scale is nearly orthonormal, |x_j| <= h_j = scale half_j, and |e_i|
// <= mu. Let |M^T M / scale^2 - 1| <= d and eps = d + 4e-6 (4e-6: float axes and rounding of C), so that C is an
// orthonormal matrix + E with |E| <= eps. With mu = 1.5 sum of margins + 2e-5 scale and extra = 1.74 (1 + eps) mu +
// 24 eps scale, the boxes are separated
//   along an axis of a, if  |T_i| > ha_i + sum of |C_ij| h_j + mu
//   along an axis of b, if  |C_j . T| > sum of |C_ij| ha_i + h_j + extra, because C^T C is 1 within 3 eps
//   along L = e_i x C_j, if  |L . T| > sum of |L_k| ha_k + |C_ij'| h_j" + |C_ij"| h_j' + extra, with j' and j" the
//                            other two: C_j x C_j' is the third column within 4 eps
// because sums of |L_i| are at most 1.74 (1 + eps) and sums of h at most 5.3 scale. This needs eps <= 1.1;
// otherwise nothing is separated. Rounding of T and of the sums is below 32 2^-24 of their terms, which the margins
// contain.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "rigid/axis_view.hpp"
#include "rigid/placement.hpp"
#include "rigid/trees/operation_count.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::rigid {

struct ObbVolume {
  std::array<float, 3> centre;
  std::array<float, 3> half;
  std::array<std::array<float, 3>, 3> axes;  ///< one row each

  /// The best of several orientations: the eigenvectors of the covariance of the surface, the axes of the tree, and
  /// for a single triangle its longest edge and normal.
  static ObbVolume fit(std::span<const Corners> triangles);
  [[nodiscard]] bool contains(const Point& u) const;

  template <class Real>
  class Test;
};

/// Rotation, scale and margins of a view, as the test needs them.
struct ObbTurn {
  std::array<std::array<float, 3>, 3> turn{};  ///< [axis of a's tree][axis of b's tree]: M / scale
  float scale = 1.0F;
  float mu = 0.0F;
  float extra = 0.0F;
};
ObbTurn obb_turn(const LocalView& view);

template <class Real>
class ObbVolume::Test {
 public:
  using PlacedA = const ObbVolume*;
  using Vector = std::array<Real, 3>;
  /// A box of b in the coordinates of a's tree.
  struct PlacedB {
    Vector centre;
    std::array<Vector, 3> axes;  ///< one row each
    Vector half;
  };

  Test(const Placement& placement, double steps_a, double /*steps_b*/)
      : view_(local_view_of_a(placement, steps_a)), turn_(obb_turn(view_)) {}

  [[nodiscard]] bool beyond() const { return view_.beyond; }
  [[nodiscard]] PlacedA place_a(const ObbVolume& volume) const { return &volume; }
  [[nodiscard]] PlacedB place_b(const ObbVolume& volume) const {
    PlacedB placed;
    for (std::size_t k = 0; k < 3; ++k) {
      Real middle(view_.offset[k]);
      for (std::size_t i = 0; i < 3; ++i) middle = middle + Real(view_.slope[i][k]) * Real(volume.centre[i]);
      placed.centre[k] = middle;
      placed.half[k] = Real(turn_.scale) * Real(volume.half[k]);
      for (std::size_t j = 0; j < 3; ++j) placed.axes[j][k] = dot(reals(turn_.turn[k]), reals(volume.axes[j]));
    }
    return placed;
  }
  [[nodiscard]] bool separated(const PlacedA& a, const PlacedB& b) const {
    const Vector between{b.centre[0] - Real(a->centre[0]), b.centre[1] - Real(a->centre[1]),
                         b.centre[2] - Real(a->centre[2])};
    const Vector half_a = reals(a->half);
    const Real mu(turn_.mu);
    const Real extra(turn_.extra);
    Vector t;
    std::array<Vector, 3> c;     // [axis of a][axis of b]
    std::array<Vector, 3> size;  // magnitudes of c
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector axis = reals(a->axes[i]);
      t[i] = dot(axis, between);
      for (std::size_t j = 0; j < 3; ++j) {
        c[i][j] = dot(axis, b.axes[j]);
        size[i][j] = magnitude(c[i][j]);
      }
      if (magnitude(t[i]) > half_a[i] + dot(size[i], b.half) + mu) return true;
    }
    for (std::size_t j = 0; j < 3; ++j) {
      const Real distance = magnitude(c[0][j] * t[0] + c[1][j] * t[1] + c[2][j] * t[2]);
      const Real reach = size[0][j] * half_a[0] + size[1][j] * half_a[1] + size[2][j] * half_a[2];
      if (distance > reach + b.half[j] + extra) return true;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t i1 = (i + 1) % 3;
      const std::size_t i2 = (i + 2) % 3;
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t j1 = (j + 1) % 3;
        const std::size_t j2 = (j + 2) % 3;
        const Real distance = magnitude(c[i1][j] * t[i2] - c[i2][j] * t[i1]);
        const Real reach_a = half_a[i1] * size[i2][j] + half_a[i2] * size[i1][j];
        const Real reach_b = b.half[j1] * size[i][j2] + b.half[j2] * size[i][j1];
        if (distance > reach_a + reach_b + extra) return true;
      }
    }
    return false;
  }

 private:
  static Vector reals(const std::array<float, 3>& v) { return {Real(v[0]), Real(v[1]), Real(v[2])}; }
  static Real dot(const Vector& v, const Vector& w) { return v[0] * w[0] + v[1] * w[1] + v[2] * w[2]; }

  LocalView view_;
  ObbTurn turn_;
};

}  // namespace graze::rigid
