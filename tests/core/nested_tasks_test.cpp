// A nested parallel loop uses the threads of the loop around it, or only the calling thread.
#include "core/nested_tasks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/tasks.hpp"

namespace graze {

using namespace core;
namespace {

/// Records the largest number of concurrent calls.
class ConcurrencyPeak {
 public:
  void enter() {
    const int now = ++inside_;
    int seen = most_.load();
    while (seen < now && !most_.compare_exchange_weak(seen, now)) {
    }
  }
  void leave() { --inside_; }
  [[nodiscard]] int most() const { return most_; }

 private:
  std::atomic<int> inside_ = 0;
  std::atomic<int> most_ = 0;
};

TEST(NestedTasks, ThreadsThatAreAskedForInsideAreThoseAround) {
  for (const int threads : {1, 2}) {
    ConcurrencyPeak peak;
    std::atomic<int> visits = 0;
    with_threads(static_cast<unsigned>(threads), [&] {
      parallel_for(0, 20, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          run_nested(i % 2 == 0, [&] {
            with_threads(7, [&] {
              parallel_for(0, 50, 3, [&](std::size_t from, std::size_t to) {
                peak.enter();
                EXPECT_LE(to - from, 3U);
                visits += static_cast<int>(to - from);
                peak.leave();
              });
            });
          });
        }
      });
    });
    EXPECT_EQ(visits, 1000);
    EXPECT_LE(peak.most(), threads);
  }
}

TEST(NestedTasks, AloneEverythingStaysOnTheThread) {
  with_threads(7, [] {
    parallel_for(0, 100, 1, [](std::size_t, std::size_t) {
      run_nested(true, [] {
        const std::thread::id here = std::this_thread::get_id();
        with_threads(0, [&] {
          parallel_for(0, 64, 1, [&](std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), here); });
        });
      });
    });
  });
}

TEST(NestedTasks, ThreadsWithoutAPieceHelpWithTheLoopsOfOthers) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "there loops inside a loop stay on their thread";
#endif
  std::mutex mutex;
  std::set<std::thread::id> seen;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  with_threads(2, [&] {
    parallel_for(0, 2, 1, [&](std::size_t first, std::size_t) {
      if (first == 0) return;
      run_nested(false, [&] {
        parallel_for(0, 2, 1, [&](std::size_t, std::size_t) {
          {
            const std::lock_guard lock(mutex);
            seen.insert(std::this_thread::get_id());
          }
          for (bool both = false; !both && std::chrono::steady_clock::now() < deadline;) {
            std::this_thread::yield();
            const std::lock_guard lock(mutex);
            both = seen.size() == 2;
          }
        });
      });
    });
  });
  EXPECT_EQ(seen.size(), 2U);
}

TEST(NestedTasks, WhileItWaitsAThreadTakesUpNothingElse) {
  // Pieces of an inner loop that run on another thread are slow, so that the thread that owns the loop has to wait.
  thread_local bool busy = false;
  for (int round = 0; round < 20; ++round) {
    with_threads(4, [] {
      parallel_for(0, 24, 1, [](std::size_t i, std::size_t) {
        EXPECT_FALSE(busy);
        busy = true;
        const std::thread::id owner = std::this_thread::get_id();
        run_nested(false, [&] {
          parallel_for(0, i % 2 == 0 ? 8 : 1, 1, [&](std::size_t, std::size_t) {
            const bool lent = std::this_thread::get_id() != owner;
            std::this_thread::sleep_for(std::chrono::microseconds(lent ? 500 : 50));
          });
        });
        busy = false;
      });
    });
  }
}

TEST(NestedTasks, ExceptionsPassAndThreadsAreAskedForAgainAfterwards) {
  for (const bool alone : {true, false}) {
    EXPECT_THROW(run_nested(alone, [] { throw std::runtime_error("inside"); }), std::runtime_error);
    ConcurrencyPeak peak;
    with_threads(1, [&] {
      parallel_for(0, 100, 1, [&](std::size_t, std::size_t) {
        peak.enter();
        std::this_thread::yield();
        peak.leave();
      });
    });
    EXPECT_EQ(peak.most(), 1) << "the limit counts again";
  }
}

}  // namespace
}  // namespace graze
