// Impacts and first impact over all pairs (pipeline/brute.hpp).
//
// First impact: once some impact begins at toi_lo = b, a pair whose boxes stay apart up to b + tolerance cannot
// win: its first contact is later than that, and an interval no wider than the tolerance begins after b. So after
// each wave the boxes are made again for [0, b + tolerance], which leaves almost nothing of the rest.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/sort.hpp"
#include "pipeline/all_pairs.hpp"
#include "pipeline/brute.hpp"
#include "pipeline/candidate_stream.hpp"

namespace graze {

namespace {

FeaturePair pair_of(const PairBlock& block, const Features& features, std::size_t row, std::size_t column) {
  return block.kind == PairKind::VertexFace ? vertex_face_pair(features.vertices[row], features.faces[column])
                                            : edge_edge_pair(features.edges[row], features.edges[column]);
}

/// Tests the candidates of a block whose boxes are within gap; calls sink(impact).
template <typename Found, typename Sink>
void test_block(const PairBlock& block, const Features& features, const FeatureBoxes& boxes, double gap,
                const ImpactBatch::Step& step, BlockResult<Found>& result, const Sink& sink) {
  CandidateStream stream(step, result, sink);
  for_each_candidate(block, features, boxes, gap, [&](std::size_t row, std::size_t column) {
    stream.push(pair_of(block, features, row, column));
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

}  // namespace

Impacts brute_impacts(const Query& query, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  const Features& features = query.topology.features;
  const ImpactBatch::Step step{
      x_t0, x_t1, {.tolerance = query.options.tolerance, .thickness = query.options.thickness}};
  Impacts result;
  MemoryBudget budget(query.options.memory_cap);
  const Stopwatch update;
  const FeatureBoxes boxes = make_feature_boxes(features, x_t0, x_t1);
  const std::vector<PairBlock> blocks = continuous_blocks(features);
  result.stats.memory_bytes =
      query.topology.memory_bytes() + boxes.memory_bytes() + blocks.capacity() * sizeof(PairBlock);
  budget.charge(result.stats.memory_bytes);
  result.stats.update_ms = update.ms();

  const Stopwatch loop;
  StageTimes times;
  std::vector<std::vector<Impact>> parts;
  std::size_t count = 0;
  using Result = BlockResult<std::vector<Impact>>;
  run_in_waves<Result>(
      query.options, std::span<const PairBlock>(blocks),
      [&](const PairBlock& block, Result& part) {
        test_block(block, features, boxes, query.options.thickness, step, part, [&](const Impact& impact) {
          budget.charge(2 * sizeof(Impact));  // where it is found, and again while all are joined or sorted
          part.found.push_back(impact);
        });
        part.found.shrink_to_fit();
      },
      [&](Result& part) {
        add_counters(result.stats, part.stats);
        times.add(part);
        count += part.found.size();
        if (!part.found.empty()) parts.push_back(std::move(part.found));
      },
      [] {});
  result.impacts.reserve(count);
  for (std::vector<Impact>& part : parts) {
    result.impacts.insert(result.impacts.end(), part.begin(), part.end());
    part = {};
  }
  parallel_sort(result.impacts, [](const Impact& a, const Impact& b) { return a.pair < b.pair; });
  times.write(loop.ms(), result.stats);
  return result;
}

FirstImpact brute_first_impact(const Query& query, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  const Features& features = query.topology.features;
  const ImpactBatch::Step step{
      x_t0, x_t1, {.tolerance = query.options.tolerance, .thickness = query.options.thickness}};
  FirstImpact result;
  MemoryBudget budget(query.options.memory_cap);
  Stopwatch update;
  FeatureBoxes boxes = make_feature_boxes(features, x_t0, x_t1);
  const std::vector<PairBlock> blocks = continuous_blocks(features);
  result.stats.memory_bytes =
      query.topology.memory_bytes() + boxes.memory_bytes() + blocks.capacity() * sizeof(PairBlock);
  budget.charge(result.stats.memory_bytes);
  result.stats.update_ms = update.ms();

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
        test_block(block, features, boxes, gap, step, part, [&](const Impact& impact) {
          if (!part.found || earlier(impact, *part.found)) part.found = impact;
        });
      },
      [&](Result& part) {
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

}  // namespace graze
