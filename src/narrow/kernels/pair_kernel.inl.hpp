// Narrow phase, tier a (filter), the arithmetic: coplanarity cubic and inside quadratics of a moving feature pair
// in Bernstein form, with proved error bounds, and the proofs of no contact that follow from them. Written once
// over "lanes": the scalar twin (narrow/kernels/filter_scalar.hpp) and the SIMD kernel
// (narrow/kernels/pair_filter.cpp) include this file, each inside its own namespace with its own lane type V, mask
// type M and operations add, sub, mul, min, max, abs, gt, both, either, all, splat. Therefore the file has no
// include guard and no namespace.
//
// Notation. Vertex-face v | f0 f1 f2: A = f0-v, B = f1-v, C = f2-v. Edge-edge a0 a1 | b0 b1: A = a1-a0, B = b0-a0,
// C = b1-a0. All are linear in t; suffixes 0 and 1 denote their values at the ends of the step.
//   Coplanarity   F = A.(BxC): cubic; the features can touch only at its roots, the possible times of impact.
//   Inside, VF    W0 = BxC, W1 = CxA, W2 = AxB. Where F = 0 all three are parallel to the normal of the plane, and
//                 v lies in the closed face iff, in a coordinate where they do not all vanish, no two of them have
//                 opposite signs.
//   Inside, EE    O0 = AxB, O1 = AxC, O2 = BxC, O3 = O2-O1+O0: sides of b0, b1 of line a and of a0, a1 of line b.
//                 Where F = 0 the closed edges intersect iff, in a coordinate where the four do not all vanish, O0
//                 and O1 do not have the same strict sign, and neither do O2 and O3.
// A polynomial is positive on [0,1] if its Bernstein coefficients are.
//
// Error bounds. u = 2^-53. A computed difference is the exact one times (1+d), |d| <= u. Let a, b, c be the largest
// absolute computed components of A, B, C at both ends. A sum of m monomials, each after r roundings, has an error
// of at most m((1+u)^r - 1)abc(1-u)^-3 < 1.01 m r u abc:
//   F: c0, c3: m = 6, r = 8 (3 differences, 1 product, 1 subtraction, 1 product, 2 sums)      -> 48.5 u abc
//      3 c1, 3 c2: m = 18, r = 10                                                             -> 182 u abc
//   BxC: c0, c2: m = 2, r = 4                                                                 -> 8.1 u bc
//        2 c1: m = 4, r = 5                                                                   -> 20.2 u bc
//   O3: r + 2, with s = ab+ac+bc in place of bc.
// The constants below add a margin for the roundings of the bound itself. Underflow adds at most 2^-1074 times a
// few per product, far below the margin while a, b, c are in [2^-300, 2^300]; outside that window nothing is
// concluded.

inline constexpr double kU = 0x1p-53;
inline constexpr double kCubicEndError = 52 * kU;
inline constexpr double kCubicMiddleError = 192 * kU;  // error of 3 c1 and 3 c2
inline constexpr double kCrossEndError = 9 * kU;
inline constexpr double kCrossMiddleError = 22 * kU;  // error of 2 c1
inline constexpr double kSumEndError = 14 * kU;       // error of O3
inline constexpr double kSumMiddleError = 32 * kU;    // error of 2 c1 of O3
inline constexpr double kWindowLow = 0x1p-300;
inline constexpr double kWindowHigh = 0x1p300;

/// A vector that moves linearly: its components at both ends of the step.
template <class V>
struct Moving {
  V x[2][3];
};

/// A vector of quadratics: Bernstein coefficients c0, 2 c1, c2 of each component.
template <class V>
struct Quadratic {
  V c0[3], c1[3], c2[3];
};

/// A cubic: Bernstein coefficients c0, 3 c1, 3 c2, c3.
template <class V>
struct Cubic {
  V c0, c1, c2, c3;
};

/// Coordinates of the four points, indexed by [end][point][axis].
template <class V>
struct Points {
  V x[2][4][3];
};

template <class V>
GRAZE_LANES V max3(V a, V b, V c) {
  return max(a, max(b, c));
}
template <class V>
GRAZE_LANES V min3(V a, V b, V c) {
  return min(a, min(b, c));
}

/// Whether the features are separated by more than `gap` along one axis, in the same order at both ends. They are
/// then separated at all times between, because the bounds of linearly moving points are convex and concave in t.
/// `gap` is thickness rounded up, or 0; with 0 the comparison is exact, because a difference of doubles is 0 only
/// if they are equal.
template <class V>
GRAZE_LANES auto separated_on_axis_vf(const Points<V>& p, V gap) {
  auto apart = gt(gap, gap);  // false
  for (int k = 0; k < 3; ++k) {
    const V above_t0 = sub(p.x[0][0][k], max3(p.x[0][1][k], p.x[0][2][k], p.x[0][3][k]));
    const V above_t1 = sub(p.x[1][0][k], max3(p.x[1][1][k], p.x[1][2][k], p.x[1][3][k]));
    const V below_t0 = sub(min3(p.x[0][1][k], p.x[0][2][k], p.x[0][3][k]), p.x[0][0][k]);
    const V below_t1 = sub(min3(p.x[1][1][k], p.x[1][2][k], p.x[1][3][k]), p.x[1][0][k]);
    apart = either(apart, either(gt(min(above_t0, above_t1), gap), gt(min(below_t0, below_t1), gap)));
  }
  return apart;
}

template <class V>
GRAZE_LANES auto separated_on_axis_ee(const Points<V>& p, V gap) {
  auto apart = gt(gap, gap);  // false
  for (int k = 0; k < 3; ++k) {
    const V above_t0 = sub(min(p.x[0][0][k], p.x[0][1][k]), max(p.x[0][2][k], p.x[0][3][k]));
    const V above_t1 = sub(min(p.x[1][0][k], p.x[1][1][k]), max(p.x[1][2][k], p.x[1][3][k]));
    const V below_t0 = sub(min(p.x[0][2][k], p.x[0][3][k]), max(p.x[0][0][k], p.x[0][1][k]));
    const V below_t1 = sub(min(p.x[1][2][k], p.x[1][3][k]), max(p.x[1][0][k], p.x[1][1][k]));
    apart = either(apart, either(gt(min(above_t0, above_t1), gap), gt(min(below_t0, below_t1), gap)));
  }
  return apart;
}

template <class V>
GRAZE_LANES Moving<V> difference(const Points<V>& p, int to, int from) {
  Moving<V> d;
  for (int e = 0; e < 2; ++e) {
    for (int k = 0; k < 3; ++k) d.x[e][k] = sub(p.x[e][to][k], p.x[e][from][k]);
  }
  return d;
}

template <class V>
GRAZE_LANES V magnitude(const Moving<V>& d) {
  const V m0 = max3(abs(d.x[0][0]), abs(d.x[0][1]), abs(d.x[0][2]));
  const V m1 = max3(abs(d.x[1][0]), abs(d.x[1][1]), abs(d.x[1][2]));
  return max(m0, m1);
}

template <class V>
GRAZE_LANES Quadratic<V> cross(const Moving<V>& b, const Moving<V>& c) {
  Quadratic<V> q;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    q.c0[k] = sub(mul(b.x[0][i], c.x[0][j]), mul(b.x[0][j], c.x[0][i]));
    q.c1[k] = add(sub(mul(b.x[0][i], c.x[1][j]), mul(b.x[0][j], c.x[1][i])),
                  sub(mul(b.x[1][i], c.x[0][j]), mul(b.x[1][j], c.x[0][i])));
    q.c2[k] = sub(mul(b.x[1][i], c.x[1][j]), mul(b.x[1][j], c.x[1][i]));
  }
  return q;
}

template <class V>
GRAZE_LANES V dot(const V (&a)[3], const V (&b)[3]) {
  return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));
}

template <class V>
GRAZE_LANES Cubic<V> dot(const Moving<V>& a, const Quadratic<V>& w) {
  return {dot(a.x[0], w.c0), add(dot(a.x[1], w.c0), dot(a.x[0], w.c1)), add(dot(a.x[1], w.c1), dot(a.x[0], w.c2)),
          dot(a.x[1], w.c2)};
}

/// O3 of edge-edge: O2 - O1 + O0.
template <class V>
GRAZE_LANES Quadratic<V> side_sum(const Quadratic<V>& o0, const Quadratic<V>& o1, const Quadratic<V>& o2) {
  Quadratic<V> q;
  for (int k = 0; k < 3; ++k) {
    q.c0[k] = add(sub(o2.c0[k], o1.c0[k]), o0.c0[k]);
    q.c1[k] = add(sub(o2.c1[k], o1.c1[k]), o0.c1[k]);
    q.c2[k] = add(sub(o2.c2[k], o1.c2[k]), o0.c2[k]);
  }
  return q;
}

/// Whether F certainly has no root in [0,1]. False outside the window.
template <class V, class M>
GRAZE_LANES M never_coplanar(const Cubic<V>& f, V scale, M in_window) {
  const V end_error = mul(splat<V>(kCubicEndError), scale);
  const V middle_error = mul(splat<V>(kCubicMiddleError), scale);
  const V zero = splat<V>(0.0);
  const V low_end = min(f.c0, f.c3);
  const V high_end = max(f.c0, f.c3);
  const V low_middle = min(f.c1, f.c2);
  const V high_middle = max(f.c1, f.c2);
  const M positive = both(gt(low_end, end_error), gt(low_middle, middle_error));
  const M negative = both(gt(sub(zero, end_error), high_end), gt(sub(zero, middle_error), high_middle));
  return both(in_window, either(positive, negative));
}

template <class V, class M>
struct Signs {
  M positive[3], negative[3];
};

/// The components of q that are certainly positive, or certainly negative, on all of [0,1].
template <class M, class V>
GRAZE_LANES Signs<V, M> signs(const Quadratic<V>& q, V end_error, V middle_error) {
  Signs<V, M> s;
  const V zero = splat<V>(0.0);
  for (int k = 0; k < 3; ++k) {
    s.positive[k] = both(gt(min(q.c0[k], q.c2[k]), end_error), gt(q.c1[k], middle_error));
    s.negative[k] = both(gt(sub(zero, end_error), max(q.c0[k], q.c2[k])), gt(sub(zero, middle_error), q.c1[k]));
  }
  return s;
}

/// The filter for one vector of pairs: the lanes that certainly never touch. `gap` is defined at
/// separated_on_axis_vf. `thick` restricts the filter to the axis proof, because the other proofs are about
/// touching.
template <class M, class V>
GRAZE_LANES M never_touch_vf(const Points<V>& p, V gap, bool thick) {
  M apart = separated_on_axis_vf(p, gap);
  if (thick || all(apart)) return apart;
  const Moving<V> a = difference(p, 1, 0);
  const Moving<V> b = difference(p, 2, 0);
  const Moving<V> c = difference(p, 3, 0);
  const V ma = magnitude(a);
  const V mb = magnitude(b);
  const V mc = magnitude(c);
  const M in_window = both(gt(min3(ma, mb, mc), splat<V>(kWindowLow)), gt(splat<V>(kWindowHigh), max3(ma, mb, mc)));
  const V bc = mul(mb, mc);
  const Quadratic<V> w0 = cross(b, c);
  apart = either(apart, never_coplanar(dot(a, w0), mul(ma, bc), in_window));
  if (all(apart)) return apart;
  const V ca = mul(mc, ma);
  const V ab = mul(ma, mb);
  const V end = splat<V>(kCrossEndError);
  const V middle = splat<V>(kCrossMiddleError);
  const auto s0 = signs<M>(w0, mul(end, bc), mul(middle, bc));
  const auto s1 = signs<M>(cross(c, a), mul(end, ca), mul(middle, ca));
  const auto s2 = signs<M>(cross(a, b), mul(end, ab), mul(middle, ab));
  for (int k = 0; k < 3; ++k) {
    const M some_positive = either(s0.positive[k], either(s1.positive[k], s2.positive[k]));
    const M some_negative = either(s0.negative[k], either(s1.negative[k], s2.negative[k]));
    apart = either(apart, both(in_window, both(some_positive, some_negative)));
  }
  return apart;
}

template <class M, class V>
GRAZE_LANES M never_touch_ee(const Points<V>& p, V gap, bool thick) {
  M apart = separated_on_axis_ee(p, gap);
  if (thick || all(apart)) return apart;
  const Moving<V> a = difference(p, 1, 0);
  const Moving<V> b = difference(p, 2, 0);
  const Moving<V> c = difference(p, 3, 0);
  const V ma = magnitude(a);
  const V mb = magnitude(b);
  const V mc = magnitude(c);
  const M in_window = both(gt(min3(ma, mb, mc), splat<V>(kWindowLow)), gt(splat<V>(kWindowHigh), max3(ma, mb, mc)));
  const V bc = mul(mb, mc);
  const Quadratic<V> o2 = cross(b, c);
  apart = either(apart, never_coplanar(dot(a, o2), mul(ma, bc), in_window));
  if (all(apart)) return apart;
  const V ab = mul(ma, mb);
  const V ac = mul(ma, mc);
  const V sum = add(add(ab, ac), bc);
  const V end = splat<V>(kCrossEndError);
  const V middle = splat<V>(kCrossMiddleError);
  const Quadratic<V> o0 = cross(a, b);
  const Quadratic<V> o1 = cross(a, c);
  const auto s0 = signs<M>(o0, mul(end, ab), mul(middle, ab));
  const auto s1 = signs<M>(o1, mul(end, ac), mul(middle, ac));
  const auto s2 = signs<M>(o2, mul(end, bc), mul(middle, bc));
  const auto s3 =
      signs<M>(side_sum(o0, o1, o2), mul(splat<V>(kSumEndError), sum), mul(splat<V>(kSumMiddleError), sum));
  for (int k = 0; k < 3; ++k) {
    const M b_on_one_side = either(both(s0.positive[k], s1.positive[k]), both(s0.negative[k], s1.negative[k]));
    const M a_on_one_side = either(both(s2.positive[k], s3.positive[k]), both(s2.negative[k], s3.negative[k]));
    apart = either(apart, both(in_window, either(b_on_one_side, a_on_one_side)));
  }
  return apart;
}
