// The bucket sort against std::sort, for keys of all sizes, spread or not, on any number of threads.
#include "core/bucket_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace graze {

using namespace core;
namespace {

using Value = std::uint64_t;

/// Sorts by the upper `key_bits` bits of 40 into buckets.
void expect_sorted(std::vector<Value> values, unsigned key_bits) {
  std::vector<Value> expected = values;
  std::sort(expected.begin(), expected.end());
  bucket_sort(
      std::span(values), key_bits, [=](Value value) { return value >> (40U - key_bits); }, std::less<>());
  EXPECT_TRUE(values == expected);
}

std::vector<Value> random_values(std::size_t count, Value below, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Value> values(count);
  for (Value& value : values) value = random() % below;
  return values;
}

TEST(BucketSort, SortsKeysOfAllSizes) {
  unsigned seed = 0;
  for (const std::size_t count : {0U, 1U, 2U, 511U, 512U, 513U, 8191U, 16384U, 100000U}) {
    for (const unsigned key_bits : {1U, 3U, 17U, 40U}) {
      SCOPED_TRACE(std::to_string(count) + " values, " + std::to_string(key_bits) + " bits");
      expect_sorted(random_values(count, Value{1} << 40U, ++seed), key_bits);
      expect_sorted(random_values(count, 1000, ++seed), key_bits);  // all in the first bucket
      expect_sorted(std::vector<Value>(count, (Value{1} << 40U) - 1), key_bits);
    }
  }
}

TEST(BucketSort, SortsOnAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    with_threads(threads, [&] {
      for (const std::size_t count : {8192U, 16383U, 70001U}) {
        expect_sorted(random_values(count, Value{1} << 40U, threads), 33);
      }
    });
  }
}

TEST(BucketSort, KeepsSortedAndReversedValues) {
  std::vector<Value> values = random_values(30000, Value{1} << 40U, 3);
  std::sort(values.begin(), values.end());
  expect_sorted(values, 20);
  std::reverse(values.begin(), values.end());
  expect_sorted(values, 20);
}

}  // namespace
}  // namespace graze
