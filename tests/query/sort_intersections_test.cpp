// Sorting of intersections and of pairs of triangles against std::sort, for ids of all sizes, hubs and repeats.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/tasks.hpp"
#include "query/sort_pairs.hpp"

namespace graze::query {
namespace {

/// Cuts a list into blocks of random lengths, some of them empty.
template <typename T>
std::vector<std::vector<T>> blocks_of(const std::vector<T>& values) {
  std::mt19937 random(static_cast<unsigned>(values.size()));
  std::vector<std::vector<T>> blocks(1);
  for (const T& value : values) {
    while (random() % 64 == 0) blocks.emplace_back();
    blocks.back().push_back(value);
  }
  return blocks;
}

template <typename T, typename Sort>
void expect_sorted(const std::vector<T>& given, const Sort& sort) {
  std::vector<T> expected = given;
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::vector<T> sorted;
    with_threads(threads, [&] { sorted = sort(blocks_of(given)); });
    ASSERT_EQ(sorted, expected) << given.size() << " values, " << threads << " threads";
  }
}

TEST(SortIntersections, OrdersByAllIdsAndRemovesDuplicates) {
  std::mt19937 random(1);
  for (const std::size_t count : {0U, 1U, 2U, 300U, 5000U, 60'000U}) {
    for (const std::uint32_t ids : {1U, 5U, 300U, 1U << 20U}) {
      for (const std::uint32_t lowest : {0U, 0xffe00000U}) {
        const auto id = [&] { return lowest + static_cast<VertexId>(random() % ids); };
        std::vector<Intersection> found(count);
        std::vector<TrianglePair> pairs(count);
        for (std::size_t i = 0; i < count; ++i) {
          found[i] = {{id(), id()}, {id(), id(), id()}};
          pairs[i] = {id(), id()};
          if (i % 4 == 3) found[i] = found[random() % i];
          if (i % 4 == 3) pairs[i] = pairs[random() % i];
          if (i % 5 == 4) found[i].edge = {lowest, lowest + ids - 1};  // one edge with many faces
        }
        expect_sorted(found, [](auto blocks) { return sorted_intersections(std::move(blocks)); });
        expect_sorted(pairs, [](auto blocks) { return sorted_triangle_pairs(std::move(blocks)); });
      }
    }
  }
}

}  // namespace
}  // namespace graze::query
