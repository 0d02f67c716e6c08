// Answers and times of single elementary tests, as `graze queries` measures them.
//
// Each query is called once, then in `repeats` more rounds, on one thread. The time of a query is that of its
// fastest round: warm caches, no interruptions by the machine. The time of the first call is reported too. A query
// that is too fast for the clock is called many times between two readings; the cost of a reading is subtracted.
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
  double best_ns = 0.0;   ///< the fastest round
};

class QueryTimer {
 public:
  /// Measures the cost of a clock reading. Precondition: repeats >= 1.
  QueryTimer(const ElementaryOptions& options, unsigned repeats);

  /// Adds the deciding tier to `tiers`, once. Throws std::logic_error if two calls give different answers.
  QueryTiming measure(FeatureKind kind, const PairStep& step, TierCounts& tiers) const;

 private:
  ElementaryOptions options_;
  unsigned repeats_;
  double clock_ns_ = 0.0;
};

/// Summary of many times, for the table and JSON.
struct TimeSummary {
  double median_ns = 0.0;
  double mean_ns = 0.0;
  double p99_ns = 0.0;
  double max_ns = 0.0;
};

/// Percentiles by nearest rank; zeros for no times.
TimeSummary summarize(std::vector<double> times_ns);

}  // namespace graze::app
