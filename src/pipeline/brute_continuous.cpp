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
#include "pipeline/impact_batch.hpp"

namespace graze {

namespace {

/// What one block found.
template <typename Found>
struct BlockResult {
  Found found{};
  Stats stats;
  double all_ms = 0.0;
  double narrow_ms = 0.0;
};

FeaturePair pair_of(const PairBlock& block, const Features& features, std::size_t row, std::size_t column) {
  return block.kind == PairKind::VertexFace ? vertex_face_pair(features.vertices[row], features.faces[column])
                                            : edge_edge_pair(features.edges[row], features.edges[column]);
}

/// Tests the candidates of a block whose boxes are within gap; calls sink(impact).
template <typename Found, typename Sink>
void test_block(const PairBlock& block, const Features& features, const FeatureBoxes& boxes, double gap,
                const ImpactBatch::Step& step, BlockResult<Found>& result, const Sink& sink) {
  const Stopwatch all;
  const auto kind = block.kind == PairKind::VertexFace ? FeatureKind::VertexFace : FeatureKind::EdgeEdge;
  std::optional<ImpactBatch> batch;  // made for the first candidate: most blocks of a sparse scene have none
  const auto flush = [&] {
    const Stopwatch narrow;
    batch->flush(result.stats, sink);
    result.narrow_ms += narrow.ms();
  };
  for_each_candidate(block, features, boxes, gap, [&](std::size_t row, std::size_t column) {
    if (!batch) batch.emplace(kind, step);
    batch->push(pair_of(block, features, row, column));
    if (batch->full()) flush();
  });
  if (batch) flush();
  result.stats.bv_tests += block.pairs;
  result.all_ms = all.ms();
}

std::vector<PairBlock> continuous_blocks(const Features& features) {
  std::vector<PairBlock> blocks;
  append_pair_blocks(PairKind::VertexFace, features, blocks);
  append_pair_blocks(PairKind::EdgeEdge, features, blocks);
  return blocks;
}

/// Sums over blocks; splits wall time between the stages by the threads' own times.
class StageTimes {
 public:
  template <typename Found>
  void add(const BlockResult<Found>& result) {
    all_ms_ += result.all_ms;
    narrow_ms_ += result.narrow_ms;
  }
  void write(double wall_ms, Stats& stats) const {
    stats.narrow_ms = all_ms_ > 0.0 ? wall_ms * std::min(1.0, narrow_ms_ / all_ms_) : 0.0;
    stats.traverse_ms = wall_ms - stats.narrow_ms;
  }

 private:
  double all_ms_ = 0.0;
  double narrow_ms_ = 0.0;
};

/// The earlier impact, or of two that begin at once the first in pair order.
bool earlier(const Impact& a, const Impact& b) {
  return std::pair(a.toi_lo, a.pair) < std::pair(b.toi_lo, b.pair);
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
