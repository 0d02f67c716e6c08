// Narrow phase with thickness over a batch: quick search in SIMD lanes. See pair_thickness.hpp. Highway compiles
// this file once per instruction set and picks the best at run time. narrow/kernels/thick_kernel.inl.hpp, which the
// scalar twin includes too, has the arithmetic.
#include "narrow/kernels/pair_thickness.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "narrow/kernels/thick_scalar.hpp"
#include "narrow/toi_width.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "narrow/kernels/pair_thickness.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::narrow {
namespace HWY_NAMESPACE {

#include "core/simd/lanes.inl.hpp"

#define GRAZE_LANES HWY_INLINE
#include "narrow/kernels/pair_kernel.inl.hpp"
#include "narrow/kernels/quick_root.inl.hpp"
#include "narrow/kernels/triple.inl.hpp"

#include "narrow/kernels/thick_kernel.inl.hpp"
#undef GRAZE_LANES

#include "narrow/kernels/gather.inl.hpp"
#include "narrow/kernels/impact_rows.inl.hpp"

/// Writes the indices of the pairs that the first steps of the search leave open; returns their number. The others
/// stay apart. Most pairs do: those that are left fill the lanes of the longer search.
template <bool kVertexFace>
HWY_INLINE std::size_t find_open(std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                                 Lanes delta, Lanes slack, std::uint16_t* open) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < pairs.size(); at += kLaneCount) {
    const std::size_t used = std::min(kLaneCount, pairs.size() - at);
    PairVertices last[kLaneCount];
    const PairVertices* some = pairs_of_lanes(pairs, at, last);
    const std::uint64_t apart = bits_of(quickly_apart<kVertexFace, Mask>(gather(paths.data(), some), delta, slack));
    for (std::size_t lane = 0; lane < used; ++lane) {
      open[count] = static_cast<std::uint16_t>(at + lane);
      count += ~(apart >> lane) & 1U;
    }
  }
  return count;
}

template <bool kVertexFace>
HWY_INLINE RootCounts find(std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                           const ElementaryOptions& options, Impact* impacts, std::uint16_t* undecided) {
  const Lanes delta = hn::Set(Tag(), options.thickness);
  const Lanes slack = hn::Set(Tag(), quick_slack(options));
  const Lanes tolerance = hn::Set(Tag(), options.tolerance);
  RootCounts counts;
  constexpr std::size_t kPairs = 256;
  PairVertices left[kPairs];
  std::uint16_t places[kPairs];
  std::uint16_t open[kPairs];
  for (std::size_t first = 0; first < pairs.size(); first += kPairs) {
    const auto some = pairs.subspan(first, std::min(kPairs, pairs.size() - first));
    const std::size_t count = find_open<kVertexFace>(paths, some, delta, slack, places);
    for (std::size_t i = 0; i < count; ++i) left[i] = some[places[i]];
    RootCounts found;
    find_in_lanes<kVertexFace>(paths, std::span<const PairVertices>(left, count), 0, impacts + counts.impacts, open,
                               found, [&](const Points<Lanes>& points) HWY_ATTR {
                                 return quick_thickness<kVertexFace, Mask>(points, delta, slack, tolerance);
                               });
    for (std::size_t i = 0; i < found.undecided; ++i) {
      undecided[counts.undecided++] = static_cast<std::uint16_t>(first + places[open[i]]);
    }
    counts.impacts += found.impacts;
  }
  return counts;
}

RootCounts find_thick_vf(std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                         const ElementaryOptions& options, Impact* impacts, std::uint16_t* undecided) {
  return find<true>(paths, pairs, options, impacts, undecided);
}
RootCounts find_thick_ee(std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                         const ElementaryOptions& options, Impact* impacts, std::uint16_t* undecided) {
  return find<false>(paths, pairs, options, impacts, undecided);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::narrow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::narrow {

HWY_EXPORT(find_thick_vf);
HWY_EXPORT(find_thick_ee);

RootCounts find_thick_roots(FeatureKind kind, std::span<const VertexPath> paths,
                            std::span<const PairVertices> pairs, const ElementaryOptions& options, Impact* impacts,
                            std::uint16_t* undecided) {
  GRAZE_ASSERT(pairs.size() <= std::size_t{1} << 16U);
  if (kind == FeatureKind::VertexFace) {
    return HWY_DYNAMIC_DISPATCH(find_thick_vf)(paths, pairs, options, impacts, undecided);
  }
  return HWY_DYNAMIC_DISPATCH(find_thick_ee)(paths, pairs, options, impacts, undecided);
}

}  // namespace graze::narrow
#endif
