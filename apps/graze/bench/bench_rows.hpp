// The rows of a benchmark: what a contestant answered on a scene and how long it took, and whether all of them
// answered the same.
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
  std::string scene;  ///< as it was asked for
  std::string method;
  unsigned threads = 1;
  std::optional<std::uint64_t> vf;  ///< of all steps; none where only the first impact was looked for
  std::optional<std::uint64_t> ee;
  std::optional<std::uint64_t> hash;      ///< of the contacts of all steps; peers have none
  std::optional<std::uint64_t> toi_hash;  ///< of the contacts with their intervals
  double median_ms = 0.0;                 ///< a step, over the runs
  double min_ms = 0.0;
  double cpu_ms = 0.0;        ///< mean over the steps of the least processor time that each took in a run
  double later_cpu_ms = 0.0;  ///< the same without the first step, where there are more
  double edit_ms = 0.0;       ///< of it, edits of the detector where triangles change: the least over the runs
  std::optional<double> bytes_per_triangle;  ///< the most that a step held
  std::size_t steps = 1;                     ///< that a run has
  Stats stats;                               ///< counters and times of all steps of the last run; not of peers
  Funnel funnel;                             ///< of all steps; of peers empty

  /// Stage times of the last run, the mean over its steps; nothing but times.
  [[nodiscard]] Stats step_times() const;
};

/// The middle value; of an even number the mean of the two. Precondition: not empty.
double median(std::vector<double> values);

/// Compares the rows of one scene: one line for each way in which they differ, naming who found what; none if all
/// that have a hash have the same.
std::vector<std::string> disagreements(const std::vector<BenchRow>& rows);

}  // namespace graze::app
