// Gather, filter, test (pipeline/impact_batch.hpp).
#include "pipeline/impact_batch.hpp"

#include "core/assert.hpp"
#include "narrow/elementary.hpp"

namespace graze {

void ImpactBatch::push(const FeaturePair& pair) {
  GRAZE_ASSERT(!full() && pair.kind == kind_);
  pairs_[count_] = pair;
  for (std::size_t point = 0; point < 4; ++point) {
    const Vec3& start = step_.x_t0[pair.vertices[point]];
    const Vec3& end = step_.x_t1[pair.vertices[point]];
    batch_->x[0][point][0][count_] = start.x;
    batch_->x[0][point][1][count_] = start.y;
    batch_->x[0][point][2][count_] = start.z;
    batch_->x[1][point][0][count_] = end.x;
    batch_->x[1][point][1][count_] = end.y;
    batch_->x[1][point][2][count_] = end.z;
  }
  ++count_;
}

std::size_t ImpactBatch::filter(Stats& stats, std::uint16_t* survivors) {
  const std::size_t survivor_count = filter_pairs(kind_, *batch_, count_, step_.options.thickness, survivors);
  (kind_ == FeatureKind::VertexFace ? stats.vf_tests : stats.ee_tests) += count_;
  stats.tiers.filter += count_ - survivor_count;
  count_ = 0;
  return survivor_count;
}

bool ImpactBatch::test(const FeaturePair& pair, Stats& stats, Impact& impact) const {
  PairStep points;
  for (std::size_t point = 0; point < 4; ++point) {
    points.t0[point] = step_.x_t0[pair.vertices[point]];
    points.t1[point] = step_.x_t1[pair.vertices[point]];
  }
  const auto found = kind_ == FeatureKind::VertexFace ? narrow::test_vertex_face(points, step_.options, stats.tiers)
                                                      : narrow::test_edge_edge(points, step_.options, stats.tiers);
  if (!found) return false;
  impact = {.pair = pair,
            .toi_lo = found->toi_lo,
            .toi_hi = found->toi_hi,
            .weights = found->weights,
            .normal = found->normal,
            .side = found->side};
  return true;
}

}  // namespace graze
