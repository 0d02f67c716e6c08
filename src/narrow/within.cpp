// Narrow phase, proximity: is the distance of a pair <= d? Exact: a filter with certified bounds in doubles, then
// in double-doubles (counted as the interval tier), then exact arithmetic.
//
// Boxes that are farther apart than d along an axis decide most tests. Ties (distance exactly d, touching with
// d = 0) always need exact arithmetic, which compares the squared distance, a fraction, with d^2. Cost: O(1).
#include "narrow/closest.hpp"
#include "narrow/distance.hpp"
#include "narrow/exact/exact_closest.hpp"
#include "narrow/require_finite.hpp"

#include <algorithm>
#include <cstddef>

namespace graze::narrow {

namespace {

/// Filter: whether the boxes of the features are more than d apart along an axis. Rounding is monotone: if the
/// rounded difference of two doubles exceeds the double d, so does the exact difference.
template <std::size_t kFirst>
bool boxes_beyond(const std::array<Vec3, 4>& p, double d) {
  const auto axis = [&](double Vec3::*c) {
    double a_low = p[0].*c;
    double a_high = a_low;
    double b_low = p[3].*c;
    double b_high = b_low;
    for (std::size_t i = 1; i < 3; ++i) {
      double& low = i < kFirst ? a_low : b_low;
      double& high = i < kFirst ? a_high : b_high;
      low = std::min(low, p[i].*c);
      high = std::max(high, p[i].*c);
    }
    return a_low - b_high > d || b_low - a_high > d;
  };
  return axis(&Vec3::x) || axis(&Vec3::y) || axis(&Vec3::z);
}

enum class Answer { No, Yes, Unknown };

template <class Kind, class T>
Answer bounds_decide(const std::array<Vec3, 4>& points, double d, double extent) {
  const Relative<T> q = relative_to_first<T>(points);
  const Closest<T> c = Kind::closest(q);
  const T error(kError<T> * (extent + d));
  const T length = square_root(c.x2);
  if (to_double(c.x2) > kNoDirection && Kind::gap(c.x, q) > length * (T(d) + error)) {
    return Answer::No;
  }
  // Below kNoDirection underflow may have destroyed the computed length, but the error term is far larger.
  return length + error <= T(d) ? Answer::Yes : Answer::Unknown;
}

bool exact_within(PairKind kind, const std::array<Vec3, 4>& points, double d) {
  Lattice lattice;
  lattice.include_all(points);
  lattice.include(d);
  IntPoints p;
  for (std::size_t i = 0; i < 4; ++i) {
    p[i] = to_int(lattice, points[i]);
  }
  const ExactClosest closest = exact_closest(kind, p);
  const Int bound = lattice(d);
  return closest.num <= bound * bound * closest.den;
}

template <class Kind, std::size_t kFirst>
bool within(PairKind kind, const std::array<Vec3, 4>& points, double d, TierCounts& tiers) {
  if (boxes_beyond<kFirst>(points, d)) {
    ++tiers.filter;
    return false;
  }
  const double extent = extent_of(points);
  // A d far above the extent would make the error bounds useless; a tiny d is harmless.
  if (in_window(extent) && d <= 0x1p80) {
    const Answer quick = bounds_decide<Kind, double>(points, d, extent);
    if (quick != Answer::Unknown) {
      ++tiers.filter;
      return quick == Answer::Yes;
    }
    const Answer fine = bounds_decide<Kind, DoubleDouble>(points, d, extent);
    if (fine != Answer::Unknown) {
      ++tiers.interval;
      return fine == Answer::Yes;
    }
  }
  ++tiers.exact;
  return exact_within(kind, points, d);
}

}  // namespace

bool within_vertex_face_unchecked(const std::array<Vec3, 4>& points, double d, TierCounts& tiers) {
  return within<VertexFace, 1>(PairKind::VertexFace, points, d, tiers);
}

bool within_edge_edge_unchecked(const std::array<Vec3, 4>& points, double d, TierCounts& tiers) {
  return within<EdgeEdge, 2>(PairKind::EdgeEdge, points, d, tiers);
}

}  // namespace graze::narrow

namespace graze {

bool within_vertex_face(const std::array<Vec3, 4>& points, double d, TierCounts* tiers) {
  narrow::require_finite("within_vertex_face", points);
  narrow::require_distance("within_vertex_face", d);
  TierCounts unused;
  return narrow::within_vertex_face_unchecked(points, d, tiers != nullptr ? *tiers : unused);
}

bool within_edge_edge(const std::array<Vec3, 4>& points, double d, TierCounts* tiers) {
  narrow::require_finite("within_edge_edge", points);
  narrow::require_distance("within_edge_edge", d);
  TierCounts unused;
  return narrow::within_edge_edge_unchecked(points, d, tiers != nullptr ? *tiers : unused);
}

}  // namespace graze
