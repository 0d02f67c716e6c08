// The beginning of a step: where vertices are a little later, for those who look for the first impact.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "geometry/vec.hpp"

namespace graze::query {

/// The end positions of the part [0, t] of the step, and the gap that makes up for their roundings: (1-t) a + t b
/// errs by at most 2^-53 of each term and of the sum, so by 2^-52 of the largest coordinate, or by the smallest
/// double where products underflow. Both features of a pair err; a volume is inflated by half the gap; a segment
/// not at all, so the other volume's half must cover both: 2^-51. What stands still in the step is where it is.
/// Precondition: t is a power of two, so that 1-t is exact.
inline double truncate_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double t,
                            std::vector<Vec3>& x) {
  double largest = 0.0;
  x.resize(x_t0.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    x[v] = x_t0[v] == x_t1[v] ? x_t0[v] : lerp(x_t0[v], x_t1[v], t);
    largest = std::max({largest, max_abs(x_t0[v]), max_abs(x_t1[v])});
  }
  return 0x1p-49 * largest + 8.0 * std::numeric_limits<double>::denorm_min();
}

}  // namespace graze::query
