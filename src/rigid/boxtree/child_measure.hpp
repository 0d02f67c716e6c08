// Cost model of the boxtree builder: M = (x + s)(y + s)(z + s), the volume of the Minkowski sum of a box with a
// cube of size s, which is proportional to the probability that another box of that size overlaps it (BOXTREE,
// section 4.1; s is a share of the longest side). Unlike the volume, M distinguishes flat boxes. M is linear in
// each side, so a slab that a child cuts off its parent's box reduces M by the slab's width times a slope. Constant
// cost.
#pragma once

#include <algorithm>
#include <limits>

#include "rigid/boxtree/box_rows.hpp"
#include "rigid/boxtree/polygon_set.hpp"

namespace graze::rigid {

/// M of the children of a box, in floats without an error bound: M only selects splits.
class ChildMeasure {
 public:
  /// Size of the other box, as a share of the longest side. Values from 0.1 to 0.4 hardly change query times.
  static constexpr float kOther = 0.25F;

  explicit ChildMeasure(const NodeBox& box) {
    const auto x = static_cast<float>(box.hi[0] - box.lo[0]);
    const auto y = static_cast<float>(box.hi[1] - box.lo[1]);
    const auto z = static_cast<float>(box.hi[2] - box.lo[2]);
    const float s = kOther * std::max({x, y, z, std::numeric_limits<float>::min()});
    // In units of s nothing underflows, however small the box is.
    const float unit = 1.0F / s;
    const float a = x * unit + 1.0F;
    const float b = y * unit + 1.0F;
    const float c = z * unit + 1.0F;
    whole_ = a * b * c;
    slope_ = Row4(b * c * unit, a * c * unit, a * b * unit, 0.0F);
    lo_ = Row4(static_cast<float>(box.lo[0]), static_cast<float>(box.lo[1]), static_cast<float>(box.lo[2]), 0.0F);
    minus_hi_ =
        Row4(static_cast<float>(-box.hi[0]), static_cast<float>(-box.hi[1]), static_cast<float>(-box.hi[2]), 0.0F);
  }

  /// M of the child whose polygons have these bounds, after its best cut.
  [[nodiscard]] float operator()(const RowBox& tight) const {
    const Row4 gains = max(below(tight), above(tight));
    return whole_ - std::max(std::max(gains[0], gains[1]), gains[2]);
  }
  /// The side of the best cut: axis, + 4 if the slab is cut off at the lower end.
  [[nodiscard]] unsigned best_side(const RowBox& tight) const {
    const Row4 gain_below = below(tight);
    const Row4 gain_above = above(tight);
    unsigned side = 0;
    float best = -1.0F;
    for (unsigned k = 0; k < 3; ++k) {
      if (gain_above[k] > best) {
        best = gain_above[k];
        side = k;
      }
      if (gain_below[k] > best) {
        best = gain_below[k];
        side = k + 4;
      }
    }
    return side;
  }

 private:
  [[nodiscard]] Row4 below(const RowBox& tight) const { return (tight.lo - lo_) * slope_; }
  [[nodiscard]] Row4 above(const RowBox& tight) const { return (tight.minus_hi - minus_hi_) * slope_; }

  Row4 lo_;
  Row4 minus_hi_;
  Row4 slope_;
  float whole_;
};

}  // namespace graze::rigid
