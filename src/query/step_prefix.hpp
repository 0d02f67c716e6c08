// Step prefix [0, t]: its end positions, for the first-impact search (StepPart, query/impact_loop.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "core/parallel_fold.hpp"
#include "geometry/vec.hpp"

namespace graze::query {

/// Writes the end positions of the step prefix [0, t] to `x` and returns the gap that covers their rounding. Each
/// of the terms and the sum of (1-t) a + t b errs by at most 2^-53, so a coordinate errs by 2^-52 of the largest
/// one, or by the smallest double if products underflow. Both features of a pair err. A volume is inflated by half
/// the gap, a segment is not inflated: the other volume's half must cover both errors, 2^-51. Static vertices keep
/// their positions. Precondition: t is a power of two, so that 1-t is exact.
inline double truncate_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double t,
                            std::vector<Vec3>& x) {
  x.resize(x_t0.size());
  const double largest = parallel_fold(
      x.size(), 0.0,
      [&](std::size_t first, std::size_t last) {
        double largest_here = 0.0;
        for (std::size_t v = first; v < last; ++v) {
          x[v] = x_t0[v] == x_t1[v] ? x_t0[v] : lerp(x_t0[v], x_t1[v], t);
          largest_here = std::max({largest_here, max_abs(x_t0[v]), max_abs(x_t1[v])});
        }
        return largest_here;
      },
      [](double a, double b) { return std::max(a, b); });
  return 0x1p-49 * largest + 8.0 * std::numeric_limits<double>::denorm_min();
}

}  // namespace graze::query
