// Timing of single queries (query_timing.hpp).
#include "commands/query_timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace graze::app {
namespace {

using Clock = std::chrono::steady_clock;

// Nanoseconds between two readings: at least this, so that the clock's granularity (tens of ns) is a few percent.
constexpr double kShortestReading = 1000.0;

double nanoseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::nano>(to - from).count();
}

bool call(FeatureKind kind, const PairStep& step, const ElementaryOptions& options, TierCounts* tiers) {
  return kind == FeatureKind::VertexFace ? impact_vertex_face(step, options, tiers).has_value()
                                         : impact_edge_edge(step, options, tiers).has_value();
}

}  // namespace

QueryTimer::QueryTimer(const ElementaryOptions& options, unsigned repeats) : options_(options), repeats_(repeats) {
  clock_ns_ = std::numeric_limits<double>::max();
  for (int i = 0; i < 1000; ++i) {
    const auto from = Clock::now();
    const auto to = Clock::now();
    clock_ns_ = std::min(clock_ns_, nanoseconds(from, to));
  }
}

QueryTiming QueryTimer::measure(FeatureKind kind, const PairStep& step, TierCounts& tiers) const {
  QueryTiming timing;
  const auto from = Clock::now();
  timing.hit = call(kind, step, options_, &tiers);
  timing.first_ns = std::max(0.0, nanoseconds(from, Clock::now()) - clock_ns_);

  const auto timed = [&](unsigned inner) {
    unsigned hits = 0;
    const auto start = Clock::now();
    for (unsigned i = 0; i < inner; ++i) hits += call(kind, step, options_, nullptr) ? 1U : 0U;
    const double elapsed = std::max(0.0, nanoseconds(start, Clock::now()) - clock_ns_);
    if (hits != (timing.hit ? inner : 0U)) {
      throw std::logic_error("an elementary test gave two answers for one query");
    }
    return elapsed;
  };
  // A trial with warm caches decides how many calls share a reading.
  const double trial = std::clamp(timed(1), 5.0, kShortestReading);
  const auto inner = static_cast<unsigned>(std::ceil(kShortestReading / trial));
  timing.best_ns = std::numeric_limits<double>::max();
  for (unsigned repeat = 0; repeat < repeats_; ++repeat)
    timing.best_ns = std::min(timing.best_ns, timed(inner) / inner);
  return timing;
}

TimeSummary summarize(std::vector<double> times_ns) {
  TimeSummary summary;
  if (times_ns.empty()) return summary;
  std::sort(times_ns.begin(), times_ns.end());
  const auto ranked = [&](double share) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(times_ns.size())));
    return times_ns[std::clamp<std::size_t>(rank, 1, times_ns.size()) - 1];
  };
  summary.median_ns = ranked(0.5);
  summary.p99_ns = ranked(0.99);
  summary.max_ns = times_ns.back();
  summary.mean_ns = std::accumulate(times_ns.begin(), times_ns.end(), 0.0) / static_cast<double>(times_ns.size());
  return summary;
}

}  // namespace graze::app
