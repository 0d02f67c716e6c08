// Distances of pairs, kept from step to step, without sessions (ADAPTIVE's nSwD: sections 4.2 and 6).
//
// Every step has its own bounds and its own traversal; of the pairs that it brings, those whose distance at home
// exceeds what both stray are not tested. A pair that comes for the first time is measured and put in the table.
// Distances are worth less the farther everything strays: when they rule out few, homes are made anew and the table
// is cleared, and when even new ones rule out few, there are plain steps for a while. Cost: O(pairs) a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/stats.hpp>

#include "methods/adaptive/leaf_displacements.hpp"
#include "methods/adaptive/pair_store.hpp"
#include "query/query.hpp"

namespace graze::methods {

class DistanceFilter {
 public:
  /// What some pairs came to.
  struct Part {
    std::vector<StoredPair> fresh;  ///< not seen before
    std::uint64_t measured = 0;
    std::uint64_t looked_at = 0;
    std::uint64_t admissible = 0;
    std::uint32_t next = 0;  ///< the place where the next pair is expected
  };

  void forget_scene();
  /// Gives back all memory.
  void release() { *this = {}; }
  /// Whether the step should use the filter; then keep() may be called.
  [[nodiscard]] bool begin_step(const AdaptiveStep& step);
  /// Moves the pairs that may touch in this step to the front, in order, and returns them. From several threads.
  std::span<const LeafPair> keep(const AdaptiveStep& step, std::span<LeafPair> pairs, Part& part) const;
  /// Takes the pairs that are new. One thread, in the order of blocks.
  void take(const Part& part, MemoryBudget& budget, Stats& stats);
  void end_step(Stats& stats);

  [[nodiscard]] std::size_t memory_bytes() const { return displacements_.memory_bytes() + store_.memory_bytes(); }

 private:
  static constexpr std::size_t kRun = 128;  ///< pairs that are looked up together

  void find(std::span<const LeafPair> pairs, std::uint32_t& next, std::uint32_t* places) const;

  /// Less than this share of pairs that are ruled out is not worth the measuring.
  static constexpr double kLeastShare = 0.5;
  static constexpr unsigned kPause = 32;  ///< plain steps before another try

  LeafDisplacements displacements_;
  PairStore store_;
  bool has_references_ = false;
  unsigned pause_ = 0;
  double best_share_ = 0.0;  ///< of pairs ruled out in a step with these homes
  std::uint64_t looked_at_ = 0;
  std::uint64_t admissible_ = 0;
};

}  // namespace graze::methods
