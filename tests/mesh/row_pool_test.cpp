// The row pool, whose rows are replaced one by one, against plain vectors.
#include "mesh/row_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

TEST(RowPool, HoldsWhatWasPutThereLast) {
  std::mt19937 random(51);
  Rows rows;
  rows.offsets = {0, 2, 2, 5};
  rows.items = {7, 8, 1, 2, 3};
  RowPool pool(rows);
  std::vector<std::vector<std::uint32_t>> expected = {{7, 8}, {}, {1, 2, 3}};
  std::size_t item_count = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 200 == 0) {
      expected.resize(expected.size() + 3);
      pool.grow(expected.size());
    }
    const std::size_t r = random() % expected.size();
    std::vector<std::uint32_t> items(random() % 6);
    for (std::uint32_t& item : items) item = static_cast<std::uint32_t>(random());
    pool.replace(r, items);
    expected[r] = items;
    const std::size_t other = random() % expected.size();
    ASSERT_TRUE(std::ranges::equal(pool[other], expected[other]));
    ASSERT_EQ(pool.length(other), expected[other].size());
  }
  ASSERT_EQ(pool.size(), expected.size());
  for (std::size_t r = 0; r < expected.size(); ++r) {
    ASSERT_TRUE(std::ranges::equal(pool[r], expected[r])) << r;
    item_count += expected[r].size();
  }
  EXPECT_LT(pool.memory_bytes(), 2 * (8 * expected.size() + 4 * (2 * item_count + expected.size())))
      << "garbage is cleared away; twice for what vectors hold in reserve";
}

}  // namespace
}  // namespace graze
