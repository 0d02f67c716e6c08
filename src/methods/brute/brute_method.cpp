// Queries of `brute` (brute_method.hpp).
//
// First impact: if an impact begins at toi_lo = b, a pair whose boxes stay separated up to b + tolerance cannot be
// earlier: its first contact is after b + tolerance, and its interval, no wider than the tolerance, begins after b.
// So after each wave the boxes are shrunk to the step prefix [0, b + tolerance], which rules out almost all other
// pairs.
#include "methods/brute/brute_method.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mesh/topology.hpp"
#include "methods/brute/all_pairs.hpp"
#include "query/impact_loop.hpp"
#include "query/proximity_test.hpp"
#include "query/sort_pairs.hpp"

namespace graze::methods {

namespace {

std::vector<PairBlock> blocks_of(std::span<const PairKind> kinds, const Features& features) {
  std::vector<PairBlock> blocks;
  for (const PairKind kind : kinds) append_pair_blocks(kind, features, blocks);
  return blocks;
}

std::vector<std::uint64_t> weights_of(const std::vector<PairBlock>& blocks) {
  std::vector<std::uint64_t> weights(blocks.size());
  std::transform(blocks.begin(), blocks.end(), weights.begin(), [](const PairBlock& block) { return block.pairs; });
  return weights;
}

FeaturePair pair_at(const Features& features, PairKind kind, std::size_t row, std::size_t column) {
  return kind == PairKind::VertexFace ? vertex_face_pair(features.vertices[row], features.faces[column])
                                      : edge_edge_pair(features.edges[row], features.edges[column]);
}

/// Source of all pairs of features whose boxes are within the gap.
class BruteCandidates final : public CandidateSource {
 public:
  /// Refers to its arguments.
  BruteCandidates(const BodyFilter& filter, const Features& features, const std::vector<PairBlock>& blocks,
                  const FeatureBoxes& boxes, double gap)
      : filter_(filter), features_(features), blocks_(blocks), boxes_(boxes), gap_(gap) {}

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const override { return weights_of(blocks_); }
  void generate(std::size_t index, CandidateStream& stream) const override {
    const PairBlock& block = blocks_[index];
    for_each_candidate(block, features_, boxes_, gap_, [&](std::size_t row, std::size_t column) {
      const FeaturePair pair = pair_at(features_, block.kind, row, column);
      if (filter_.tests(pair.vertices[0], pair.vertices[2])) stream.push(pair.kind, pair.vertices);
    });
    stream.stats().bv_tests += block.pairs;
  }

 private:
  const BodyFilter& filter_;
  const Features& features_;
  const std::vector<PairBlock>& blocks_;
  const FeatureBoxes& boxes_;
  double gap_;
};

class BruteSearch final : public StepSearch {
 public:
  BruteSearch(const QueryContext& query, const Features& features, const StepPositions& x)
      : query_(query), features_(features), x_(x), blocks_(blocks_of(kKinds, features)) {}

  [[nodiscard]] std::size_t planned_bytes() const override {
    return features_.memory_bytes() + feature_boxes_bytes(features_) + x_.size() * sizeof(VertexPath) +
           blocks_.capacity() * sizeof(PairBlock);
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return planned_bytes(); }
  void begin(Stats& /*stats*/) override {
    make_paths(x_.x_t0, x_.x_t1, paths_);
    gap_ = reported_gap(query_.elementary(), x_);
  }
  void bound(const StepPart& /*part*/, Stats& /*stats*/) override {
    boxes_ = make_feature_boxes(features_, x_.x_t0, x_.x_t1);
  }
  [[nodiscard]] ImpactBatch::Step tests() const override { return {paths_, query_.elementary()}; }
  /// Turns the duplicate-test check off: every block has other pairs by construction.
  [[nodiscard]] bool tests_once() const override { return false; }
  [[nodiscard]] std::unique_ptr<SourceSequence> sources(const QueryContext& query, MemoryBudget& /*budget*/,
                                                        Stats& /*stats*/) override {
    return std::make_unique<SingleSource>(
        std::make_unique<BruteCandidates>(query.filter, features_, blocks_, boxes_, gap_));
  }
  /// Shrinks the boxes to the prefix up to the earliest impact. With thickness, an interval may end where the
  /// distance exceeds the thickness a little; the reported gap covers that.
  double after_wave(const std::optional<Impact>& earliest) override {
    if (!earliest) return 0.0;
    const double bound =
        std::nextafter(earliest->toi_lo + query_.options.tolerance, std::numeric_limits<double>::infinity());
    if (bound >= until_) return 0.0;
    const Stopwatch again;
    boxes_ = make_feature_boxes(features_, x_.x_t0, x_.x_t1, bound);
    until_ = bound;
    return again.ms();
  }

 private:
  static constexpr std::array kKinds = {PairKind::VertexFace, PairKind::EdgeEdge};

  const QueryContext& query_;
  const Features& features_;
  StepPositions x_;
  std::vector<PairBlock> blocks_;
  std::vector<VertexPath> paths_;
  FeatureBoxes boxes_;
  double gap_ = 0.0;
  double until_ = 1.0;  ///< the boxes bound each feature in [0, until_]
};

/// Runs test(kind, row, column, result) over the candidates of all blocks at one instant; calls take(found) in
/// block order.
template <typename Found, typename Test, typename Take>
void find_all_at_instant(const QueryContext& query, const Features& features, std::span<const Vec3> x, double gap,
                         std::span<const PairKind> kinds, MemoryBudget& budget, Stats& stats, const Test& test,
                         const Take& take) {
  const Stopwatch update;
  const std::vector<PairBlock> blocks = blocks_of(kinds, features);
  stats.memory_bytes =
      features.memory_bytes() + feature_boxes_bytes(features) + blocks.capacity() * sizeof(PairBlock);
  budget.charge(stats.memory_bytes);
  const FeatureBoxes boxes = make_feature_boxes(features, x, x);
  stats.update_ms = update.ms();

  const Stopwatch loop;
  using Result = InstantResult<Found>;
  run_in_waves<Result>(
      query.options, weights_of(blocks),
      [&](std::size_t index, Result& part) {
        const PairBlock& block = blocks[index];
        part.stats.bv_tests = block.pairs;
        for_each_candidate(block, features, boxes, gap,
                           [&](std::size_t row, std::size_t column) { test(block.kind, row, column, part); });
      },
      [&](Result& part, double) {
        add_counters(stats, part.stats);
        if (!part.found.empty()) take(std::move(part.found));
      },
      [] {});
  stats.narrow_ms = loop.ms();
}

}  // namespace

void BruteMethod::rebuild() {
  features_ = {};
  features_ = build_topology(scene_.triangles(), scene_.vertex_count()).features;
}

Stats BruteMethod::impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                           FoundImpacts found) {
  BruteSearch search(query, features_, x);
  return find_impacts(query, search, budget, found);
}

FirstImpact BruteMethod::first_impact(const QueryContext& query, const StepPositions& x) {
  BruteSearch search(query, features_, x);
  return find_first_impact(query, search);
}

Intersections BruteMethod::intersections(const QueryContext& query, std::span<const Vec3> x) {
  Intersections result;
  MemoryBudget budget(query.options.memory_cap);
  constexpr std::array kKinds = {PairKind::EdgeFace};
  std::vector<std::vector<Intersection>> blocks;
  find_all_at_instant<Intersection>(
      query, features_, x, 0.0, kKinds, budget, result.stats,
      [&](PairKind, std::size_t row, std::size_t column, InstantResult<Intersection>& part) {
        const Edge& e = features_.edges[row];
        const Face& f = features_.faces[column];
        if (query.filter.tests(e[0], f[0])) EdgeFaceStream{x, budget, part}.push(e, f);
      },
      [&](std::vector<Intersection>&& some) { blocks.push_back(std::move(some)); });
  result.edge_face = sorted_intersections(std::move(blocks));
  return result;
}

Stats BruteMethod::proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                               FoundProximities found) {
  Stats stats;
  constexpr std::array kKinds = {PairKind::VertexFace, PairKind::EdgeEdge};
  find_all_at_instant<Proximity>(
      query, features_, x, d, kKinds, budget, stats,
      [&](PairKind kind, std::size_t row, std::size_t column, InstantResult<Proximity>& part) {
        const FeaturePair pair = pair_at(features_, kind, row, column);
        if (!query.filter.tests(pair.vertices[0], pair.vertices[2])) return;
        ProximityStream{x, d, budget, part}.push(pair.kind, pair.vertices);
      },
      found);
  return stats;
}

std::string BruteMethod::validate() const {
  const bool same = features_ == build_topology(scene_.triangles(), scene_.vertex_count()).features;
  return same ? "" : "features are not those of the scene";
}

}  // namespace graze::methods
