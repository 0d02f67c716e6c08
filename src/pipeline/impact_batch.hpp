// The last stage of a continuous query: collects candidates in fixed-size batches, lets the SIMD filter reject
// what it can prove apart, and gives the survivors, point by point in canonical order, to the elementary test.
//
// One a block and kind; not shared between threads. Cost: O(candidates), memory for one batch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/elementary.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

#include "geometry/path.hpp"
#include "simd/pair_filter.hpp"

namespace graze {

class ImpactBatch {
 public:
  static constexpr std::size_t kCapacity = 256;

  struct Step {
    std::span<const VertexPath> paths;
    ElementaryOptions options;
  };

  ImpactBatch(FeatureKind kind, const Step& step) : kind_(kind), step_(step) {}

  [[nodiscard]] bool full() const { return count_ == kCapacity; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// Adds a candidate in canonical order if `keep`, without a branch: whether one is kept is as good as random.
  /// Precondition: not full.
  void push(const PairVertices& vertices, bool keep) {
    pairs_[count_] = vertices;
    count_ += keep ? 1 : 0;
  }

  /// Tests what was gathered and starts anew: calls sink(impact) for every impact in the order of the pushes, and
  /// counts tests and tiers in stats.
  template <typename Sink>
  void flush(Stats& stats, const Sink& sink) {
    std::array<std::uint16_t, kCapacity> survivors;
    const std::size_t survivor_count = filter(stats, survivors.data());
    for (std::size_t i = 0; i < survivor_count; ++i) {
      Impact impact;
      if (test(pairs_[survivors[i]], stats, impact)) sink(impact);
    }
  }

 private:
  std::size_t filter(Stats& stats, std::uint16_t* survivors);
  bool test(const PairVertices& vertices, Stats& stats, Impact& impact) const;

  FeatureKind kind_;
  Step step_;
  std::size_t count_ = 0;
  std::array<PairVertices, kCapacity> pairs_;
};

}  // namespace graze
