// Narrow phase: distance bounds of a batch of pairs. See pair_distance.hpp. Highway compiles this file once per
// instruction set and picks the best at run time. narrow/kernels/distance_kernel.inl.hpp, which the scalar twin
// includes too, has the arithmetic and the proof of its error bounds.
#include "narrow/kernels/pair_distance.hpp"

#include <algorithm>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "narrow/kernels/pair_distance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::narrow {
namespace HWY_NAMESPACE {

#include "core/simd/lanes.inl.hpp"

#define GRAZE_LANES HWY_INLINE
#include "narrow/kernels/triple.inl.hpp"

#include "narrow/kernels/distance_kernel.inl.hpp"
#undef GRAZE_LANES

/// The reference positions of kLaneCount pairs, one pair per lane.
HWY_INLINE Corners<Lanes> gather(const ReferencePoint* reference_points, const PairVertices* pairs) {
  Corners<Lanes> p;
  for (std::size_t i = 0; i < 4; ++i) {
    const double* rows[kLaneCount];  // x y z, then data that is not a coordinate
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) rows[lane] = &reference_points[pairs[lane][i]].x.x;
    const Columns c = columns_at(rows, 0);
    for (int k = 0; k < 3; ++k) p.at[i].x[k] = c.at[k];
  }
  return p;
}

template <bool kVertexFace>
HWY_INLINE void distances(const ReferencePoint* reference_points, const PairVertices* pairs, float* bounds) {
  const Corners<Lanes> p = gather(reference_points, pairs);
  const Lanes bound = kVertexFace ? distance_bound_vf(p) : distance_bound_ee(p);
  const hn::Rebind<float, Tag> floats;
  hn::StoreU(hn::DemoteTo(floats, bound), floats, bounds);  // exact: each bound is already representable as a float
}

template <bool kVertexFace>
HWY_INLINE void distances(std::span<const ReferencePoint> reference_points, std::span<const PairVertices> pairs,
                          float* bounds) {
  const std::size_t whole = pairs.size() / kLaneCount * kLaneCount;
  for (std::size_t at = 0; at < whole; at += kLaneCount)
    distances<kVertexFace>(reference_points.data(), &pairs[at], bounds + at);
  if (whole == pairs.size()) return;
  PairVertices last[kLaneCount];  // lanes past the end repeat the last pair
  float some[kLaneCount];
  for (std::size_t lane = 0; lane < kLaneCount; ++lane)
    last[lane] = pairs[std::min(whole + lane, pairs.size() - 1)];
  distances<kVertexFace>(reference_points.data(), last, some);
  std::copy_n(some, pairs.size() - whole, bounds + whole);
}

void distances_vf(std::span<const ReferencePoint> reference_points, std::span<const PairVertices> pairs,
                  float* bounds) {
  distances<true>(reference_points, pairs, bounds);
}
void distances_ee(std::span<const ReferencePoint> reference_points, std::span<const PairVertices> pairs,
                  float* bounds) {
  distances<false>(reference_points, pairs, bounds);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::narrow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::narrow {

HWY_EXPORT(distances_vf);
HWY_EXPORT(distances_ee);

void pair_distances(FeatureKind kind, std::span<const ReferencePoint> reference_points,
                    std::span<const PairVertices> pairs, float* bounds) {
  if (kind == FeatureKind::VertexFace) {
    HWY_DYNAMIC_DISPATCH(distances_vf)(reference_points, pairs, bounds);
  } else {
    HWY_DYNAMIC_DISPATCH(distances_ee)(reference_points, pairs, bounds);
  }
}

}  // namespace graze::narrow
#endif
