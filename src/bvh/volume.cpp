// See volume.hpp, where the error bounds are derived.
#include "bvh/volume.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/vec.hpp"

namespace graze {

namespace {

constexpr std::size_t kGrain = 4096;
constexpr double kLargest = std::numeric_limits<float>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

/// The next float above a finite one.
float next_up(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fffffffU) == 0) return std::numeric_limits<float>::denorm_min();
  return std::bit_cast<float>((bits >> 31U) != 0 ? bits - 1 : bits + 1);
}

/// Half the thickness along the directions of length 1, sqrt 2 and sqrt 3, rounded up; index: squared length.
struct Inflation {
  std::array<double, 4> by{};

  explicit Inflation(double thickness) {
    if (!(thickness > 0.0)) return;
    // Both constants are above the roots. One step up covers the rounding of each product.
    const auto half_of = [&](double length) {
      return std::nextafter(std::nextafter(0.5 * thickness, kInfinity) * length, kInfinity);
    };
    by = {0.0, std::nextafter(0.5 * thickness, kInfinity), half_of(0x1.6a09e667f3bcdp+0),
          half_of(0x1.bb67ae8584cabp+0)};
  }
};

template <std::size_t K>
void include_point(Dop<K>& volume, const Vec3& p, const Inflation& inflation) {
  const double m = max_abs(p);
  for (std::size_t k = 0; k < K; ++k) {
    const auto& direction = kDopDirections[k];
    const int terms = direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2];
    const double h = inflation.by[static_cast<std::size_t>(terms)];
    double value = 0.0;
    if (terms == 1) {
      value = direction[0] != 0 ? p.x : direction[1] != 0 ? p.y : p.z;
      if (h == 0.0) {
        volume.lo[k] = std::min(volume.lo[k], round_down(value));
        volume.hi[k] = std::max(volume.hi[k], round_up(value));
        continue;
      }
    } else {
      // The first nonzero coefficient is 1; adding a zero term is exact.
      const auto signed_term = [](int sign, double x) { return sign == 0 ? 0.0 : sign > 0 ? x : -x; };
      value = signed_term(direction[0], p.x) + signed_term(direction[1], p.y) + signed_term(direction[2], p.z);
    }
    if (!(m <= 0x1p1000)) {
      volume.lo[k] = -kFloatInfinity;
      volume.hi[k] = kFloatInfinity;
      continue;
    }
    const double error = 0x1p-49 * m + (0x1p-50 * h + 2.0 * kTiny);
    volume.lo[k] = std::min(volume.lo[k], round_down((value - error) - h));
    volume.hi[k] = std::max(volume.hi[k], round_up((value + error) + h));
  }
}

}  // namespace

float round_up(double x) {
  if (x > kLargest) return kFloatInfinity;
  if (x < -kLargest) return x == -kInfinity ? -kFloatInfinity : -std::numeric_limits<float>::max();
  const auto nearest = static_cast<float>(x);
  return static_cast<double>(nearest) < x ? next_up(nearest) : nearest;
}

float round_down(double x) {
  return -round_up(-x);
}

template <typename Volume>
void make_vertex_volumes(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double thickness,
                         std::vector<Volume>& volumes) {
  GRAZE_ASSERT(x_t0.size() == x_t1.size());
  const Inflation inflation(thickness);
  volumes.resize(x_t0.size());
  parallel_for(0, x_t0.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      Volume volume;
      include_point(volume, x_t0[v], inflation);
      include_point(volume, x_t1[v], inflation);
      volumes[v] = volume;
    }
  });
}

template void make_vertex_volumes(std::span<const Vec3>, std::span<const Vec3>, double, std::vector<Aabb>&);
template void make_vertex_volumes(std::span<const Vec3>, std::span<const Vec3>, double, std::vector<Dop18>&);
template void make_vertex_volumes(std::span<const Vec3>, std::span<const Vec3>, double, std::vector<Dop26>&);

}  // namespace graze
