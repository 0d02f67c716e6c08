// Windows of two moving triangles, compiled by Highway once for each instruction set. See the header.
#include "rigid/moving_triangle_window.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"
#include "rigid/moving_bounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/moving_triangle_window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GRAZE_RIGID_MOVING_TRIANGLE_WINDOW_ONCE
#define GRAZE_RIGID_MOVING_TRIANGLE_WINDOW_ONCE
namespace graze::rigid {

namespace {

using Point = std::array<float, 3>;

/// Both triangles relative to the first vertex of a, scaled to size 1.
struct ScaledPair {
  std::array<std::array<Point, 3>, 2> a;  ///< [end][vertex]
  std::array<std::array<Point, 3>, 2> b;
  std::array<Point, 6> edges;  ///< edges of a, then of b, about halfway, in any scale
  Point axis_a;
  Point axis_b;
  float bend_a;  ///< curvature along a direction d with |d x axis| = 1
  float bend_b;
  float margin;
};

inline Point to_point(double scale, const Vec3& x) {
  return {static_cast<float>(scale * x.x), static_cast<float>(scale * x.y), static_cast<float>(scale * x.z)};
}

}  // namespace

}  // namespace graze::rigid
#endif

HWY_BEFORE_NAMESPACE();
namespace graze::rigid {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "rigid/moving_window.inl.hpp"

/// Factors of the cross products: 0 to 5 are edges, 6 and 7 the normals.
constexpr std::array<std::uint8_t, kSlabDirections> kFirst{0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 3, 6, 6, 6, 7, 7};
constexpr std::array<std::uint8_t, kSlabDirections> kSecond{3, 4, 5, 3, 4, 5, 3, 4, 5, 1, 4, 0, 1, 2, 3, 4};

HWY_INLINE Point product(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

bool narrow_pair(const ScaledPair& pair, Window& window) {
  const RowTag d;
  std::array<Point, 8> factors;
  std::copy(pair.edges.begin(), pair.edges.end(), factors.begin());
  factors[6] = product(factors[0], factors[1]);
  factors[7] = product(factors[3], factors[4]);
  alignas(64) std::array<SlabFrame::Row, 3> first;
  alignas(64) std::array<SlabFrame::Row, 3> second;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t k = 0; k < kSlabDirections; ++k) {
      first[axis][k] = factors[kFirst[k]][axis];
      second[axis][k] = factors[kSecond[k]][axis];
    }
  }
  TimedEnds a;
  TimedEnds b;
  for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
    const auto ux = hn::Load(d, first[0].data() + k);
    const auto uy = hn::Load(d, first[1].data() + k);
    const auto uz = hn::Load(d, first[2].data() + k);
    const auto vx = hn::Load(d, second[0].data() + k);
    const auto vy = hn::Load(d, second[1].data() + k);
    const auto vz = hn::Load(d, second[2].data() + k);
    auto x = hn::Sub(hn::Mul(uy, vz), hn::Mul(uz, vy));
    auto y = hn::Sub(hn::Mul(uz, vx), hn::Mul(ux, vz));
    auto z = hn::Sub(hn::Mul(ux, vy), hn::Mul(uy, vx));
    const auto square = hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
    const auto factor = hn::IfThenElseZero(hn::Gt(square, hn::Set(d, 1e-20F)),
                                           hn::Div(hn::Set(d, 1.0F - 0x1p-20F), hn::Sqrt(square)));
    x = hn::Mul(x, factor);
    y = hn::Mul(y, factor);
    z = hn::Mul(z, factor);
    const auto turn = [&](const Point& n) HWY_ATTR {
      const auto cx = hn::Sub(hn::Mul(y, hn::Set(d, n[2])), hn::Mul(z, hn::Set(d, n[1])));
      const auto cy = hn::Sub(hn::Mul(z, hn::Set(d, n[0])), hn::Mul(x, hn::Set(d, n[2])));
      const auto cz = hn::Sub(hn::Mul(x, hn::Set(d, n[1])), hn::Mul(y, hn::Set(d, n[0])));
      return hn::Add(hn::Sqrt(hn::Add(hn::Add(hn::Mul(cx, cx), hn::Mul(cy, cy)), hn::Mul(cz, cz))),
                     hn::Set(d, 0x1p-20F));  // rounding of d, the axis and their product
    };
    const auto bend = hn::Add(hn::Mul(turn(pair.axis_a), hn::Set(d, pair.bend_a)),
                              hn::Mul(turn(pair.axis_b), hn::Set(d, pair.bend_b)));
    const auto margin = hn::Add(bend, hn::Set(d, pair.margin));
    for (std::size_t end = 0; end < 2; ++end) {
      const auto at = [&](const Point& p) HWY_ATTR {
        return hn::Add(hn::Add(hn::Mul(hn::Set(d, p[0]), x), hn::Mul(hn::Set(d, p[1]), y)),
                       hn::Mul(hn::Set(d, p[2]), z));
      };
      const auto a0 = at(pair.a[end][0]);
      const auto a1 = at(pair.a[end][1]);
      const auto a2 = at(pair.a[end][2]);
      hn::Store(hn::Min(a0, hn::Min(a1, a2)), d, a.lo[end].data() + k);
      hn::Store(hn::Max(a0, hn::Max(a1, a2)), d, a.hi[end].data() + k);
      const auto b0 = at(pair.b[end][0]);
      const auto b1 = at(pair.b[end][1]);
      const auto b2 = at(pair.b[end][2]);
      hn::Store(hn::Sub(hn::Min(b0, hn::Min(b1, b2)), margin), d, b.lo[end].data() + k);
      hn::Store(hn::Add(hn::Max(b0, hn::Max(b1, b2)), margin), d, b.hi[end].data() + k);
    }
  }
  return narrow_window(a, b, window);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::rigid {

HWY_EXPORT(narrow_pair);

bool narrow_triangles(const TimedTriangle& a, const TimedTriangle& b, double duration, TimeWindow<float>& window) {
  ScaledPair pair;
  std::array<std::array<Vec3, 3>, 2> from_a;
  std::array<std::array<Vec3, 3>, 2> to_b;
  double size = 0.0;
  for (std::size_t end = 0; end < 2; ++end) {
    for (std::size_t i = 0; i < 3; ++i) {
      from_a[end][i] = a.at[end][i] - a.at[end][0];
      to_b[end][i] = b.at[end][i] - a.at[end][0];
      size = std::max({size, max_abs(from_a[end][i]), max_abs(to_b[end][i])});
    }
  }
  if (!(size > 0x1p-100)) return false;
  const double scale = std::ldexp(1.0, -std::ilogb(size));
  for (std::size_t end = 0; end < 2; ++end) {
    for (std::size_t i = 0; i < 3; ++i) {
      pair.a[end][i] = to_point(scale, from_a[end][i]);
      pair.b[end][i] = to_point(scale, to_b[end][i]);
    }
  }
  std::size_t next = 0;
  for (const auto* triangle : {&from_a, &to_b}) {
    std::array<Vec3, 3> edges;
    double longest = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      edges[i] = ((*triangle)[0][j] - (*triangle)[0][i]) + ((*triangle)[1][j] - (*triangle)[1][i]);
      longest = std::max(longest, max_abs(edges[i]));
    }
    const double unit = longest > 0x1p-200 ? 1.0 / longest : 0.0;
    for (const Vec3& edge : edges) pair.edges[next++] = to_point(unit, edge);
  }
  const double eighth = duration * duration * (0.125 + 0x1p-20) * scale;
  pair.axis_a = to_point(1.0, a.axis);
  pair.axis_b = to_point(1.0, b.axis);
  pair.bend_a = static_cast<float>(a.acceleration_bound * eighth);
  pair.bend_b = static_cast<float>(b.acceleration_bound * eighth);
  pair.margin = static_cast<float>((kGapMargin + kSpeedMargin * duration * duration) * scale + 0x1p-18);
  return HWY_DYNAMIC_DISPATCH(narrow_pair)(pair, window);
}

}  // namespace graze::rigid
#endif
