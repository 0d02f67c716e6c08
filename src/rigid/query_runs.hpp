// Batches of rigid queries in parallel: cut into runs by their number alone, so that no answer depends on the
// number of threads, even where queries of a run share a state (temporal coherence). Progress is reported between
// queries, a few times a second, by any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/shared_progress.hpp"
#include "core/tasks.hpp"

namespace graze::rigid {

/// The progress of a batch: asks the callback after a query if its last call was some time ago.
class QueryProgress {
 public:
  /// The callback must outlive this.
  QueryProgress(const std::function<bool(double)>& callback, std::size_t count)
      : shared_(callback), count_(count) {}

  /// Reports on the calling thread, before and after all queries.
  void report() {
    shared_.tell([this] { return share(); });
    shared_.rethrow();
  }
  /// Counts a query that is done. Returns false if no other is to begin.
  bool go_on() {
    if (!shared_) return true;
    ++done_;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    if (now >= next_.load(std::memory_order_relaxed)) {
      shared_.tell([&] {
        next_ = now + kBetweenCalls;
        return share();
      });
    }
    return !shared_.stopped();
  }

 private:
  using Time = std::chrono::steady_clock::duration;
  static constexpr std::chrono::milliseconds kBetweenCalls{20};

  [[nodiscard]] double share() const {
    return count_ == 0 ? 1.0 : static_cast<double>(done_) / static_cast<double>(count_);
  }

  SharedProgress shared_;
  std::size_t count_;
  std::atomic<std::size_t> done_{0};
  std::atomic<Time> next_{Time::zero()};
};

/// Calls run(first, last, progress) for each run of queries, in parallel. Runs have up to 64 queries; a small batch
/// is cut into 64 runs.
template <typename Run>
void in_runs(std::size_t count, unsigned threads, const std::function<bool(double)>& callback, const Run& run) {
  constexpr std::size_t kRun = 64;
  constexpr std::size_t kRuns = 64;
  const std::size_t length = std::clamp<std::size_t>(count / kRuns, 1, kRun);
  QueryProgress progress(callback, count);
  core::with_threads(threads, [&] {
    progress.report();
    core::parallel_for(0, (count + length - 1) / length, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t r = first; r < last; ++r) run(r * length, std::min(count, (r + 1) * length), progress);
    });
    progress.report();
  });
}

/// Calls check() and adds the index of the query or obstacle to the message of an InputError.
template <typename Check>
void numbered(const char* what, std::size_t number, const Check& check) {
  try {
    check();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} {}: {}", what, number, error.what()));
  }
}

}  // namespace graze::rigid
