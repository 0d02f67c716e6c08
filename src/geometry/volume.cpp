// Computes k-DOPs of vertices and triangles, rounded outward. volume.hpp derives the error bounds.
#include "geometry/volume.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/coordinate_map.hpp"
#include "geometry/vec.hpp"

namespace graze::geometry {

namespace {

constexpr std::size_t kGrain = 4096;
constexpr double kLargest = std::numeric_limits<float>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
constexpr double kLargestSum = 0x1p1000;  // a sum of three coordinates up to this size does not overflow
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

/// An upper bound of the exact sum or product whose rounded value is x >= 0.
double above(double x) {
  return x * (1.0 + 0x1p-51) + kTiny;
}

/// Extent of a ball of radius `half` along directions of length 1, sqrt 2 and sqrt 3, rounded up; indexed by the
/// squared length.
std::array<double, 4> inflation_by(double half) {
  if (!(half > 0.0)) return {};
  // Both constants are rounded up from the square roots.
  return {0.0, half, above(half * 0x1.6a09e667f3bcdp+0), above(half * 0x1.bb67ae8584cabp+0)};
}

double half_of(double gap) {
  return gap > 0.0 ? above(0.5 * gap) : 0.0;
}

/// Inflation of a volume of points in each direction.
struct Inflation {
  std::array<double, 3> axes{};       ///< along x, y and z
  std::array<double, 4> by_length{};  ///< along diagonal directions, indexed by squared length

  Inflation() = default;
  explicit Inflation(double half) : axes{half, half, half}, by_length(inflation_by(half)) {}
};

/// Inflation by half the gap plus the displacement bound and the sides of the included reference points.
class ReferenceInflation {
 public:
  explicit ReferenceInflation(double half_gap) : half_gap_(half_gap) {}

  void include(const ReferencePoint& reference) {
    displacement_bound_ = std::max(displacement_bound_, static_cast<double>(reference.displacement_bound));
    for (std::size_t k = 0; k < 3; ++k) sides_[k] = std::max(sides_[k], reference.side(k));
  }
  /// Returns exactly half the gap if all displacement bounds are zero.
  [[nodiscard]] Inflation get() const {
    if (displacement_bound_ == 0.0) return Inflation(half_gap_);
    Inflation inflation;
    for (std::size_t k = 0; k < 3; ++k) inflation.axes[k] = above(above(sides_[k]) + half_gap_);
    // Displacements lie in a ball and in the box of the sides, so the smaller extent of the two counts. The box
    // extends by at most its two longest sides along x+-y, x+-z, y+-z, and by all three along x+-y+-z.
    const std::array<double, 4> ball = inflation_by(displacement_bound_);
    const std::array<double, 4> gap = inflation_by(half_gap_);
    const double all = above(above(sides_[0] + sides_[1]) + above(sides_[2]));
    const double two =
        std::max({above(above(sides_[0]) + above(sides_[1])), above(above(sides_[0]) + above(sides_[2])),
                  above(above(sides_[1]) + above(sides_[2]))});
    inflation.by_length = {0.0, 0.0, above(std::min(ball[2], two) + gap[2]),
                           above(std::min(ball[3], all) + gap[3])};
    return inflation;
  }

 private:
  double half_gap_;
  double displacement_bound_ = 0.0;
  std::array<double, 3> sides_{};
};

/// Projection of a point on direction k: at most two rounded sums. The first nonzero coefficient of a direction is
/// 1.
template <std::size_t k>
double project(const Vec3& p) {
  constexpr auto kDirection = kDopDirections[k];
  const auto add = [](int sign, double sum, double x) { return sign == 0 ? sum : sign > 0 ? sum + x : sum - x; };
  if constexpr (kDirection[0] == 0) return kDirection[1] == 0 ? p.z : add(kDirection[2], p.y, p.z);
  return add(kDirection[2], add(kDirection[1], p.x, p.y), p.z);
}

/// The smallest float >= x. No branch depends on the last bits, which are practically random and would be
/// mispredicted.
float up(double x) {
  if (x > kLargest) return kFloatInfinity;
  if (x < -kLargest) return x == -kInfinity ? -kFloatInfinity : -std::numeric_limits<float>::max();
  // Rounds to nearest. If the result is below x, takes the next float up: the bit pattern plus one for a positive
  // number, minus one for a negative one. A zero below x is +0, because rounding keeps the sign of x.
  const auto nearest = static_cast<float>(x);
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  const std::uint32_t step = static_cast<double>(nearest) < x ? 1U : 0U;
  return std::bit_cast<float>((bits >> 31U) != 0 ? bits - step : bits + step);
}

/// Turns the ends of slabs into floats: rounds outward, or maps.
class ToFloats {
 public:
  explicit ToFloats(const CoordinateMaps* maps) : maps_(maps) {}

  template <std::size_t k, std::size_t K>
  void set(Dop<K>& volume, double lo, double hi) {
    if (maps_ == nullptr) {
      volume.lo[k] = round_down(lo);
      volume.hi[k] = round_up(hi);
      return;
    }
    const CoordinateMap& map = maps_->directions[k];
    volume.lo[k] = map(lo, hints_[k]);
    volume.hi[k] = map(hi, hints_[k]);
  }

 private:
  const CoordinateMaps* maps_;
  CoordinateMaps::Hints hints_{};
};

/// Sets slab k of the volume of points. Precondition: m >= the magnitude of every coordinate.
template <std::size_t k, std::size_t K, std::size_t N>
void set_direction(Dop<K>& volume, const std::array<const Vec3*, N>& points, double m, const Inflation& inflation,
                   ToFloats& floats) {
  constexpr auto kDirection = kDopDirections[k];
  constexpr int kTerms =
      kDirection[0] * kDirection[0] + kDirection[1] * kDirection[1] + kDirection[2] * kDirection[2];
  double lo = project<k>(*points[0]);
  double hi = lo;
  for (std::size_t i = 1; i < N; ++i) {
    const double at = project<k>(*points[i]);
    lo = std::min(lo, at);
    hi = std::max(hi, at);
  }
  double h = 0.0;
  if constexpr (kTerms == 1) {
    h = inflation.axes[k];
  } else {
    h = inflation.by_length[kTerms];
  }
  if (kTerms > 1 || h > 0.0) {
    const double error = 0x1p-49 * m + (0x1p-50 * h + 2.0 * kTiny);
    lo = m <= kLargestSum ? (lo - error) - h : -kInfinity;
    hi = m <= kLargestSum ? (hi + error) + h : kInfinity;
  }
  floats.template set<k>(volume, lo, hi);
}

/// Sets the slabs kFirst + k... of the volume of points.
template <std::size_t kFirst, std::size_t K, std::size_t N, std::size_t... k>
void set_directions(Dop<K>& volume, const std::array<const Vec3*, N>& points, const Inflation& inflation,
                    ToFloats& floats, std::index_sequence<k...> /*directions*/) {
  double m = 0.0;
  for (const Vec3* point : points) m = std::max(m, max_abs(*point));
  (set_direction<kFirst + k>(volume, points, m, inflation, floats), ...);
}

}  // namespace

float round_up(double x) {
  return up(x);
}
float round_down(double x) {
  return -up(-x);
}

template <typename Volume>
void make_vertex_volumes(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double thickness,
                         std::span<Volume> volumes, const CoordinateMaps* maps) {
  GRAZE_ASSERT(x_t0.size() == x_t1.size() && x_t0.size() == volumes.size());
  const Inflation inflation(half_of(thickness));
  parallel_for(0, x_t0.size(), kGrain, [&](std::size_t first, std::size_t last) {
    ToFloats floats(maps);
    for (std::size_t v = first; v < last; ++v) {
      set_directions<0, Volume::kDirections, 2>(volumes[v], {&x_t0[v], &x_t1[v]}, inflation, floats,
                                                std::make_index_sequence<Volume::kDirections>());
    }
  });
}

namespace {

template <typename Volume>
Volume reference_volume_of(const ReferencePoint& reference, double gap, ToFloats& floats) {
  Volume volume;
  ReferenceInflation around(half_of(gap));
  around.include(reference);
  set_directions<0, Volume::kDirections, 1>(volume, {&reference.x}, around.get(), floats,
                                            std::make_index_sequence<Volume::kDirections>());
  return volume;
}

}  // namespace

template <typename Volume>
Volume reference_volume(const ReferencePoint& reference, double gap, const CoordinateMaps* maps) {
  ToFloats floats(maps);
  return reference_volume_of<Volume>(reference, gap, floats);
}

template <typename Volume>
void make_vertex_volumes(std::span<const ReferencePoint> reference_points, double gap, std::span<Volume> volumes,
                         const CoordinateMaps* maps) {
  GRAZE_ASSERT(reference_points.size() == volumes.size());
  parallel_for(0, reference_points.size(), kGrain, [&](std::size_t first, std::size_t last) {
    ToFloats floats(maps);
    for (std::size_t v = first; v < last; ++v) {
      volumes[v] = reference_volume_of<Volume>(reference_points[v], gap, floats);
    }
  });
}

template <typename Volume>
TriangleBounds<Volume>::TriangleBounds(const MotionBounds& at) : at_(at), half_gap_(half_of(at.gap)) {}

template <typename Volume>
Volume TriangleBounds<Volume>::operator()(const Triangle& triangle, const Aabb& box) const {
  Volume volume;
  std::copy(box.lo.begin(), box.lo.end(), volume.lo.begin());
  std::copy(box.hi.begin(), box.hi.end(), volume.hi.begin());
  constexpr auto kDiagonalSlabs = std::make_index_sequence<Volume::kDirections - 3>();
  ToFloats floats(at_.maps);
  if (at_.has_reference_points()) {
    std::array<const Vec3*, 3> points{};
    ReferenceInflation around(half_gap_);
    for (std::size_t k = 0; k < 3; ++k) {
      const ReferencePoint& reference = at_.reference_points[triangle[k]];
      points[k] = &reference.x;
      around.include(reference);
    }
    set_directions<3, Volume::kDirections, 3>(volume, points, around.get(), floats, kDiagonalSlabs);
    return volume;
  }
  std::array<const Vec3*, 6> points{};
  for (std::size_t k = 0; k < 3; ++k) {
    points[k] = &at_.x_t0[triangle[k]];
    points[3 + k] = &at_.x_t1[triangle[k]];
  }
  set_directions<3, Volume::kDirections, 6>(volume, points, Inflation(half_gap_), floats, kDiagonalSlabs);
  return volume;
}

template class TriangleBounds<Dop18>;
template class TriangleBounds<Dop26>;

#define GRAZE_INSTANTIATE(Volume)                                                                            \
  template void make_vertex_volumes(std::span<const Vec3>, std::span<const Vec3>, double, std::span<Volume>, \
                                    const CoordinateMaps*);                                                  \
  template Volume reference_volume(const ReferencePoint&, double, const CoordinateMaps*);                    \
  template void make_vertex_volumes(std::span<const ReferencePoint>, double, std::span<Volume>,              \
                                    const CoordinateMaps*);
GRAZE_INSTANTIATE(Aabb)
GRAZE_INSTANTIATE(Dop18)
GRAZE_INSTANTIATE(Dop26)
#undef GRAZE_INSTANTIATE

}  // namespace graze::geometry
