// The last stage of a continuous query: gathers candidates into fixed-size batches, lets the SIMD filter reject
// what it can prove apart, and gives the survivors, point by point in canonical order, to the elementary test.
//
// One a block and kind; not shared between threads. Cost: O(candidates), memory for one batch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <graze/elementary.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

#include "simd/pair_filter.hpp"

namespace graze {

class ImpactBatch {
 public:
  struct Step {
    std::span<const Vec3> x_t0;
    std::span<const Vec3> x_t1;
    ElementaryOptions options;
  };

  ImpactBatch(FeatureKind kind, const Step& step)
      : kind_(kind), step_(step), batch_(std::make_unique_for_overwrite<PairBatch>()) {}

  [[nodiscard]] bool full() const { return count_ == PairBatch::kCapacity; }

  /// Adds a candidate in canonical order. Precondition: not full.
  void push(const FeaturePair& pair);

  /// Tests what was gathered and starts anew: calls sink(impact) for every impact in the order of the pushes, and
  /// counts tests and tiers in stats.
  template <typename Sink>
  void flush(Stats& stats, const Sink& sink) {
    std::array<std::uint16_t, PairBatch::kCapacity> survivors;
    const std::size_t survivor_count = filter(stats, survivors.data());
    for (std::size_t i = 0; i < survivor_count; ++i) {
      Impact impact;
      if (test(pairs_[survivors[i]], stats, impact)) sink(impact);
    }
  }

 private:
  std::size_t filter(Stats& stats, std::uint16_t* survivors);
  bool test(const FeaturePair& pair, Stats& stats, Impact& impact) const;

  FeatureKind kind_;
  Step step_;
  std::size_t count_ = 0;
  std::array<FeaturePair, PairBatch::kCapacity> pairs_;
  std::unique_ptr<PairBatch> batch_;
};

}  // namespace graze
