// Narrow phase, tier b (interval) over a batch: quick root search in SIMD lanes. See pair_roots.hpp. Highway
// compiles this file once per instruction set and picks the best at run time. narrow/kernels/root_kernel.inl.hpp,
// which the scalar twin includes too, has the arithmetic.
#include "narrow/kernels/pair_roots.hpp"

#include <algorithm>
#include <type_traits>

#include "core/assert.hpp"
#include "core/prefetch.hpp"
#include "narrow/toi_width.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "narrow/kernels/pair_roots.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::narrow {
namespace HWY_NAMESPACE {

#include "core/simd/lanes.inl.hpp"

#include "core/simd/two_vectors.inl.hpp"

#define GRAZE_LANES HWY_INLINE
#include "narrow/kernels/pair_kernel.inl.hpp"
#include "narrow/kernels/quick_root.inl.hpp"
#include "narrow/kernels/root_kernel.inl.hpp"
#undef GRAZE_LANES

#include "narrow/kernels/gather.inl.hpp"
#include "narrow/kernels/impact_rows.inl.hpp"

/// The points of two vectors of pairs.
HWY_INLINE Points<TwoLanes> gather_two(const VertexPath* paths, const PairVertices* const (&pairs)[2]) {
  Points<TwoLanes> p;
  for (int half = 0; half < 2; ++half) {
    const Points<Lanes> some = gather(paths, pairs[half]);
    for (int end = 0; end < 2; ++end) {
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) p.x[end][i][k].at[half] = some.x[end][i][k];
      }
    }
  }
  return p;
}

/// The result of the first or the second vector.
HWY_INLINE QuickRoot<Lanes, Mask> half_of(const QuickRoot<TwoLanes, TwoMasks>& root, std::size_t half) {
  QuickRoot<Lanes, Mask> out;
  out.apart = root.apart.at[half];
  out.contact = root.contact.at[half];
  out.toi_lo = root.toi_lo.at[half];
  out.toi_hi = root.toi_hi.at[half];
  for (int k = 0; k < 4; ++k) out.weights[k] = root.weights[k].at[half];
  for (int k = 0; k < 3; ++k) out.normal[k] = root.normal[k].at[half];
  out.side = root.side.at[half];
  return out;
}

template <bool kVertexFace>
HWY_INLINE RootCounts find(std::span<const VertexPath> paths, std::span<const PairVertices> pairs, double tolerance,
                           Impact* impacts, std::uint16_t* undecided) {
  // The paths are scattered, and most pairs of a batch have some that no pair before them has.
  for (const PairVertices& pair : pairs) {
    for (const VertexId v : pair) prefetch(paths[v]);
  }
  RootCounts counts;
  std::size_t done = 0;
#if HWY_TARGET == HWY_AVX3
  // Two vectors at once, because most of the time of one would be waiting for its Newton steps. With fewer
  // registers this does not pay.
  for (; done + kLaneCount < pairs.size(); done += 2 * kLaneCount) {
    PairVertices last[kLaneCount];
    const PairVertices* const some[2] = {&pairs[done], pairs_of_lanes(pairs, done + kLaneCount, last)};
    const auto root = quick_root<kVertexFace, TwoMasks>(gather_two(paths.data(), some), splat<TwoLanes>(tolerance));
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t at = done + half * kLaneCount;
      write_impacts<kVertexFace>(half_of(root, half), some[half], at, std::min(kLaneCount, pairs.size() - at),
                                 impacts, undecided, counts);
    }
  }
#endif
  const Lanes tolerances = hn::Set(Tag(), tolerance);
  find_in_lanes<kVertexFace>(paths, pairs, done, impacts, undecided, counts,
                             [&](const Points<Lanes>& points)
                                 HWY_ATTR { return quick_root<kVertexFace, Mask>(points, tolerances); });
  return counts;
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
