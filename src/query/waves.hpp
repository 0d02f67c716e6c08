// The loop over blocks of work that keeps answers independent of the number of threads.
//
// Work is cut into blocks by size alone. Blocks run in waves: the blocks of a wave run side by side, each into its
// own result; then the results are merged in block order, and progress is reported, on the calling thread. What one
// wave learns (the earliest impact so far) may steer the next one, so even counters are the same for any number of
// threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tasks.hpp"
#include "query/query.hpp"

namespace graze::query {

/// Pairs in a wave of blocks. Each wave is twice as long as the one before: the first are short, so that a search
/// for the earliest impact has a bound early; none is very long, since results and interrupts wait for the end of
/// their wave.
struct WaveSizes {
  std::uint64_t first = std::uint64_t{1} << 18U;
  std::uint64_t last = std::uint64_t{1} << 25U;
};

/// Runs work(block, result) for every block, by index, and merge(result, share) in block order, where `share` of
/// the work of all blocks is done after the wave; then after_wave(). `weights`: the work of each block, in pairs.
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
    for (Result& result : results) {
      merge(result, done / all);
      result = {};
    }
    after_wave();
    begin = end;
    if (begin < weights.size()) report_progress(options, done / all);
    wave_pairs = std::min(2 * wave_pairs, sizes.last);
  }
  report_progress(options, 1.0);
}

}  // namespace graze::query
