// Filter and test (pipeline/impact_batch.hpp).
#include "pipeline/impact_batch.hpp"

#include "narrow/elementary.hpp"

namespace graze {

std::size_t ImpactBatch::filter(Stats& stats, std::uint16_t* survivors) {
  const auto pairs = std::span<const PairVertices>(pairs_).first(count_);
  const std::size_t survivor_count = filter_pairs(kind_, step_.paths, pairs, step_.options.thickness, survivors);
  (kind_ == FeatureKind::VertexFace ? stats.vf_tests : stats.ee_tests) += count_;
  stats.tiers.filter += count_ - survivor_count;
  count_ = 0;
  return survivor_count;
}

bool ImpactBatch::test(const PairVertices& vertices, Stats& stats, Impact& impact) const {
  const PairStep points = pair_step(step_.paths, vertices);
  constexpr auto kFiltered = narrow::Filtered::Yes;
  const auto found = kind_ == FeatureKind::VertexFace
                         ? narrow::test_vertex_face(points, step_.options, kFiltered, stats.tiers)
                         : narrow::test_edge_edge(points, step_.options, kFiltered, stats.tiers);
  if (!found) return false;
  impact = {.pair = {kind_, vertices},
            .toi_lo = found->toi_lo,
            .toi_hi = found->toi_hi,
            .weights = found->weights,
            .normal = found->normal,
            .side = found->side,
            .remembered_side = found->side};
  return true;
}

}  // namespace graze
