// The last stage of a continuous query: collects candidates in fixed-size batches, rejects pairs that the SIMD
// filter proves separated, gathers the survivors of several batches, and finds their times of impact in SIMD lanes.
// The few undecided pairs go one by one, in canonical order, to the elementary test.
//
// Each block has one batch per kind; a batch is not shared between threads. Cost: O(candidates); memory: one batch
// of candidates and one of survivors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <graze/elementary.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

#include "geometry/path.hpp"
#include "narrow/kernels/pair_filter.hpp"

namespace graze::query {

class ImpactBatch {
 public:
  static constexpr std::size_t kCapacity = 256;
  static constexpr std::size_t kRootCapacity = 128;

  struct Step {
    std::span<const VertexPath> paths;
    ElementaryOptions options;
    /// The candidates are already filtered: skip the filter, which would reject few of them.
    bool already_filtered = false;
  };

  ImpactBatch(FeatureKind kind, const Step& step) : kind_(kind), step_(step) {}

  [[nodiscard]] bool full() const { return count_ == kCapacity; }
  [[nodiscard]] bool empty() const { return count_ == 0 && survivor_count_ == 0; }

  /// Adds a candidate in canonical order if `keep` is true. It has no branch, since `keep` is unpredictable.
  /// Precondition: the batch is not full.
  void push(const PairVertices& vertices, bool keep) {
    pairs_[count_] = vertices;
    count_ += keep ? 1 : 0;
  }

  /// Filters the candidates and empties the batch; tests survivors while there are kRootCapacity or more. Calls
  /// sink(span of impacts), or sink(impact) for a sink of single impacts, in an order that depends only on the
  /// order of the pushes. Counts tests and tiers in `stats`.
  template <typename Sink>
  void flush(Stats& stats, const Sink& sink) {
    filter(stats);
    while (survivor_count_ >= kRootCapacity) test(kRootCapacity, stats, sink);
  }

  /// Calls flush(), then tests all remaining survivors.
  template <typename Sink>
  void finish(Stats& stats, const Sink& sink) {
    flush(stats, sink);
    if (survivor_count_ > 0) test(survivor_count_, stats, sink);
  }

 private:
  template <typename Sink>
  void test(std::size_t count, Stats& stats, const Sink& sink) {
    // The buffer is not initialized: impacts are large, and most of them stay unused.
    alignas(Impact) std::array<std::byte, kRootCapacity * sizeof(Impact)> room;
    Impact* const impacts = reinterpret_cast<Impact*>(room.data());
    const std::size_t found = find(count, stats, impacts);
    const std::span<const Impact> some(impacts, found);
    if constexpr (std::is_invocable_v<const Sink&, std::span<const Impact>>) {
      if (!some.empty()) sink(some);
    } else {
      for (const Impact& impact : some) sink(impact);
    }
  }

  /// Whether candidates skip the filter. With thickness the filter runs: its test along the axes is not repeated by
  /// the quick search.
  [[nodiscard]] bool skips_filter() const { return step_.already_filtered && step_.options.thickness == 0.0; }
  void filter(Stats& stats);
  /// Tests the first `count` survivors and removes them; returns the number of impacts.
  std::size_t find(std::size_t count, Stats& stats, Impact* impacts);

  FeatureKind kind_;
  Step step_;
  std::size_t count_ = 0;
  std::size_t survivor_count_ = 0;
  std::array<PairVertices, kCapacity> pairs_;
  std::array<PairVertices, kRootCapacity + kCapacity> survivors_;  // holds < kRootCapacity between flushes
};

}  // namespace graze::query
