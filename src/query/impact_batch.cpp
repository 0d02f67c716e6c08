// Batches of candidates: the SIMD filter, then the time of impact of the survivors (query/impact_batch.hpp).
#include "query/impact_batch.hpp"

#include <algorithm>

#include "narrow/elementary.hpp"
#include "narrow/kernels/pair_roots.hpp"
#include "narrow/kernels/pair_thickness.hpp"

namespace graze::query {

void ImpactBatch::filter(Stats& stats) {
  (kind_ == FeatureKind::VertexFace ? stats.vf_tests : stats.ee_tests) += count_;
  if (skips_filter()) {
    std::copy_n(pairs_.begin(), count_, survivors_.begin() + static_cast<std::ptrdiff_t>(survivor_count_));
    survivor_count_ += count_;
    count_ = 0;
    return;
  }
  std::array<std::uint16_t, kCapacity> places;
  const auto pairs = std::span<const PairVertices>(pairs_).first(count_);
  const std::size_t kept = filter_pairs(kind_, step_.paths, pairs, step_.options.thickness, places.data());
  for (std::size_t i = 0; i < kept; ++i) survivors_[survivor_count_ + i] = pairs_[places[i]];
  survivor_count_ += kept;
  stats.tiers.filter += count_ - kept;
  count_ = 0;
}

std::size_t ImpactBatch::find(std::size_t count, Stats& stats, Impact* impacts) {
  const auto pairs = std::span<const PairVertices>(survivors_).first(count);
  const ElementaryOptions& options = step_.options;
  std::array<std::uint16_t, kRootCapacity> left;
  const RootCounts counts = options.thickness > 0.0
                                ? find_thick_roots(kind_, step_.paths, pairs, options, impacts, left.data())
                                : find_roots(kind_, step_.paths, pairs, options.tolerance, impacts, left.data());
  stats.tiers.interval += count - counts.undecided;
  const auto filtered = skips_filter() ? narrow::Filtered::No : narrow::Filtered::Quick;
  std::size_t found = counts.impacts;
  for (std::size_t i = 0; i < counts.undecided; ++i) {
    const PairVertices& vertices = pairs[left[i]];
    const PairStep points = pair_step(step_.paths, vertices);
    const auto impact = kind_ == FeatureKind::VertexFace
                            ? narrow::test_vertex_face(points, options, filtered, stats.tiers)
                            : narrow::test_edge_edge(points, options, filtered, stats.tiers);
    if (!impact) continue;
    impacts[found++] = {.pair = {kind_, vertices},
                        .toi_lo = impact->toi_lo,
                        .toi_hi = impact->toi_hi,
                        .weights = impact->weights,
                        .normal = impact->normal,
                        .side = impact->side,
                        .remembered_side = impact->side};
  }
  std::copy(survivors_.data() + count, survivors_.data() + survivor_count_, survivors_.data());
  survivor_count_ -= count;
  return found;
}

}  // namespace graze::query
