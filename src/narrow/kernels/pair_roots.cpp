// Narrow phase, tier b (interval) over a batch: quick root search in SIMD lanes. See pair_roots.hpp. Highway
// compiles this file once per instruction set and picks the best at run time. narrow/kernels/root_kernel.inl.hpp,
// which the scalar twin includes too, has the arithmetic.
#include "narrow/kernels/pair_roots.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "narrow/toi_width.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "narrow/kernels/pair_roots.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::narrow {
namespace HWY_NAMESPACE {

#include "core/simd/lanes.inl.hpp"

#define GRAZE_LANES HWY_INLINE
#include "narrow/kernels/pair_kernel.inl.hpp"
#include "narrow/kernels/quick_root.inl.hpp"
#include "narrow/kernels/root_kernel.inl.hpp"
#undef GRAZE_LANES

#include "narrow/kernels/gather.inl.hpp"
#include "narrow/kernels/impact_rows.inl.hpp"

template <bool kVertexFace>
HWY_INLINE RootCounts find(std::span<const VertexPath> paths, std::span<const PairVertices> pairs, double tolerance,
                           Impact* impacts, std::uint16_t* undecided) {
  const Lanes tolerances = hn::Set(Tag(), tolerance);
  return find_in_lanes<kVertexFace>(paths, pairs, impacts, undecided, [&](const Points<Lanes>& points) HWY_ATTR {
    return quick_root<kVertexFace, Mask>(points, tolerances);
  });
}

RootCounts find_vf(std::span<const VertexPath> paths, std::span<const PairVertices> pairs, double tolerance,
                   Impact* impacts, std::uint16_t* undecided) {
  return find<true>(paths, pairs, tolerance, impacts, undecided);
}
RootCounts find_ee(std::span<const VertexPath> paths, std::span<const PairVertices> pairs, double tolerance,
                   Impact* impacts, std::uint16_t* undecided) {
  return find<false>(paths, pairs, tolerance, impacts, undecided);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::narrow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::narrow {

HWY_EXPORT(find_vf);
HWY_EXPORT(find_ee);

RootCounts find_roots(FeatureKind kind, std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                      double tolerance, Impact* impacts, std::uint16_t* undecided) {
  GRAZE_ASSERT(pairs.size() <= std::size_t{1} << 16U);
  if (kind == FeatureKind::VertexFace) {
    return HWY_DYNAMIC_DISPATCH(find_vf)(paths, pairs, tolerance, impacts, undecided);
  }
  return HWY_DYNAMIC_DISPATCH(find_ee)(paths, pairs, tolerance, impacts, undecided);
}

}  // namespace graze::narrow
#endif
