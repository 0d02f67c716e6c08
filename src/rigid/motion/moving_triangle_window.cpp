// Windows of two moving triangles, compiled by Highway once for each instruction set. See the header.
#include "rigid/motion/moving_triangle_window.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"
#include "rigid/motion/moving_bounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/motion/moving_triangle_window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GRAZE_RIGID_MOVING_TRIANGLE_WINDOW_ONCE
#define GRAZE_RIGID_MOVING_TRIANGLE_WINDOW_ONCE
namespace graze::rigid {

namespace {

inline FloatPoint to_point(double scale, const Vec3& x) {
  return {static_cast<float>(scale * x.x), static_cast<float>(scale * x.y), static_cast<float>(scale * x.z)};
}

}  // namespace

}  // namespace graze::rigid
#endif

HWY_BEFORE_NAMESPACE();
namespace graze::rigid {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "rigid/motion/moving_triangle_window.inl.hpp"

bool narrow_one(const ScaledPair& pair, Window& window) {
  return narrow_pair(pair, window);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::rigid {

HWY_EXPORT(narrow_one);

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
  return HWY_DYNAMIC_DISPATCH(narrow_one)(pair, window);
}

}  // namespace graze::rigid
#endif
