// parallel_sort equals std::stable_sort for every length and number of threads.
#include "core/sort.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace graze {

using namespace core;
namespace {

using KeyAndPlace = std::pair<int, std::size_t>;

TEST(ParallelSort, EqualsTheStableSortOfTheStandardLibrary) {
  const auto by_key = [](const KeyAndPlace& a, const KeyAndPlace& b) { return a.first < b.first; };
  for (const std::size_t count : {0U, 1U, 2U, 16384U, 16385U, 50000U, 131073U}) {
    std::mt19937 random(static_cast<unsigned>(count));
    std::vector<KeyAndPlace> values;
    for (std::size_t i = 0; i < count; ++i) values.emplace_back(static_cast<int>(random() % 1000), i);
    std::vector<KeyAndPlace> expected = values;
    std::stable_sort(expected.begin(), expected.end(), by_key);
    for (const unsigned threads : {1U, 2U, 7U}) {
      std::vector<KeyAndPlace> sorted = values;
      with_threads(threads, [&] { parallel_sort(sorted, by_key); });
      EXPECT_EQ(sorted, expected) << count << " values, " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace graze
