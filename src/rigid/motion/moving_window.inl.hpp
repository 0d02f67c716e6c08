// Windows of times of two boxes from their intervals along sixteen directions at both ends of a slab. Included
// inside of namespace HWY_NAMESPACE once for each instruction set; therefore it has no include guard and no
// namespace.
//
// With gaps g0 > 0 and g1 <= 0 at the ends of the slab, lowered by their margins, the line reaches zero at the
// fraction g0 / (g0 - g1). It is computed within 2^-22 of itself and multiplied by 1 - 2^-20, so that it is rounded
// down; the tail likewise. Start and tail that sum to more than 1 leave no window: the rounding of the sum, 2^-24,
// is less than what was subtracted. Gaps that are NaN never separate anything.

using Window = TimeWindow<float>;
using RowTag = hn::CappedTag<float, kSlabDirections>;
#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t kRowStep = 1;
#else
constexpr std::size_t kRowStep = hn::MaxLanes(RowTag());
#endif

/// Narrows the window of a pair by all directions. Returns true if nothing is left of it.
HWY_INLINE bool narrow_window(const TimedEnds& a, const TimedEnds& b, Window& window) {
  const RowTag d;
  const auto zero = hn::Zero(d);
  auto start = zero;
  auto tail = zero;
  for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
    const auto g0 = hn::Sub(hn::Load(d, a.lo[0].data() + k), hn::Load(d, b.hi[0].data() + k));
    const auto g1 = hn::Sub(hn::Load(d, a.lo[1].data() + k), hn::Load(d, b.hi[1].data() + k));
    const auto h0 = hn::Sub(hn::Load(d, b.lo[0].data() + k), hn::Load(d, a.hi[0].data() + k));
    const auto h1 = hn::Sub(hn::Load(d, b.lo[1].data() + k), hn::Load(d, a.hi[1].data() + k));
    const auto g_always = hn::And(hn::Gt(g0, zero), hn::Gt(g1, zero));
    const auto h_always = hn::And(hn::Gt(h0, zero), hn::Gt(h1, zero));
    if (!hn::AllFalse(d, hn::Or(g_always, h_always))) return true;
    const auto first_g = hn::Gt(g0, h0);
    const auto p0 = hn::IfThenElse(first_g, g0, h0);
    const auto p1 = hn::IfThenElse(first_g, g1, h1);
    const auto last_g = hn::Gt(g1, h1);
    const auto q1 = hn::IfThenElse(last_g, g1, h1);
    const auto q0 = hn::IfThenElse(last_g, g0, h0);
    const auto from = hn::IfThenElseZero(hn::Gt(p0, zero), hn::Div(p0, hn::Sub(p0, p1)));
    const auto to = hn::IfThenElseZero(hn::Gt(q1, zero), hn::Div(q1, hn::Sub(q1, q0)));
    start = hn::IfThenElse(hn::Gt(from, start), from, start);  // false for NaN
    tail = hn::IfThenElse(hn::Gt(to, tail), to, tail);
  }
  constexpr float kDown = 1.0F - 0x1p-20F;
  window.start = std::max(window.start, hn::GetLane(hn::MaxOfLanes(d, start)) * kDown);
  window.tail = std::max(window.tail, hn::GetLane(hn::MaxOfLanes(d, tail)) * kDown);
  return window.start + window.tail > 1.0F;
}
