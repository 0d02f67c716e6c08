// What every query shares: its inputs, its memory budget, and the loop over blocks that keeps answers independent
// of threads.
//
// Work is cut into blocks by size alone. Blocks run in waves: those of a wave side by side, each into its own
// result; then the results are merged in block order, and progress is reported, on the calling thread. What one
// wave learnt (the earliest impact so far) steers the next one, so even counters are the same for any number of
// threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <graze/detector.hpp>
#include <graze/elementary.hpp>
#include <graze/results.hpp>

#include "core/tasks.hpp"
#include "scene/body_filter.hpp"

namespace graze::query {

/// The bytes a query may still take. Charges of different threads may come in any order: whether their sum breaks
/// the cap does not depend on it.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t cap) : cap_(cap) {}
  /// Throws InputError once all charges together exceed the cap (0: none).
  void charge(std::uint64_t bytes);
  /// Charges what something takes that was planned at less: charge(planned) came before it was made.
  void charge_rest(std::uint64_t planned, std::uint64_t taken) { charge(taken > planned ? taken - planned : 0); }
  /// Charges, and is true, if all charges together stay within the cap.
  [[nodiscard]] bool try_charge(std::uint64_t bytes);
  /// Whether a charge would be within the cap.
  [[nodiscard]] bool fits(std::uint64_t bytes) const {
    return cap_ == 0 || used_.load(std::memory_order_relaxed) + bytes <= cap_;
  }
  /// Gives back what was charged: the memory is free again.
  void release(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  std::uint64_t cap_;
  std::atomic<std::uint64_t> used_{0};
};

/// What every query is given.
struct DetectorQuery {
  const Scene& scene;
  const BodyFilter& filter;
  const DetectorOptions& options;

  [[nodiscard]] ElementaryOptions elementary() const {
    return {.tolerance = options.tolerance, .thickness = options.thickness};
  }
};

/// Takes some impacts, in block order, on the calling thread; `share` of the work will be done when all of the same
/// wave are handed over. sizeof(Impact) each is charged to the budget, and the taker's to release.
using FoundImpacts = std::function<void(std::span<Impact> some, double share)>;

/// Calls progress, if there is any, and throws Interrupted if it says so.
void report_progress(const DetectorOptions& options, double share);

/// The options of one stage of a query, which reports its own progress as the part [begin, end] of the whole. The
/// progress callback of `options` is referred to.
DetectorOptions stage_options(const DetectorOptions& options, double begin, double end);

/// No elementary test reports a pair that stays farther apart than this: 0 without thickness, else thickness and
/// slack (graze/elementary.hpp) of the largest pair there can be, rounded up. A cull that keeps all pairs within it
/// leaves every decision to the elementary test, so that all methods report the same pairs.
double reported_gap(const ElementaryOptions& options, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

class Stopwatch {
 public:
  [[nodiscard]] double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds the counters, not the times, of a part.
void add_counters(Stats& sum, const Stats& part);

/// How many pairs a wave of blocks has. Each is twice as long as the one before: short ones first, so that a search
/// for the earliest impact has a bound early, and not too long ones, since what is found waits for the end of its
/// wave, and so does an interrupt.
struct WaveSizes {
  std::uint64_t first = std::uint64_t{1} << 18U;
  std::uint64_t last = std::uint64_t{1} << 25U;
};

/// Runs work(block, result) for every block, and merge(result, share) in block order, where `share` of the blocks'
/// work is done after the wave. Block needs a member `pairs`.
template <typename Result, typename Block, typename Work, typename Merge, typename AfterWave>
void run_in_waves(const DetectorOptions& options, std::span<const Block> blocks, const Work& work,
                  const Merge& merge, const AfterWave& after_wave, const WaveSizes& sizes = {}) {
  constexpr std::size_t kMinBlocksPerWave = 16;

  double all = 0.0;
  for (const Block& block : blocks) all += static_cast<double>(block.pairs);
  double done = 0.0;
  std::uint64_t wave_pairs = sizes.first;
  report_progress(options, 0.0);
  for (std::size_t begin = 0; begin < blocks.size();) {
    std::size_t end = begin;
    for (std::uint64_t pairs = 0; end < blocks.size() && (pairs < wave_pairs || end - begin < kMinBlocksPerWave);
         ++end) {
      pairs += blocks[end].pairs;
      done += static_cast<double>(blocks[end].pairs);
    }
    std::vector<Result> results(end - begin);
    parallel_for(begin, end, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) work(blocks[b], results[b - begin]);
    });
    for (Result& result : results) {
      merge(result, done / all);
      result = {};
    }
    after_wave();
    begin = end;
    if (begin < blocks.size()) report_progress(options, done / all);
    wave_pairs = std::min(2 * wave_pairs, sizes.last);
  }
  report_progress(options, 1.0);
}

}  // namespace graze::query
