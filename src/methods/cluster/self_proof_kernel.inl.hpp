// Self-collision culling of one cluster, the arithmetic: a proof in floats that no two features of the cluster
// touch in a step unless they are incident. Written once over "lanes": the SIMD version (self_proof.inl.hpp) and
// the version for one lane, on the host or on a CUDA device (proofs_lane.hpp), include this file inside their
// namespace, after float_proof_kernel.inl.hpp. Therefore the file has no include guard and no namespace.
//
// The cluster is a disc (cluster_disc.hpp), projected along its normal to a plane that is fixed during the step. If
// at all times of the step all its projected faces have the same orientation, and its contour is a simple polygon,
// then the projection is injective: each point of the plane that is on no edge is in as many faces as the contour's
// winding number says, none or one. So faces do not overlap, and features that are not incident are separated, in
// the plane and in space. This is the proof by normal cone and contour of ICCD (Tang et al. 2009, section IV), for
// one cluster and with one direction.
//
// The contour is simple if any two of its edges that are not neighbours are separated along one of four directions,
// in the same order at both ends of the step. Neighbours need no test: if they shared more than their vertex, the
// far end of one would lie on the other, and the next edge from there would not be separated from it; a contour of
// three edges would have no area, but all faces have a positive area.
//
// Error bound. A coordinate in the plane is wrong by at most `off`: kSlabErrors times the error, and the
// position_error. A difference P is wrong by twice that, and a rounding. With M_P = max|P| + 2 off, the end
// coefficients of P x Q are wrong by at most 2 (M_P + M_Q) 2 off, the roundings of the differences in it, and 3
// roundings of each of two products: 10 2^-24 M_P M_Q; the middle coefficient (times 2) by twice that and one more
// rounding. The constants include a margin for the rounding of the bound; underflow as in
// float_proof_kernel.inl.hpp.

/// Moving vector in the plane, at t0 and t1.
template <class V>
struct PlaneVector {
  V x[2];
  V y[2];
};

template <class V>
GRAZE_LANES V magnitude(const PlaneVector<V>& p) {
  return max(max(abs(p.x[0]), abs(p.x[1])), max(abs(p.y[0]), abs(p.y[1])));
}

/// Quadratic with its error bound: Bernstein coefficients, c1 stored doubled.
template <class V>
struct SureQuadratic {
  V c0;
  V c1;
  V c2;
  V end;  ///< error bound of c0 and c2; that of c1 is kSureMiddle times larger
};

inline constexpr double kSureMiddle = 2.2;

/// Returns the lanes in which the quadratic is proved positive on all of [0,1].
template <class M, class V>
GRAZE_LANES M is_positive(const SureQuadratic<V>& q) {
  return both(gt(min(q.c0, q.c2), q.end), gt(q.c1, mul(splat<V>(kSureMiddle), q.end)));
}

/// Returns one end of the cross product P x Q, or one half of its middle: P at one end of the step, Q at another.
template <class V>
GRAZE_LANES V cross_of_ends(const PlaneVector<V>& p, int i, const PlaneVector<V>& q, int j) {
  return sub(mul(p.x[i], q.y[j]), mul(p.y[i], q.x[j]));
}

/// Returns the cross product P x Q.
template <class V>
GRAZE_LANES SureQuadratic<V> cross(const PlaneVector<V>& p, const PlaneVector<V>& q, V off) {
  const V twice = add(off, off);
  const V mp = add(magnitude(p), twice);
  const V mq = add(magnitude(q), twice);
  const V end = add(add(mul(splat<V>(4.1), mul(off, add(mp, mq))), mul(splat<V>(12 * kFloatU), mul(mp, mq))),
                    splat<V>(kTiny));
  return {cross_of_ends(p, 0, q, 0), add(cross_of_ends(p, 0, q, 1), cross_of_ends(p, 1, q, 0)),
          cross_of_ends(p, 1, q, 1), end};
}

/// Computes two directions orthogonal to the normal, of at most unit length; false if there is no normal.
GRAZE_LANES bool across(const std::array<float, 3>& n, std::array<float, 3>& u, std::array<float, 3>& v) {
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k) least = std::abs(n[k]) < std::abs(n[least]) ? k : least;
  const std::size_t i = (least + 1) % 3;
  const std::size_t j = (least + 2) % 3;
  const float length = std::sqrt(n[i] * n[i] + n[j] * n[j]);
  if (!(length > 0.5F)) return false;
  u[least] = 0.0F;
  u[i] = -0.9999F * n[j] / length;
  u[j] = 0.9999F * n[i] / length;
  for (std::size_t k = 0; k < 3; ++k) v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
  return true;
}

/// Bounds of contour edges along four directions, at t0 and t1: rows 2 i and 2 i + 1 for direction i.
template <class V>
struct EdgeBounds {
  V lo[8];
  V hi[8];
};

template <class V>
GRAZE_LANES EdgeBounds<V> bounds_of_edge(const PlaneVector<V>& from, const PlaneVector<V>& to, V off) {
  EdgeBounds<V> b;
  const V twice = mul(splat<V>(2.0), off);
  for (int end = 0; end < 2; ++end) {
    const V p[4] = {from.x[end], from.y[end], add(from.x[end], from.y[end]), sub(from.x[end], from.y[end])};
    const V q[4] = {to.x[end], to.y[end], add(to.x[end], to.y[end]), sub(to.x[end], to.y[end])};
    for (int i = 0; i < 4; ++i) {
      const V room = i < 2 ? off : twice;
      b.lo[2 * i + end] = sub(min(p[i], q[i]), room);
      b.hi[2 * i + end] = add(max(p[i], q[i]), room);
    }
  }
  return b;
}
