// Exact sets and their distances (rigid/shapes_oracle.hpp).
//
// If two hulls are disjoint, their closest points lie in faces, and the distance is that of a point of one and a
// triangle of the other, or of two segments, with corners among the given points. So let x be the shortest of all
// such differences. If x separates the hulls (x . a > x . b for all points), they are disjoint and x is their
// distance; if it does not, they are not disjoint.
#include "rigid/shapes_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "oracle/discrete.hpp"

namespace graze::testing {

namespace {

using oracle::dot;
using oracle::IntegerVec;
using oracle::to_rational;

using RationalVec = std::array<Rational, 3>;

RationalVec exact(const Vec3& x) {
  return {to_rational(x.x), to_rational(x.y), to_rational(x.z)};
}
RationalVec minus(const RationalVec& a, const RationalVec& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Rational inner(const RationalVec& a, const RationalVec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
RationalVec outer(const RationalVec& a, const RationalVec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Fractions above and below the root of a square, 2^-200 apart in relative terms.
Rational root_above(const Rational& square) {
  if (square == 0) return 0;
  using boost::multiprecision::cpp_int;
  const cpp_int num = numerator(square);
  const cpp_int den = denominator(square);
  // sqrt(num / den) = sqrt(num den) / den.
  const unsigned shift = 400;
  const cpp_int root = sqrt(cpp_int((num * den) << shift)) + 1;
  return Rational(root, den << (shift / 2));
}

Rational hull_distance2(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  std::vector<Vec3> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const oracle::ScaledPoints scaled = oracle::scale_to_integers(all);
  const std::span in_a(scaled.points.data(), a.size());
  const std::span in_b(scaled.points.data() + a.size(), b.size());
  std::optional<oracle::Separation> best;
  const auto offer = [&](FeatureKind kind, const std::array<IntegerVec, 4>& points, bool swapped) {
    oracle::Separation found = oracle::separation(kind, points);
    if (swapped) {
      for (auto& c : found.direction) c = -c;
    }
    if (!best || compare(found.distance2, best->distance2) < 0) best = found;
  };
  // Triples with repeated indices are segments and points: hulls may have fewer than three points.
  const auto points_and_faces = [&](std::span<const IntegerVec> one, std::span<const IntegerVec> other,
                                    bool swapped) {
    const std::size_t n = other.size();
    for (const IntegerVec& p : one) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = n < 3 ? i : i + 1; j < n; ++j) {
          for (std::size_t k = n < 3 ? j : j + 1; k < n; ++k)
            offer(FeatureKind::VertexFace, {p, other[i], other[j], other[k]}, swapped);
        }
      }
    }
  };
  points_and_faces(in_a, in_b, false);
  points_and_faces(in_b, in_a, true);
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    for (std::size_t j = i + 1; j < in_a.size(); ++j) {
      for (std::size_t k = 0; k < in_b.size(); ++k) {
        for (std::size_t l = k + 1; l < in_b.size(); ++l)
          offer(FeatureKind::EdgeEdge, {in_a[i], in_a[j], in_b[k], in_b[l]}, false);
      }
    }
  }
  const IntegerVec& x = best->direction;
  oracle::Integer lowest = dot(x, in_a[0]);
  for (const IntegerVec& p : in_a) lowest = std::min(lowest, oracle::Integer(dot(x, p)));
  for (const IntegerVec& p : in_b) {
    if (dot(x, p) >= lowest) return 0;
  }
  oracle::Fraction square = best->distance2;
  square.exponent += 2 * scaled.exponent;
  return to_rational(square);
}

/// The square of the distance along the normal; 0 inside.
Rational plane_distance2(const ExactSet& plane, const std::vector<Vec3>& points) {
  const RationalVec n = exact(plane.axis);
  std::optional<Rational> least;
  for (const Vec3& p : points) {
    const Rational value = inner(n, minus(exact(p), exact(plane.centre))) - to_rational(plane.offset);
    if (!least || value < *least) least = value;
  }
  return *least <= 0 ? Rational(0) : *least * *least / inner(n, n);
}

Rational planes_distance2(const ExactSet& a, const ExactSet& b) {
  const RationalVec m = exact(a.axis);
  const RationalVec n = exact(b.axis);
  const RationalVec across = outer(m, n);
  if (across[0] != 0 || across[1] != 0 || across[2] != 0 || inner(m, n) >= 0) return 0;
  // A boundary point of a, and its value in b.
  const Rational reach = (to_rational(a.offset) + inner(m, exact(a.centre))) / inner(m, m);
  const RationalVec on_a{reach * m[0], reach * m[1], reach * m[2]};
  const Rational value = inner(n, minus(on_a, exact(b.centre))) - to_rational(b.offset);
  return value <= 0 ? Rational(0) : value * value / inner(n, n);
}

}  // namespace

ExactSet exact_set(const PosedShape& placed) {
  const RigidShape& shape = placed.shape;
  ExactSet set;
  set.kind = shape.kind();
  const auto add = [&](const Vec3& x) { set.points.push_back(posed(placed.pose, x)); };
  const auto& r = placed.pose.rotation;
  switch (shape.kind()) {
    case ShapeKind::Box:
      for (unsigned i = 0; i < 8; ++i) {
        const Vec3 h = shape.vector();
        add({(i & 1U) != 0 ? h.x : -h.x, (i & 2U) != 0 ? h.y : -h.y, (i & 4U) != 0 ? h.z : -h.z});
      }
      break;
    case ShapeKind::Sphere:
      set.points = {placed.pose.translation};
      set.radius = shape.radius();
      break;
    case ShapeKind::Capsule:
      add({0, 0, -shape.half_length()});
      add({0, 0, shape.half_length()});
      set.radius = shape.radius();
      break;
    case ShapeKind::Cylinder:
    case ShapeKind::Cone:
      set.centre = placed.pose.translation;
      set.axis = {r[0].z, r[1].z, r[2].z};
      set.half = shape.half_length();
      set.radius = shape.radius();
      break;
    case ShapeKind::HalfSpace: {
      const Vec3 n = shape.vector();
      Pose turn = placed.pose;
      turn.translation = {};
      set.axis = posed(turn, n);  // adding zero does not round
      set.centre = placed.pose.translation;
      set.offset = shape.offset();
      break;
    }
    case ShapeKind::ConvexHull:
      for (const Vec3& x : shape.points()) add(x);
      break;
  }
  return set;
}

ExactSet exact_set(const std::array<Vec3, 3>& triangle) {
  ExactSet set;
  set.points.assign(triangle.begin(), triangle.end());
  return set;
}

bool ExactDistance::at_least(double lo) const {
  if (lo <= 0.0) return true;
  const Rational all = to_rational(lo) + reach;
  return all * all <= square;
}

bool ExactDistance::at_most(double hi) const {
  if (meets()) return hi >= 0.0;
  if (std::isinf(hi)) return true;
  const Rational all = to_rational(hi) + reach;
  return hi > 0.0 && square <= all * all;
}

ExactDistance exact_distance(const ExactSet& a, const ExactSet& b) {
  if (a.plane() && b.plane()) return {planes_distance2(a, b), 0};
  if (a.plane()) return {plane_distance2(a, b.points), to_rational(b.radius)};
  if (b.plane()) return {plane_distance2(b, a.points), to_rational(a.radius)};
  return {hull_distance2(a.points, b.points), to_rational(a.radius) + to_rational(b.radius)};
}

bool contains(const ExactSet& set, const Vec3& y) {
  const RationalVec m = exact(set.axis);
  const RationalVec d = minus(exact(y), exact(set.centre));
  const Rational mm = inner(m, m);
  const Rational along = inner(m, d);
  const RationalVec across = outer(m, d);
  const Rational off2 = inner(across, across);  // (distance from the axis)^2 m^2
  const Rational half = to_rational(set.half);
  const Rational radius = to_rational(set.radius);
  if (along * along > half * half * mm) return false;
  if (set.kind == ShapeKind::Cylinder) return off2 <= radius * radius * mm;
  if (half == 0) return off2 <= radius * radius * mm;
  // distance <= r (h - s) / (2 h) with s = along / |m|, that is 2 h sqrt(off2) <= r (h |m| - along):
  // squared, with |m| = sqrt(mm): 4 h^2 off2 <= r^2 (h^2 mm - 2 h along |m| + along^2).
  const Rational rest = radius * radius * (half * half * mm + along * along) - 4 * half * half * off2;
  const Rational factor = 2 * half * along * radius * radius;  // rest >= factor sqrt(mm)?
  if (factor <= 0) return rest >= 0 || rest * rest <= factor * factor * mm;
  return rest >= 0 && rest * rest >= factor * factor * mm;
}

Rational support_bound(const ExactSet& set, const Vec3& direction) {
  const RationalVec n = exact(direction);
  if (!set.curved()) {
    Rational most = inner(n, exact(set.points.front()));
    for (const Vec3& p : set.points) most = std::max(most, inner(n, exact(p)));
    return most + to_rational(set.radius) * root_above(inner(n, n));
  }
  const RationalVec m = exact(set.axis);
  const Rational mm = inner(m, m);
  const Rational along = inner(n, m);
  const RationalVec across = outer(n, m);
  // half |n . m| / |m| and radius |n x m| / |m|, from above.
  const Rational rise = to_rational(set.half) * root_above(along * along / mm);
  const Rational reach = to_rational(set.radius) * root_above(inner(across, across) / mm);
  const Rational middle = inner(n, exact(set.centre));
  if (set.kind == ShapeKind::Cylinder) return middle + rise + reach;
  // A root from above is at most 2^-190 too large; the lower end of the axis is moved by that.
  const Rational slack = rise / Rational(boost::multiprecision::cpp_int(1) << 190U);
  return along > 0 ? middle + std::max(rise, Rational(reach - rise + 2 * slack))
                   : middle + std::max(Rational(2 * slack - rise), Rational(reach + rise));
}

double distance_bound(const ExactSet& a, const ExactSet& b, const Vec3& n) {
  const Vec3 back{-n.x, -n.y, -n.z};
  const Rational gap = -support_bound(b, back) - support_bound(a, n);
  if (gap <= 0) return -1.0;
  const Rational bound = gap / root_above(inner(exact(n), exact(n)));
  return bound.convert_to<double>() * (1.0 - 0x1p-50);
}

}  // namespace graze::testing
