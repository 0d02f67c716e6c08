// Narrow phase of rigid queries, filter: pairs of posed triangles in SIMD lanes, one pair per lane. See
// triangle_pairs.hpp. Highway compiles this file once per instruction set. It uses plain double operations in a
// fixed order, none fused, so every instruction set gives the bits of posed() and the same verdicts. Cost: about
// 500 operations per group of lanes; reads only the triangles.
//
// Steps. Disjoint boxes prove separation, by exact comparisons. So does the plane of a if all of b is strictly on
// one side of it, and vice versa. Otherwise, if all six sides are certain and none is zero, the planes intersect in
// a line l, and each triangle intersects l in an interval that ends on the two edges at its lone corner, the corner
// alone on its side of the other plane. Let p and o be the lone corners, u and v other corners of a and of b. The
// edges p-u and o-v cut l at parameters i and k with
//   sign(k - i) = sign f(u, v),  f(u, v) = (o - p) . ((v - o) x (u - p)),
// if l is oriented so that its direction e has det(p - l, e, o - l) > 0: write u - p and v - o as multiples of
// their parts off l, and f is a positive multiple of (k - i). Orientation says which of the other two corners comes
// first along l: for a, with corners p q r in cyclic order, q comes before r iff o is on the negative side of a;
// for b, with corners o s t, s comes before t iff p is on the positive side of b. So two more signs, of (end of a)
// - (start of b) and of (end of b) - (start of a), decide whether the intervals overlap, that is, whether the
// triangles intersect.
//
// Error bounds (u = 2^-53). All determinants are n . d, n = g x e, with differences g, e, d. Each of their six
// products of three factors has one rounding per difference, two of products, one of the difference in n and two of
// the sum; the last sum cannot change a sign. So |error| <= 7u (1 + O(u)) P, P = sum |d_k| (|g_i e_j| + |g_j e_i|),
// and a product that underflows has an error of at most 2^-1075, or |d_k| times that. The code uses the bound
// kError (P + kTiny (1 + sum |d_k|)) with kError = 16 u; where |d_k| is a sum over three points the bound is larger
// still. An infinity or NaN among the coordinates or intermediate values makes P infinite or NaN: then nothing is
// certain. The box test, whose minima may lose a NaN, counts only if P is finite.
#include "narrow/kernels/triangle_pairs.hpp"

#include <algorithm>
#include <limits>

#include "core/assert.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "narrow/kernels/triangle_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::narrow {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
#if HWY_HAVE_SCALABLE
using Widest = hn::FixedTag<double, 2>;  // the transposition of rows needs a constant number of lanes
#else
using Widest = hn::ScalableTag<double>;
#endif

constexpr double kError = 16.0 * 0x1p-53;
constexpr double kTiny = 0x1p-900;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class D>
constexpr std::size_t lane_count() {
#if HWY_TARGET == HWY_SCALAR
  return 1;
#else
  return hn::MaxLanes(D());
#endif
}

/// Points or vectors, one per lane.
template <class D>
struct Points {
  hn::Vec<D> x;
  hn::Vec<D> y;
  hn::Vec<D> z;
};
template <class D>
HWY_INLINE Points<D> minus(const Points<D>& a, const Points<D>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class D>
HWY_INLINE Points<D> abs(const Points<D>& a) {
  return {hn::Abs(a.x), hn::Abs(a.y), hn::Abs(a.z)};
}
template <class D>
HWY_INLINE Points<D> select(hn::Mask<D> mask, const Points<D>& yes, const Points<D>& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y), hn::IfThenElse(mask, yes.z, no.z)};
}
template <class D>
HWY_INLINE hn::Vec<D> dot(const Points<D>& a, const Points<D>& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}

/// A cross product, and the sums of the magnitudes of its terms, for the error bound.
template <class D>
struct Normal {
  Points<D> n;
  Points<D> size;
};
template <class D>
HWY_INLINE Normal<D> cross(const Points<D>& a, const Points<D>& b) {
  const Points<D> left{hn::Mul(a.y, b.z), hn::Mul(a.z, b.x), hn::Mul(a.x, b.y)};
  const Points<D> right{hn::Mul(a.z, b.y), hn::Mul(a.x, b.z), hn::Mul(a.y, b.x)};
  return {minus(left, right),
          {hn::Add(hn::Abs(left.x), hn::Abs(right.x)), hn::Add(hn::Abs(left.y), hn::Abs(right.y)),
           hn::Add(hn::Abs(left.z), hn::Abs(right.z))}};
}

/// P + kTiny (1 + sum |d_k|); the head of this file defines P.
template <class D>
HWY_INLINE hn::Vec<D> permanent(const Points<D>& size, const Points<D>& d) {
  const D tag;
  const auto sum = hn::Add(hn::Add(d.x, d.y), d.z);
  return hn::Add(dot(size, d), hn::Mul(hn::Set(tag, kTiny), hn::Add(sum, hn::Set(tag, 1.0))));
}

template <class D>
struct Corners {
  Points<D> at[3];
};

/// Transposes the rows of one point per lane into columns. Precondition: one double beyond the end of each row is
/// readable.
template <class D>
HWY_INLINE Points<D> columns(const double* const* rows) {
  const D d;
  constexpr std::size_t kLanes = lane_count<D>();
  if constexpr (kLanes == 1) {
    return {hn::LoadU(d, rows[0]), hn::LoadU(d, rows[0] + 1), hn::LoadU(d, rows[0] + 2)};
#if HWY_TARGET != HWY_SCALAR
  } else if constexpr (kLanes == 2) {
    const auto a = hn::LoadU(d, rows[0]);
    const auto b = hn::LoadU(d, rows[1]);
    return {hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b),
            hn::InterleaveLower(d, hn::LoadU(d, rows[0] + 2), hn::LoadU(d, rows[1] + 2))};
#endif
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
  } else if constexpr (kLanes == 4) {
    const auto r0 = hn::LoadU(d, rows[0]);
    const auto r1 = hn::LoadU(d, rows[1]);
    const auto r2 = hn::LoadU(d, rows[2]);
    const auto r3 = hn::LoadU(d, rows[3]);
    const auto low_01 = hn::InterleaveLower(d, r0, r1);  // x0 x1 z0 z1
    const auto low_23 = hn::InterleaveLower(d, r2, r3);
    const auto high_01 = hn::InterleaveUpper(d, r0, r1);  // y0 y1
    const auto high_23 = hn::InterleaveUpper(d, r2, r3);
    return {hn::ConcatLowerLower(d, low_23, low_01), hn::ConcatLowerLower(d, high_23, high_01),
            hn::ConcatUpperUpper(d, low_23, low_01)};
#endif
#if HWY_MAX_BYTES >= 64 && !HWY_HAVE_SCALABLE
  } else if constexpr (kLanes == 8) {
    const hn::Half<D> half;
    // Rows i and i + 4 share a register.
    const auto load = [&](int i) HWY_ATTR {
      return hn::Combine(d, hn::LoadU(half, rows[i + 4]), hn::LoadU(half, rows[i]));
    };
    const auto r0 = load(0);
    const auto r1 = load(1);
    const auto r2 = load(2);
    const auto r3 = load(3);
    const auto low_01 = hn::InterleaveLower(d, r0, r1);  // x0 x1 z0 z1, x4 x5 z4 z5
    const auto low_23 = hn::InterleaveLower(d, r2, r3);
    const auto high_01 = hn::InterleaveUpper(d, r0, r1);
    const auto high_23 = hn::InterleaveUpper(d, r2, r3);
    return {hn::OddEvenBlocks(hn::SwapAdjacentBlocks(low_23), low_01),
            hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high_23), high_01),
            hn::OddEvenBlocks(low_23, hn::SwapAdjacentBlocks(low_01))};
#endif
  }
}

/// A posed mesh prepared for many gathers. No double follows the last position in memory, so that position is read
/// from a copy.
struct Object {
  explicit Object(const PosedTriangles& from)
      : positions(from.positions.data()), triangles(from.triangles.data()), pose(from.pose) {
    if (from.positions.empty()) return;
    const Vec3& p = from.positions.back();
    last = &p;
    copy[0] = p.x;
    copy[1] = p.y;
    copy[2] = p.z;
  }
  const double* row(VertexId v) const {
    const Vec3* p = positions + v;
    return p == last ? copy : &p->x;
  }

  const Vec3* positions;
  const Triangle* triangles;
  const Pose& pose;
  const Vec3* last = nullptr;
  double copy[4] = {};
};

template <class D>
HWY_INLINE Points<D> pose_points(const Pose& pose, const Points<D>& p) {
  const D d;
  const auto row = [&](const Vec3& r, double t) HWY_ATTR {
    const Points<D> all{hn::Set(d, r.x), hn::Set(d, r.y), hn::Set(d, r.z)};
    return hn::Add(dot(all, p), hn::Set(d, t));
  };
  return {row(pose.rotation[0], pose.translation.x), row(pose.rotation[1], pose.translation.y),
          row(pose.rotation[2], pose.translation.z)};
}

/// The posed corners of one triangle per lane.
template <class D>
HWY_INLINE Corners<D> gather(const Object& object, const TriangleId* ids) {
  constexpr std::size_t kLanes = lane_count<D>();
  const double* rows[3][kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const Triangle& triangle = object.triangles[ids[lane]];
    for (std::size_t i = 0; i < 3; ++i) rows[i][lane] = object.row(triangle[i]);
  }
  Corners<D> corners;
  for (std::size_t i = 0; i < 3; ++i) corners.at[i] = pose_points<D>(object.pose, columns<D>(rows[i]));
  return corners;
}

/// Whether the intervals of two triangles along one axis are disjoint.
template <class V>
HWY_INLINE auto separated_along(V a0, V a1, V a2, V b0, V b1, V b2) {
  const auto a_lo = hn::Min(hn::Min(a0, a1), a2);
  const auto a_hi = hn::Max(hn::Max(a0, a1), a2);
  const auto b_lo = hn::Min(hn::Min(b0, b1), b2);
  const auto b_hi = hn::Max(hn::Max(b0, b1), b2);
  return hn::Or(hn::Lt(a_hi, b_lo), hn::Lt(b_hi, a_lo));
}
template <class D>
HWY_INLINE hn::Mask<D> boxes_apart(const Corners<D>& a, const Corners<D>& b) {
  const auto& [a0, a1, a2] = a.at;
  const auto& [b0, b1, b2] = b.at;
  return hn::Or(separated_along(a0.x, a1.x, a2.x, b0.x, b1.x, b2.x),
                hn::Or(separated_along(a0.y, a1.y, a2.y, b0.y, b1.y, b2.y),
                       separated_along(a0.z, a1.z, a2.z, b0.z, b1.z, b2.z)));
}

/// The sides of the corners of one triangle with respect to the plane of another.
template <class D>
struct Sides {
  hn::Mask<D> negative[3];
  hn::Mask<D> one_side;  ///< all corners are certainly strictly on one side
  hn::Mask<D> certain;   ///< each corner is certainly strictly on the side that `negative` says
  hn::Mask<D> finite;
};
template <class D>
HWY_INLINE Sides<D> sides_of(const Corners<D>& plane, const Corners<D>& t) {
  const D d;
  const Normal<D> normal = cross(minus(plane.at[1], plane.at[0]), minus(plane.at[2], plane.at[0]));
  const Points<D> d0 = minus(t.at[0], plane.at[0]);
  const Points<D> d1 = minus(t.at[1], plane.at[0]);
  const Points<D> d2 = minus(t.at[2], plane.at[0]);
  const Points<D> abs_components{hn::Add(hn::Add(hn::Abs(d0.x), hn::Abs(d1.x)), hn::Abs(d2.x)),
                                 hn::Add(hn::Add(hn::Abs(d0.y), hn::Abs(d1.y)), hn::Abs(d2.y)),
                                 hn::Add(hn::Add(hn::Abs(d0.z), hn::Abs(d1.z)), hn::Abs(d2.z))};
  const auto s0 = dot(normal.n, d0);
  const auto s1 = dot(normal.n, d1);
  const auto s2 = dot(normal.n, d2);
  const auto size = permanent<D>(normal.size, abs_components);
  const auto bound = hn::Mul(hn::Set(d, kError), size);
  const auto zero = hn::Zero(d);
  Sides<D> sides;
  sides.negative[0] = hn::Lt(s0, zero);
  sides.negative[1] = hn::Lt(s1, zero);
  sides.negative[2] = hn::Lt(s2, zero);
  sides.one_side =
      hn::Or(hn::Gt(hn::Min(hn::Min(s0, s1), s2), bound), hn::Gt(hn::Neg(bound), hn::Max(hn::Max(s0, s1), s2)));
  sides.certain = hn::Gt(hn::Min(hn::Min(hn::Abs(s0), hn::Abs(s1)), hn::Abs(s2)), bound);
  sides.finite = hn::Lt(size, hn::Set(d, kInfinity));
  return sides;
}

/// A triangle seen from its lone corner: the edges to the other two corners in the order of their indices.
template <class D>
struct Lone {
  Points<D> corner;
  Points<D> to_first;
  Points<D> to_second;
  hn::Mask<D> middle;    ///< the lone corner is corner 1; the other two are then not in cyclic order
  hn::Mask<D> negative;  ///< the lone corner is on the negative side
};
/// The lone corner of each triangle. The result is meaningless in lanes where all sides are equal.
template <class D>
HWY_INLINE Lone<D> lone_corner(const Corners<D>& t, const Sides<D>& sides) {
  const auto& [n0, n1, n2] = sides.negative;
  const auto differ_01 = hn::Xor(n0, n1);
  const auto differ_12 = hn::Xor(n1, n2);
  const auto middle = hn::And(differ_01, differ_12);
  const auto last = hn::AndNot(differ_01, differ_12);
  const auto first = hn::AndNot(differ_12, differ_01);
  const Points<D> corner = select<D>(middle, t.at[1], select<D>(last, t.at[2], t.at[0]));
  return {corner, minus(select<D>(first, t.at[1], t.at[0]), corner),
          minus(select<D>(last, t.at[1], t.at[2]), corner), middle, hn::Xor(differ_01, n2)};
}

/// f(u, v) of the head of this file, and its error bound.
template <class D>
struct Order {
  hn::Vec<D> f;
  hn::Vec<D> bound;
};
template <class D>
HWY_INLINE Order<D> order_of(const Points<D>& between, const Points<D>& abs_components, const Points<D>& to_v,
                             const Points<D>& to_u) {
  const Normal<D> normal = cross(to_v, to_u);
  return {dot(normal.n, between), hn::Mul(hn::Set(D(), kError), permanent<D>(normal.size, abs_components))};
}

template <class D>
struct Verdicts {
  hn::Mask<D> separated;
  hn::Mask<D> intersect;
};
template <class D>
HWY_INLINE Verdicts<D> test_lanes(const Corners<D>& a, const Corners<D>& b) {
  const D d;
  const Sides<D> of_b = sides_of(a, b);
  auto apart = hn::Or(hn::And(boxes_apart(a, b), of_b.finite), of_b.one_side);
  const auto none = hn::MaskFromVec(hn::Zero(d));
  if (hn::AllTrue(d, apart)) return {apart, none};
  const Sides<D> of_a = sides_of(b, a);
  apart = hn::Or(apart, of_a.one_side);
  const auto open = hn::AndNot(apart, hn::And(of_a.certain, of_b.certain));
  if (hn::AllFalse(d, open)) return {apart, none};

  const Lone<D> p = lone_corner(a, of_a);
  const Lone<D> o = lone_corner(b, of_b);
  const Points<D> between = minus(o.corner, p.corner);
  const Points<D> abs_components = abs(between);
  // The order of the other two corners along the line: first to second, or second to first in the lanes `late`.
  const auto late_a = hn::Not(hn::Xor(o.negative, p.middle));
  const auto late_b = hn::Xor(p.negative, o.middle);
  const auto same = hn::Not(hn::Xor(late_a, late_b));
  // Compare the first corner of a with the corner of b at the other end of its interval, and the second likewise.
  const Order<D> one = order_of(between, abs_components, select<D>(same, o.to_second, o.to_first), p.to_first);
  const Order<D> two = order_of(between, abs_components, select<D>(same, o.to_first, o.to_second), p.to_second);
  // The sign is of (end of b) - (start of a) if a is in order; otherwise of (start of b) - (end of a), which must
  // be negative.
  const auto flip = hn::IfThenElseZero(late_a, hn::Set(d, -0.0));
  const auto f_one = hn::Xor(one.f, flip);
  const auto f_two = hn::Xor(two.f, hn::Xor(flip, hn::Set(d, -0.0)));
  const auto intersect = hn::And(hn::Gt(f_one, one.bound), hn::Gt(f_two, two.bound));
  const auto miss = hn::Or(hn::Gt(hn::Neg(one.bound), f_one), hn::Gt(hn::Neg(two.bound), f_two));
  return {hn::Or(apart, hn::And(open, miss)), hn::And(open, intersect)};
}

/// Sets the verdicts of up to one pair per lane; true if some pair is proved to intersect.
template <class D>
HWY_INLINE bool test_group(const Object& a, const Object& b, const TrianglePair* pairs, std::size_t count,
                           PairVerdict* verdicts) {
  constexpr std::size_t kLanes = lane_count<D>();
  TriangleId ids_a[kLanes];
  TriangleId ids_b[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {  // lanes past the end repeat the last pair
    const TrianglePair& pair = pairs[std::min(lane, count - 1)];
    ids_a[lane] = pair.a;
    ids_b[lane] = pair.b;
  }
  const Corners<D> corners_a = gather<D>(a, ids_a);
  const Corners<D> corners_b = gather<D>(b, ids_b);
  const Verdicts<D> found = test_lanes<D>(corners_a, corners_b);
  std::uint8_t apart[8] = {};
  std::uint8_t intersect[8] = {};
  hn::StoreMaskBits(D(), found.separated, apart);
  hn::StoreMaskBits(D(), found.intersect, intersect);
  for (std::size_t lane = 0; lane < count; ++lane) {
    const unsigned is_separated = unsigned{apart[0]} >> lane & 1U;
    const unsigned intersects = unsigned{intersect[0]} >> lane & 1U;
    verdicts[lane] = static_cast<PairVerdict>(2U - 2U * is_separated - intersects);
  }
  return intersect[0] != 0;
}

std::size_t test_pairs(const PosedTriangles& of_a, const PosedTriangles& of_b, std::span<const TrianglePair> pairs,
                       PairVerdict* verdicts, bool first) {
  const Object a(of_a);
  const Object b(of_b);
  constexpr std::size_t kLanes = lane_count<Widest>();
  std::size_t at = 0;
  for (; at + kLanes <= pairs.size(); at += kLanes) {
    if (test_group<Widest>(a, b, &pairs[at], kLanes, verdicts + at) && first) return at + kLanes;
  }
  const std::size_t left = pairs.size() - at;
  if (left == 0) return at;
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  if constexpr (kLanes >= 4) {  // small batches are common, such as the first of a traversal
    if (left <= kLanes / 2) {
      test_group<hn::Half<Widest>>(a, b, &pairs[at], left, verdicts + at);
      return pairs.size();
    }
  }
#endif
  test_group<Widest>(a, b, &pairs[at], left, verdicts + at);
  return pairs.size();
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::narrow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::narrow {

HWY_EXPORT(test_pairs);

std::size_t test_triangle_pairs(const PosedTriangles& a, const PosedTriangles& b,
                                std::span<const TrianglePair> pairs, std::span<PairVerdict> verdicts, bool first) {
  GRAZE_ASSERT(verdicts.size() == pairs.size());
  const std::size_t tested = HWY_DYNAMIC_DISPATCH(test_pairs)(a, b, pairs, verdicts.data(), first);
  std::fill(verdicts.begin() + static_cast<std::ptrdiff_t>(tested), verdicts.end(), PairVerdict::Unknown);
  return tested;
}

}  // namespace graze::narrow
#endif
