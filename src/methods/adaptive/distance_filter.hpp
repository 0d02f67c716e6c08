// Pair distances kept from step to step without sessions: temporal coherence alone (ADAPTIVE's nSwD: sections 4.2
// and 6).
//
// Every step has its own bounds and its own traversal. Of the triangle pairs that the traversal generates, the
// filter drops each pair whose distance at the reference positions exceeds the sum of both displacements. The
// filter measures a pair when it first appears and stores its distance in a table. Distances lose their value as
// displacements grow: when they rule out few pairs, the filter takes new reference positions and clears the table;
// when even new ones rule out few, the next kPause steps are plain. Cost: O(pairs) per step.
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
  /// Results of filtering the pairs of one block.
  struct Part {
    std::vector<StoredPair> fresh;  ///< pairs seen for the first time
    std::uint64_t measured = 0;
    std::uint64_t looked_at = 0;
    std::uint64_t admissible = 0;
    std::uint32_t next = 0;  ///< store index where the next pair is expected
  };

  void forget_scene();
  /// Frees all memory.
  void release() { *this = {}; }
  /// Whether this step should use the filter. If it returns true, keep() may be called.
  [[nodiscard]] bool begin_step(const AdaptiveStep& step);
  /// Moves the pairs that may touch in this step to the front, in order, and returns them. May be called from
  /// several threads.
  std::span<const LeafPair> keep(const AdaptiveStep& step, std::span<LeafPair> pairs, Part& part) const;
  /// Stores the new pairs of a block. Call it from one thread, in the order of the blocks.
  void take(const Part& part, MemoryBudget& budget, Stats& stats);
  void end_step(Stats& stats);

  [[nodiscard]] std::size_t memory_bytes() const { return displacements_.memory_bytes() + store_.memory_bytes(); }

 private:
  static constexpr std::size_t kRun = 128;  ///< pairs looked up together

  void find(std::span<const LeafPair> pairs, std::uint32_t& next, std::uint32_t* places) const;

  /// Smallest share of ruled-out pairs that is worth the cost of measuring.
  static constexpr double kMinShare = 0.5;
  static constexpr unsigned kPause = 32;  ///< plain steps before the next attempt

  LeafDisplacements displacements_;
  PairStore store_;
  bool has_references_ = false;
  unsigned pause_ = 0;
  double best_share_ = 0.0;  ///< largest share of pairs ruled out in one step with these reference positions
  std::uint64_t looked_at_ = 0;
  std::uint64_t admissible_ = 0;
};

}  // namespace graze::methods
