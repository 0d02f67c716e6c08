// See pair_filter.hpp. Highway compiles this file once per instruction set and picks the best at run time; the
// arithmetic is narrow/pair_kernel.inl.hpp, the same file that the scalar twin includes.
#include "simd/pair_filter.hpp"

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
using Tag = hn::ScalableTag<double>;
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

HWY_INLINE Points<Lanes> load(const PairBatch& batch, std::size_t at) {
  Points<Lanes> p;
  for (int e = 0; e < 2; ++e) {
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) p.x[e][i][k] = hn::LoadU(Tag(), &batch.x[e][i][k][at]);
    }
  }
  return p;
}

template <bool kVertexFace>
HWY_INLINE std::size_t filter(const PairBatch& batch, std::size_t count, double thickness,
                              std::uint16_t* survivors) {
  const Lanes gap = hn::Set(Tag(), filter_gap(thickness));
  const bool thick = thickness > 0.0;
  const std::size_t lanes = hn::Lanes(Tag());
  std::size_t kept = 0;
  // The last vector may read past count, never past kCapacity: it is a multiple of every lane count. What lies
  // there is computed with and ignored.
  for (std::size_t at = 0; at < count; at += lanes) {
    const Points<Lanes> p = load(batch, at);
    const Mask apart = kVertexFace ? never_touch_vf<Mask>(p, gap, thick) : never_touch_ee<Mask>(p, gap, thick);
    if (hn::AllTrue(Tag(), apart)) continue;
    std::uint8_t bits[HWY_MAX_BYTES / 8 + 8] = {};
    hn::StoreMaskBits(Tag(), apart, bits);
    for (std::size_t lane = 0; lane < lanes && at + lane < count; ++lane) {
      if ((bits[lane / 8] >> (lane % 8) & 1) == 0) survivors[kept++] = static_cast<std::uint16_t>(at + lane);
    }
  }
  return kept;
}

std::size_t filter_vf(const PairBatch& batch, std::size_t count, double thickness, std::uint16_t* survivors) {
  return filter<true>(batch, count, thickness, survivors);
}
std::size_t filter_ee(const PairBatch& batch, std::size_t count, double thickness, std::uint16_t* survivors) {
  return filter<false>(batch, count, thickness, survivors);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze {

HWY_EXPORT(filter_vf);
HWY_EXPORT(filter_ee);

std::size_t filter_pairs(FeatureKind kind, const PairBatch& batch, std::size_t count, double thickness,
                         std::uint16_t* survivors) {
  GRAZE_ASSERT(count <= PairBatch::kCapacity);
  if (kind == FeatureKind::VertexFace) return HWY_DYNAMIC_DISPATCH(filter_vf)(batch, count, thickness, survivors);
  return HWY_DYNAMIC_DISPATCH(filter_ee)(batch, count, thickness, survivors);
}

}  // namespace graze
#endif
