// Proofs in floats that the two features of a pair stay separated: along the diagonal slabs of a 26-DOP, because
// their four points are never coplanar, or because their planes or lines stay farther apart than a gap. Included by
// a source that Highway compiles once per instruction set, inside its namespace HWY_NAMESPACE; therefore no include
// guard and no namespace here.
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

#include "core/simd/lane_operations.inl.hpp"

HWY_INLINE bool all(FloatMask a) {
  return hn::AllTrue(FloatTag(), a);
}

#define GRAZE_LANES HWY_INLINE
#include "narrow/kernels/pair_kernel.inl.hpp"
#undef GRAZE_LANES

/// Gathers the coordinates of the four points of each pair, one pair per lane.
template <bool kVertexFace>
HWY_INLINE Points<Floats> points_of(const Cluster& a, const Cluster& b, Words words) {
  Points<Floats> p;
  for (int point = 0; point < 4; ++point) {
    const Cluster& cluster = point < (kVertexFace ? 1 : 2) ? a : b;
    const Ints places = corner_of(words, point);
    for (int k = 0; k < 3; ++k) {
      p.x[0][point][k] = look_up(cluster.x[static_cast<std::size_t>(k)].data(), places);
      p.x[1][point][k] = look_up(cluster.x[3 + static_cast<std::size_t>(k)].data(), places);
    }
  }
  return p;
}

constexpr double kFloatU = 0x1p-24;
constexpr double kTiny = 0x1p-90;
constexpr double kLargest = 0x1p20;

/// Returns the lanes whose four moving points are proved never coplanar. `off_by` is delta in the head.
HWY_INLINE FloatMask never_coplanar_in_floats(const Points<Floats>& p, float off_by) {
  const Moving<Floats> a = difference(p, 1, 0);
  const Moving<Floats> b = difference(p, 2, 0);
  const Moving<Floats> c = difference(p, 3, 0);
  const Floats delta = hn::Set(FloatTag(), off_by);
  const Floats ma = add(magnitude(a), delta);
  const Floats mb = add(magnitude(b), delta);
  const Floats mc = add(magnitude(c), delta);
  const Floats bc = mul(mb, mc);
  const Floats off = mul(delta, add(bc, mul(ma, add(mb, mc))));
  const Floats scale = mul(ma, bc);
  const Cubic<Floats> f = dot(a, cross(b, c));
  const Floats end =
      add(add(mul(splat<Floats>(6.1), off), mul(splat<Floats>(52 * kFloatU), scale)), splat<Floats>(kTiny));
  const Floats middle =
      add(add(mul(splat<Floats>(18.3), off), mul(splat<Floats>(192 * kFloatU), scale)), splat<Floats>(kTiny));
  const Floats zero = splat<Floats>(0.0);
  const FloatMask positive = both(gt(min(f.c0, f.c3), end), gt(min(f.c1, f.c2), middle));
  const FloatMask negative = both(gt(sub(zero, end), max(f.c0, f.c3)), gt(sub(zero, middle), max(f.c1, f.c2)));
  return both(gt(splat<Floats>(kLargest), max3(ma, mb, mc)), either(positive, negative));
}

/// Returns the lanes whose features are proved farther apart than `gap` at all times, along the normal of the face
/// or the common normal of the edges.
template <bool kVertexFace>
HWY_INLINE FloatMask beyond_gap_along_normal(const Points<Floats>& p, float off_by, float gap) {
  const Moving<Floats> a = kVertexFace ? difference(p, 0, 1) : difference(p, 2, 0);
  const Moving<Floats> b = kVertexFace ? difference(p, 2, 1) : difference(p, 1, 0);
  const Moving<Floats> c = kVertexFace ? difference(p, 3, 1) : difference(p, 3, 2);
  const Floats delta = hn::Set(FloatTag(), off_by);
  const Floats ma = add(magnitude(a), delta);
  const Floats mb = add(magnitude(b), delta);
  const Floats mc = add(magnitude(c), delta);
  const Floats bc = mul(mb, mc);
  const Floats off = mul(delta, add(bc, mul(ma, add(mb, mc))));
  const Floats scale = mul(ma, bc);
  const Quadratic<Floats> normal = cross(b, c);
  const Cubic<Floats> f = dot(a, normal);
  const Floats square = max3(dot(normal.c0, normal.c0), mul(splat<Floats>(0.25), dot(normal.c1, normal.c1)),
                             dot(normal.c2, normal.c2));
  const Floats length =
      add(add(mul(splat<Floats>(1.01), hn::Sqrt(square)), mul(splat<Floats>(4.0), mul(delta, add(mb, mc)))),
          add(mul(splat<Floats>(24 * kFloatU), bc), splat<Floats>(0x1p-60)));
  const Floats reach = mul(hn::Set(FloatTag(), 1.01F * gap), length);
  const Floats end = add(
      reach, add(add(mul(splat<Floats>(6.1), off), mul(splat<Floats>(52 * kFloatU), scale)), splat<Floats>(kTiny)));
  const Floats middle =
      add(mul(splat<Floats>(3.01), reach),
          add(add(mul(splat<Floats>(18.3), off), mul(splat<Floats>(192 * kFloatU), scale)), splat<Floats>(kTiny)));
  const Floats zero = splat<Floats>(0.0);
  const FloatMask positive = both(gt(min(f.c0, f.c3), end), gt(min(f.c1, f.c2), middle));
  const FloatMask negative = both(gt(sub(zero, end), max(f.c0, f.c3)), gt(sub(zero, middle), max(f.c1, f.c2)));
  return both(gt(splat<Floats>(kLargest), max3(ma, mb, mc)), either(positive, negative));
}

/// Returns the lanes in which points [0, kFirst) and the others are separated along one of the ten diagonal
/// directions of a 26-DOP, in the same order at both ends of the step.
template <int kFirst>
HWY_INLINE FloatMask separated_by_slabs(const Points<Floats>& p, Floats room) {
  FloatMask apart = gt(room, room);
  Floats at[2][4];
  const auto compare = [&]() HWY_ATTR {
    Floats above[2];
    Floats below[2];
    for (int e = 0; e < 2; ++e) {
      Floats lo_a = at[e][0];
      Floats hi_a = at[e][0];
      for (int i = 1; i < kFirst; ++i) {
        lo_a = min(lo_a, at[e][i]);
        hi_a = max(hi_a, at[e][i]);
      }
      Floats lo_b = at[e][kFirst];
      Floats hi_b = at[e][kFirst];
      for (int i = kFirst + 1; i < 4; ++i) {
        lo_b = min(lo_b, at[e][i]);
        hi_b = max(hi_b, at[e][i]);
      }
      above[e] = sub(lo_a, hi_b);
      below[e] = sub(lo_b, hi_a);
    }
    apart = either(apart, gt(max(min(above[0], above[1]), min(below[0], below[1])), room));
  };
  for (int k = 0; k < 3; ++k) {
    const int i = k;
    const int j = (k + 1) % 3;
    for (int e = 0; e < 2; ++e) {
      for (int point = 0; point < 4; ++point) at[e][point] = add(p.x[e][point][i], p.x[e][point][j]);
    }
    compare();
    for (int e = 0; e < 2; ++e) {
      for (int point = 0; point < 4; ++point) at[e][point] = sub(p.x[e][point][i], p.x[e][point][j]);
    }
    compare();
  }
  for (int corner = 0; corner < 4; ++corner) {
    for (int e = 0; e < 2; ++e) {
      for (int point = 0; point < 4; ++point) {
        const Floats* const x = p.x[e][point];
        const Floats xy = (corner & 1) != 0 ? sub(x[0], x[1]) : add(x[0], x[1]);
        at[e][point] = (corner & 2) != 0 ? sub(xy, x[2]) : add(xy, x[2]);
      }
    }
    compare();
  }
  return apart;
}
