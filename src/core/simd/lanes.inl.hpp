// SIMD vectors of double lanes: the operations that kernels over lanes (narrow/kernels/*.inl.hpp) use, with the
// names of their scalar twins in narrow/kernels/scalar_lanes.hpp, and the transposition of rows into columns.
// Sources that Highway compiles once per instruction set include this file inside their namespace HWY_NAMESPACE.
// Therefore the file has no include guard and no namespace.

namespace hn = hwy::HWY_NAMESPACE;
#if HWY_HAVE_SCALABLE
using Tag = hn::FixedTag<double, 2>;  // the transposition of rows needs a constant number of lanes
#else
using Tag = hn::ScalableTag<double>;
#endif
using Lanes = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

#include "core/simd/lane_operations.inl.hpp"

HWY_INLINE Lanes div(Lanes a, Lanes b) {
  return hn::Div(a, b);
}
HWY_INLINE Lanes sqrt(Lanes a) {
  return hn::Sqrt(a);
}
HWY_INLINE Mask without(Mask a, Mask b) {
  return hn::AndNot(b, a);
}
HWY_INLINE bool all(Mask a) {
  return hn::AllTrue(Tag(), a);
}
HWY_INLINE bool none(Mask a) {
  return hn::AllFalse(Tag(), a);
}
HWY_INLINE Lanes select(Mask mask, Lanes yes, Lanes no) {
  return hn::IfThenElse(mask, yes, no);
}
HWY_INLINE Lanes float_down(Lanes a) {
  const hn::RebindToUnsigned<Tag> bits;
  return hn::And(a, hn::BitCast(Tag(), hn::Set(bits, ~((std::uint64_t{1} << 29U) - 1U))));
}

/// Four consecutive columns of kLaneCount rows: row i becomes lane i of each column.
struct Columns {
  Lanes at[4];
};

#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t kLaneCount = 1;
#else
constexpr std::size_t kLaneCount = hn::MaxLanes(Tag());
#endif

/// Transposes columns first to first + 3 of kLaneCount rows of doubles. Precondition: rows[i] + first is aligned to
/// 32 bytes.
HWY_INLINE Columns columns_at(const double* const* rows, int first) {
  const Tag d;
  Columns c;
#if HWY_TARGET == HWY_SCALAR
  for (int k = 0; k < 4; ++k) c.at[k] = hn::LoadU(d, rows[0] + first + k);
#elif HWY_HAVE_SCALABLE || HWY_MAX_BYTES < 32
  for (int k = 0; k < 4; k += 2) {
    const auto a = hn::Load(d, rows[0] + first + k);
    const auto b = hn::Load(d, rows[1] + first + k);
    c.at[k] = hn::InterleaveLower(d, a, b);
    c.at[k + 1] = hn::InterleaveUpper(d, a, b);
  }
#elif HWY_MAX_BYTES < 64
  Lanes low[2];   // rows 0 1 and rows 2 3: even columns of both 128-bit blocks
  Lanes high[2];  // rows 0 1 and rows 2 3: odd columns
  for (int pair = 0; pair < 2; ++pair) {
    const auto a = hn::Load(d, rows[2 * pair] + first);
    const auto b = hn::Load(d, rows[2 * pair + 1] + first);
    low[pair] = hn::InterleaveLower(d, a, b);
    high[pair] = hn::InterleaveUpper(d, a, b);
  }
  c.at[0] = hn::ConcatLowerLower(d, low[1], low[0]);
  c.at[1] = hn::ConcatLowerLower(d, high[1], high[0]);
  c.at[2] = hn::ConcatUpperUpper(d, low[1], low[0]);
  c.at[3] = hn::ConcatUpperUpper(d, high[1], high[0]);
#else
  const hn::Half<Tag> half;
  // Rows i and i + 4 share a register.
  const auto load = [&](int i) HWY_ATTR {
    return hn::Combine(d, hn::Load(half, rows[i + 4] + first), hn::Load(half, rows[i] + first));
  };
  // From blocks {p q p q} of rows 0 1 and of rows 2 3, even_blocks collects the p in order and odd_blocks the q.
  const auto even_blocks = [](Lanes a, Lanes b)
                               HWY_ATTR { return hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a); };
  const auto odd_blocks = [](Lanes a, Lanes b) HWY_ATTR { return hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a)); };
  const auto r0 = load(0);
  const auto r1 = load(1);
  const auto r2 = load(2);
  const auto r3 = load(3);
  const auto low_01 = hn::InterleaveLower(d, r0, r1);
  const auto low_23 = hn::InterleaveLower(d, r2, r3);
  const auto high_01 = hn::InterleaveUpper(d, r0, r1);
  const auto high_23 = hn::InterleaveUpper(d, r2, r3);
  c.at[0] = even_blocks(low_01, low_23);
  c.at[1] = even_blocks(high_01, high_23);
  c.at[2] = odd_blocks(low_01, low_23);
  c.at[3] = odd_blocks(high_01, high_23);
#endif
  return c;
}
