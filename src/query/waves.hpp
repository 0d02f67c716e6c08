// Deterministic parallel loop: runs blocks of work so that results do not depend on the number of threads.
//
// Sources cut work into blocks without regard to threads. Blocks run in waves: the blocks of a wave run in
// parallel, each into its own result; then the calling thread merges the results in block order and reports
// progress. The results of a wave (the earliest impact so far) may steer the next wave, but not blocks of the same
// wave, so counters do not depend on the number of threads either.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/prefetch.hpp"
#include "core/tasks.hpp"
#include "query/query.hpp"

namespace graze::query {

/// Lengths of waves, in pairs. Each wave is twice as long as its predecessor, up to `last`. The first waves are
/// short, so that a search for the earliest impact has a bound early; no wave is very long, since results and
/// interrupts wait for the end of the wave.
struct WaveSizes {
  std::uint64_t first = std::uint64_t{1} << 18U;
  std::uint64_t last = std::uint64_t{1} << 25U;
};

/// For each wave: runs work(block, result) for its blocks, then merge(result, share) in block order, then
/// after_wave(). `share` is the share of all work that is done after the wave; `weights` has the work of each
/// block, in pairs.
template <typename Result, typename Work, typename Merge, typename AfterWave>
void run_in_waves(const DetectorOptions& options, std::span<const std::uint64_t> weights, const Work& work,
                  const Merge& merge, const AfterWave& after_wave, const WaveSizes& sizes = {}) {
  constexpr std::size_t kMinBlocksPerWave = 16;

  double all = 0.0;
  for (const std::uint64_t weight : weights) all += static_cast<double>(weight);
  double done = 0.0;
  std::uint64_t wave_pairs = sizes.first;
  report_progress(options, 0.0);
  for (std::size_t begin = 0; begin < weights.size();) {
    std::size_t end = begin;
    for (std::uint64_t pairs = 0; end < weights.size() && (pairs < wave_pairs || end - begin < kMinBlocksPerWave);
         ++end) {
      pairs += weights[end];
      done += static_cast<double>(weights[end]);
    }
    std::vector<Result> results(end - begin);
    parallel_for(begin, end, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) work(b, results[b - begin]);
    });
    // Other threads have written the results: their cache lines are fetched some results ahead.
    constexpr std::size_t kAhead = 4;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (i + kAhead < results.size()) prefetch(results[i + kAhead]);
      merge(results[i], done / all);
    }
    after_wave();
    begin = end;
    if (begin < weights.size()) report_progress(options, done / all);
    wave_pairs = std::min(2 * wave_pairs, sizes.last);
  }
  report_progress(options, 1.0);
}

}  // namespace graze::query
