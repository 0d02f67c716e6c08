// Conversion of a placement into the view of one object. See the header.
//
// Let s be the direction of the viewer's axis k. For the viewer, the sum of own[i][s] u[i] equals unit u[k] up to
// |unit - own[k][s]| + sum over i != k of |own[i][s]|, because |u| <= 1. That bound is added to the margin, and
// everything is divided by unit. The placement's margin contains 2^-22 (steps + 8) times its own slopes for the
// rounding of a traversal; if unit is larger than own[k][s], that share is taken of unit.
#include "rigid/axis_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/volume.hpp"

namespace graze::rigid {

namespace {

using Rows = std::array<Placement::Row, 3>;

LocalView view(const Placement& placement, const Rows& own, const Rows& other, std::size_t first, double sign,
               double steps) {
  constexpr double kSmallest = 0x1p-40;
  constexpr auto kLargest = static_cast<double>(std::numeric_limits<float>::max());
  LocalView result;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t s = first + k;
    const auto along = static_cast<double>(own[k][s]);
    const double unit = std::max(along, kSmallest);
    double margin = static_cast<double>(placement.margin[s]) + (unit - along);
    if (unit > along) margin += 0x1p-22 * (steps + 8.0) * unit;
    double size = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (i != k) margin += std::abs(static_cast<double>(own[i][s]));
      const double slope = static_cast<double>(other[i][s]) / unit;
      result.slope[i][k] = static_cast<float>(slope);
      size += std::abs(slope);
    }
    const double offset = sign * static_cast<double>(placement.offset[s]) / unit;
    const double all = 1.001 * margin / unit + 0x1p-22 * (size + std::min(std::abs(offset), kLargest));
    result.margin[k] = std::isnan(all) ? std::numeric_limits<float>::infinity() : round_up(all);
    // The other object's relative coordinates add less than 2^43 to the offset; the viewer's are at most 1.
    // An infinite float stands for a double that may be as small as kLargest.
    const double least = std::isinf(offset) ? kLargest : std::abs(offset);
    result.beyond |= least > 0x1p60 && all < 0.25 * least;
    result.offset[k] =
        std::abs(offset) > kLargest
            ? static_cast<float>(sign) * std::copysign(std::numeric_limits<float>::infinity(), placement.offset[s])
            : static_cast<float>(offset);
  }
  return result;
}

}  // namespace

LocalView local_view_of_a(const Placement& placement, double steps) {
  return view(placement, placement.slope_a, placement.slope_b, 0, 1.0, steps);
}

LocalView local_view_of_b(const Placement& placement, double steps) {
  return view(placement, placement.slope_b, placement.slope_a, 3, -1.0, steps);
}

}  // namespace graze::rigid
