// Narrow phase, exact arithmetic: closest points in integers. See exact_closest.hpp.
//
// If the planes or lines of the features have unique closest points that lie inside both features, these are the
// answer. Otherwise the squared distance, which is convex, attains its minimum on the boundary: at a side of the
// face, or at an end of one of the edges. Both cases reduce to point against segment, compared as fractions. The
// result is of degree 6 over degree 4 in the coordinates. Cost: a few microseconds for doubles of similar
// magnitudes.
#include "narrow/exact/exact_closest.hpp"

#include <cstddef>
#include <utility>

namespace graze::narrow {

namespace {

/// Point p against segment a-b: the closest point is a + (s / s_den)(b - a), the squared distance num / den, and
/// `direction` is den times (p - closest point).
struct PointSegment {
  Int s;
  Int s_den;
  Int num;
  Int den;
  IntVec direction;
};

PointSegment point_segment(const IntVec& p, const IntVec& a, const IntVec& b) {
  const IntVec d = b - a;
  const IntVec w = p - a;
  const Int along = dot(w, d);
  const Int whole = dot(d, d);
  if (along.sign() <= 0) {  // a zero-length segment takes this branch too
    return {Int(0), Int(1), dot(w, w), Int(1), w};
  }
  if (along >= whole) {
    const IntVec v = p - b;
    return {Int(1), Int(1), dot(v, v), Int(1), v};
  }
  return {along, whole, dot(w, w) * whole - along * along, whole, whole * w - along * d};
}

bool nearer(const PointSegment& x, const PointSegment& y) {
  return x.num * y.den < y.num * x.den;
}

IntVec oriented(const IntVec& n, const Int& along) {
  if (along.sign() == 0) {
    return {};
  }
  return along.sign() > 0 ? n : Int(-1) * n;
}

ExactClosest vertex_face(const IntPoints& p) {
  const auto& [v, f0, f1, f2] = p;
  const IntVec e1 = f1 - f0;
  const IntVec e2 = f2 - f0;
  const IntVec w = v - f0;
  const IntVec n = cross(e1, e2);
  const Int nn = dot(n, n);
  if (nn.sign() > 0) {
    const Int w1 = dot(n, cross(w, e2));
    const Int w2 = dot(n, cross(e1, w));
    const Int w0 = nn - w1 - w2;
    if (w0.sign() >= 0 && w1.sign() >= 0 && w2.sign() >= 0) {
      const Int along = dot(n, w);
      return {along * along, nn, {nn, w0, w1, w2}, nn, oriented(n, along)};
    }
  }
  std::size_t side = 0;
  PointSegment best = point_segment(v, f0, f1);
  for (std::size_t i = 1; i < 3; ++i) {
    PointSegment other = point_segment(v, p[i + 1], p[(i + 1) % 3 + 1]);
    if (nearer(other, best)) {
      best = std::move(other);
      side = i;
    }
  }
  ExactClosest result{best.num, best.den, {}, best.s_den, best.direction};
  result.weights[0] = best.s_den;
  result.weights[side + 1] = best.s_den - best.s;
  result.weights[(side + 1) % 3 + 1] = best.s;
  return result;
}

ExactClosest edge_edge(const IntPoints& p) {
  const auto& [a0, a1, b0, b1] = p;
  const IntVec d1 = a1 - a0;
  const IntVec d2 = b1 - b0;
  const IntVec w = b0 - a0;
  const IntVec n = cross(d1, d2);
  const Int nn = dot(n, n);
  if (nn.sign() > 0) {
    const Int s = dot(n, cross(w, d2));
    const Int t = dot(n, cross(w, d1));
    if (s.sign() >= 0 && s <= nn && t.sign() >= 0 && t <= nn) {
      const Int along = -dot(n, w);
      return {along * along, nn, {nn - s, s, nn - t, t}, nn, oriented(n, along)};
    }
  }
  // Test the ends of edge a against b, then the ends of b against a.
  ExactClosest result;
  bool have = false;
  PointSegment best;
  for (std::size_t i = 0; i < 4; ++i) {
    const bool end_of_a = i < 2;
    PointSegment other = end_of_a ? point_segment(p[i], b0, b1) : point_segment(p[i], a0, a1);
    if (have && !nearer(other, best)) {
      continue;
    }
    have = true;
    best = std::move(other);
    const std::size_t near = end_of_a ? 2 : 0;
    result.weights = {};
    result.weights[i] = best.s_den;
    result.weights[near] = best.s_den - best.s;
    result.weights[near + 1] = best.s;
    result.direction = end_of_a ? best.direction : Int(-1) * best.direction;
  }
  result.num = best.num;
  result.den = best.den;
  result.weight_den = best.s_den;
  return result;
}

}  // namespace

ExactClosest exact_closest(PairKind kind, const IntPoints& points) {
  return kind == PairKind::VertexFace ? vertex_face(points) : edge_edge(points);
}

Int exact_gap(PairKind kind, const IntVec& n, const IntPoints& points) {
  const Int d0 = dot(n, points[0]);
  const Int d1 = dot(n, points[1]);
  const Int d2 = dot(n, points[2]);
  const Int d3 = dot(n, points[3]);
  if (kind == PairKind::VertexFace) {
    return d0 - std::max(d1, std::max(d2, d3));
  }
  return std::min(d0, d1) - std::max(d2, d3);
}

IntVec exact_normal(PairKind kind, const IntPoints& points) {
  const auto& [p0, p1, p2, p3] = points;
  return kind == PairKind::VertexFace ? cross(p2 - p1, p3 - p1) : cross(p1 - p0, p3 - p2);
}

int exact_side(PairKind kind, const IntPoints& points) {
  const IntVec from_second = kind == PairKind::VertexFace ? points[0] - points[1] : points[0] - points[2];
  return dot(exact_normal(kind, points), from_second).sign();
}

}  // namespace graze::narrow
