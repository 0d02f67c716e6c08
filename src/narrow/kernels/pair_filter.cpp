// Narrow phase, tier a (filter) over a batch. See pair_filter.hpp. Highway compiles this file once per instruction
// set and picks the best at run time. narrow/kernels/pair_kernel.inl.hpp, which the scalar twin includes too, has
// the arithmetic.
#include "narrow/kernels/pair_filter.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "narrow/kernels/filter_scalar.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "narrow/kernels/pair_filter.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::narrow {
namespace HWY_NAMESPACE {

#include "core/simd/lanes.inl.hpp"

#define GRAZE_LANES HWY_INLINE
#include "narrow/kernels/pair_kernel.inl.hpp"
#undef GRAZE_LANES

#include "narrow/kernels/gather.inl.hpp"

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
}  // namespace graze::narrow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::narrow {

HWY_EXPORT(filter_vf);
HWY_EXPORT(filter_ee);

std::size_t filter_pairs(FeatureKind kind, std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                         double thickness, std::uint16_t* survivors) {
  GRAZE_ASSERT(pairs.size() <= std::size_t{1} << 16U);
  if (kind == FeatureKind::VertexFace) return HWY_DYNAMIC_DISPATCH(filter_vf)(paths, pairs, thickness, survivors);
  return HWY_DYNAMIC_DISPATCH(filter_ee)(paths, pairs, thickness, survivors);
}

}  // namespace graze::narrow
#endif
