// Bounding volumes of swept points, or of points with a displacement bound: k-DOPs in floats, rounded outward. The
// axis-aligned bounding box (Aabb) is the k-DOP with 3 directions.
//
// Directions: x y z | x+-y x+-z y+-z (18-DOP) | x+-y+-z (26-DOP). The slab [lo, hi] of a direction contains the
// exact projection of the doubles. Error bound: let u = 2^-53, m = max |coordinate|, h = the inflation of the
// volume. A projection has two rounded sums of size <= 2m and <= 3m: error <= 5um(1+u)^2. Adding the error bound
// and h rounds twice more: <= 3um + u(3m + h), up to factors 1+O(u). The total is below 16um + 2uh, so err = 2^-49
// m + 2^-50 h suffices, plus the smallest double against underflow of these two products. Axes need no sum: err = 0
// there unless h > 0. Above m = 2^1000 a sum might overflow; the slab is then the whole line. Finally the double is
// rounded outward to float: beyond FLT_MAX to infinity on the outer side and to FLT_MAX on the inner side. With
// coordinate maps (geometry/coordinate_map.hpp) the double is mapped instead: order is kept, distances are not.
// Cost: O(1) per point.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "geometry/motion_bounds.hpp"

namespace graze::geometry {

/// Outward rounding: the smallest float >= x, and the largest float <= x; x is not NaN. round_up(1e300) = inf,
/// round_down(1e300) = FLT_MAX.
float round_up(double x);
float round_down(double x);

/// A k-DOP: one slab along each of K directions, K = 3 (box), 9 (18-DOP) or 13 (26-DOP). The default is empty.
template <std::size_t K>
struct Dop {
  static_assert(K == 3 || K == 9 || K == 13);
  static constexpr std::size_t kDirections = K;
  /// Rows of storage in a tree: one per direction, padded to an even number so that 8 lanes hold two rows.
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

  /// k-DOP overlap test: whether the slabs of all directions overlap.
  [[nodiscard]] bool overlaps(const Dop& other) const {
    // No early exit: which comparison fails is unpredictable, so branches would be mispredicted.
    unsigned apart = 0;
    for (std::size_t k = 0; k < K; ++k) {
      apart |= static_cast<unsigned>(lo[k] > other.hi[k]) | static_cast<unsigned>(other.lo[k] > hi[k]);
    }
    return apart == 0;
  }

  friend bool operator==(const Dop&, const Dop&) = default;
};

/// Axis-aligned bounding box (AABB).
using Aabb = Dop<3>;
using Dop18 = Dop<9>;
using Dop26 = Dop<13>;

/// Coefficients (-1, 0, 1) of the directions in the order of Dop; a Dop<K> uses the first K.
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

/// Computes the volume of each vertex over the step from x_t0 to x_t1; it covers all positions between. Inflates it
/// by half of `thickness` in every unit direction, so the volumes of features within that distance of each other
/// overlap. Parallel; all spans have equal sizes. For a single instant pass the same positions twice. Volumes are
/// in mapped coordinates if there are maps.
template <typename Volume>
void make_vertex_volumes(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double thickness,
                         std::span<Volume> volumes, const CoordinateMaps* maps = nullptr);
template <typename Volume>
void make_vertex_volumes(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double thickness,
                         std::vector<Volume>& volumes) {
  volumes.resize(x_t0.size());
  make_vertex_volumes(x_t0, x_t1, thickness, std::span<Volume>(volumes));
}

/// Computes for each reference point the volume of all positions within its displacement bound and within its
/// sides, inflated by half of `gap`. Parallel; both spans have equal sizes.
template <typename Volume>
void make_vertex_volumes(std::span<const ReferencePoint> reference_points, double gap, std::span<Volume> volumes,
                         const CoordinateMaps* maps = nullptr);
/// The volume of one reference point, as computed by make_vertex_volumes.
template <typename Volume>
Volume reference_volume(const ReferencePoint& reference, double gap, const CoordinateMaps* maps = nullptr);

/// Computes the volume of a triangle for all positions of its vertices, inflated by half of `at.gap`. Takes the
/// axis slabs from the triangle's box, which is mapped if there are maps, and computes the diagonal slabs from the
/// vertices: up to rounding the union of the vertex volumes, without storing them. Around reference points the
/// largest displacement bound and sides of the three vertices apply to all three. Does not own the positions.
template <typename Volume>
class TriangleBounds {
 public:
  explicit TriangleBounds(const MotionBounds& at);
  Volume operator()(const Triangle& triangle, const Aabb& box) const;

 private:
  MotionBounds at_;
  double half_gap_;
};

/// The volume of a triangle: the union of the volumes of its vertices.
template <typename Volume>
Volume triangle_volume(std::span<const Volume> vertices, const Triangle& triangle) {
  Volume volume = vertices[triangle[0]];
  volume.include(vertices[triangle[1]]);
  volume.include(vertices[triangle[2]]);
  return volume;
}

}  // namespace graze::geometry
