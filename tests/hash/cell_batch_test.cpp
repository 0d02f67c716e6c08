// The cell batch, which tests the primitives of a grid cell against each other: the same pairs in the same order
// with every instruction set.
#include "hash/cell_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace hash;
namespace {

/// A cell batch of flat boxes on a coarse grid, so that many just touch, spread along one axis.
CellBatch random_cell_batch(std::mt19937_64& random, std::size_t count, std::vector<PackedBox>& boxes,
                            std::vector<std::int32_t>& begins) {
  CellBatch cell_batch;
  for (std::size_t i = 0; i < count; ++i) {
    Aabb box;
    for (std::size_t k = 0; k < 3; ++k) {
      box.lo[k] = static_cast<float>(random() % (k == 1 ? 64 : 8));
      box.hi[k] = box.lo[k] + static_cast<float>(random() % 3);
    }
    boxes.emplace_back().set(box);
    begins.push_back(static_cast<std::int32_t>(random() % 8));
    cell_batch.push(static_cast<std::uint32_t>(i), boxes.back(), begins.back());
  }
  return cell_batch;
}

struct Overlaps {
  std::vector<LeafPair> pairs;
  CellBatchCounts counts;
};

Overlaps test_all(const CellBatch& rows, const CellBatch& columns, bool swapped) {
  Overlaps found;
  const auto keep = [&](std::span<const LeafPair> pairs) {
    found.pairs.insert(found.pairs.end(), pairs.begin(), pairs.end());
  };
  PairChunk chunk(keep);
  test_overlaps(rows, 0, rows.size(), columns, swapped, chunk, found.counts);
  chunk.flush();
  return found;
}

TEST(CellBatch, FindsTheSamePairsOnEveryTargetAsPlainTests) {
  std::mt19937_64 random(5);
  for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{16}, std::size_t{200}}) {
    for (const bool sorted : {false, true}) {
      std::vector<PackedBox> boxes;
      std::vector<std::int32_t> begins;
      CellBatch cell_batch = random_cell_batch(random, count, boxes, begins);
      if (sorted) cell_batch.sort();
      std::vector<LeafPair> expected;
      std::uint64_t overlapping = 0;
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
          const std::uint32_t a = cell_batch.primitives()[i];
          const std::uint32_t b = cell_batch.primitives()[j];
          if (!boxes[a].overlaps(boxes[b])) continue;
          ++overlapping;
          if ((begins[a] | begins[b]) == CellBatch::kAllAxes) expected.push_back({a, b});
        }
      }
      std::uint64_t tests = 0;
      for (const std::string& target : simd_targets()) {
        SCOPED_TRACE(target);
        use_simd_target(target);
        const Overlaps found = test_all(cell_batch, cell_batch, false);
        EXPECT_EQ(found.pairs, expected);
        EXPECT_EQ(found.counts.pairs, expected.size());
        EXPECT_EQ(found.counts.repeated, overlapping - expected.size());
        if (tests == 0) tests = found.counts.tests;
        EXPECT_EQ(found.counts.tests, tests);
        EXPECT_LE(found.counts.tests, count * (count - 1) / 2);
      }
      use_simd_target("");
      EXPECT_EQ(count == 200, expected.size() > 20);
      if (count == 200 && sorted) {
        EXPECT_EQ(cell_batch.sorted_along(), 1U);
        EXPECT_LT(tests, count * (count - 1) / 4);
      }
    }
  }
}

TEST(CellBatch, IsTestedAgainstAnotherOneInEitherOrder) {
  std::mt19937_64 random(6);
  std::vector<PackedBox> boxes_a;
  std::vector<PackedBox> boxes_b;
  std::vector<std::int32_t> begins_a;
  std::vector<std::int32_t> begins_b;
  const CellBatch a = random_cell_batch(random, 50, boxes_a, begins_a);
  const CellBatch b = random_cell_batch(random, 90, boxes_b, begins_b);
  std::vector<LeafPair> expected;
  std::vector<LeafPair> swapped;
  for (std::uint32_t i = 0; i < boxes_a.size(); ++i) {
    for (std::uint32_t j = 0; j < boxes_b.size(); ++j) {
      if (!boxes_a[i].overlaps(boxes_b[j]) || (begins_a[i] | begins_b[j]) != CellBatch::kAllAxes) continue;
      expected.push_back({i, j});
      swapped.push_back({j, i});
    }
  }
  ASSERT_GT(expected.size(), 5U);
  EXPECT_EQ(test_all(a, b, false).pairs, expected);
  EXPECT_EQ(test_all(a, b, true).pairs, swapped);
}

TEST(CellBatch, FindsWhatOverlapsABoxOnEveryTarget) {
  std::mt19937_64 random(7);
  std::vector<std::uint32_t> buffer;
  std::size_t all = 0;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{7}, std::size_t{16}, std::size_t{33}, std::size_t{200}}) {
    for (const bool sorted : {false, true}) {
      std::vector<PackedBox> boxes;
      std::vector<std::int32_t> begins;
      CellBatch cell_batch = random_cell_batch(random, count, boxes, begins);
      if (sorted) cell_batch.sort();
      std::vector<PackedBox> some;
      const BatchBounds bounds(random_cell_batch(random, 1 + random() % 3, some, begins));
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < count; ++i) {
        bool overlaps = true;
        for (std::size_t k = 0; k < 3; ++k) {
          overlaps = overlaps && cell_batch.lo(k)[i] <= bounds.hi[k] && bounds.lo[k] <= cell_batch.hi(k)[i];
        }
        if (overlaps) expected.push_back(i);
      }
      all += expected.size();
      for (const std::string& target : simd_targets()) {
        SCOPED_TRACE(target);
        use_simd_target(target);
        CellBatchCounts counts;
        const auto found = find_overlaps(cell_batch.columns(), bounds, buffer, counts);
        EXPECT_EQ(std::vector<std::uint32_t>(found.begin(), found.end()), expected);
        EXPECT_GE(counts.tests, expected.size());
        EXPECT_LE(counts.tests, count);
      }
      use_simd_target("");
    }
  }
  EXPECT_GT(all, 20U);
}

TEST(CellBatch, HasTheBoundsOfItsBoxesOnEveryTarget) {
  std::mt19937_64 random(8);
  EXPECT_TRUE(BatchBounds().empty());
  for (std::size_t count = 1; count < 40; ++count) {
    std::vector<PackedBox> boxes;
    std::vector<std::int32_t> begins;
    const CellBatch cell_batch = random_cell_batch(random, count, boxes, begins);
    BatchBounds expected;
    for (std::size_t k = 0; k < 3; ++k) {
      expected.lo[k] = *std::min_element(cell_batch.lo(k), cell_batch.lo(k) + count);
      expected.hi[k] = *std::max_element(cell_batch.hi(k), cell_batch.hi(k) + count);
    }
    for (const std::string& target : simd_targets()) {
      SCOPED_TRACE(target);
      use_simd_target(target);
      const BatchBounds bounds(cell_batch);
      EXPECT_FALSE(bounds.empty());
      EXPECT_EQ(bounds.lo, expected.lo) << count;
      EXPECT_EQ(bounds.hi, expected.hi) << count;
    }
    use_simd_target("");
  }
}

}  // namespace
}  // namespace graze
