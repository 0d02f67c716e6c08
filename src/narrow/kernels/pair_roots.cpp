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
#include "narrow/kernels/root_kernel.inl.hpp"
#undef GRAZE_LANES

#include "narrow/kernels/gather.inl.hpp"

HWY_INLINE std::uint64_t bits_of(Mask mask) {
  std::uint8_t bytes[HWY_MAX_BYTES / 8 + 8] = {};
  hn::StoreMaskBits(Tag(), mask, bytes);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < (kLaneCount + 7) / 8; ++i) bits |= std::uint64_t{bytes[i]} << (8 * i);
  return bits;
}

/// The numbers of the impacts of one vector of pairs, by lane.
struct Rows {
  HWY_ALIGN double toi[2][kLaneCount];
  HWY_ALIGN double weights[4][kLaneCount];
  HWY_ALIGN double normal[3][kLaneCount];
  HWY_ALIGN double side[kLaneCount];
};

HWY_INLINE void store(const QuickRoot<Lanes, Mask>& root, Rows& rows) {
  const Tag d;
  hn::Store(root.toi_lo, d, rows.toi[0]);
  hn::Store(root.toi_hi, d, rows.toi[1]);
  for (int k = 0; k < 4; ++k) hn::Store(root.weights[k], d, rows.weights[k]);
  for (int k = 0; k < 3; ++k) hn::Store(root.normal[k], d, rows.normal[k]);
  hn::Store(root.side, d, rows.side);
}

template <bool kVertexFace>
HWY_INLINE RootCounts find(std::span<const VertexPath> paths, std::span<const PairVertices> pairs, double tolerance,
                           Impact* impacts, std::uint16_t* undecided) {
  const Lanes tolerances = hn::Set(Tag(), tolerance);
  RootCounts counts;
  for (std::size_t at = 0; at < pairs.size(); at += kLaneCount) {
    const std::size_t used = std::min(kLaneCount, pairs.size() - at);
    PairVertices last[kLaneCount];
    const PairVertices* some = &pairs[at];
    if (used < kLaneCount) {  // lanes past the end repeat the last pair
      for (std::size_t lane = 0; lane < kLaneCount; ++lane) last[lane] = pairs[at + std::min(lane, used - 1)];
      some = last;
    }
    const QuickRoot<Lanes, Mask> root = quick_root<kVertexFace, Mask>(gather(paths.data(), some), tolerances);
    const std::uint64_t contact = bits_of(root.contact);
    const std::uint64_t open = ~(contact | bits_of(root.apart));
    for (std::size_t lane = 0; lane < used; ++lane) {
      undecided[counts.undecided] = static_cast<std::uint16_t>(at + lane);
      counts.undecided += (open >> lane) & 1U;
    }
    if (contact == 0) continue;
    Rows rows;
    store(root, rows);
    for (std::size_t lane = 0; lane < used; ++lane) {
      if (((contact >> lane) & 1U) == 0) continue;
      Impact& impact = impacts[counts.impacts++];
      impact.pair = {kVertexFace ? FeatureKind::VertexFace : FeatureKind::EdgeEdge, some[lane]};
      impact.toi_lo = rows.toi[0][lane];
      impact.toi_hi = rows.toi[1][lane];
      for (std::size_t k = 0; k < 4; ++k) impact.weights[k] = rows.weights[k][lane];
      impact.normal = {rows.normal[0][lane], rows.normal[1][lane], rows.normal[2][lane]};
      impact.side = static_cast<int>(rows.side[lane]);
      impact.remembered_side = impact.side;
    }
  }
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
