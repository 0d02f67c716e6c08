// Contents of a voxel table: a few entries per primitive and a few voxels for any boxes; each primitive is entered
// in every cell of its level that its box overlaps; the same at any number of threads.
#include <gtest/gtest.h>

#include <graze/research.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks.hpp"
#include "hash/box_families.hpp"
#include "hash/voxel_check.hpp"

namespace graze::testing {

using namespace core;
namespace {

// With levels a box overlaps four cells on average over all positions, and at most four along one axis and two
// along the others. With one cell size it overlaps two along each axis, or three through rounding.
std::size_t most_entries(research::CellRule rule) {
  return rule == research::CellRule::Levels ? 16 : 27;
}

std::vector<VoxelTable::Entry> entries_of(const VoxelTable& table) {
  std::vector<VoxelTable::Entry> all;
  for (std::size_t v = 0; v < table.voxel_count(); ++v) {
    all.insert(all.end(), table.voxel(v).begin(), table.voxel(v).end());
  }
  return all;
}

TEST(VoxelTable, HoldsEachPrimitiveAtLeastOnceAndFewTimes) {
  for (const BoxFamily& family : box_families()) {
    for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
      const std::vector<PackedBox> boxes = family.make(11, 1000);
      VoxelTable table;
      table.update(BoxRow(boxes), all_numbers(boxes.size()), {.cells = rule});
      std::vector<std::size_t> times(boxes.size());
      for (const VoxelTable::Entry& entry : entries_of(table)) {
        ASSERT_LT(entry.primitive, boxes.size());
        ++times[entry.primitive];
      }
      EXPECT_GE(*std::min_element(times.begin(), times.end()), 1U) << family.name << ", " << name_of(rule);
      EXPECT_LE(*std::max_element(times.begin(), times.end()), most_entries(rule))
          << family.name << ", " << name_of(rule);
    }
  }
}

TEST(VoxelTable, HoldsOnlyWhatItWasGiven) {
  const std::vector<PackedBox> boxes = box_families()[0].make(12, 500);
  const std::vector<std::uint32_t> numbers = {3, 4, 77, 130, 499};
  VoxelTable table;
  table.update(BoxRow(boxes), all_numbers(boxes.size()), {});
  table.update(BoxRow(boxes), numbers, {});
  std::set<std::uint32_t> held;
  for (const VoxelTable::Entry& entry : entries_of(table)) held.insert(entry.primitive);
  EXPECT_EQ(std::vector<std::uint32_t>(held.begin(), held.end()), numbers);
}

TEST(VoxelTable, TakesMemoryInProportionToItsPrimitives) {
  for (const BoxFamily& family : box_families()) {
    for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
      for (const std::size_t count : {200U, 5000U}) {
        const std::vector<PackedBox> boxes = family.make(13, count);
        VoxelTable table;
        table.update(BoxRow(boxes), all_numbers(boxes.size()), {.cells = rule});
        constexpr std::size_t kBytes = 16 * 8 + 16;  // bytes per primitive: entries and voxels
        EXPECT_LE(table.memory_bytes(), kBytes * boxes.size() + 65536) << family.name << ", " << name_of(rule);
        EXPECT_LE(table.voxel_count(), 8 * boxes.size() + 64) << family.name << ", " << name_of(rule);
      }
    }
  }
}

TEST(VoxelTable, HasAboutAsManyVoxelsAsAskedFor) {
  const std::vector<PackedBox> boxes = box_families()[0].make(14, 4000);
  for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
    std::size_t last = 0;
    for (const double voxels : {1e-12, 0.01, 0.2, 1.0, 10.0}) {
      VoxelTable table;
      table.update(BoxRow(boxes), all_numbers(boxes.size()), {.cells = rule, .voxels = voxels});
      const double asked = std::max(1.0, voxels * static_cast<double>(boxes.size()));
      EXPECT_LE(static_cast<double>(table.voxel_count()), asked + 64.0) << name_of(rule) << ", " << voxels;
      EXPECT_GE(static_cast<double>(table.voxel_count()), asked - 1.0) << name_of(rule) << ", " << voxels;
      EXPECT_GE(table.voxel_count(), last);
      last = table.voxel_count();
    }
  }
}

TEST(VoxelTable, IsTheSameOnAnyNumberOfThreads) {
  for (const BoxFamily& family : box_families()) {
    const std::vector<PackedBox> boxes = family.make(15, 3000);
    const std::vector<std::uint32_t> numbers = all_numbers(boxes.size());
    std::vector<VoxelTable> tables(3);
    constexpr std::array kThreads = {1U, 2U, 7U};
    for (std::size_t i = 0; i < kThreads.size(); ++i) {
      with_threads(kThreads[i], [&] { tables[i].update(BoxRow(boxes), numbers, {}); });
      ASSERT_EQ(tables[i].voxel_count(), tables[0].voxel_count());
      for (std::size_t v = 0; v < tables[0].voxel_count(); ++v) {
        ASSERT_TRUE(std::ranges::equal(
            tables[i].voxel(v), tables[0].voxel(v),
            [](const auto& a, const auto& b) { return a.primitive == b.primitive && a.tag == b.tag; }))
            << family.name << ", " << kThreads[i] << " threads, voxel " << v;
      }
    }
  }
}

/// A single large primitive must not put all others into one cell.
TEST(VoxelTable, OfLevelsIsNotSpoiltByALargePrimitive) {
  std::vector<PackedBox> boxes = box_families()[0].make(16, 4000);
  const std::vector<std::uint32_t> numbers = all_numbers(boxes.size());
  const auto box_tests = [&](research::CellRule rule) {
    VoxelTable table;
    table.update(BoxRow(boxes), numbers, {.cells = rule});
    return run_all(VoxelPairs(table)).counts.box_tests;
  };
  const auto voxel_pairs = [&](research::CellRule rule) {
    VoxelTable table;
    table.update(BoxRow(boxes), numbers, {.cells = rule, .voxels = 4.0});
    HashCounts counts;
    table.count(counts);
    return counts.voxel_pairs;
  };
  const std::uint64_t before = box_tests(research::CellRule::Levels);
  const std::uint64_t pairs_before = voxel_pairs(research::CellRule::Levels);
  boxes[1234] = packed({-500.0F, -700.0F, -900.0F}, {1000.0F, 800.0F, 300.0F});
  EXPECT_LT(box_tests(research::CellRule::Levels), 2 * before + 8 * boxes.size());
  EXPECT_LT(voxel_pairs(research::CellRule::Levels), 2 * pairs_before);
  EXPECT_GT(voxel_pairs(research::CellRule::Largest), 10 * pairs_before);  // the paper's rule is spoilt
}

/// At constant density the number of tests per box does not depend on the number of boxes or on a few odd boxes.
TEST(VoxelTable, MakesWorkInProportionToItsPrimitives) {
  struct Case {
    std::string_view name;
    std::uint64_t most_tests;  // per box
    void (*spoil)(std::vector<PackedBox>& boxes);
  };
  const std::vector<Case> cases = {
      {"uniform", 100, [](std::vector<PackedBox>&) {}},
      {"ten giants", 100,
       [](std::vector<PackedBox>& boxes) {
         for (std::size_t i = 0; i < 10; ++i) {
           const float at = -500.0F + static_cast<float>(i);
           boxes[boxes.size() / 10 * i] = packed({at, at, at}, {1000.0F, 1000.0F, 1000.0F});
         }
       }},
      {"half of them far away and tiny", 100,
       [](std::vector<PackedBox>& boxes) {
         for (std::size_t i = 0; i < boxes.size(); i += 2) {
           const Aabb box = boxes[i].box();
           constexpr float kTiny = 0x1p-10F;
           boxes[i] = packed({kTiny * box.lo[0], kTiny * box.lo[1], kTiny * box.lo[2] + 8.0F},
                             {kTiny * box.hi[0], kTiny * box.hi[1], kTiny * box.hi[2] + 8.0F});
         }
       }},
      {"half of them plates beside the others, in few cells", 1000,
       [](std::vector<PackedBox>& boxes) {
         const float step = 0.2F / static_cast<float>(boxes.size());
         for (std::size_t i = 0; i < boxes.size(); i += 2) {
           const float z = 1.25F + step * static_cast<float>(i);
           boxes[i] = packed({-1.0F, -1.0F, z}, {1.0F, 1.0F, z + 0.5F * step});
         }
       }},
      {"a stack of plates, and one as thick as they are wide", 300,
       [](std::vector<PackedBox>& boxes) {
         const float step = 1.0F / static_cast<float>(boxes.size());
         for (std::size_t i = 0; i < boxes.size(); ++i) {
           const float z = step * static_cast<float>(i);
           boxes[i] = packed({0.0F, 0.0F, z}, {1.0F, 1.0F, z + 0.5F * step});
         }
         boxes[7] = packed({2.0F, 0.0F, 0.0F}, {3.0F, 1.0F, 1.0F});
         boxes[8] = packed({0.5F, 0.5F, -0.5F}, {1.5F, 1.5F, 0.5F});
       }},
  };
  for (const Case& item : cases) {
    for (const std::size_t count : {500U, 2000U, 8000U}) {
      std::vector<PackedBox> boxes = box_families()[0].make(17, count);
      item.spoil(boxes);
      VoxelTable table;
      table.update(BoxRow(boxes), all_numbers(count), {});
      const VoxelPairCounts counts = run_all(VoxelPairs(table)).counts;
      EXPECT_LT(counts.box_tests, item.most_tests * count) << item.name << ", " << count;
      EXPECT_LT(counts.pairs + counts.repeated, item.most_tests * count) << item.name << ", " << count;
    }
  }
}

/// Exponents of the levels that a grid makes for the given number of boxes of each exponent.
std::vector<int> levels_of(std::initializer_list<std::pair<int, std::uint64_t>> sizes) {
  std::array<std::uint64_t, CellGrid::kExponents> counts{};
  for (const auto& [exponent, count] : sizes)
    counts[static_cast<std::size_t>(exponent - CellGrid::kFinest)] = count;
  std::vector<int> levels;
  const CellGrid grid(counts, 1.0);
  for (const CellGrid::Level& level : grid.levels()) levels.push_back(level.exponent);
  return levels;
}

/// Finer cells also search the cells of a merged size: only a small number of boxes may have it, whatever the
/// total.
TEST(CellGrid, MergesOnlySizesThatFewHave) {
  EXPECT_EQ(levels_of({{0, 1'000'000}, {3, 3'000}, {20, 1}}), (std::vector<int>{0, 3, 20}));
  EXPECT_EQ(levels_of({{0, 1'000'000}, {3, 10}, {20, 1}}), (std::vector<int>{0, 20}));
  EXPECT_EQ(levels_of({{-5, 3'000}, {0, 1'000'000}, {1, 500'000}}), (std::vector<int>{0, 1}));
  EXPECT_EQ(levels_of({{-5, 5'000}, {0, 1'000'000}}), (std::vector<int>{-5, 0}));
  EXPECT_EQ(levels_of({{7, 1}}), (std::vector<int>{7}));
  EXPECT_TRUE(levels_of({}).empty());
}

/// Every float lies in the interval of its cell, and the next cell but one, or the next but few far away, does not.
TEST(CellGrid, HasAnIntervalOfFloatsForEachCoordinate) {
  std::size_t tried = 0;
  for (const BoxFamily& family : box_families()) {
    const std::vector<PackedBox> boxes = family.make(18, 200);
    VoxelTable table;
    table.update(BoxRow(boxes), all_numbers(boxes.size()), {});
    for (const CellGrid::Level& level : table.grid().levels()) {
      for (const PackedBox& box : boxes) {
        for (std::size_t k = 0; k < 3; ++k) {
          for (const float x : {box.lo[k], -box.minus_hi[k]}) {
            if (!std::isfinite(x)) continue;
            const std::int32_t at = CellGrid::coordinate(x, level);
            if (std::abs(at) > 1 << 25) continue;  // finer than any box at this position
            const auto [lo, hi] = CellGrid::interval(at, level);
            ASSERT_LE(lo, x) << family.name << ", cell " << at;
            ASSERT_GE(hi, x) << family.name << ", cell " << at;
            ++tried;
            if (level.scale == 0.0 || std::abs(at) > 1 << 19 || level.exponent < -120 || level.exponent > 120)
              continue;
            EXPECT_GE(CellGrid::coordinate(lo, level), at - 2);
            EXPECT_LE(CellGrid::coordinate(hi, level), at + 2);
          }
        }
      }
    }
  }
  EXPECT_GT(tried, 10000U);
}

TEST(CellGrid, HasNoMoreLevelsThanATagCanName) {
  std::array<std::uint64_t, CellGrid::kExponents> counts{};
  counts.fill(100'000);
  EXPECT_LE(CellGrid(counts, 1.0).levels().size(), CellGrid::kMaxLevels);
}

}  // namespace
}  // namespace graze::testing
