// Narrow phase kernels: second stage of triangle_pairs.cpp, for pairs whose signs the error bounds leave open:
// corners in the plane of the other triangle, edges that touch, and coplanar triangles, wherever edges or planes
// are parallel to an axis. That is common where copies and parts are shifted along the axes. triangle_pairs.cpp
// includes this file inside HWY_NAMESPACE after triangle_lanes.inl.hpp. Therefore it has no include guard and no
// namespace.
//
// A determinant is proved to be zero by comparisons alone: four points are coplanar if they have one coordinate in
// common, or if they are at most two points when seen along an axis. With all sides known as negative, zero or
// positive, the pair is decided as by exact arithmetic; the head of narrow/triangle_triangle.cpp has the proof:
//   - A zero corner is given the side that the other two, or the one that is not zero, are not on. Then the test of
//     the first stage applies, with zero in the place of "strictly in order" counting as an intersection.
//   - Six zero sides of triangles with an area: they are separated iff a side of one has all of the other's corners
//     strictly outside, in the projection along the largest component of the normal of a.
// In the projection a determinant is l - r, two products of two differences each. Its error is at most
// (3u + O(u^2)) (|l| + |r|) + 2^-1074, u = 2^-53, below kError (|l| + |r| + kTiny). It is zero if a factor of l and
// a factor of r are. Cost: about 1,500 operations per group of lanes.

/// Whether comparisons prove that t is in the plane of p, q, r: see the head of this file.
template <class D>
HWY_INLINE hn::Mask<D> coplanar_by_comparison(const Points<D>& p, const Points<D>& q, const Points<D>& r,
                                              const Points<D>& t) {
  struct Equal {  // of one coordinate
    hn::Mask<D> pq, pr, qr, pt, qt, rt;
  };
  using Coordinates = const hn::Vec<D>&;
  const auto compare = [](Coordinates a, Coordinates b, Coordinates c, Coordinates d) HWY_ATTR {
    return Equal{hn::Eq(a, b), hn::Eq(a, c), hn::Eq(b, c), hn::Eq(a, d), hn::Eq(b, d), hn::Eq(c, d)};
  };
  const auto all = [](const Equal& e) HWY_ATTR { return hn::And(e.pq, hn::And(e.pr, e.pt)); };
  // When seen along the axis of neither e nor f: two of p, q, r are one point, and t is one of the three or all
  // three are one. Among any three of four points that are at most two, two are equal.
  const auto two_points = [](const Equal& e, const Equal& f) HWY_ATTR {
    const auto pq = hn::And(e.pq, f.pq);
    const auto pr = hn::And(e.pr, f.pr);
    const auto among = hn::Or(pq, hn::Or(pr, hn::And(e.qr, f.qr)));
    const auto with_t = hn::Or(hn::And(e.pt, f.pt), hn::Or(hn::And(e.qt, f.qt), hn::And(e.rt, f.rt)));
    return hn::And(among, hn::Or(with_t, hn::And(pq, pr)));
  };
  const Equal x = compare(p.x, q.x, r.x, t.x);
  const Equal y = compare(p.y, q.y, r.y, t.y);
  const Equal z = compare(p.z, q.z, r.z, t.z);
  return hn::Or(hn::Or(all(x), hn::Or(all(y), all(z))),
                hn::Or(two_points(x, y), hn::Or(two_points(y, z), two_points(z, x))));
}

/// The sides of the corners of one triangle with respect to the plane of another, each negative, zero or positive.
template <class D>
struct KnownSides {
  hn::Mask<D> negative[3];  ///< a zero corner has the side given to it
  hn::Mask<D> known;        ///< all three sides are certain
  hn::Mask<D> all_zero;
  hn::Mask<D> one_side;  ///< all corners are strictly on one side
};
template <class D>
HWY_INLINE KnownSides<D> known_sides(const Corners<D>& plane, const Normal<D>& normal, const Corners<D>& t) {
  const D d;
  hn::Mask<D> zero[3];
  hn::Mask<D> certain[3];
  KnownSides<D> sides;
  for (std::size_t i = 0; i < 3; ++i) {
    const Points<D> from_plane = minus(t.at[i], plane.at[0]);
    const auto s = dot(normal.n, from_plane);
    const auto bound = hn::Mul(hn::Set(d, kError), permanent<D>(normal.size, abs(from_plane)));
    zero[i] = hn::And(coplanar_by_comparison<D>(plane.at[0], plane.at[1], plane.at[2], t.at[i]),
                      hn::Lt(bound, hn::Set(d, kInfinity)));
    sides.negative[i] = hn::Lt(s, hn::Zero(d));
    certain[i] = hn::Or(zero[i], hn::Gt(hn::Abs(s), bound));
  }
  sides.known = hn::And(certain[0], hn::And(certain[1], certain[2]));
  sides.all_zero = hn::And(zero[0], hn::And(zero[1], zero[2]));
  const auto some_zero = hn::Or(zero[0], hn::Or(zero[1], zero[2]));
  const auto& [n0, n1, n2] = sides.negative;
  const auto differ = hn::Or(hn::Xor(n0, n1), hn::Xor(n1, n2));
  sides.one_side = hn::AndNot(hn::Or(some_zero, differ), sides.known);
  // The side of some corner that is not zero, and the opposite one for those that are.
  const auto negative_one =
      hn::Or(hn::AndNot(zero[0], n0), hn::And(zero[0], hn::Or(hn::AndNot(zero[1], n1), hn::And(zero[1], n2))));
  for (std::size_t i = 0; i < 3; ++i) {
    sides.negative[i] = hn::Or(hn::AndNot(zero[i], sides.negative[i]), hn::AndNot(negative_one, zero[i]));
  }
  return sides;
}

/// Points in the plane of a projection.
template <class D>
struct Flat {
  hn::Vec<D> u;
  hn::Vec<D> v;
};
template <class D>
struct FlatCorners {
  Flat<D> at[3];
};

/// Whether a side of t has all of the corners of `other` strictly outside (first), and whether each side certainly
/// has one of them that is not (second). `flip` has the sign of the area of t.
template <class D>
struct FlatSides {
  hn::Mask<D> separated;
  hn::Mask<D> none_separates;
};
template <class D>
HWY_INLINE FlatSides<D> flat_sides(const FlatCorners<D>& t, hn::Vec<D> flip, const FlatCorners<D>& other) {
  const D d;
  const auto zero = hn::Zero(d);
  FlatSides<D> result{hn::MaskFromVec(zero), hn::Eq(zero, zero)};
  for (std::size_t i = 0; i < 3; ++i) {
    const Flat<D>& p = t.at[i];
    const Flat<D>& q = t.at[(i + 1) % 3];
    const auto du = hn::Sub(q.u, p.u);
    const auto dv = hn::Sub(q.v, p.v);
    const auto same_u = hn::Eq(q.u, p.u);
    const auto same_v = hn::Eq(q.v, p.v);
    auto all_outside = hn::Eq(zero, zero);
    auto some_inside = hn::MaskFromVec(zero);
    for (const Flat<D>& r : other.at) {
      const auto left = hn::Mul(du, hn::Sub(r.v, p.v));
      const auto right = hn::Mul(dv, hn::Sub(r.u, p.u));
      const auto side = hn::Xor(hn::Sub(left, right), flip);
      const auto bound =
          hn::Mul(hn::Set(d, kError), hn::Add(hn::Add(hn::Abs(left), hn::Abs(right)), hn::Set(d, kTiny)));
      const auto on_line = hn::And(hn::Or(same_u, hn::Eq(r.v, p.v)), hn::Or(same_v, hn::Eq(r.u, p.u)));
      some_inside = hn::Or(some_inside, hn::Or(on_line, hn::Gt(side, bound)));
      all_outside = hn::And(all_outside, hn::Gt(hn::Neg(bound), side));
    }
    result.separated = hn::Or(result.separated, all_outside);
    result.none_separates = hn::And(result.none_separates, some_inside);
  }
  return result;
}

template <class D>
struct Verdicts {
  hn::Mask<D> separated;
  hn::Mask<D> intersect;
};

/// Triangles with six zero sides; nothing is decided unless both certainly have an area.
template <class D>
HWY_INLINE Verdicts<D> test_coplanar(const Corners<D>& a, const Normal<D>& of_a, const Corners<D>& b,
                                     const Normal<D>& of_b) {
  const D d;
  const Points<D> size = abs(of_a.n);
  const auto along_x = hn::And(hn::Ge(size.x, size.y), hn::Ge(size.x, size.z));
  const auto along_y = hn::Ge(size.y, size.z);  // unless along_x
  const auto choose = [&](const hn::Vec<D>& x, const hn::Vec<D>& y, const hn::Vec<D>& z)
                          HWY_ATTR { return hn::IfThenElse(along_x, x, hn::IfThenElse(along_y, y, z)); };
  const auto project = [&](const Corners<D>& t) HWY_ATTR {
    FlatCorners<D> flat;
    for (std::size_t i = 0; i < 3; ++i) {
      const Points<D>& p = t.at[i];
      flat.at[i] = {choose(p.y, p.z, p.x), choose(p.z, p.x, p.y)};
    }
    return flat;
  };
  const auto area_of = [&](const Normal<D>& normal, hn::Mask<D>& certain) HWY_ATTR {
    const auto area = choose(normal.n.x, normal.n.y, normal.n.z);
    const auto terms = choose(normal.size.x, normal.size.y, normal.size.z);
    certain = hn::Gt(hn::Abs(area), hn::Mul(hn::Set(d, kError), hn::Add(terms, hn::Set(d, kTiny))));
    return hn::And(area, hn::Set(d, -0.0));
  };
  hn::Mask<D> certain_a;
  hn::Mask<D> certain_b;
  const auto flip_a = area_of(of_a, certain_a);
  const auto flip_b = area_of(of_b, certain_b);
  const FlatCorners<D> flat_a = project(a);
  const FlatCorners<D> flat_b = project(b);
  const FlatSides<D> one = flat_sides<D>(flat_a, flip_a, flat_b);
  const FlatSides<D> other = flat_sides<D>(flat_b, flip_b, flat_a);
  const auto certain = hn::And(certain_a, certain_b);
  return {hn::And(certain, hn::Or(one.separated, other.separated)),
          hn::And(certain, hn::And(one.none_separates, other.none_separates))};
}

template <class D>
HWY_INLINE Verdicts<D> test_touching(const Corners<D>& a, const Corners<D>& b) {
  const D d;
  const Normal<D> normal_a = cross(minus(a.at[1], a.at[0]), minus(a.at[2], a.at[0]));
  const Normal<D> normal_b = cross(minus(b.at[1], b.at[0]), minus(b.at[2], b.at[0]));
  const KnownSides<D> of_b = known_sides(a, normal_a, b);
  const KnownSides<D> of_a = known_sides(b, normal_b, a);
  const auto apart = hn::Or(of_a.one_side, of_b.one_side);
  const auto none = hn::MaskFromVec(hn::Zero(d));
  Verdicts<D> verdicts{apart, none};

  const auto coplanar = hn::And(of_a.all_zero, of_b.all_zero);
  if (!hn::AllFalse(d, coplanar)) {
    const Verdicts<D> flat = test_coplanar(a, normal_a, b, normal_b);
    verdicts.separated = hn::Or(verdicts.separated, hn::And(coplanar, flat.separated));
    verdicts.intersect = hn::And(coplanar, flat.intersect);
  }
  const auto in_line =
      hn::AndNot(hn::Or(apart, hn::Or(of_a.all_zero, of_b.all_zero)), hn::And(of_a.known, of_b.known));
  if (hn::AllFalse(d, in_line)) return verdicts;
  const LineOrder<D> order = order_on_line<D>(lone_corner(a, of_a.negative), lone_corner(b, of_b.negative));
  const auto zero_one = coplanar_by_comparison<D>(order.p, order.u_one, order.o, order.v_one);
  const auto zero_two = coplanar_by_comparison<D>(order.p, order.u_two, order.o, order.v_two);
  const auto hold = hn::And(hn::Or(zero_one, order.one_holds), hn::Or(zero_two, order.two_holds));
  const auto fail = hn::Or(order.one_fails, order.two_fails);
  verdicts.separated = hn::Or(verdicts.separated, hn::And(in_line, fail));
  verdicts.intersect = hn::Or(verdicts.intersect, hn::And(in_line, hold));
  return verdicts;
}
