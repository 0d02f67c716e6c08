// Narrow phase: distance of a vertex and a face, or of two edges, within an ulp or two of the exact value.
//
// Double-doubles find the closest points; the bounds of closest.hpp then limit the error of the computed distance.
// If that limit is not below about half an ulp (touching features, slivers at close range, magnitudes outside the
// window), exact arithmetic on integers gives the squared distance, whose root is rounded. Cost: O(1).
#include "narrow/distance.hpp"

#include "narrow/closest.hpp"
#include "narrow/exact/exact_closest.hpp"
#include "narrow/require_finite.hpp"

#include <cmath>
#include <cstddef>

namespace graze::narrow {

namespace {

/// A unit vector in the direction of v; zero if v is.
Vec3 exact_unit(const IntVec& v) {
  const Int square = dot(v, v);
  if (square.is_zero()) return {};
  // The components relative to the longest, which is at least a third of the length.
  Int longest = abs(v.x);
  if (abs(v.y) > longest) longest = abs(v.y);
  if (abs(v.z) > longest) longest = abs(v.z);
  const Vec3 w{to_double_ratio(v.x, longest, 0), to_double_ratio(v.y, longest, 0),
               to_double_ratio(v.z, longest, 0)};
  const double length = std::sqrt(w.x * w.x + w.y * w.y + w.z * w.z);
  return {w.x / length, w.y / length, w.z / length};
}

ElementaryDistance exact_distance(PairKind kind, const std::array<Vec3, 4>& points) {
  Lattice lattice;
  lattice.include_all(points);
  IntPoints p;
  for (std::size_t i = 0; i < 4; ++i) {
    p[i] = to_int(lattice, points[i]);
  }
  const ExactClosest closest = exact_closest(kind, p);
  ElementaryDistance result;
  result.distance = to_double_sqrt(closest.num, closest.den, lattice.exponent());
  for (std::size_t i = 0; i < 4; ++i) {
    result.weights[i] = to_double_ratio(closest.weights[i], closest.weight_den, 0);
  }
  result.normal = exact_unit(closest.direction);
  return result;
}

template <class Kind>
ElementaryDistance distance(PairKind kind, const std::array<Vec3, 4>& points) {
  const double extent = extent_of(points);
  if (in_window(extent)) {
    const Relative<DoubleDouble> q = relative_to_first<DoubleDouble>(points);
    const Closest<DoubleDouble> c = Kind::closest(q);
    const DoubleDouble gap = Kind::gap(c.x, q);
    // Requires upper - lower = (x2 - gap) / |x| + 2 error <= 2^-53 |x|, multiplied by |x|.
    const double error = 2.0 * kError<DoubleDouble> * extent;
    if (c.x2.hi > kNoDirection && to_double(c.x2 - gap) + error * std::sqrt(c.x2.hi) <= 0x1p-53 * c.x2.hi) {
      ElementaryDistance result;
      result.distance = std::sqrt(c.x2.hi);
      for (std::size_t i = 0; i < 4; ++i) {
        result.weights[i] = c.weights[i].hi;
      }
      result.normal = {c.x.x.hi / result.distance, c.x.y.hi / result.distance, c.x.z.hi / result.distance};
      return result;
    }
  }
  return exact_distance(kind, points);
}

}  // namespace

ElementaryDistance distance_vertex_face_unchecked(const std::array<Vec3, 4>& points) {
  return distance<VertexFace>(PairKind::VertexFace, points);
}

ElementaryDistance distance_edge_edge_unchecked(const std::array<Vec3, 4>& points) {
  return distance<EdgeEdge>(PairKind::EdgeEdge, points);
}

}  // namespace graze::narrow

namespace graze {

ElementaryDistance distance_vertex_face(const std::array<Vec3, 4>& points) {
  narrow::require_finite("distance_vertex_face", points);
  return narrow::distance_vertex_face_unchecked(points);
}

ElementaryDistance distance_edge_edge(const std::array<Vec3, 4>& points) {
  narrow::require_finite("distance_edge_edge", points);
  return narrow::distance_edge_edge_unchecked(points);
}

}  // namespace graze
