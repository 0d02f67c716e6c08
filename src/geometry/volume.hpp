// Bounding volumes of swept points, or of balls about points: k-DOPs (the box is the one with 3 directions) in
// floats, rounded outward.
//
// Directions: x y z | x+-y x+-z y+-z (18-DOP) | x+-y+-z (26-DOP). The interval [lo, hi] of a direction holds the
// exact projection of the doubles. Let u = 2^-53, m = max |coordinate|, h = what the volume is inflated by.
// A projection has two rounded sums of size <= 2m and <= 3m: error <= 5um(1+u)^2. Adding the error bound and h
// rounds twice more: <= 3um + u(3m + h), up to factors 1+O(u). All of it is below 16um + 2uh, so err = 2^-49 m +
// 2^-50 h, plus the smallest double against underflow of those products, is enough. Axes need no sum: err = 0 there
// unless h > 0. Above m = 2^1000 a sum might overflow: the interval is then the whole line. Last, the double is
// rounded outward to float; beyond FLT_MAX to infinity on the outer side and to FLT_MAX on the inner. Cost: O(1) a
// point.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "geometry/motion_bounds.hpp"

namespace graze::geometry {

/// The smallest float >= x, and the largest <= x; x is not NaN. round_up(1e300) = inf, round_down(1e300) = FLT_MAX.
float round_up(double x);
float round_down(double x);

/// An interval along each of K directions: 3, 9 (18-DOP) or 13 (26-DOP). Starts empty.
template <std::size_t K>
struct Dop {
  static_assert(K == 3 || K == 9 || K == 13);
  static constexpr std::size_t kDirections = K;
  /// Rows of storage in a tree: directions, padded to an even number so that 8 lanes hold two.
  static constexpr std::size_t kRows = K + 1;

  std::array<float, K> lo;
  std::array<float, K> hi;

  Dop() {
    lo.fill(std::numeric_limits<float>::infinity());
    hi.fill(-std::numeric_limits<float>::infinity());
  }

  Dop(const std::array<float, K>& low, const std::array<float, K>& high) : lo(low), hi(high) {}

  void include(const Dop& other) {
    for (std::size_t k = 0; k < K; ++k) {
      lo[k] = other.lo[k] < lo[k] ? other.lo[k] : lo[k];
      hi[k] = other.hi[k] > hi[k] ? other.hi[k] : hi[k];
    }
  }

  [[nodiscard]] bool overlaps(const Dop& other) const {
    // Without short cuts: which comparison fails is a coin toss that branches would lose.
    unsigned apart = 0;
    for (std::size_t k = 0; k < K; ++k) {
      apart |= static_cast<unsigned>(lo[k] > other.hi[k]) | static_cast<unsigned>(other.lo[k] > hi[k]);
    }
    return apart == 0;
  }

  friend bool operator==(const Dop&, const Dop&) = default;
};

using Aabb = Dop<3>;
using Dop18 = Dop<9>;
using Dop26 = Dop<13>;

/// Coefficients (-1, 0, 1) of the directions, in the order of Dop; the first K are those of a K-direction Dop.
inline constexpr std::array<std::array<int, 3>, 13> kDopDirections{{{1, 0, 0},
                                                                    {0, 1, 0},
                                                                    {0, 0, 1},
                                                                    {1, 1, 0},
                                                                    {1, -1, 0},
                                                                    {1, 0, 1},
                                                                    {1, 0, -1},
                                                                    {0, 1, 1},
                                                                    {0, 1, -1},
                                                                    {1, 1, 1},
                                                                    {1, 1, -1},
                                                                    {1, -1, 1},
                                                                    {1, -1, -1}}};

/// The volume of each vertex over the step from x_t0 to x_t1, so of all its positions between. Inflated by half of
/// `thickness` in every unit direction: features within that distance of each other overlap. In parallel; as many
/// volumes as positions. For one instant pass the same positions twice.
template <typename Volume>
void make_vertex_volumes(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double thickness,
                         std::span<Volume> volumes);
template <typename Volume>
void make_vertex_volumes(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double thickness,
                         std::vector<Volume>& volumes) {
  volumes.resize(x_t0.size());
  make_vertex_volumes(x_t0, x_t1, thickness, std::span<Volume>(volumes));
}

/// The volume of what is within reach of a home and within its sides, inflated by half of `gap`. In parallel; as
/// many volumes as homes.
template <typename Volume>
void make_vertex_volumes(std::span<const ReferencePoint> reference_points, double gap, std::span<Volume> volumes);
/// The same of one.
template <typename Volume>
Volume reference_volume(const ReferencePoint& reference, double gap);

/// The volume of each triangle wherever its vertices may be, inflated by half of `at.gap`; from its box, which the
/// first three directions are, and the points of its vertices: what the union of their volumes is, up to roundings,
/// without keeping those. About homes the largest reach and sides of the three count for all. Points are referred
/// to.
template <typename Volume>
class TriangleBounds {
 public:
  explicit TriangleBounds(const MotionBounds& at);
  Volume operator()(const Triangle& triangle, const Aabb& box) const;

 private:
  MotionBounds at_;
  double half_gap_;
};

/// The volume of a triangle from those of its vertices.
template <typename Volume>
Volume triangle_volume(std::span<const Volume> vertices, const Triangle& triangle) {
  Volume volume = vertices[triangle[0]];
  volume.include(vertices[triangle[1]]);
  volume.include(vertices[triangle[2]]);
  return volume;
}

}  // namespace graze::geometry
