// See pair_filter.hpp. Highway compiles this file once per instruction set and picks the best at run time; the
// arithmetic is narrow/pair_kernel.inl.hpp, the same file that the scalar twin includes.
#include "simd/pair_filter.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "narrow/filter.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/pair_filter.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
#if HWY_HAVE_SCALABLE
using Tag = hn::FixedTag<double, 2>;  // the number of lanes must be known: rows are turned into columns
#else
using Tag = hn::ScalableTag<double>;
#endif
using Lanes = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

HWY_INLINE Lanes add(Lanes a, Lanes b) {
  return hn::Add(a, b);
}
HWY_INLINE Lanes sub(Lanes a, Lanes b) {
  return hn::Sub(a, b);
}
HWY_INLINE Lanes mul(Lanes a, Lanes b) {
  return hn::Mul(a, b);
}
HWY_INLINE Lanes min(Lanes a, Lanes b) {
  return hn::Min(a, b);
}
HWY_INLINE Lanes max(Lanes a, Lanes b) {
  return hn::Max(a, b);
}
HWY_INLINE Lanes abs(Lanes a) {
  return hn::Abs(a);
}
HWY_INLINE Mask gt(Lanes a, Lanes b) {
  return hn::Gt(a, b);
}
HWY_INLINE Mask both(Mask a, Mask b) {
  return hn::And(a, b);
}
HWY_INLINE Mask either(Mask a, Mask b) {
  return hn::Or(a, b);
}
HWY_INLINE bool all(Mask a) {
  return hn::AllTrue(Tag(), a);
}
template <class V>
HWY_INLINE V splat(double value) {
  return hn::Set(Tag(), value);
}

#define GRAZE_LANES HWY_INLINE
#include "narrow/pair_kernel.inl.hpp"
#undef GRAZE_LANES

/// The column of one coordinate of a path over the lanes: from rows to columns. Rows are the doubles {t0 x y z,
/// t1 x y z, unused}.
template <std::size_t kLanes>
struct Columns {
  Lanes at[2][3];
};

#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t kLaneCount = 1;

HWY_INLINE Columns<1> columns_of(const double* const* rows) {
  const Tag d;
  Columns<1> c;
  for (int k = 0; k < 6; ++k) c.at[k / 3][k % 3] = hn::LoadU(d, rows[0] + k);
  return c;
}
#else
constexpr std::size_t kLaneCount = hn::MaxLanes(Tag());

HWY_INLINE Columns<2> columns_2(const double* const* rows) {
  const Tag d;
  Columns<2> c;
  for (int k = 0; k < 6; k += 2) {
    const auto a = hn::Load(d, rows[0] + k);
    const auto b = hn::Load(d, rows[1] + k);
    c.at[k / 3][k % 3] = hn::InterleaveLower(d, a, b);
    c.at[(k + 1) / 3][(k + 1) % 3] = hn::InterleaveUpper(d, a, b);
  }
  return c;
}

#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
HWY_INLINE Columns<4> columns_4(const double* const* rows) {
  const Tag d;
  Columns<4> c;
  Lanes low[2][2];   // [first or second half of a row][rows 0 1 or 2 3]: even columns of both 128-bit blocks
  Lanes high[2][2];  // odd columns
  for (int half = 0; half < 2; ++half) {
    for (int pair = 0; pair < 2; ++pair) {
      const auto a = hn::Load(d, rows[2 * pair] + 4 * half);
      const auto b = hn::Load(d, rows[2 * pair + 1] + 4 * half);
      low[half][pair] = hn::InterleaveLower(d, a, b);
      high[half][pair] = hn::InterleaveUpper(d, a, b);
    }
  }
  c.at[0][0] = hn::ConcatLowerLower(d, low[0][1], low[0][0]);
  c.at[0][1] = hn::ConcatLowerLower(d, high[0][1], high[0][0]);
  c.at[0][2] = hn::ConcatUpperUpper(d, low[0][1], low[0][0]);
  c.at[1][0] = hn::ConcatUpperUpper(d, high[0][1], high[0][0]);
  c.at[1][1] = hn::ConcatLowerLower(d, low[1][1], low[1][0]);
  c.at[1][2] = hn::ConcatLowerLower(d, high[1][1], high[1][0]);
  return c;
}
#endif

#if HWY_MAX_BYTES >= 64 && !HWY_HAVE_SCALABLE
HWY_INLINE Columns<8> columns_8(const double* const* rows) {
  const Tag d;
  const hn::Half<Tag> half;
  Columns<8> c;
  // Rows i and i + 4 share a register, half a row each time: {first half of i, first half of i + 4}, then the
  // second.
  const auto load = [&](int i, int at) HWY_ATTR {
    return hn::Combine(d, hn::Load(half, rows[i + 4] + at), hn::Load(half, rows[i] + at));
  };
  // Of blocks {p q p q} of rows 0 1 and of rows 2 3: p of both in order, and q.
  const auto even_blocks = [](Lanes a, Lanes b)
                               HWY_ATTR { return hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a); };
  const auto odd_blocks = [](Lanes a, Lanes b) HWY_ATTR { return hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a)); };
  for (int at = 0; at < 8; at += 4) {
    const auto r0 = load(0, at);
    const auto r1 = load(1, at);
    const auto r2 = load(2, at);
    const auto r3 = load(3, at);
    const auto low_01 = hn::InterleaveLower(d, r0, r1);
    const auto low_23 = hn::InterleaveLower(d, r2, r3);
    const auto high_01 = hn::InterleaveUpper(d, r0, r1);
    const auto high_23 = hn::InterleaveUpper(d, r2, r3);
    if (at == 0) {
      c.at[0][0] = even_blocks(low_01, low_23);
      c.at[0][1] = even_blocks(high_01, high_23);
      c.at[0][2] = odd_blocks(low_01, low_23);
      c.at[1][0] = odd_blocks(high_01, high_23);
    } else {
      c.at[1][1] = even_blocks(low_01, low_23);
      c.at[1][2] = even_blocks(high_01, high_23);
    }
  }
  return c;
}
#endif

HWY_INLINE Columns<kLaneCount> columns_of(const double* const* rows) {
#if HWY_HAVE_SCALABLE || HWY_MAX_BYTES < 32
  return columns_2(rows);
#elif HWY_MAX_BYTES < 64
  return columns_4(rows);
#else
  return columns_8(rows);
#endif
}
#endif

/// The points of kLaneCount pairs.
HWY_INLINE Points<Lanes> gather(const VertexPath* paths, const PairVertices* pairs) {
  Points<Lanes> p;
  for (std::size_t i = 0; i < 4; ++i) {
    const double* rows[kLaneCount];
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) rows[lane] = &paths[pairs[lane][i]].t0.x;
    const Columns<kLaneCount> c = columns_of(rows);
    for (int e = 0; e < 2; ++e) {
      for (int k = 0; k < 3; ++k) p.x[e][i][k] = c.at[e][k];
    }
  }
  return p;
}

template <bool kVertexFace>
HWY_INLINE std::size_t filter(std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                              double thickness, std::uint16_t* survivors) {
  const Lanes gap = hn::Set(Tag(), filter_gap(thickness));
  const bool thick = thickness > 0.0;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < pairs.size(); at += kLaneCount) {
    PairVertices last[kLaneCount];
    const PairVertices* some = &pairs[at];
    if (at + kLaneCount > pairs.size()) {  // lanes past the end repeat the last pair
      for (std::size_t lane = 0; lane < kLaneCount; ++lane)
        last[lane] = pairs[std::min(at + lane, pairs.size() - 1)];
      some = last;
    }
    const Points<Lanes> p = gather(paths.data(), some);
    const Mask apart = kVertexFace ? never_touch_vf<Mask>(p, gap, thick) : never_touch_ee<Mask>(p, gap, thick);
    if (hn::AllTrue(Tag(), apart)) continue;
    std::uint8_t bits[HWY_MAX_BYTES / 8 + 8] = {};
    hn::StoreMaskBits(Tag(), apart, bits);
    for (std::size_t lane = 0; lane < kLaneCount && at + lane < pairs.size(); ++lane) {
      if ((bits[lane / 8] >> (lane % 8) & 1) == 0) survivors[kept++] = static_cast<std::uint16_t>(at + lane);
    }
  }
  return kept;
}

std::size_t filter_vf(std::span<const VertexPath> paths, std::span<const PairVertices> pairs, double thickness,
                      std::uint16_t* survivors) {
  return filter<true>(paths, pairs, thickness, survivors);
}
std::size_t filter_ee(std::span<const VertexPath> paths, std::span<const PairVertices> pairs, double thickness,
                      std::uint16_t* survivors) {
  return filter<false>(paths, pairs, thickness, survivors);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze {

HWY_EXPORT(filter_vf);
HWY_EXPORT(filter_ee);

std::size_t filter_pairs(FeatureKind kind, std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                         double thickness, std::uint16_t* survivors) {
  GRAZE_ASSERT(pairs.size() <= std::size_t{1} << 16U);
  if (kind == FeatureKind::VertexFace) return HWY_DYNAMIC_DISPATCH(filter_vf)(paths, pairs, thickness, survivors);
  return HWY_DYNAMIC_DISPATCH(filter_ee)(paths, pairs, thickness, survivors);
}

}  // namespace graze
#endif
