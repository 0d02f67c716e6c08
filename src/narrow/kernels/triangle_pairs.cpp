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
// Where a side is not certain, a corner that both triangles have to the bit proves that they intersect: of copies
// in one pose, nearly all pairs have one. The pairs that are still open are collected until they fill a group, and
// go through a second stage (touching_triangles.inl.hpp), which proves determinants to be zero.
//
// Error bounds (u = 2^-53). All determinants are n . d, n = g x e, with differences g, e, d. Each of their six
// products of three factors has one rounding per difference, two of products, one of the difference in n and two of
// the sum; the last sum cannot change a sign. So |error| <= 7u (1 + O(u)) P, P = sum |d_k| (|g_i e_j| + |g_j e_i|),
// and a product that underflows has an error of at most 2^-1075, or |d_k| times that. The code uses the bound
// kError (P + kTiny (1 + sum |d_k|)) with kError = 16 u; where |d_k| is a sum over three points the bound is larger
// still. An infinity or NaN among the coordinates or intermediate values makes P infinite or NaN: then nothing is
// certain. The box test, whose minima may lose a NaN, and the comparison of corners count only if P is finite.
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

#include "narrow/kernels/triangle_lanes.inl.hpp"

// Uses the file above.
#include "narrow/kernels/touching_triangles.inl.hpp"

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

/// Whether some corner of a is equal to some corner of b.
template <class D>
HWY_INLINE hn::Mask<D> have_common_corner(const Corners<D>& a, const Corners<D>& b) {
  const auto equal = [&](std::size_t i, std::size_t j) HWY_ATTR {
    return hn::And(hn::Eq(a.at[i].x, b.at[j].x),
                   hn::And(hn::Eq(a.at[i].y, b.at[j].y), hn::Eq(a.at[i].z, b.at[j].z)));
  };
  const auto any = [&](std::size_t i) HWY_ATTR { return hn::Or(equal(i, 0), hn::Or(equal(i, 1), equal(i, 2))); };
  return hn::Or(any(0), hn::Or(any(1), any(2)));
}

template <class D>
HWY_INLINE Verdicts<D> test_lanes(const Corners<D>& a, const Corners<D>& b) {
  const D d;
  const Sides<D> of_b = sides_of(a, b);
  auto apart = hn::Or(hn::And(boxes_apart(a, b), of_b.finite), of_b.one_side);
  const auto none = hn::MaskFromVec(hn::Zero(d));
  if (hn::AllTrue(d, apart)) return {apart, none};
  const Sides<D> of_a = sides_of(b, a);
  apart = hn::Or(apart, of_a.one_side);
  const auto certain = hn::And(of_a.certain, of_b.certain);
  auto touch = none;
  if (!hn::AllTrue(d, hn::Or(apart, certain))) {  // rare in general poses
    touch = hn::And(have_common_corner(a, b), of_b.finite);
    if (hn::AllTrue(d, hn::Or(apart, touch))) return {apart, touch};
  }
  const auto open = hn::AndNot(apart, certain);
  if (hn::AllFalse(d, open)) return {apart, touch};

  const LineOrder<D> order = order_on_line<D>(lone_corner(a, of_a.negative), lone_corner(b, of_b.negative));
  const auto intersect = hn::And(order.one_holds, order.two_holds);
  const auto miss = hn::Or(order.one_fails, order.two_fails);
  return {hn::Or(apart, hn::And(open, miss)), hn::Or(touch, hn::And(open, intersect))};
}

/// The two stages.
struct ByErrorBounds {
  template <class D>
  static HWY_INLINE Verdicts<D> test(const Corners<D>& a, const Corners<D>& b) {
    return test_lanes<D>(a, b);
  }
};
struct ByComparisons {
  template <class D>
  static HWY_INLINE Verdicts<D> test(const Corners<D>& a, const Corners<D>& b) {
    return test_touching<D>(a, b);
  }
};

/// What a stage has found about a group, one bit per pair.
struct Found {
  unsigned intersect;
  unsigned open;
};

/// Sets the verdicts of up to one pair per lane.
template <class D, class Stage>
HWY_INLINE Found test_group(const Object& a, const Object& b, const TrianglePair* pairs, std::size_t count,
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
  const Verdicts<D> found = Stage::template test<D>(corners_a, corners_b);
  std::uint8_t apart[8] = {};
  std::uint8_t intersect[8] = {};
  hn::StoreMaskBits(D(), found.separated, apart);
  hn::StoreMaskBits(D(), found.intersect, intersect);
  for (std::size_t lane = 0; lane < count; ++lane) {
    const unsigned is_separated = unsigned{apart[0]} >> lane & 1U;
    const unsigned intersects = unsigned{intersect[0]} >> lane & 1U;
    verdicts[lane] = static_cast<PairVerdict>(2U - 2U * is_separated - intersects);
  }
  const unsigned all = (1U << count) - 1U;
  return {unsigned{intersect[0]} & all, all & ~(unsigned{apart[0]} | unsigned{intersect[0]})};
}

/// Pairs that the first stage has left open, until they fill a group of the second.
template <class D>
class OpenPairs {
 public:
  OpenPairs(const Object& a, const Object& b) : a_(a), b_(b) {}

  /// Adds the pairs that have a bit; true if a pair is proved to intersect.
  HWY_NOINLINE bool add(const TrianglePair* pairs, unsigned bits, PairVerdict* verdicts) {
    bool intersect = false;
    for (std::size_t i = 0; bits >> i != 0; ++i) {
      if ((bits >> i & 1U) == 0) continue;
      pairs_[count_] = pairs[i];
      verdicts_[count_] = verdicts + i;
      if (++count_ == kLanes) intersect |= test();
    }
    return intersect;
  }
  HWY_NOINLINE bool test() {
    if (count_ == 0) return false;
    PairVerdict verdicts[kLanes];
    const Found found = test_group<D, ByComparisons>(a_, b_, pairs_, count_, verdicts);
    for (std::size_t i = 0; i < count_; ++i) *verdicts_[i] = verdicts[i];
    count_ = 0;
    return found.intersect != 0;
  }

 private:
  static constexpr std::size_t kLanes = lane_count<D>();
  const Object& a_;
  const Object& b_;
  std::size_t count_ = 0;
  TrianglePair pairs_[kLanes];
  PairVerdict* verdicts_[kLanes];
};

/// Puts a group through the first stage; true if a pair is proved to intersect.
template <class D>
HWY_INLINE bool test_first(const Object& a, const Object& b, const TrianglePair* pairs, std::size_t count,
                           PairVerdict* verdicts, OpenPairs<Widest>& open) {
  const Found found = test_group<D, ByErrorBounds>(a, b, pairs, count, verdicts);
  bool intersect = found.intersect != 0;
  if (found.open != 0) intersect |= open.add(pairs, found.open, verdicts);
  return intersect;
}

std::size_t test_pairs(const PosedTriangles& of_a, const PosedTriangles& of_b, std::span<const TrianglePair> pairs,
                       PairVerdict* verdicts, bool first) {
  const Object a(of_a);
  const Object b(of_b);
  OpenPairs<Widest> open(a, b);
  constexpr std::size_t kLanes = lane_count<Widest>();
  std::size_t at = 0;
  for (; at + kLanes <= pairs.size(); at += kLanes) {
    if (!test_first<Widest>(a, b, &pairs[at], kLanes, verdicts + at, open) || !first) continue;
    open.test();
    return at + kLanes;
  }
  const std::size_t left = pairs.size() - at;
  bool tested = left == 0;
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  if constexpr (kLanes >= 4) {  // small batches are common, such as the first of a traversal
    if (!tested && left <= kLanes / 2) {
      test_first<hn::Half<Widest>>(a, b, &pairs[at], left, verdicts + at, open);
      tested = true;
    }
  }
#endif
  if (!tested) test_first<Widest>(a, b, &pairs[at], left, verdicts + at, open);
  open.test();
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
