// parallel_for covers a range once, with_threads limits concurrency, exceptions pass through.
#include "core/tasks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace graze {

using namespace core;
namespace {

TEST(Tasks, ParallelForVisitsEveryIndexOnceAtAnyThreadCountAndGrain) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    for (const std::size_t grain : {0U, 1U, 3U, 1000U}) {
      std::vector<std::atomic<int>> visits(1000);
      with_threads(threads, [&] {
        parallel_for(10, 990, grain, [&](std::size_t first, std::size_t last) {
          EXPECT_LE(last - first, std::max<std::size_t>(grain, 1));
          for (std::size_t i = first; i < last; ++i) ++visits[i];
        });
      });
      for (std::size_t i = 0; i < visits.size(); ++i) EXPECT_EQ(visits[i].load(), i >= 10 && i < 990 ? 1 : 0) << i;
    }
  }
}

TEST(Tasks, AnEmptyOrReversedRangeCallsNothing) {
  int calls = 0;
  parallel_for(5, 5, 1, [&](std::size_t, std::size_t) { ++calls; });
  parallel_for(6, 5, 1, [&](std::size_t, std::size_t) { ++calls; });
  EXPECT_EQ(calls, 0);
}

TEST(Tasks, NoMoreThanTheAskedThreadsRunAtOnce) {
  for (const int threads : {1, 2, 3}) {
    std::atomic<int> running = 0;
    std::atomic<int> most = 0;
    with_threads(static_cast<unsigned>(threads), [&] {
      parallel_for(0, 2000, 1, [&](std::size_t, std::size_t) {
        const int now = ++running;
        int seen = most.load();
        while (seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        --running;
      });
    });
    EXPECT_GE(most.load(), 1);
    EXPECT_LE(most.load(), threads);
  }
}

TEST(Tasks, AnExceptionInAPieceReachesTheCaller) {
  const auto broken = [] {
    with_threads(2, [] {
      parallel_for(0, 100, 1, [](std::size_t first, std::size_t) {
        if (first == 50) throw std::runtime_error("piece 50");
      });
    });
  };
  EXPECT_THROW(broken(), std::runtime_error);
}

}  // namespace
}  // namespace graze
