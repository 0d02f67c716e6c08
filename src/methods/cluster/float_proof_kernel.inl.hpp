// Proofs in floats that the two features of a pair stay separated: along the diagonal slabs of a 26-DOP, because
// their four points are never coplanar, or because their planes or lines stay farther apart than a gap. And at one
// instant, the sign of a determinant. Written once over "lanes": the SIMD sources (float_proof.inl.hpp) and the
// version for one lane, on the host or on a CUDA device (proofs_lane.hpp), include this file inside their
// namespace, after the operations of their lane type V and after narrow/kernels/pair_kernel.inl.hpp. Therefore the
// file has no include guard and no namespace.
//
// Error bound of slabs: a coordinate along a diagonal direction is wrong by at most twice its cluster's error
// (cluster_table.cpp), and a difference of two rounds by 3/4 of both errors: a margin of three times both errors
// covers it.
//
// Error bound of coplanarity (narrow/kernels/pair_kernel.inl.hpp has the notation). A difference D of coordinates
// is wrong by at most delta, half of both errors (and the position_error), and a rounding of 2^-24. With M_A =
// max|A| + delta and so on, F of the exact differences differs from F of the computed ones by at most 6 (M_A M_B
// M_C - (M_A - delta)(M_B - delta)(M_C - delta)) <= 6 delta (M_A M_B + M_B M_C + M_C M_A), and its middle
// coefficients (times 3) by three times that; the evaluation adds 48.5 and 182 times 2^-24 M_A M_B M_C as derived
// there. The constants below include a margin for the rounding of the bound. Underflow of a product costs at most
// 2^-126 each, also where denormals are flushed to zero; some sixty products, times factors of at most kLargest,
// stay below kTiny. If anything is larger or overflows, nothing is concluded.
//
// With a gap, A is the difference between the features, B and C span the face or are the directions of the edges.
// F / |B x C| is then the distance of the vertex from the plane of the face, or of the lines of the edges, and the
// features are farther apart than the gap while F > gap |B x C|. |B x C| is at most the length of its longest
// Bernstein coefficient. A component of that is wrong by at most 2 delta (M_B + M_C) and 12 2^-24 M_B M_C, so its
// length by sqrt(3) times that; lengths below 2^-62 may underflow.

inline constexpr double kFloatU = 0x1p-24;
inline constexpr double kTiny = 0x1p-90;
inline constexpr double kLargest = 0x1p20;

/// Returns the lanes whose four moving points are proved never coplanar. `delta` is that of the head.
template <class M, class V>
GRAZE_LANES M never_coplanar_in_floats(const Points<V>& p, V delta) {
  const Moving<V> a = difference(p, 1, 0);
  const Moving<V> b = difference(p, 2, 0);
  const Moving<V> c = difference(p, 3, 0);
  const V ma = add(magnitude(a), delta);
  const V mb = add(magnitude(b), delta);
  const V mc = add(magnitude(c), delta);
  const V bc = mul(mb, mc);
  const V off = mul(delta, add(bc, mul(ma, add(mb, mc))));
  const V scale = mul(ma, bc);
  const Cubic<V> f = dot(a, cross(b, c));
  const V end = add(add(mul(splat<V>(6.1), off), mul(splat<V>(52 * kFloatU), scale)), splat<V>(kTiny));
  const V middle = add(add(mul(splat<V>(18.3), off), mul(splat<V>(192 * kFloatU), scale)), splat<V>(kTiny));
  const V zero = splat<V>(0.0);
  const M positive = both(gt(min(f.c0, f.c3), end), gt(min(f.c1, f.c2), middle));
  const M negative = both(gt(sub(zero, end), max(f.c0, f.c3)), gt(sub(zero, middle), max(f.c1, f.c2)));
  return both(gt(splat<V>(kLargest), max3(ma, mb, mc)), either(positive, negative));
}

/// Returns the lanes whose features are proved farther apart than `gap` at all times, along the normal of the face
/// or the common normal of the edges.
template <bool kVertexFace, class M, class V>
GRAZE_LANES M beyond_gap_along_normal(const Points<V>& p, V delta, V gap) {
  const Moving<V> a = kVertexFace ? difference(p, 0, 1) : difference(p, 2, 0);
  const Moving<V> b = kVertexFace ? difference(p, 2, 1) : difference(p, 1, 0);
  const Moving<V> c = kVertexFace ? difference(p, 3, 1) : difference(p, 3, 2);
  const V ma = add(magnitude(a), delta);
  const V mb = add(magnitude(b), delta);
  const V mc = add(magnitude(c), delta);
  const V bc = mul(mb, mc);
  const V off = mul(delta, add(bc, mul(ma, add(mb, mc))));
  const V scale = mul(ma, bc);
  const Quadratic<V> normal = cross(b, c);
  const Cubic<V> f = dot(a, normal);
  const V square =
      max3(dot(normal.c0, normal.c0), mul(splat<V>(0.25), dot(normal.c1, normal.c1)), dot(normal.c2, normal.c2));
  const V length = add(add(mul(splat<V>(1.01), sqrt(square)), mul(splat<V>(4.0), mul(delta, add(mb, mc)))),
                       add(mul(splat<V>(24 * kFloatU), bc), splat<V>(0x1p-60)));
  const V reach = mul(mul(splat<V>(1.01), gap), length);
  const V end = add(reach, add(add(mul(splat<V>(6.1), off), mul(splat<V>(52 * kFloatU), scale)), splat<V>(kTiny)));
  const V middle = add(mul(splat<V>(3.01), reach),
                       add(add(mul(splat<V>(18.3), off), mul(splat<V>(192 * kFloatU), scale)), splat<V>(kTiny)));
  const V zero = splat<V>(0.0);
  const M positive = both(gt(min(f.c0, f.c3), end), gt(min(f.c1, f.c2), middle));
  const M negative = both(gt(sub(zero, end), max(f.c0, f.c3)), gt(sub(zero, middle), max(f.c1, f.c2)));
  return both(gt(splat<V>(kLargest), max3(ma, mb, mc)), either(positive, negative));
}

/// Returns the lanes in which points [0, kFirst) and the others, `at` these coordinates at both ends of the step,
/// are separated by more than `room`, in the same order at both ends.
template <int kFirst, class M, class V>
GRAZE_LANES M separated_along(const V (&at)[2][4], V room) {
  V above[2];
  V below[2];
  for (int e = 0; e < 2; ++e) {
    V lo_a = at[e][0];
    V hi_a = at[e][0];
    for (int i = 1; i < kFirst; ++i) {
      lo_a = min(lo_a, at[e][i]);
      hi_a = max(hi_a, at[e][i]);
    }
    V lo_b = at[e][kFirst];
    V hi_b = at[e][kFirst];
    for (int i = kFirst + 1; i < 4; ++i) {
      lo_b = min(lo_b, at[e][i]);
      hi_b = max(hi_b, at[e][i]);
    }
    above[e] = sub(lo_a, hi_b);
    below[e] = sub(lo_b, hi_a);
  }
  return gt(max(min(above[0], above[1]), min(below[0], below[1])), room);
}

/// Returns the lanes in which points [0, kFirst) and the others are separated along one of the ten diagonal
/// directions of a 26-DOP, in the same order at both ends of the step.
template <int kFirst, class M, class V>
GRAZE_LANES M separated_by_slabs(const Points<V>& p, V room) {
  M apart = gt(room, room);  // false
  V at[2][4];
  for (int k = 0; k < 3; ++k) {
    const int i = k;
    const int j = (k + 1) % 3;
    for (int e = 0; e < 2; ++e) {
      for (int point = 0; point < 4; ++point) at[e][point] = add(p.x[e][point][i], p.x[e][point][j]);
    }
    apart = either(apart, separated_along<kFirst, M>(at, room));
    for (int e = 0; e < 2; ++e) {
      for (int point = 0; point < 4; ++point) at[e][point] = sub(p.x[e][point][i], p.x[e][point][j]);
    }
    apart = either(apart, separated_along<kFirst, M>(at, room));
  }
  for (int corner = 0; corner < 4; ++corner) {
    for (int e = 0; e < 2; ++e) {
      for (int point = 0; point < 4; ++point) {
        const V* const x = p.x[e][point];
        const V xy = (corner & 1) != 0 ? sub(x[0], x[1]) : add(x[0], x[1]);
        at[e][point] = (corner & 2) != 0 ? sub(xy, x[2]) : add(xy, x[2]);
      }
    }
    apart = either(apart, separated_along<kFirst, M>(at, room));
  }
  return apart;
}

// Edge-face pairs at one instant.

/// A point per lane.
template <class V>
struct Point {
  V x[3];
};

/// A vector per lane, with a bound of its true components.
template <class V>
struct Difference {
  V x[3];
  V largest;
};

template <class V>
GRAZE_LANES Difference<V> minus(const Point<V>& p, const Point<V>& q, V delta) {
  Difference<V> d;
  for (int k = 0; k < 3; ++k) d.x[k] = sub(p.x[k], q.x[k]);
  d.largest = add(max3(abs(d.x[0]), abs(d.x[1]), abs(d.x[2])), delta);
  return d;
}

/// The sign of a determinant: lanes in which it is proved positive, and negative.
template <class M>
struct Sign {
  M positive;
  M negative;
};

/// The sign of a.(b x c). Its error bound is that of the end coefficients of F.
template <class M, class V>
GRAZE_LANES Sign<M> sign_of(const Difference<V>& a, const Difference<V>& b, const Difference<V>& c, V delta) {
  V normal[3];
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    normal[k] = sub(mul(b.x[i], c.x[j]), mul(b.x[j], c.x[i]));
  }
  const V value = dot(a.x, normal);
  const V bc = mul(b.largest, c.largest);
  const V off = mul(delta, add(bc, mul(a.largest, add(b.largest, c.largest))));
  const V bound =
      add(add(mul(splat<V>(6.1), off), mul(splat<V>(52 * kFloatU), mul(a.largest, bc))), splat<V>(kTiny));
  const M known = gt(splat<V>(kLargest), max3(a.largest, b.largest, c.largest));
  return {both(known, gt(value, bound)), both(known, gt(sub(splat<V>(0.0), bound), value))};
}

/// Returns the lanes whose four points are proved not coplanar at one instant. Nor are other points whose
/// differences differ from those of the true ones by no more than `delta` allows.
template <class M, class V>
GRAZE_LANES M not_coplanar_in_floats(const Point<V> (&p)[4], V delta) {
  const Sign<M> sign =
      sign_of<M>(minus(p[1], p[0], delta), minus(p[2], p[0], delta), minus(p[3], p[0], delta), delta);
  return either(sign.positive, sign.negative);
}

/// The five points of edge-face pairs at one instant: the edge p-q and the face.
template <class V>
struct EdgeFacePoints {
  Point<V> p;
  Point<V> q;
  Point<V> face[3];
};

/// Returns the lanes whose edge is proved to lie strictly on one side of the plane of the face.
template <class M, class V>
GRAZE_LANES M edge_beside_plane(const EdgeFacePoints<V>& x, V delta) {
  const Difference<V> s = minus(x.face[1], x.face[0], delta);
  const Difference<V> t = minus(x.face[2], x.face[0], delta);
  const Sign<M> at_p = sign_of<M>(minus(x.p, x.face[0], delta), s, t, delta);
  const Sign<M> at_q = sign_of<M>(minus(x.q, x.face[0], delta), s, t, delta);
  return either(both(at_p.positive, at_q.positive), both(at_p.negative, at_q.negative));
}

/// What is proved of edge-face pairs; nothing for the lanes in neither.
template <class M>
struct EdgeFaceProof {
  M intersect;
  M apart;
};

/// Proofs for pairs whose edge is not proved beside the plane: the ends are on different sides and the line of the
/// edge passes the three sides of the face in one sense, or it passes two sides in different senses.
template <class M, class V>
GRAZE_LANES EdgeFaceProof<M> prove_edge_face(const EdgeFacePoints<V>& x, V delta) {
  const Difference<V> s = minus(x.face[1], x.face[0], delta);
  const Difference<V> t = minus(x.face[2], x.face[0], delta);
  const Difference<V> from_p = minus(x.p, x.face[0], delta);
  const Sign<M> at_p = sign_of<M>(from_p, s, t, delta);
  const Sign<M> at_q = sign_of<M>(minus(x.q, x.face[0], delta), s, t, delta);
  const Difference<V> along = minus(x.q, x.p, delta);
  const Difference<V> to0 = minus(x.face[0], x.p, delta);
  const Difference<V> to1 = minus(x.face[1], x.p, delta);
  const Difference<V> to2 = minus(x.face[2], x.p, delta);
  const Sign<M> side0 = sign_of<M>(along, to0, to1, delta);
  const Sign<M> side1 = sign_of<M>(along, to1, to2, delta);
  const Sign<M> side2 = sign_of<M>(along, to2, to0, delta);
  const M some_positive = either(side0.positive, either(side1.positive, side2.positive));
  const M some_negative = either(side0.negative, either(side1.negative, side2.negative));
  const M all_one = either(both(side0.positive, both(side1.positive, side2.positive)),
                           both(side0.negative, both(side1.negative, side2.negative)));
  const M crosses = either(both(at_p.positive, at_q.negative), both(at_p.negative, at_q.positive));
  return {both(crosses, all_one), both(some_positive, some_negative)};
}
