// The last stage of a continuous query: collects candidates in fixed-size batches, lets the SIMD filter reject what
// it can prove apart, gathers the survivors of several batches, and finds their contacts in SIMD lanes; the few
// that are left go one by one, in canonical order, to the elementary test.
//
// One a block and kind; not shared between threads. Cost: O(candidates), memory for one batch of each.
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
    /// The candidates come from a filter of their own: few of them would be rejected here, so all go on at once.
    bool sifted = false;
  };

  ImpactBatch(FeatureKind kind, const Step& step) : kind_(kind), step_(step) {}

  [[nodiscard]] bool full() const { return count_ == kCapacity; }
  [[nodiscard]] bool empty() const { return count_ == 0 && survivor_count_ == 0; }

  /// Adds a candidate in canonical order if `keep`, without a branch: whether one is kept is as good as random.
  /// Precondition: not full.
  void push(const PairVertices& vertices, bool keep) {
    pairs_[count_] = vertices;
    count_ += keep ? 1 : 0;
  }

  /// Filters what was pushed and starts anew; tests survivors while there are enough of them for a batch. Calls
  /// sink(impacts) with a span of them, or sink(impact) if that is what it takes, in an order that depends on the
  /// order of the pushes alone, and counts tests and tiers in stats.
  template <typename Sink>
  void flush(Stats& stats, const Sink& sink) {
    filter(stats);
    while (survivor_count_ >= kRootCapacity) test(kRootCapacity, stats, sink);
  }

  /// As flush, and tests all survivors.
  template <typename Sink>
  void finish(Stats& stats, const Sink& sink) {
    flush(stats, sink);
    if (survivor_count_ > 0) test(survivor_count_, stats, sink);
  }

 private:
  template <typename Sink>
  void test(std::size_t count, Stats& stats, const Sink& sink) {
    // Not cleared: impacts are large, and most places stay unused.
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

  /// With a thickness the roots have no part in it.
  [[nodiscard]] bool goes_straight_on() const { return step_.sifted && step_.options.thickness == 0.0; }
  void filter(Stats& stats);
  /// The impacts of the first survivors, which are used up.
  std::size_t find(std::size_t count, Stats& stats, Impact* impacts);

  FeatureKind kind_;
  Step step_;
  std::size_t count_ = 0;
  std::size_t survivor_count_ = 0;
  std::array<PairVertices, kCapacity> pairs_;
  std::array<PairVertices, kRootCapacity + kCapacity> survivors_;  // fewer than kRootCapacity between flushes
};

}  // namespace graze::query
