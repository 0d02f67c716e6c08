// Stream of candidates from the broad phase to the narrow phase: one fixed-size batch per kind (vertex-face,
// edge-edge), tested when it is full, so that no stage stores the candidate set. Each block of work has its own
// stream; a stream is not shared between threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "query/duplicate_test_check.hpp"
#include "query/impact_batch.hpp"
#include "query/query.hpp"

namespace graze::query {

/// Counters and times of one block of a query.
struct BlockCost {
  Stats stats;
  double all_ms = 0.0;
  double narrow_ms = 0.0;
};

/// The results of one block of a query, and their cost.
template <typename Found>
struct BlockResult : BlockCost {
  Found found{};
};

/// Calls sink(impacts) for the impacts among the candidates, in an order that depends only on the order of the
/// candidates. Call finish() at the end.
class CandidateStream {
 public:
  using Sink = FunctionRef<void(std::span<const Impact> impacts)>;

  CandidateStream(const ImpactBatch::Step& step, DuplicateTestCheck& duplicate_check, BlockCost& cost, Sink sink)
      : vertex_face_(FeatureKind::VertexFace, step),
        edge_edge_(FeatureKind::EdgeEdge, step),
        duplicate_check_(duplicate_check),
        cost_(cost),
        sink_(sink) {}

  /// Adds a pair in canonical order if `keep` is true.
  void push(FeatureKind kind, const PairVertices& vertices, bool keep = true) {
    if constexpr (DuplicateTestCheck::kOn) {
      if (keep) duplicate_check_.tested(kind, vertices);
    }
    ImpactBatch& batch = kind == FeatureKind::VertexFace ? vertex_face_ : edge_edge_;
    batch.push(vertices, keep);
    if (batch.full()) flush(batch);
  }

  void finish();

  /// Counters of the block.
  [[nodiscard]] Stats& stats() { return cost_.stats; }

 private:
  /// Not inline, so that push() is.
  void flush(ImpactBatch& batch);
  void finish(ImpactBatch& batch);

  ImpactBatch vertex_face_;
  ImpactBatch edge_edge_;
  DuplicateTestCheck& duplicate_check_;
  BlockCost& cost_;
  Sink sink_;
  Stopwatch all_;
};

/// Sums the times of blocks; splits wall time into traversal and narrow phase in the ratio of these sums.
class StageTimes {
 public:
  void add(const BlockCost& cost) {
    all_ms_ += cost.all_ms;
    narrow_ms_ += cost.narrow_ms;
  }
  void write(double wall_ms, Stats& stats) const {
    stats.narrow_ms = all_ms_ > 0.0 ? wall_ms * std::min(1.0, narrow_ms_ / all_ms_) : 0.0;
    stats.traverse_ms = wall_ms - stats.narrow_ms;
  }

 private:
  double all_ms_ = 0.0;
  double narrow_ms_ = 0.0;
};

/// Whether a begins before b, or at the same time and a precedes b in pair order.
inline bool earlier(const Impact& a, const Impact& b) {
  return std::pair(a.toi_lo, a.pair) < std::pair(b.toi_lo, b.pair);
}

/// Appends all impacts and charges them to the budget.
inline void keep_impacts(std::vector<Impact>& found, std::span<const Impact> impacts, MemoryBudget& budget) {
  budget.charge(impacts.size_bytes());
  found.insert(found.end(), impacts.begin(), impacts.end());
}
/// Keeps the earliest impact.
inline void keep_earliest(std::optional<Impact>& found, std::span<const Impact> impacts) {
  for (const Impact& impact : impacts) {
    if (!found || earlier(impact, *found)) found = impact;
  }
}

}  // namespace graze::query
