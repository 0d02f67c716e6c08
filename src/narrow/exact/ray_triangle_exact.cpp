// Exact ray-triangle test in integers on a common lattice. All points are measured from the origin of the ray.
//
//   case                  first t
//   n.d != 0              the line meets the plane in one point; it is in the triangle iff no side has the opposite
//                         sign of n.d (narrow/ray_triangle.cpp): t = a.(b x c) / (n.d)
//   n.d = 0, n != 0,      the line is parallel to the plane and not in it: none
//     a.n != 0
//   else                  the line is in the triangle's plane, or the triangle has no area and is the union of its
//                         sides. The common points are an interval whose ends lie on sides: the least and largest t
//                         over all sides
//   direction zero        a point (segments only): t = 0 if the triangle contains it
// A line and a side p + s e: if w = d x e is not zero, they meet iff p.w = 0, at t = (p x e).w / w.w and
// s = (p x d).w / w.w (from d x (t d) = d x (p + s e) and (t d) x e = p x e). Otherwise the side lies on the line
// iff p x d = 0, and its ends are at t = p.d / d.d.
#include "narrow/exact/ray_triangle_exact.hpp"

#include <cmath>

#include "narrow/edge_face.hpp"
#include "narrow/exact/big_integer.hpp"

namespace graze::narrow {

namespace {

/// num / den with den > 0.
struct Ratio {
  Int num;
  Int den;
};

bool less(const Ratio& a, const Ratio& b) {
  return a.num * b.den < b.num * a.den;
}

bool is_zero(const IntVec& v) {
  return v.x.is_zero() && v.y.is_zero() && v.z.is_zero();
}

/// Whether the ratio is <= a double >= 0, which may be infinite.
bool at_most(const Ratio& t, double most) {
  if (std::isinf(most)) return true;
  const OddDouble odd = to_odd(most);
  const Int bound = Int(odd.mantissa) * t.den;
  return odd.exponent >= 0 ? t.num <= Int(bound << static_cast<unsigned>(odd.exponent))
                           : Int(t.num << static_cast<unsigned>(-odd.exponent)) <= bound;
}

struct Interval {
  std::optional<Ratio> lo;
  std::optional<Ratio> hi;

  void include(const Ratio& t) {
    if (!lo || less(t, *lo)) lo = t;
    if (!hi || less(*hi, t)) hi = t;
  }
};

void include_side(const IntVec& d, const IntVec& p, const IntVec& q, Interval& common) {
  const IntVec e = q - p;
  const IntVec w = cross(d, e);
  if (!is_zero(w)) {
    const Int w2 = dot(w, w);
    const Int s = dot(cross(p, d), w);
    if (dot(p, w).is_zero() && s.sign() >= 0 && s <= w2) common.include({dot(cross(p, e), w), w2});
    return;
  }
  if (!is_zero(cross(p, d))) return;
  const Int d2 = dot(d, d);
  common.include({dot(p, d), d2});
  common.include({dot(q, d), d2});
}

std::optional<Ratio> exact_ratio(const RayLine& line, const std::array<Vec3, 3>& triangle) {
  Lattice lattice;
  lattice.include(line.origin);
  lattice.include(line.end ? *line.end : line.direction);
  lattice.include_all(triangle);
  const IntVec origin = to_int(lattice, line.origin);
  const IntVec d = line.end ? to_int(lattice, *line.end) - origin : to_int(lattice, line.direction);
  const Ratio zero{0, 1};
  if (is_zero(d)) {
    bool exact = false;
    if (edge_intersects_face(line.origin, line.origin, triangle, exact)) return zero;
    return std::nullopt;
  }
  const IntVec a = to_int(lattice, triangle[0]) - origin;
  const IntVec b = to_int(lattice, triangle[1]) - origin;
  const IntVec c = to_int(lattice, triangle[2]) - origin;
  const IntVec bc = cross(b, c);
  const IntVec ca = cross(c, a);
  const IntVec ab = cross(a, b);
  const std::array<Int, 3> sides{dot(d, bc), dot(d, ca), dot(d, ab)};
  const Int across = sides[0] + sides[1] + sides[2];
  const Int height = dot(a, bc);
  if (const int sign = across.sign(); sign != 0) {
    for (const Int& side : sides) {
      if (side.sign() * sign < 0) return std::nullopt;
    }
    const Ratio t{sign > 0 ? height : Int(-height), abs(across)};
    if (t.num.sign() < 0 || !at_most(t, line.max)) return std::nullopt;
    return t;
  }
  if (!height.is_zero()) return std::nullopt;  // a.n is not 0, so n is not either
  Interval common;
  include_side(d, a, b, common);
  include_side(d, b, c, common);
  include_side(d, c, a, common);
  if (!common.lo || common.hi->num.sign() < 0) return std::nullopt;
  const Ratio t = common.lo->num.sign() < 0 ? zero : *common.lo;
  if (!at_most(t, line.max)) return std::nullopt;
  return t;
}

}  // namespace

std::optional<double> exact_crossing(const RayLine& line, const std::array<Vec3, 3>& triangle) {
  const std::optional<Ratio> t = exact_ratio(line, triangle);
  if (!t) return std::nullopt;
  return to_double_ratio(t->num, t->den, 0);
}

int compare_crossings(const RayLine& line, const std::array<Vec3, 3>& one, const std::array<Vec3, 3>& other) {
  const std::optional<Ratio> a = exact_ratio(line, one);
  const std::optional<Ratio> b = exact_ratio(line, other);
  return less(*a, *b) ? -1 : (less(*b, *a) ? 1 : 0);
}

}  // namespace graze::narrow
