// Narrow phase, tier a (filter), scalar twin: runs the operations of pair_kernel.inl.hpp on one pair, on the host
// or on a CUDA device. The SIMD kernel (narrow/kernels/pair_filter.cpp) runs the same operations in the same order,
// so all reject the same pairs.
#pragma once

#include <cmath>
#include <limits>

#include <graze/elementary.hpp>

#include "narrow/kernels/scalar_lanes.hpp"

namespace graze::narrow::scalar {

#define GRAZE_LANES GRAZE_HOST_DEVICE inline
#include "narrow/kernels/pair_kernel.inl.hpp"
#undef GRAZE_LANES

GRAZE_HOST_DEVICE inline Points<double> to_points(const PairStep& pair) {
  Points<double> p;
  for (int i = 0; i < 4; ++i) {
    const Vec3& x_t0 = pair.t0[static_cast<std::size_t>(i)];
    const Vec3& x_t1 = pair.t1[static_cast<std::size_t>(i)];
    p.x[0][i][0] = x_t0.x;
    p.x[0][i][1] = x_t0.y;
    p.x[0][i][2] = x_t0.z;
    p.x[1][i][0] = x_t1.x;
    p.x[1][i][1] = x_t1.y;
    p.x[1][i][2] = x_t1.z;
  }
  return p;
}

}  // namespace graze::narrow::scalar

namespace graze::narrow {

/// The gap that the filter requires along an axis: thickness rounded up so far that a computed difference above it
/// proves an exact difference above thickness (one rounding, relative 2^-53).
inline double filter_gap(double thickness) {
  if (thickness == 0.0) return 0.0;
  return std::nextafter(thickness * (1 + 0x1p-50), std::numeric_limits<double>::infinity());
}

}  // namespace graze::narrow
