// The radix sort against std::stable_sort, for keys of all lengths, evenly spread and not, at several thread
// counts.
#include "core/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "core/uninitialized_vector.hpp"

namespace graze::core {
namespace {

struct Value {
  std::uint64_t key = 0;
  std::uint32_t place = 0;

  friend bool operator==(const Value&, const Value&) = default;
};

TEST(RadixSort, IsAStableSortOfKeysOfAnyLength) {
  std::mt19937_64 random(3);
  for (const std::size_t count : {0U, 1U, 2U, 511U, 512U, 8191U, 40'000U, 100'000U}) {
    for (const unsigned bits : {1U, 5U, 11U, 12U, 34U, 45U, 63U, 64U}) {
      for (const bool spread : {true, false}) {
        UninitializedVector<Value> values(count);
        for (std::size_t i = 0; i < count; ++i) {
          std::uint64_t key = random() >> (64 - bits);
          if (!spread) key >>= i % 50 == 0 ? 0 : bits / 2;  // nearly all have the same upper bits
          values[i] = {key, static_cast<std::uint32_t>(i)};
        }
        std::vector<Value> expected(values.begin(), values.end());
        std::stable_sort(expected.begin(), expected.end(),
                         [](const Value& a, const Value& b) { return a.key < b.key; });
        for (const unsigned threads : {1U, 2U, 7U}) {
          UninitializedVector<Value> sorted = values;
          with_threads(threads, [&] { radix_sort(sorted, bits, [](const Value& value) { return value.key; }); });
          ASSERT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end()))
              << count << " values, " << bits << " bits";
        }
      }
    }
  }
}

}  // namespace
}  // namespace graze::core
