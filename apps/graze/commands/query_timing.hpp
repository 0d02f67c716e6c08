// Answers and times of single queries: how `graze queries` measures.
//
// Each query is called once, then in `repeats` more rounds, on one thread; what counts is the least of the rounds,
// which is the time of the code with warm caches and without the machine's interruptions. The first calls are kept
// too, so that nothing is hidden. A query faster than the clock can tell is called many times between two readings,
// and the cost of reading the clock is taken off.
#pragma once

#include <cstdint>
#include <vector>

#include <graze/elementary.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

namespace graze::app {

struct QueryTiming {
  bool hit = false;
  double first_ns = 0.0;  ///< the first call, caches cold
  double best_ns = 0.0;   ///< the least of the repeats
};

class QueryTimer {
 public:
  /// repeats >= 1. Measures the cost of a clock reading.
  QueryTimer(const ElementaryOptions& options, unsigned repeats);

  /// Adds the deciding tier to `tiers`, once. Throws std::logic_error if two calls do not agree.
  QueryTiming measure(FeatureKind kind, const PairStep& step, TierCounts& tiers) const;

 private:
  ElementaryOptions options_;
  unsigned repeats_;
  double clock_ns_ = 0.0;
};

/// What the table and JSON show of many times.
struct TimeSummary {
  double median_ns = 0.0;
  double mean_ns = 0.0;
  double p99_ns = 0.0;
  double max_ns = 0.0;
};

/// Percentiles by nearest rank; zeros for no times.
TimeSummary summarize(std::vector<double> times_ns);

}  // namespace graze::app
