// Narrow phase, tier b, root finding (quick root search): time of impact of a pair whose coplanarity cubic F has
// one or two roots in the step, and the description of the contact. Written over "lanes" like pair_kernel.inl.hpp,
// whose notation and bounds it uses and after which it is included: by the scalar twin
// (narrow/kernels/roots_scalar.hpp) and by narrow/kernels/pair_roots.cpp. A lane's result does not depend on other
// lanes: a lane that has its answer keeps it while the others continue. Branches depend on whole vectors only.
// Cost: about 500 operations.
//
// 1. Roots. Let c0..c3 be the Bernstein coefficients of F, negated if c0 < 0. By Descartes' rule a sequence + .. -
//    with one change of sign means exactly one root, which is simple. One change is certain if the signs of the
//    ends are, and c1 > 0 or c2 < 0. Otherwise F is split into two parts, at its minimum m if both ends are
//    positive, in the middle if it may have three roots. Each part then has no change (no root) or one, or nothing
//    is concluded.
// 2. Newton steps, kept between the ends, guess the root; the signs of F, certainly positive at lo and certainly
//    negative at hi, prove it. The error bounds of F determine how far apart lo and hi are. If that exceeds the
//    tolerance, or the share of lo that narrow/toi_width.hpp allows, the pair can only be proved outside.
// 3. On [lo, hi] the signs of W0 W1 W2 (vertex-face) or O0 O1 O2 O3 (edge-edge) separate inside from outside.
//    Inside at the first root is the first contact; outside at all roots is no contact.
// 4. The description comes from the same products at hi. Vertex-face: N = W0+W1+W2 is the normal of the face,
//    Wi.N / N.N are the barycentric weights. Edge-edge: N = O1-O0 = A x (C-B); O2.N / N.N and -O0.N / N.N are the
//    edge parameters.
//
// Error bounds, u = 2^-53, a b c as in pair_kernel.inl.hpp, abc their product.
//   Coefficients: 52 u abc for the ends. The middle ones have 192/3 u abc and, for the product with a rounded 1/3,
//   2 u times at most 6 abc: 76 u abc; 80 below. All are at most 6.01 abc.
//   De Casteljau: a step (1-t)p + tq passes three roundings per term (1-t, product, sum), so three steps have an
//   error of less than 10 u times 6.01 abc. Together with the error of the coefficients: 141 u abc; 150 below.
//   Products at hi: a component of B(hi) passes four roundings (difference, 1-t, product, sum); a component of BxC
//   has two monomials with 2*4 + 2 roundings each: 20.2 u bc; 24 below. O3 has two more sums: 24.3 u (ab+ac+bc); 28
//   below.
//   On [lo, hi], of width w: B' is at most 2b, so (BxC)' = B'xC + BxC' is at most 8 bc (1 + 6u): 8.01 w below.
// Underflow is far below the margin while a, b, c are in [2^-150, 2^150]; in that window N.N neither vanishes nor
// overflows if the signs are certain. Outside that window nothing is concluded.

inline constexpr double kQuickLow = 0x1p-150;
inline constexpr double kQuickHigh = 0x1p150;
inline constexpr double kCoefficientError = 80 * kU;
inline constexpr double kValueError = 150 * kU;
inline constexpr double kProductError = 24 * kU;
inline constexpr double kProductSumError = 28 * kU;
inline constexpr double kProductSlope = 8.01;
inline constexpr double kNewtonDone = 0x1p-15;  // a Newton step below this is the last
inline constexpr int kNewtonSteps = 10;         // a root not found by then is left to subdivision
inline constexpr double kLeastHalfWidth = 0x1p-34;
inline constexpr double kLeastRelativeHalfWidth =
    kRelativeWidth / 8;  // of the root; a quarter of the width allowed

/// Bernstein coefficients of a cubic on [0,1].
template <class V>
struct Bernstein {
  V c[4];
};

/// De Casteljau's scheme at t: the inner coefficients of the left and right parts, which share the value at t.
template <class V>
struct SplitCubic {
  V left1, left2, value, right1, right2;
};
template <class V>
GRAZE_LANES V mix(V s, V p, V t, V q) {
  return add(mul(s, p), mul(t, q));
}
template <class V>
GRAZE_LANES SplitCubic<V> split_cubic(const Bernstein<V>& g, V t) {
  const V s = sub(splat<V>(1.0), t);
  SplitCubic<V> at;
  at.left1 = mix(s, g.c[0], t, g.c[1]);
  const V middle = mix(s, g.c[1], t, g.c[2]);
  at.right2 = mix(s, g.c[2], t, g.c[3]);
  at.left2 = mix(s, at.left1, t, middle);
  at.right1 = mix(s, middle, t, at.right2);
  at.value = mix(s, at.left2, t, at.right1);
  return at;
}

/// Approximate position of the minimum of g, strictly between 0 and 1.
template <class V>
GRAZE_LANES V least_at(const Bernstein<V>& g) {
  // g'/3 = d0 (1-t)^2 + 2 d1 t(1-t) + d2 t^2 = a t^2 + 2 b t + d0; the minimum is its root with a rising sign.
  const V zero = splat<V>(0.0);
  const V d0 = sub(g.c[1], g.c[0]);
  const V d1 = sub(g.c[2], g.c[1]);
  const V d2 = sub(g.c[3], g.c[2]);
  const V b = sub(d1, d0);
  const V a = sub(sub(d2, d1), b);
  const V root = sqrt(max(zero, sub(mul(b, b), mul(a, d0))));
  const auto bends_up = gt(b, zero);  // the other form of the root then avoids cancellation
  const V t = div(select(bends_up, sub(zero, d0), sub(root, b)), select(bends_up, add(b, root), a));
  return select(both(gt(t, splat<V>(0x1p-40)), gt(splat<V>(1.0 - 0x1p-40), t)), t, splat<V>(0.5));
}

/// A bracket [l, r] of one simple root; g is certainly positive at l and certainly negative at r.
template <class V>
struct Bracket {
  V l, r, at_l, at_r;
};

/// Interval [lo, hi] of a root: proved for the lanes `found`, and as narrow as is_narrow() asks for the lanes
/// `narrow`.
template <class V, class M>
struct RootPlace {
  V lo, hi;
  M found, narrow;
};

/// Narrows the brackets of the lanes `wanted`; `widest` is the largest half width allowed.
template <class M, class V>
GRAZE_LANES RootPlace<V, M> narrow_bracket(const Bernstein<V>& g, const Bracket<V>& from, M wanted, V value_error,
                                           V widest) {
  const V three = splat<V>(3.0);
  const V p1 = mul(three, sub(g.c[1], g.c[0]));
  const V p2 = mul(three, add(sub(g.c[2], add(g.c[1], g.c[1])), g.c[0]));
  const V p3 = add(sub(g.c[3], g.c[0]), mul(three, sub(g.c[1], g.c[2])));
  const V p2_twice = add(p2, p2);
  const V p3_thrice = mul(three, p3);
  const V zero = splat<V>(0.0);
  V l = from.l;
  V r = from.r;
  V x = add(l, mul(sub(r, l), div(from.at_l, sub(from.at_l, from.at_r))));
  V slope = zero;
  V last = zero;
  M done = gt(zero, zero);  // false
  for (int i = 0; i < kNewtonSteps; ++i) {
    const V value = add(mul(add(mul(add(mul(p3, x), p2), x), p1), x), g.c[0]);
    const V derivative = add(mul(add(mul(p3_thrice, x), p2_twice), x), p1);
    const M before = gt(value, zero);
    l = select(before, x, l);
    r = select(before, r, x);
    const V step = div(value, derivative);
    const V newton = sub(x, step);
    const M near = gt(splat<V>(kNewtonDone), abs(step));  // false for NaN
    const M between = both(gt(newton, l), gt(r, newton));
    const V next = select(either(near, between), newton, mul(splat<V>(0.5), add(l, r)));
    x = select(done, x, next);
    slope = select(done, slope, derivative);
    last = select(done, last, step);
    done = either(done, near);
    if (none(without(wanted, done))) break;
  }
  x = min(max(x, from.l), from.r);
  // The half width is large enough that the values exceed three times their errors plus twice the remainder of the
  // last Newton step, F''/2 step^2.
  const V bend = abs(add(mul(p3_thrice, x), p2));
  const V left = add(mul(three, value_error), mul(mul(splat<V>(2.0), bend), mul(last, last)));
  const V needed = div(left, abs(slope));
  const V least = min(splat<V>(kLeastHalfWidth), mul(x, splat<V>(kLeastRelativeHalfWidth)));
  const V half = max(needed, min(widest, least));
  RootPlace<V, M> place;
  place.lo = max(sub(x, half), from.l);
  place.hi = min(add(x, half), from.r);
  const M starts = either(gt(split_cubic(g, place.lo).value, value_error), without(done, gt(place.lo, from.l)));
  const M ends =
      either(gt(sub(zero, value_error), split_cubic(g, place.hi).value), without(done, gt(from.r, place.hi)));
  place.found = both(both(wanted, done), both(starts, ends));
  const M too_wide = gt(sub(place.hi, place.lo), mul(place.lo, splat<V>(kRelativeWidth)));
  place.narrow = without(place.found, either(gt(half, widest), too_wide));
  return place;
}

/// The cross products W0 W1 W2 or O0 O1 O2 at one time.
template <class V>
struct Products {
  V w[3][3];
};

template <class V>
GRAZE_LANES void cross_at(const V (&b)[3], const V (&c)[3], V (&w)[3]) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    w[k] = sub(mul(b[i], c[j]), mul(b[j], c[i]));
  }
}

template <class V>
GRAZE_LANES void mix_at(const Moving<V>& d, V s, V t, V (&x)[3]) {
  for (int k = 0; k < 3; ++k) x[k] = mix(s, d.x[0][k], t, d.x[1][k]);
}

/// A moving pair in the form that vertex-face and edge-edge share.
template <class V>
struct MovingPair {
  Moving<V> a, b, c;
  V ab, ac, bc;  ///< products of the magnitudes of a, b and c
};

template <bool kVertexFace, class V>
GRAZE_LANES Products<V> products_at(const MovingPair<V>& p, V t) {
  const V s = sub(splat<V>(1.0), t);
  V a[3], b[3], c[3];
  mix_at(p.a, s, t, a);
  mix_at(p.b, s, t, b);
  mix_at(p.c, s, t, c);
  Products<V> q;
  if (kVertexFace) {
    cross_at(b, c, q.w[0]);
    cross_at(c, a, q.w[1]);
    cross_at(a, b, q.w[2]);
  } else {
    cross_at(a, b, q.w[0]);
    cross_at(a, c, q.w[1]);
    cross_at(b, c, q.w[2]);
  }
  return q;
}

template <class M>
struct Where {
  M inside, outside;
};

/// Whether the contact point is certainly inside, or certainly outside, at all times within `width` of the time of
/// the products.
template <bool kVertexFace, class M, class V>
GRAZE_LANES Where<M> where(const MovingPair<V>& p, const Products<V>& q, V width) {
  const V zero = splat<V>(0.0);
  const V moved = mul(splat<V>(kProductSlope), width);
  const V error = add(moved, splat<V>(kProductError));
  Where<M> at;
  at.inside = gt(zero, zero);
  at.outside = at.inside;
  if (kVertexFace) {
    const V e0 = mul(error, p.bc);
    const V e1 = mul(error, p.ac);
    const V e2 = mul(error, p.ab);
    for (int k = 0; k < 3; ++k) {
      const M positive0 = gt(q.w[0][k], e0);
      const M positive1 = gt(q.w[1][k], e1);
      const M positive2 = gt(q.w[2][k], e2);
      const M negative0 = gt(sub(zero, e0), q.w[0][k]);
      const M negative1 = gt(sub(zero, e1), q.w[1][k]);
      const M negative2 = gt(sub(zero, e2), q.w[2][k]);
      at.inside = either(at.inside, either(both(positive0, both(positive1, positive2)),
                                           both(negative0, both(negative1, negative2))));
      at.outside = either(at.outside, both(either(positive0, either(positive1, positive2)),
                                           either(negative0, either(negative1, negative2))));
    }
  } else {
    const V e0 = mul(error, p.ab);
    const V e1 = mul(error, p.ac);
    const V e2 = mul(error, p.bc);
    const V e3 = mul(add(moved, splat<V>(kProductSumError)), add(add(p.ab, p.ac), p.bc));
    for (int k = 0; k < 3; ++k) {
      const V w3 = add(sub(q.w[2][k], q.w[1][k]), q.w[0][k]);
      const M positive0 = gt(q.w[0][k], e0);
      const M positive1 = gt(q.w[1][k], e1);
      const M positive2 = gt(q.w[2][k], e2);
      const M positive3 = gt(w3, e3);
      const M negative0 = gt(sub(zero, e0), q.w[0][k]);
      const M negative1 = gt(sub(zero, e1), q.w[1][k]);
      const M negative2 = gt(sub(zero, e2), q.w[2][k]);
      const M negative3 = gt(sub(zero, e3), w3);
      const M b_crosses = either(both(positive0, negative1), both(negative0, positive1));
      const M a_crosses = either(both(positive2, negative3), both(negative2, positive3));
      at.inside = either(at.inside, both(a_crosses, b_crosses));
      at.outside = either(at.outside, either(either(both(positive0, positive1), both(negative0, negative1)),
                                             either(both(positive2, positive3), both(negative2, negative3))));
    }
  }
  return at;
}

template <bool kVertexFace, class M, class V>
GRAZE_LANES void describe(const Products<V>& q, QuickRoot<V, M>& root) {
  const V zero = splat<V>(0.0);
  const V one = splat<V>(1.0);
  V n[3];
  for (int k = 0; k < 3; ++k) {
    n[k] = kVertexFace ? add(add(q.w[0][k], q.w[1][k]), q.w[2][k]) : sub(q.w[1][k], q.w[0][k]);
  }
  const V n2 = dot(n, n);
  const V inverse = div(one, n2);
  const V unit = div(root.side, sqrt(n2));
  for (int k = 0; k < 3; ++k) root.normal[k] = mul(unit, n[k]);
  if (kVertexFace) {
    V w[3];
    for (int i = 0; i < 3; ++i) w[i] = max(zero, mul(dot(q.w[i], n), inverse));
    const V whole = div(one, add(add(w[0], w[1]), w[2]));
    root.weights[0] = one;
    for (int i = 0; i < 3; ++i) root.weights[i + 1] = mul(w[i], whole);
  } else {
    root.weights[1] = min(max(mul(dot(q.w[2], n), inverse), zero), one);
    root.weights[3] = min(max(mul(sub(zero, dot(q.w[0], n)), inverse), zero), one);
    root.weights[0] = sub(one, root.weights[1]);
    root.weights[2] = sub(one, root.weights[3]);
  }
}

/// The quick root search for one vector of pairs. Correct for any pair. Precondition: tolerance >= 2^-40.
template <bool kVertexFace, class M, class V>
GRAZE_LANES QuickRoot<V, M> quick_root(const Points<V>& points, V tolerance) {
  const V zero = splat<V>(0.0);
  const V one = splat<V>(1.0);
  MovingPair<V> p;
  p.a = difference(points, 1, 0);
  p.b = difference(points, 2, 0);
  p.c = difference(points, 3, 0);
  const V ma = magnitude(p.a);
  const V mb = magnitude(p.b);
  const V mc = magnitude(p.c);
  p.ab = mul(ma, mb);
  p.ac = mul(ma, mc);
  p.bc = mul(mb, mc);
  const M in_window = both(gt(min3(ma, mb, mc), splat<V>(kQuickLow)), gt(splat<V>(kQuickHigh), max3(ma, mb, mc)));
  const Cubic<V> f = dot(p.a, cross(p.b, p.c));
  const V scale = mul(ma, p.bc);
  const V error = mul(splat<V>(kCoefficientError), scale);
  const V value_error = mul(splat<V>(kValueError), scale);
  const V minus_error = sub(zero, error);
  const V minus_value_error = sub(zero, value_error);

  const V sign = select(gt(zero, f.c0), splat<V>(-1.0), one);
  const V third = mul(sign, splat<V>(1.0 / 3.0));
  Bernstein<V> g{{mul(sign, f.c0), mul(third, f.c1), mul(third, f.c2), mul(sign, f.c3)}};
  const M starts = both(in_window, gt(g.c[0], error));
  const M crosses = both(starts, gt(minus_error, g.c[3]));
  M one_root = both(crosses, either(gt(g.c[1], error), gt(minus_error, g.c[2])));
  const M bends = without(crosses, one_root);
  const M returns = both(starts, gt(g.c[3], error));

  QuickRoot<V, M> root;
  root.apart = gt(zero, zero);
  root.contact = root.apart;
  root.toi_lo = root.toi_hi = root.side = zero;
  Bracket<V> bracket{zero, one, g.c[0], g.c[3]};
  M wanted = one_root;
  M again = root.apart;  // lanes with a second root, between m and 1
  V m = one;
  V at_m = one;
  if (!none(either(returns, bends))) {
    m = select(bends, splat<V>(0.5), least_at(g));
    const SplitCubic<V> at = split_cubic(g, m);
    at_m = at.value;
    const M above = gt(at.value, value_error);
    const M below = gt(minus_value_error, at.value);
    const M left_above = gt(min(at.left1, at.left2), value_error);
    const M left_once = either(gt(at.left1, value_error), gt(minus_value_error, at.left2));
    const M right_above = gt(min(at.right1, at.right2), value_error);
    const M right_below = gt(minus_value_error, max(at.right1, at.right2));
    root.apart = both(both(returns, above), both(left_above, right_above));
    const M dips = both(both(returns, below), left_once);
    again = both(dips, either(gt(minus_value_error, at.right1), gt(at.right2, value_error)));
    const M early = both(both(bends, below), both(left_once, right_below));
    const M late = both(both(bends, above),
                        both(left_above, either(gt(at.right1, value_error), gt(minus_value_error, at.right2))));
    one_root = either(one_root, either(early, late));
    wanted = either(one_root, dips);
    const M before_m = either(dips, early);
    bracket.r = select(before_m, m, bracket.r);
    bracket.at_r = select(before_m, at_m, bracket.at_r);
    bracket.l = select(late, m, bracket.l);
    bracket.at_l = select(late, at_m, bracket.at_l);
  }
  if (none(wanted)) return root;

  const V widest = mul(splat<V>(0.375), tolerance);
  const RootPlace<V, M> first = narrow_bracket(g, bracket, wanted, value_error, widest);
  Products<V> q = products_at<kVertexFace>(p, first.hi);
  const Where<M> here = where<kVertexFace, M>(p, q, sub(first.hi, first.lo));
  const M passed = both(first.found, here.outside);
  root.contact = both(first.narrow, here.inside);
  root.apart = either(root.apart, both(passed, one_root));
  root.toi_lo = first.lo;
  root.toi_hi = first.hi;
  // F = -N.(v-f0) for vertex-face, N.(a0-b0) for edge-edge.
  root.side = kVertexFace ? sub(zero, sign) : sign;
  again = both(again, passed);
  if (!none(again)) {
    for (V& c : g.c) c = sub(zero, c);
    const Bracket<V> rest{m, one, sub(zero, at_m), g.c[3]};
    const RootPlace<V, M> second = narrow_bracket(g, rest, again, value_error, widest);
    const Products<V> q2 = products_at<kVertexFace>(p, second.hi);
    const Where<M> there = where<kVertexFace, M>(p, q2, sub(second.hi, second.lo));
    root.apart = either(root.apart, both(second.found, there.outside));
    const M contact = both(second.narrow, there.inside);
    root.contact = either(root.contact, contact);
    root.side = select(contact, sub(zero, root.side), root.side);
    root.toi_lo = select(contact, second.lo, root.toi_lo);
    root.toi_hi = select(contact, second.hi, root.toi_hi);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) q.w[i][k] = select(contact, q2.w[i][k], q.w[i][k]);
    }
  }
  if (!none(root.contact)) describe<kVertexFace, M>(q, root);
  return root;
}
