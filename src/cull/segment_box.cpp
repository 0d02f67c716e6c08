// Cross-product axes of a segment and a box, and the proof that they never separate a segment from a box that it
// touches.
//
// For the axis d x e_x, d = p1 - p0, the function  g(q) = d_y (q_z - p_z) - d_z (q_y - p_y),  p = p0, vanishes on
// the whole segment. If g > 0 or g < 0 on the whole box, segment and box are disjoint. Over the box both products
// have their extremes at the ends of their intervals:  A in {d_y (lo_z - p_z), d_y (hi_z - p_z)},  B in {d_z (lo_y
// - p_y), ...},  so min g = min A - max B, max g = max A - min B.
//
// Rounding, u = 2^-53. A computed product A' comes from two subtractions and a product, each with a relative error
// of at most u, and an underflow of the product of at most 2^-1075 (subtractions do not underflow):
//   |A' - A| <= 4 u |A'| + 2^-1074.
// Minima and maxima are exact and change no more than their arguments do. With S = |A1'| + |A2'| + |B1'| + |B2'|,
// the exact min g is at least the computed one less 4 u S + 2^-1073, less u S for the last subtraction. The margin
// is fl(8 u S') + DBL_MIN: S' is a computed sum of four terms, S' >= (1 - 3u) S, so the margin exceeds 5 u S +
// 2^-1073.
//
// Overflow and infinite boxes: an infinite or NaN product makes S' and the margin infinite or NaN, so that both
// comparisons are false and nothing is separated. Exact differences, as where the segment lies in a plane of the
// box, give products of exactly 0, so that grazing contact is never lost and rarely kept in doubt. Cost: O(1).
#include "cull/segment_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace graze::cull {

namespace {

struct Products {
  double min;
  double max;
  double size;  ///< |a| + |b|; propagates NaN and infinity
};

Products products(double d, double lo, double hi) {
  const double a = d * lo;
  const double b = d * hi;
  return {std::min(a, b), std::max(a, b), std::abs(a) + std::abs(b)};
}

/// Returns whether the axis d x e separates; i and j are the other two coordinates.
bool separates(double d_i, double d_j, double lo_i, double hi_i, double lo_j, double hi_j) {
  constexpr double kMargin = 0x1p-50;  // 8 u
  const Products a = products(d_i, lo_j, hi_j);
  const Products b = products(d_j, lo_i, hi_i);
  const double margin = kMargin * (a.size + b.size) + std::numeric_limits<double>::min();
  return (a.min - b.max > margin) | (b.min - a.max > margin);
}

template <typename Box>
bool may_cross(const Vec3& p0, const Vec3& p1, const Box& box) {
  const std::array<double, 3> p{p0.x, p0.y, p0.z};
  const std::array<double, 3> d{p1.x - p0.x, p1.y - p0.y, p1.z - p0.z};
  std::array<double, 3> lo;
  std::array<double, 3> hi;
  for (std::size_t k = 0; k < 3; ++k) {
    lo[k] = double{box.lo[k]} - p[k];
    hi[k] = double{box.hi[k]} - p[k];
  }
  const bool x = separates(d[1], d[2], lo[1], hi[1], lo[2], hi[2]);
  const bool y = separates(d[2], d[0], lo[2], hi[2], lo[0], hi[0]);
  const bool z = separates(d[0], d[1], lo[0], hi[0], lo[1], hi[1]);
  return !(x | y | z);
}

}  // namespace

bool segment_may_cross(const Vec3& p0, const Vec3& p1, const Aabb& box) {
  return may_cross(p0, p1, box);
}

bool segment_may_cross(const Vec3& p0, const Vec3& p1, const DoubleBox& box) {
  return may_cross(p0, p1, box);
}

std::size_t segment_may_overlap(const Vec3& p0, const Vec3& p1, std::span<const Aabb> boxes, std::uint32_t* found) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    found[count] = static_cast<std::uint32_t>(i);
    count += static_cast<std::size_t>(segment_may_overlap(p0, p1, boxes[i]));
  }
  return count;
}

}  // namespace graze::cull
