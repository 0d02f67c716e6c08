// Candidates of both kinds on their way to the elementary tests: gathered in fixed-size batches, tested when one is
// full, so that no stage holds the candidate set. One a block of work; not shared between threads.
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

/// What one block of a query found, and what that took.
template <typename Found>
struct BlockResult {
  Found found{};
  Stats stats;
  double all_ms = 0.0;
  double narrow_ms = 0.0;
};

/// Calls sink(impacts), a span, for the impacts among the candidates, in an order that depends on that of the
/// candidates alone. Call finish() at the end.
template <typename Found, typename Sink>
class CandidateStream {
 public:
  CandidateStream(const ImpactBatch::Step& step, DuplicateTestCheck& duplicate_check, BlockResult<Found>& result,
                  const Sink& sink)
      : vertex_face_(FeatureKind::VertexFace, step),
        edge_edge_(FeatureKind::EdgeEdge, step),
        duplicate_check_(duplicate_check),
        result_(result),
        sink_(sink) {}

  /// A pair in canonical order, which is a candidate if `keep`.
  void push(FeatureKind kind, const PairVertices& vertices, bool keep = true) {
    if constexpr (DuplicateTestCheck::kOn) {
      if (keep) duplicate_check_.tested(kind, vertices);
    }
    ImpactBatch& batch = kind == FeatureKind::VertexFace ? vertex_face_ : edge_edge_;
    batch.push(vertices, keep);
    if (batch.full()) {
      const Stopwatch narrow;
      batch.flush(result_.stats, sink_);
      result_.narrow_ms += narrow.ms();
    }
  }

  void finish() {
    finish(vertex_face_);
    finish(edge_edge_);
    result_.all_ms += all_.ms();
  }

 private:
  void finish(ImpactBatch& batch) {
    if (batch.empty()) return;
    const Stopwatch narrow;
    batch.finish(result_.stats, sink_);
    result_.narrow_ms += narrow.ms();
  }

  ImpactBatch vertex_face_;
  ImpactBatch edge_edge_;
  DuplicateTestCheck& duplicate_check_;
  BlockResult<Found>& result_;
  const Sink& sink_;
  Stopwatch all_;
};

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
inline bool earlier(const Impact& a, const Impact& b) {
  return std::pair(a.toi_lo, a.pair) < std::pair(b.toi_lo, b.pair);
}

/// The sinks of streams: all, charged to the budget, or the earliest.
inline void keep_impacts(std::vector<Impact>& found, std::span<const Impact> some, MemoryBudget& budget) {
  budget.charge(some.size_bytes());
  found.insert(found.end(), some.begin(), some.end());
}
inline void keep_earliest(std::optional<Impact>& found, std::span<const Impact> some) {
  for (const Impact& impact : some) {
    if (!found || earlier(impact, *found)) found = impact;
  }
}

/// In pair order, each once; kSortBytes more memory for each. InputError beyond 2^32 - 1.
inline constexpr std::size_t kSortBytes = 56;
void sort_impacts(std::vector<Impact>& impacts);

}  // namespace graze::query
