// The rows of a benchmark: the answer of each contestant on a scene and its time, and the check that all answers
// agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/stats.hpp>

#include "output/funnel.hpp"

namespace graze::app {

struct BenchRow {
  std::string scene;  ///< as the user named it
  std::string method;
  std::string query = "impacts";
  unsigned threads = 1;
  std::optional<std::uint64_t> vf;  ///< sum over the steps; none if only the first impact is wanted
  std::optional<std::uint64_t> ee;
  std::optional<std::uint64_t> triangle_pairs;  ///< intersecting triangles; none for other queries
  std::optional<std::uint64_t> hash;            ///< hash of the contacts of all steps; none for peers
  std::optional<std::uint64_t> toi_hash;        ///< hash of the contacts with their intervals
  double median_ms = 0.0;                       ///< per step: the median over the runs
  double min_ms = 0.0;
  double cpu_ms = 0.0;        ///< processor time per step: mean over the steps of the least over the runs
  double later_cpu_ms = 0.0;  ///< cpu_ms without the first step, if there are more
  double edit_ms = 0.0;       ///< edits of the detector where triangles change: the least over the runs
  std::optional<double> bytes_per_triangle;  ///< largest over the steps
  std::size_t steps = 1;                     ///< number of steps of a run
  Stats stats;                               ///< counters and times of all steps of the last run; empty for peers
  Funnel funnel;                             ///< funnel of all steps; empty for peers

  /// Stage times of the last run as means per step; counters are 0.
  [[nodiscard]] Stats step_times() const;
};

/// The median; for an even number of values the mean of the middle two. Precondition: not empty.
double median(std::vector<double> values);

/// Compares the rows of one scene, query by query: one line per difference (contacts, intervals) that lists the
/// answers; none if all rows with a hash agree.
std::vector<std::string> disagreements(const std::vector<BenchRow>& rows);

}  // namespace graze::app
