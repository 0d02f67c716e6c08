// Narrow phase with thickness, quick search by conservative advancement: the time at which a pair first comes
// within delta. Written over "lanes" like root_kernel.inl.hpp, after pair_kernel.inl.hpp, quick_root.inl.hpp and
// triple.inl.hpp: by the scalar twin (narrow/kernels/thick_scalar.hpp) and by narrow/kernels/pair_thickness.cpp. A
// lane's result does not depend on other lanes. What it leaves undecided goes to narrow/thickness.cpp. Cost: about
// 250 operations a step; one step for most pairs that stay apart, about ten for an impact.
//
// Let n be the unit vector between the closest points at time t, from the second feature to the first. For points p
// and q of the two features n.(p - q) is linear in time, and the features are farther apart than delta while it
// exceeds delta for all pairs of their vertices. So the search advances from t to the first time at which it does
// not for one pair: nothing is within delta before. If there is no such time, the pair stays apart. If the distance
// there is at most the limit, delta + slack, the time is the time of impact, with an interval of width 0. Otherwise
// the next step starts there, with a new direction.
//
// Where the direction turns, these steps converge slowly. So after some of them Newton steps on the distance guess
// the time at which it is delta + slack / 2, and an interval [lo, hi] around the guess is proved: the pair is
// within the limit at hi, and between t and lo it is separated by the direction that moves from n(t) to n(lo)
// (narrow/thickness.cpp has this proof). If one of the two fails, the search advances again. A pair that needs too
// many steps is left undecided.
//
// Error bounds. Coordinates are relative to the first point; L is the largest of them at both ends.
//   Distance: narrow/closest.hpp derives 49 u L for |x|, for any weights >= 0 that sum to 1 within 6u. Weights here
//   are products with a rounded reciprocal: w0 = nn - w1 - w2 errs by 2u nn, the reciprocal and each product by u,
//   so they sum to 1 within 5u.
//   Separation: n may be any vector whose length is at most 1 + 4u. A difference of two points, of at most 2 L per
//   coordinate, has 6 roundings, its dot product with n 3 more: sqrt(3) * 2 L * 9 u < 32 u L. The end of a step has
//   3 roundings in the quotient and 3 in the time, on a change of n.(p - q) by at most 7 L: 42 u L.
//   The error below, 128 u (L + delta), covers each; a limit of distances is lowered by it twice.
//   The slack is at least 2^-43 L, eight times the error for delta <= 4 L; for larger delta nothing is concluded.
//   Side: the determinant of three differences of at most 2 L per coordinate, with errors of 6u L each, and 6
//   products of at most 8 L^3 with 3 * 6 + 5 roundings: less than 1200 u L^3.

inline constexpr double kThickError = 128 * kU;
inline constexpr double kThickWindowLow = 0x1p-80;
inline constexpr double kThickWindowHigh = 0x1p80;
inline constexpr double kMinSlack = 0x1p-43;     // of the size of the pair: graze/elementary.hpp
inline constexpr double kMaxThickness = 4.0;     // of the size of the pair
inline constexpr double kSideError = 1200 * kU;  // of the cube of the size of the pair
inline constexpr double kDescribed = 0x1p20;     // errors that a length must have for its direction to be described
inline constexpr double kMinWeightSquare = 0x1p-800;  // below, weights are not computed: see narrow/closest.hpp
inline constexpr int kQuickAdvances = 3;              // steps of the test that finds most pairs that stay apart
inline constexpr int kAdvances = 4;                   // steps before each guess
inline constexpr int kGuesses = 4;                    // guesses; a pair that needs more is left to subdivision
inline constexpr int kNewtonGuesses = 4;              // Newton steps of a guess
static_assert(kQuickAdvances <= kAdvances);           // the quick test is the begin of the search

/// A pair that moves linearly, relative to its first point. Vertex-face: f0, f1, f2 minus v. Edge-edge: a1, b0, b1
/// minus a0.
template <class V>
struct RelativeMotion {
  Triple<V> t0[3], t1[3];
};

/// The pair at one time: its points, the vector x from the closest point of the second feature to that of the
/// first, its length, and the barycentric weights.
template <class V>
struct ThickSample {
  Triple<V> q[3];
  Triple<V> x;
  V weights[4];
  V square, length;
  Triple<V>
      direction;  ///< unit vector (rounded) along x: the common normal where it is known, which is more accurate
};

/// Keeps the closest points with weights w[1] to w[3] of face points where they are closer.
template <class V>
GRAZE_LANES void consider_face(ThickSample<V>& s, V w0, V w1, V w2, bool first) {
  Triple<V> x;
  for (int k = 0; k < 3; ++k) {
    const V y = add(add(mul(w0, s.q[0].x[k]), mul(w1, s.q[1].x[k])), mul(w2, s.q[2].x[k]));
    x.x[k] = sub(splat<V>(0.0), y);
  }
  const V square = dot(x, x);
  const auto closer = first ? gt(splat<V>(1.0), splat<V>(0.0)) : gt(s.square, square);
  for (int k = 0; k < 3; ++k) s.x.x[k] = select(closer, x.x[k], s.x.x[k]);
  s.weights[1] = select(closer, w0, s.weights[1]);
  s.weights[2] = select(closer, w1, s.weights[2]);
  s.weights[3] = select(closer, w2, s.weights[3]);
  s.square = select(closer, square, s.square);
}

/// Sets the direction to the normal n of squared length nn, or its opposite: x.n has the sign of -`against`.
template <class V>
GRAZE_LANES void set_direction(ThickSample<V>& s, const Triple<V>& n, V nn, V against) {
  const V per_length = div(splat<V>(1.0), sqrt(max(nn, splat<V>(kMinWeightSquare))));
  const V factor = select(gt(against, splat<V>(0.0)), sub(splat<V>(0.0), per_length), per_length);
  for (int k = 0; k < 3; ++k) s.direction.x[k] = mul(factor, n.x[k]);
}

/// Sets the direction to that of x, less the lanes `keep`.
template <class M, class V>
GRAZE_LANES void set_direction(ThickSample<V>& s, M keep) {
  const V per_length = div(splat<V>(1.0), sqrt(max(s.square, splat<V>(kMinWeightSquare))));
  for (int k = 0; k < 3; ++k) s.direction.x[k] = select(keep, s.direction.x[k], mul(per_length, s.x.x[k]));
}

/// Weight of b, in [0, 1], at the point of segment a-b that is nearest to the origin.
template <class V>
GRAZE_LANES V weight_on_segment(const Triple<V>& a, const Triple<V>& b) {
  const V zero = splat<V>(0.0);
  const V one = splat<V>(1.0);
  const Triple<V> d = minus(b, a);
  const V whole = dot(d, d);
  const V s = div(sub(zero, dot(a, d)), max(whole, splat<V>(kMinWeightSquare)));
  return select(gt(whole, splat<V>(kMinWeightSquare)), min(max(s, zero), one), zero);
}

template <class M, class V>
GRAZE_LANES void closest_vf(ThickSample<V>& s) {
  const V zero = splat<V>(0.0);
  const V one = splat<V>(1.0);
  const Triple<V> e1 = minus(s.q[1], s.q[0]);
  const Triple<V> e2 = minus(s.q[2], s.q[0]);
  const Triple<V> n = cross(e1, e2);
  const V nn = dot(n, n);
  const V w1 = dot(n, cross(e2, s.q[0]));
  const V w2 = dot(n, cross(s.q[0], e1));
  const V w0 = sub(sub(nn, w1), w2);
  const M inside = without(gt(nn, splat<V>(kMinWeightSquare)), gt(zero, min(w0, min(w1, w2))));
  const V per_nn = div(one, max(nn, splat<V>(kMinWeightSquare)));
  s.weights[0] = one;
  consider_face(s, mul(w0, per_nn), mul(w1, per_nn), mul(w2, per_nn), true);
  set_direction(s, n, nn, dot(n, s.q[0]));
  if (all(inside)) return;
  ThickSample<V> side = s;
  const V s01 = weight_on_segment(s.q[0], s.q[1]);
  const V s12 = weight_on_segment(s.q[1], s.q[2]);
  const V s20 = weight_on_segment(s.q[2], s.q[0]);
  consider_face(side, sub(one, s01), s01, zero, true);
  consider_face(side, zero, sub(one, s12), s12, false);
  consider_face(side, s20, zero, sub(one, s20), false);
  for (int k = 0; k < 3; ++k) s.x.x[k] = select(inside, s.x.x[k], side.x.x[k]);
  for (int k = 1; k < 4; ++k) s.weights[k] = select(inside, s.weights[k], side.weights[k]);
  s.square = select(inside, s.square, side.square);
  set_direction(s, inside);
}

/// Keeps the points at parameter a of the first edge and b of the second where they are closer.
template <class V>
GRAZE_LANES void consider_edges(ThickSample<V>& s, V a, V b, bool first) {
  const V one = splat<V>(1.0);
  const V rest = sub(one, b);
  Triple<V> x;
  for (int k = 0; k < 3; ++k) {
    x.x[k] = sub(mul(a, s.q[0].x[k]), add(mul(rest, s.q[1].x[k]), mul(b, s.q[2].x[k])));
  }
  const V square = dot(x, x);
  const auto closer = first ? gt(one, splat<V>(0.0)) : gt(s.square, square);
  for (int k = 0; k < 3; ++k) s.x.x[k] = select(closer, x.x[k], s.x.x[k]);
  s.weights[1] = select(closer, a, s.weights[1]);
  s.weights[3] = select(closer, b, s.weights[3]);
  s.square = select(closer, square, s.square);
}

template <class M, class V>
GRAZE_LANES void closest_ee(ThickSample<V>& s) {
  const V zero = splat<V>(0.0);
  const V one = splat<V>(1.0);
  const Triple<V> d2 = minus(s.q[2], s.q[1]);
  const Triple<V> n = cross(s.q[0], d2);
  const V nn = dot(n, n);
  const V a = dot(n, cross(s.q[1], d2));
  const V b = dot(n, cross(s.q[1], s.q[0]));
  const M outside = either(gt(zero, min(a, b)), gt(max(a, b), nn));
  const M inside = without(gt(nn, splat<V>(kMinWeightSquare)), outside);
  const V per_nn = div(one, max(nn, splat<V>(kMinWeightSquare)));
  consider_edges(s, min(mul(a, per_nn), one), min(mul(b, per_nn), one), true);
  set_direction(s, n, nn, dot(n, s.q[1]));
  if (!all(inside)) {
    ThickSample<V> end = s;
    const Triple<V> minus_b0{{sub(zero, s.q[1].x[0]), sub(zero, s.q[1].x[1]), sub(zero, s.q[1].x[2])}};
    const Triple<V> minus_b1{{sub(zero, s.q[2].x[0]), sub(zero, s.q[2].x[1]), sub(zero, s.q[2].x[2])}};
    const Triple<V> b0_from_a1 = minus(s.q[1], s.q[0]);
    const Triple<V> b1_from_a1 = minus(s.q[2], s.q[0]);
    const Triple<V> a1_from_b0 = minus(s.q[0], s.q[1]);
    const Triple<V> a1_from_b1 = minus(s.q[0], s.q[2]);
    consider_edges(end, zero, weight_on_segment(s.q[1], s.q[2]), true);
    consider_edges(end, one, weight_on_segment(b0_from_a1, b1_from_a1), false);
    consider_edges(end, weight_on_segment(minus_b0, a1_from_b0), zero, false);
    consider_edges(end, weight_on_segment(minus_b1, a1_from_b1), one, false);
    for (int k = 0; k < 3; ++k) s.x.x[k] = select(inside, s.x.x[k], end.x.x[k]);
    s.weights[1] = select(inside, s.weights[1], end.weights[1]);
    s.weights[3] = select(inside, s.weights[3], end.weights[3]);
    s.square = select(inside, s.square, end.square);
    set_direction(s, inside);
  }
  s.weights[0] = sub(one, s.weights[1]);
  s.weights[2] = sub(one, s.weights[3]);
}

template <bool kVertexFace, class M, class V>
GRAZE_LANES ThickSample<V> sample_at(const RelativeMotion<V>& p, V t) {
  const V before = sub(splat<V>(1.0), t);
  ThickSample<V> s;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) s.q[i].x[k] = add(mul(before, p.t0[i].x[k]), mul(t, p.t1[i].x[k]));
  }
  if constexpr (kVertexFace) {
    closest_vf<M>(s);
  } else {
    closest_ee<M>(s);
  }
  s.length = sqrt(s.square);
  return s;
}

/// Two points that differ by `now` at the time of the sample and by `end` at the end of the step: the share of the
/// rest of the step for which x separates them by more than `least` / |x|; 2 for all of it, at most 0 if it does
/// not now.
template <class V>
GRAZE_LANES V share_beyond(const ThickSample<V>& s, const Triple<V>& now, const Triple<V>& end, V least) {
  const V f0 = dot(s.direction, now);
  const V f1 = dot(s.direction, end);
  const V share = div(sub(f0, least), max(sub(f0, f1), splat<V>(kMinWeightSquare)));
  return select(gt(min(f0, f1), least), splat<V>(2.0), share);
}

/// The least share over all pairs of vertices.
template <bool kVertexFace, class V>
GRAZE_LANES V advance(const RelativeMotion<V>& p, const ThickSample<V>& s, V least) {
  const Triple<V> zero{{splat<V>(0.0), splat<V>(0.0), splat<V>(0.0)}};
  if constexpr (kVertexFace) {
    V share = share_beyond(s, minus(zero, s.q[0]), minus(zero, p.t1[0]), least);
    share = min(share, share_beyond(s, minus(zero, s.q[1]), minus(zero, p.t1[1]), least));
    return min(share, share_beyond(s, minus(zero, s.q[2]), minus(zero, p.t1[2]), least));
  } else {
    V share = share_beyond(s, minus(zero, s.q[1]), minus(zero, p.t1[1]), least);
    share = min(share, share_beyond(s, minus(zero, s.q[2]), minus(zero, p.t1[2]), least));
    share = min(share, share_beyond(s, minus(s.q[0], s.q[1]), minus(p.t1[0], p.t1[1]), least));
    return min(share, share_beyond(s, minus(s.q[0], s.q[2]), minus(p.t1[0], p.t1[2]), least));
  }
}

/// Whether the points that differ by d_l at one time and d_r at the other are separated by the moving direction.
template <class V>
GRAZE_LANES auto separates(const ThickSample<V>& l, const ThickSample<V>& r, const Triple<V>& d_l,
                           const Triple<V>& d_r, V delta) {
  const auto ends = gt(min(dot(l.direction, d_l), dot(r.direction, d_r)), delta);
  return both(ends, gt(add(dot(l.direction, d_r), dot(r.direction, d_l)), add(delta, delta)));
}

/// Whether the features are certainly farther apart than delta between the times of two samples.
template <bool kVertexFace, class M, class V>
GRAZE_LANES M stays_beyond(const ThickSample<V>& l, const ThickSample<V>& r, V delta) {
  const Triple<V> zero{{splat<V>(0.0), splat<V>(0.0), splat<V>(0.0)}};
  if constexpr (kVertexFace) {
    return both(both(separates(l, r, minus(zero, l.q[0]), minus(zero, r.q[0]), delta),
                     separates(l, r, minus(zero, l.q[1]), minus(zero, r.q[1]), delta)),
                separates(l, r, minus(zero, l.q[2]), minus(zero, r.q[2]), delta));
  } else {
    return both(both(separates(l, r, minus(zero, l.q[1]), minus(zero, r.q[1]), delta),
                     separates(l, r, minus(zero, l.q[2]), minus(zero, r.q[2]), delta)),
                both(separates(l, r, minus(l.q[0], l.q[1]), minus(r.q[0], r.q[1]), delta),
                     separates(l, r, minus(l.q[0], l.q[2]), minus(r.q[0], r.q[2]), delta)));
  }
}

/// How fast the distance changes at a sample: x.x' / |x| with the weights of the sample.
template <bool kVertexFace, class V>
GRAZE_LANES V distance_slope(const RelativeMotion<V>& p, const ThickSample<V>& s) {
  V slope = splat<V>(0.0);
  for (int k = 0; k < 3; ++k) {
    V v[3];
    for (int i = 0; i < 3; ++i) v[i] = sub(p.t1[i].x[k], p.t0[i].x[k]);
    const V speed = kVertexFace
                        ? sub(splat<V>(0.0),
                              add(add(mul(s.weights[1], v[0]), mul(s.weights[2], v[1])), mul(s.weights[3], v[2])))
                        : sub(mul(s.weights[1], v[0]), add(mul(s.weights[2], v[1]), mul(s.weights[3], v[2])));
    slope = add(slope, mul(s.x.x[k], speed));
  }
  return div(slope, max(s.length, splat<V>(0x1p-500)));
}

/// The determinant whose sign is the side of the first feature.
template <bool kVertexFace, class V>
GRAZE_LANES V side_determinant(const ThickSample<V>& s) {
  const V zero = splat<V>(0.0);
  if constexpr (kVertexFace) {
    return sub(zero, dot(cross(minus(s.q[1], s.q[0]), minus(s.q[2], s.q[0])), s.q[0]));
  } else {
    return sub(zero, dot(cross(s.q[0], minus(s.q[2], s.q[1])), s.q[1]));
  }
}

/// A pair of lanes as the search sees it: relative motion, and the limits of its comparisons.
template <class V, class M>
struct ThickPair {
  RelativeMotion<V> motion;
  V size, error;
  V beyond;  ///< a computed separation above it is certainly above delta
  V limit;   ///< a computed distance below it is certainly at most delta + slack
  V target;  ///< delta + slack / 2
  M in_window;
};

template <class M, class V>
GRAZE_LANES ThickPair<V, M> thick_pair(const Points<V>& points, V delta, V slack) {
  ThickPair<V, M> pair;
  V size = splat<V>(0.0);
  for (int i = 0; i < 3; ++i) {
    const Moving<V> d = difference(points, i + 1, 0);
    size = max(size, magnitude(d));
    for (int k = 0; k < 3; ++k) {
      pair.motion.t0[i].x[k] = d.x[0][k];
      pair.motion.t1[i].x[k] = d.x[1][k];
    }
  }
  pair.size = size;
  pair.in_window = both(both(gt(size, splat<V>(kThickWindowLow)), gt(splat<V>(kThickWindowHigh), size)),
                        gt(mul(splat<V>(kMaxThickness), size), delta));
  pair.error = mul(splat<V>(kThickError), add(size, delta));
  const V whole_slack = max(slack, mul(splat<V>(kMinSlack), size));
  pair.limit = sub(sub(add(delta, whole_slack), pair.error), pair.error);
  pair.target = add(delta, mul(splat<V>(0.5), whole_slack));
  pair.beyond = add(delta, pair.error);
  return pair;
}

/// The state of a search: the pair is beyond delta before t, the time of the sample `at`.
template <class V, class M>
struct ThickState {
  V t;
  ThickSample<V> at;
  M open, apart, contact;
};

/// Begins a search, and advances `count` times the lanes that are open.
template <bool kVertexFace, class M, class V>
GRAZE_LANES ThickState<V, M> begin_search(const ThickPair<V, M>& pair) {
  ThickState<V, M> state;
  state.t = splat<V>(0.0);
  state.at = sample_at<kVertexFace, M>(pair.motion, state.t);
  state.contact = both(pair.in_window, gt(pair.limit, state.at.length));
  state.open = without(pair.in_window, state.contact);
  state.apart = gt(state.t, state.t);  // false
  return state;
}
template <bool kVertexFace, class M, class V>
GRAZE_LANES void advance_search(const ThickPair<V, M>& pair, int count, ThickState<V, M>& state) {
  const V zero = splat<V>(0.0);
  const V one = splat<V>(1.0);
  for (int i = 0; i < count && !none(state.open); ++i) {
    const V share = advance<kVertexFace>(pair.motion, state.at, pair.beyond);
    const M never = both(state.open, gt(share, one));
    state.apart = either(state.apart, never);
    state.open = without(state.open, never);
    if (none(state.open)) return;
    // Lanes that are decided stay where they are, so that the sample of a contact is kept.
    state.t = select(state.open, add(state.t, mul(max(share, zero), sub(one, state.t))), state.t);
    state.at = sample_at<kVertexFace, M>(pair.motion, state.t);
    const M hit = both(state.open, gt(pair.limit, state.at.length));
    state.contact = either(state.contact, hit);
    state.open = without(state.open, hit);
  }
}

/// Whether the pair certainly stays apart, by the first steps of the search.
template <bool kVertexFace, class M, class V>
GRAZE_LANES M quickly_apart(const Points<V>& points, V delta, V slack) {
  const ThickPair<V, M> pair = thick_pair<M>(points, delta, slack);
  ThickState<V, M> state = begin_search<kVertexFace, M>(pair);
  advance_search<kVertexFace, M>(pair, kQuickAdvances, state);
  return state.apart;
}

/// The impact at the time of a sample: interval, side, weights and normal.
template <bool kVertexFace, class M, class V>
GRAZE_LANES void describe_sample(const ThickPair<V, M>& pair, const ThickSample<V>& side_at, V lo, V hi,
                                 const ThickSample<V>& at, M wanted, QuickRoot<V, M>& root) {
  const V zero = splat<V>(0.0);
  const V one = splat<V>(1.0);
  const V determinant = side_determinant<kVertexFace>(side_at);
  const V certain = mul(splat<V>(kSideError), mul(pair.size, mul(pair.size, pair.size)));
  const M at_start = without(wanted, gt(hi, zero));
  const M sided = either(at_start, gt(abs(determinant), certain));
  const M described = both(both(wanted, sided), gt(at.length, mul(splat<V>(kDescribed), pair.error)));
  const V side = select(at_start, zero, select(gt(determinant, zero), one, splat<V>(-1.0)));
  root.contact = either(root.contact, described);
  root.toi_lo = select(described, lo, root.toi_lo);
  root.toi_hi = select(described, hi, root.toi_hi);
  root.side = select(described, side, root.side);
  for (int k = 0; k < 3; ++k) root.normal[k] = select(described, at.direction.x[k], root.normal[k]);
  for (int k = 0; k < 4; ++k) root.weights[k] = select(described, at.weights[k], root.weights[k]);
}

/// Guesses the time of impact of the open lanes from their state, and takes the guesses that can be proved.
template <bool kVertexFace, class M, class V>
GRAZE_LANES void guess(const ThickPair<V, M>& pair, V tolerance, ThickState<V, M>& state, QuickRoot<V, M>& root) {
  const V one = splat<V>(1.0);
  V time = state.t;
  ThickSample<V> at = state.at;
  for (int i = 0; i < kNewtonGuesses; ++i) {
    const V slope = min(distance_slope<kVertexFace>(pair.motion, at), splat<V>(-0x1p-200));
    time = min(max(sub(time, div(sub(at.length, pair.target), slope)), state.t), one);
    if (i + 1 < kNewtonGuesses) at = sample_at<kVertexFace, M>(pair.motion, time);
  }
  const V half = min(mul(splat<V>(0.25), tolerance), mul(time, splat<V>(kRelativeWidth / 4)));
  const V lo = max(sub(time, half), state.t);
  const V hi = min(add(time, half), one);
  const ThickSample<V> at_lo = sample_at<kVertexFace, M>(pair.motion, lo);
  const ThickSample<V> at_hi = sample_at<kVertexFace, M>(pair.motion, hi);
  const M hit = both(state.open, gt(pair.limit, at_hi.length));
  const M narrow = gt(mul(lo, splat<V>(kRelativeWidth)), sub(hi, lo));
  const M proved = both(both(hit, narrow), stays_beyond<kVertexFace, M>(state.at, at_lo, pair.beyond));
  state.open = without(state.open, proved);
  describe_sample<kVertexFace, M>(pair, at_lo, lo, hi, at_hi, proved, root);
}

/// The quick search for one vector of pairs. Correct for any pair. Preconditions: tolerance >= 2^-40, delta > 0,
/// and slack <= tolerance * min(1, delta).
template <bool kVertexFace, class M, class V>
GRAZE_LANES QuickRoot<V, M> quick_thickness(const Points<V>& points, V delta, V slack, V tolerance) {
  const V zero = splat<V>(0.0);
  const ThickPair<V, M> pair = thick_pair<M>(points, delta, slack);
  ThickState<V, M> state = begin_search<kVertexFace, M>(pair);
  QuickRoot<V, M> root;
  root.contact = gt(zero, zero);
  root.toi_lo = root.toi_hi = root.side = zero;
  for (V& n : root.normal) n = zero;
  for (V& w : root.weights) w = zero;
  for (int i = 0; i < kGuesses && !none(state.open); ++i) {
    advance_search<kVertexFace, M>(pair, kAdvances, state);
    if (!none(state.open)) guess<kVertexFace, M>(pair, tolerance, state, root);
  }
  root.apart = state.apart;
  describe_sample<kVertexFace, M>(pair, state.at, state.t, state.t, state.at, state.contact, root);
  return root;
}
