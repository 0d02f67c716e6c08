// Sorting of impacts against std::stable_sort, for ids of all sizes, hubs and repeats.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/tasks.hpp"
#include "query/sort_pairs.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace cull;
using namespace query;
namespace {

/// Random impacts; toi_lo is the original index.
std::vector<Impact> random_impacts(std::size_t count, std::uint32_t ids, std::uint32_t lowest, unsigned seed) {
  std::mt19937 random(seed);
  const auto id = [&] { return lowest + static_cast<VertexId>(random() % ids); };
  std::vector<Impact> impacts(count);
  for (std::size_t i = 0; i < count; ++i) {
    impacts[i].pair = {random() % 2 == 0 ? FeatureKind::VertexFace : FeatureKind::EdgeEdge,
                       {id(), id(), id(), id()}};
    impacts[i].toi_lo = static_cast<double>(i);
  }
  return impacts;
}

std::vector<Impact> sorted_plainly(std::vector<Impact> impacts) {
  std::stable_sort(impacts.begin(), impacts.end(),
                   [](const Impact& a, const Impact& b) { return a.pair < b.pair; });
  const auto same = [](const Impact& a, const Impact& b) { return a.pair == b.pair; };
  impacts.erase(std::unique(impacts.begin(), impacts.end(), same), impacts.end());
  return impacts;
}

/// Cuts a list into blocks of random lengths, some of them empty.
std::vector<std::vector<Impact>> blocks_of(const std::vector<Impact>& impacts) {
  std::mt19937 random(static_cast<unsigned>(impacts.size()));
  std::vector<std::vector<Impact>> blocks(1);
  for (const Impact& impact : impacts) {
    while (random() % 64 == 0) blocks.emplace_back();
    blocks.back().push_back(impact);
  }
  return blocks;
}

void expect_sorted(const std::vector<Impact>& given) {
  const std::vector<Impact> expected = sorted_plainly(given);
  const std::vector<Impact> impacts = sorted_impacts(blocks_of(given));
  ASSERT_EQ(impacts.size(), expected.size());
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    ASSERT_EQ(impacts[i].pair, expected[i].pair) << i;
    ASSERT_EQ(impacts[i].toi_lo, expected[i].toi_lo) << i;  // the first of equal pairs is kept
  }
}

TEST(SortImpacts, gives_the_order_of_a_stable_sort_for_ids_of_all_sizes) {
  unsigned seed = 0;
  for (const std::size_t count : {0U, 1U, 2U, 17U, 511U, 512U, 513U, 3000U, 20000U}) {
    for (const std::uint32_t ids : {1U, 2U, 9U, 1000U, 70000U, 5000000U, 0xffffffffU}) {
      SCOPED_TRACE(std::to_string(count) + " impacts, " + std::to_string(ids) + " ids");
      expect_sorted(random_impacts(count, ids, 0, ++seed));
    }
    expect_sorted(random_impacts(count, 100, 0xffffff9bU, ++seed));  // up to 2^32 - 2
  }
}

TEST(SortImpacts, sorts_the_many_pairs_of_one_hub) {
  std::vector<Impact> impacts = random_impacts(30000, 1, 5, 1);
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    impacts[i].pair.vertices = {3, 4, 5, static_cast<VertexId>(impacts.size() - i / 2)};
  }
  expect_sorted(impacts);
}

TEST(SortImpacts, leaves_a_sorted_list_as_it_is) {
  std::vector<Impact> impacts = sorted_plainly(random_impacts(5000, 50, 0, 3));
  expect_sorted(impacts);
  std::reverse(impacts.begin(), impacts.end());
  expect_sorted(impacts);
}

TEST(SortImpacts, gives_the_same_on_any_number_of_threads) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    SCOPED_TRACE(threads);
    with_threads(threads, [] {
      for (const std::size_t count : {4095U, 4096U, 4097U, 12289U, 40000U}) {
        expect_sorted(random_impacts(count, 0xffffffffU, 0, static_cast<unsigned>(count)));
        expect_sorted(random_impacts(count, 12, 0, static_cast<unsigned>(count)));  // many repeats
      }
    });
  }
}

}  // namespace
}  // namespace graze
