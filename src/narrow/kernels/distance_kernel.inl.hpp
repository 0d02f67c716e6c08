// Narrow phase kernel: certified lower bounds of the distance of a feature pair (ADAPTIVE, section 4.2). Written
// once over "lanes": the scalar twin (narrow/kernels/distance_scalar.hpp) and the SIMD kernel
// (narrow/kernels/pair_distance.cpp) include this file, each inside its own namespace with its own lane type V and
// the operations of narrow/kernels/scalar_lanes.hpp. Therefore the file has no include guard and no namespace.
//
// For every vector w the closed features are at least gap(w) / |w| apart, where gap(w) is the minimum of w.x over
// the first feature minus the maximum of w.x over the second. The kernel tries two directions and takes the better
// bound, so it need not know which one is right. The common normal gives the distance if the closest points lie
// inside the face, or inside both edges. The difference of the closest points of a vertex and an edge gives it
// otherwise, and for shapes without a normal.
//
// Notation. Vertex-face v | f0 f1 f2: r = v-f0, e1 = f1-f0, e2 = f2-f0, gap = w.r - max(0, w.e1, w.e2). Edge-edge
// a0 a1 | b0 b1: r = a0-b0, d = a1-a0, e = b1-b0, gap = w.r + min(0, w.d) - max(0, w.e). S is the sum of the
// absolute components of these three differences. Each difference is rounded once, so a large distance from the
// origin costs no digits.
//
// Error bounds. u = 2^-53; w is any vector of doubles, however inaccurate. A term of a dot product passes at most 4
// roundings (difference, product, two sums), so the three dot products have a total error of at most 4.01 u |w| S,
// and the sums that form the gap add at most 2.01 u |w| S. The computed square gap^2 / |w|^2 has a relative error
// of at most 5.1 u (3 for |w|^2, a product, a quotient), its root 3.6 u; gap / |w| <= S (1 + 7 u). So the root
// exceeds gap / |w| by at most 9.9 u S. The subtraction of the error bound, the product that computes it, and the
// roundings in S itself (9) add u S: 16 u S leaves a margin.
// Underflow. A divisor is never below kTinySquare: a larger divisor only lowers the bound. For S < 2^-127 the
// distance is not a normal float, and the answer is 0. For larger S a dot product loses a few 2^-1075, which is
// negligible relative to u |w| S for |w|^2 >= kTinySquare; and a bound of 2^-126 or more has gap^2 >= 2^-252
// kTinySquare = 2^-952, so the square has not underflowed.
// Overflow. For S < 2^150 the largest number is gap^2 along the normal, of degree 6, below 2^905.

inline constexpr double kDistanceError = 16 * 0x1p-53;
inline constexpr double kTinySquare = 0x1p-700;
inline constexpr double kMinSum = 0x1p-127;
inline constexpr double kMaxSum = 0x1p150;
inline constexpr double kMinFloat = 0x1p-126;
inline constexpr double kMaxFloat = 0x1.fffffep127;

/// The four points of a pair in canonical order.
template <class V>
struct Corners {
  Triple<V> at[4];
};

template <class V>
GRAZE_LANES V absolute_sum(const Triple<V>& a) {
  return add(add(abs(a.x[0]), abs(a.x[1])), abs(a.x[2]));
}

template <class V>
GRAZE_LANES V in_unit(V s) {
  return min(max(s, splat<V>(0.0)), splat<V>(1.0));
}

/// The shortest vector so far, and its squared length.
template <class V>
struct Shortest {
  Triple<V> w;
  V square;
};

template <class V>
GRAZE_LANES Shortest<V> first_of(const Triple<V>& w) {
  return {w, dot(w, w)};
}

template <class V>
GRAZE_LANES void consider(Shortest<V>& best, const Triple<V>& w) {
  const V square = dot(w, w);
  const auto shorter = gt(best.square, square);
  for (int k = 0; k < 3; ++k) best.w.x[k] = select(shorter, w.x[k], best.w.x[k]);
  best.square = min(best.square, square);
}

/// The squared distance bound from a gap along a direction of squared length `square`; 0 for a gap < 0.
template <class V>
GRAZE_LANES V squared_bound(V gap, V square) {
  const V positive = max(gap, splat<V>(0.0));
  return div(mul(positive, positive), max(square, splat<V>(kTinySquare)));
}

/// The certified bound: 0 or a normal float. A NaN or an infinity fails the comparisons and gives 0.
template <class V>
GRAZE_LANES V certified(V squared, V sum) {
  const V bound = sub(sqrt(squared), mul(splat<V>(kDistanceError), sum));
  const auto in_window = both(gt(sum, splat<V>(kMinSum)), gt(splat<V>(kMaxSum), sum));
  return select(both(in_window, gt(bound, splat<V>(kMinFloat))), float_down(min(bound, splat<V>(kMaxFloat))),
                splat<V>(0.0));
}

template <class V>
GRAZE_LANES V distance_bound_vf(const Corners<V>& p) {
  const V zero = splat<V>(0.0);
  const V tiny = splat<V>(kTinySquare);
  const Triple<V> r = minus(p.at[0], p.at[1]);
  const Triple<V> e1 = minus(p.at[2], p.at[1]);
  const Triple<V> e2 = minus(p.at[3], p.at[1]);
  const V sum = add(add(absolute_sum(r), absolute_sum(e1)), absolute_sum(e2));

  const Triple<V> n = cross(e1, e2);
  const V n_r = dot(n, r);
  const V n_e1 = dot(n, e1);
  const V n_e2 = dot(n, e2);
  const V above = sub(n_r, max(zero, max(n_e1, n_e2)));
  const V below = sub(min(zero, min(n_e1, n_e2)), n_r);
  const V by_normal = squared_bound(max(above, below), dot(n, n));

  const Triple<V> r1 = minus(p.at[0], p.at[2]);
  const Triple<V> e3 = minus(p.at[3], p.at[2]);
  auto best = first_of(back_along(r, in_unit(div(dot(r, e1), max(dot(e1, e1), tiny))), e1));
  consider(best, back_along(r, in_unit(div(dot(r, e2), max(dot(e2, e2), tiny))), e2));
  consider(best, back_along(r1, in_unit(div(dot(r1, e3), max(dot(e3, e3), tiny))), e3));
  const V gap = sub(dot(best.w, r), max(zero, max(dot(best.w, e1), dot(best.w, e2))));
  return certified(max(by_normal, squared_bound(gap, best.square)), sum);
}

template <class V>
GRAZE_LANES V distance_bound_ee(const Corners<V>& p) {
  const V zero = splat<V>(0.0);
  const V one = splat<V>(1.0);
  const V tiny = splat<V>(kTinySquare);
  const Triple<V> r = minus(p.at[0], p.at[2]);
  const Triple<V> d = minus(p.at[1], p.at[0]);
  const Triple<V> e = minus(p.at[3], p.at[2]);
  const V sum = add(add(absolute_sum(r), absolute_sum(d)), absolute_sum(e));

  const Triple<V> n = cross(d, e);
  const V n_r = dot(n, r);
  const V n_d = dot(n, d);
  const V n_e = dot(n, e);
  const V above = sub(add(n_r, min(zero, n_d)), max(zero, n_e));
  const V below = sub(min(zero, n_e), add(n_r, max(zero, n_d)));
  const V by_normal = squared_bound(max(above, below), dot(n, n));

  // Endpoints a0 and a1 against the second edge, b0 and b1 against the first.
  const Triple<V> r_a1 = minus(p.at[1], p.at[2]);
  const Triple<V> r_b1 = minus(p.at[0], p.at[3]);
  const V per_d = div(one, max(dot(d, d), tiny));
  const V per_e = div(one, max(dot(e, e), tiny));
  auto best = first_of(back_along(r, in_unit(mul(dot(r, e), per_e)), e));
  consider(best, back_along(r_a1, in_unit(mul(dot(r_a1, e), per_e)), e));
  consider(best, along(r, in_unit(sub(zero, mul(dot(r, d), per_d))), d));
  consider(best, along(r_b1, in_unit(sub(zero, mul(dot(r_b1, d), per_d))), d));
  const V gap = sub(add(dot(best.w, r), min(zero, dot(best.w, d))), max(zero, dot(best.w, e)));
  return certified(max(by_normal, squared_bound(gap, best.square)), sum);
}
