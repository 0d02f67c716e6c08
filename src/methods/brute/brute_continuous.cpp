// Impacts and first impact over all pairs (methods/brute/brute.hpp).
//
// First impact: once some impact begins at toi_lo = b, a pair whose boxes stay apart up to b + tolerance cannot
// win: its first contact is later than that, and an interval no wider than the tolerance begins after b. So after
// each wave the boxes are made again for [0, b + tolerance], which leaves almost nothing of the rest.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "methods/brute/all_pairs.hpp"
#include "methods/brute/brute.hpp"
#include "query/candidate_stream.hpp"

namespace graze::methods {

namespace {

/// Tests the candidates of a block whose boxes are within gap; calls sink(impacts).
template <typename Found, typename Sink>
void test_block(const PairBlock& block, const DetectorQuery& query, const Features& features,
                const FeatureBoxes& boxes, double gap, const ImpactBatch::Step& step, BlockResult<Found>& result,
                const Sink& sink) {
  DuplicateTestCheck duplicate_check(false);  // rows and columns are different features by construction
  CandidateStream stream(step, duplicate_check, result, sink);
  for_each_candidate(block, features, boxes, gap, [&](std::size_t row, std::size_t column) {
    const FeaturePair pair = block.kind == PairKind::VertexFace
                                 ? vertex_face_pair(features.vertices[row], features.faces[column])
                                 : edge_edge_pair(features.edges[row], features.edges[column]);
    if (query.filter.tests(pair.vertices[0], pair.vertices[2])) stream.push(pair.kind, pair.vertices);
  });
  stream.finish();
  result.stats.bv_tests += block.pairs;
}

std::vector<PairBlock> continuous_blocks(const Features& features) {
  std::vector<PairBlock> blocks;
  append_pair_blocks(PairKind::VertexFace, features, blocks);
  append_pair_blocks(PairKind::EdgeEdge, features, blocks);
  return blocks;
}

/// What a query over all pairs holds, results aside.
std::size_t brute_bytes(const Features& features, std::size_t vertex_count, const std::vector<PairBlock>& blocks) {
  return features.memory_bytes() + feature_boxes_bytes(features) + vertex_count * sizeof(VertexPath) +
         blocks.capacity() * sizeof(PairBlock);
}

}  // namespace

Stats brute_impacts(const DetectorQuery& query, const Features& features, std::span<const Vec3> x_t0,
                    std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found) {
  Stats stats;
  const Stopwatch update;
  const std::vector<PairBlock> blocks = continuous_blocks(features);
  stats.memory_bytes = brute_bytes(features, x_t0.size(), blocks);
  budget.charge(stats.memory_bytes);
  std::vector<VertexPath> paths;
  make_paths(x_t0, x_t1, paths);
  const FeatureBoxes boxes = make_feature_boxes(features, x_t0, x_t1);
  stats.update_ms = update.ms();

  const ImpactBatch::Step step{paths, query.elementary()};
  const double gap = reported_gap(step.options, x_t0, x_t1);
  const Stopwatch loop;
  StageTimes times;
  using Result = BlockResult<std::vector<Impact>>;
  run_in_waves<Result>(
      query.options, std::span<const PairBlock>(blocks),
      [&](const PairBlock& block, Result& part) {
        test_block(block, query, features, boxes, gap, step, part,
                   [&](std::span<const Impact> some) { keep_impacts(part.found, some, budget); });
      },
      [&](Result& part, double share) {
        add_counters(stats, part.stats);
        times.add(part);
        if (!part.found.empty()) found(part.found, share);
      },
      [] {});
  times.write(loop.ms(), stats);
  return stats;
}

FirstImpact brute_first_impact(const DetectorQuery& query, const Features& features, std::span<const Vec3> x_t0,
                               std::span<const Vec3> x_t1) {
  FirstImpact result;
  MemoryBudget budget(query.options.memory_cap);
  Stopwatch update;
  const std::vector<PairBlock> blocks = continuous_blocks(features);
  result.stats.memory_bytes = brute_bytes(features, x_t0.size(), blocks);
  budget.charge(result.stats.memory_bytes);
  std::vector<VertexPath> paths;
  make_paths(x_t0, x_t1, paths);
  FeatureBoxes boxes = make_feature_boxes(features, x_t0, x_t1);
  result.stats.update_ms = update.ms();
  const ImpactBatch::Step step{paths, query.elementary()};

  // With thickness an interval may end where the pair is a little farther apart than it: the gap that proves a pair
  // later must allow for that.
  const double gap = reported_gap(step.options, x_t0, x_t1);
  double until = 1.0;
  const Stopwatch loop;
  double update_ms = 0.0;
  StageTimes times;
  using Result = BlockResult<std::optional<Impact>>;
  run_in_waves<Result>(
      query.options, std::span<const PairBlock>(blocks),
      [&](const PairBlock& block, Result& part) {
        test_block(block, query, features, boxes, gap, step, part,
                   [&](std::span<const Impact> some) { keep_earliest(part.found, some); });
      },
      [&](Result& part, double) {
        add_counters(result.stats, part.stats);
        times.add(part);
        if (part.found && (!result.impact || earlier(*part.found, *result.impact))) result.impact = part.found;
      },
      [&] {
        if (!result.impact) return;
        const double bound = std::nextafter(result.impact->toi_lo + query.options.tolerance,
                                            std::numeric_limits<double>::infinity());
        if (bound >= until) return;
        const Stopwatch again;
        boxes = make_feature_boxes(features, x_t0, x_t1, bound);
        until = bound;
        update_ms += again.ms();
      });
  times.write(loop.ms() - update_ms, result.stats);
  result.stats.update_ms += update_ms;
  if (result.impact) result.toi = result.impact->toi_lo;
  return result;
}

}  // namespace graze::methods
