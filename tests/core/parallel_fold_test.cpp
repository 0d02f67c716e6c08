// Parallel reduction: the value of a plain loop over pieces, to the last bit, on any number of threads.
#include "core/parallel_fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace graze {

using namespace core;
namespace {

TEST(ParallelFold, CoversEveryIndexOnce) {
  for (const std::size_t count : {0U, 1U, 99U, 100U, 101U, 1000U}) {
    std::vector<int> visits(count, 0);
    const std::size_t pieces = parallel_fold<100>(
        count, std::size_t{0},
        [&](std::size_t first, std::size_t last) {
          EXPECT_LE(last - first, 100U);
          for (std::size_t i = first; i < last; ++i) ++visits[i];
          return std::size_t{1};
        },
        [](std::size_t a, std::size_t b) { return a + b; });
    EXPECT_EQ(pieces, (count + 99) / 100);
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), static_cast<std::ptrdiff_t>(count));
  }
}

TEST(ParallelFold, StartsWithTheGivenValueAndKeepsTheOrder) {
  const std::vector<int> all = parallel_fold<3>(
      10, std::vector<int>{-1},
      [](std::size_t first, std::size_t /*last*/) { return std::vector<int>{static_cast<int>(first)}; },
      [](std::vector<int> list, const std::vector<int>& piece) {
        list.insert(list.end(), piece.begin(), piece.end());
        return list;
      });
  EXPECT_EQ(all, (std::vector<int>{-1, 0, 3, 6, 9}));
}

TEST(ParallelFold, SumsDoublesToTheSameBitsOnAnyNumberOfThreads) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(100'003);
  for (double& value : values) value = uniform(random);
  const auto sum_on = [&](unsigned threads) {
    double sum = 0.0;
    with_threads(threads, [&] {
      sum = parallel_fold(
          values.size(), 0.0,
          [&](std::size_t first, std::size_t last) {
            double piece = 0.0;
            for (std::size_t i = first; i < last; ++i) piece += values[i];
            return piece;
          },
          [](double a, double b) { return a + b; });
    });
    return sum;
  };
  const double on_one = sum_on(1);
  for (const unsigned threads : {2U, 7U, 16U}) EXPECT_EQ(sum_on(threads), on_one) << threads << " threads";
}

}  // namespace
}  // namespace graze
