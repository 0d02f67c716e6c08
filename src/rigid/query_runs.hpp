// What loops of rigid queries on several threads share: work spaces, and progress between queries.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/shared_progress.hpp"
#include "rigid/collide.hpp"

namespace graze::rigid {

/// Pool of work spaces, one for each run in progress.
class WorkPool {
 public:
  std::unique_ptr<RigidWork> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<RigidWork>();
    std::unique_ptr<RigidWork> work = std::move(free_.back());
    free_.pop_back();
    return work;
  }
  void give_back(std::unique_ptr<RigidWork> work) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(work));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<RigidWork>> free_;
};

/// The progress of a batch: asks the callback after a query if its last call was some time ago.
class QueryProgress {
 public:
  QueryProgress(const std::function<bool(double)>& progress, std::size_t count)
      : shared_(progress), count_(count) {}

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

}  // namespace graze::rigid
