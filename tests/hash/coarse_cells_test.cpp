// The cells that a voxel table keeps for finer cells: exactly the primitives of each cell, with their boxes, for
// any number of voxels and of threads.
#include "hash/coarse_cells.hpp"

#include <gtest/gtest.h>

#include <graze/research.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/tasks.hpp"
#include "hash/box_families.hpp"
#include "hash/voxel_check.hpp"

namespace graze::testing {

using namespace core;
namespace {

using Cell = std::array<std::int32_t, 3>;

/// The family with many boxes of one size and some that are longer.
const BoxFamily& long_among_short() {
  const auto family = std::find_if(box_families().begin(), box_families().end(),
                                   [](const BoxFamily& one) { return one.name == "long_among_short"; });
  return *family;
}

/// Primitives of each cell of the kept levels, by level and cell.
std::map<std::pair<std::uint32_t, Cell>, std::vector<std::uint32_t>> kept_cells(const VoxelTable& table) {
  std::map<std::pair<std::uint32_t, Cell>, std::vector<std::uint32_t>> cells;
  for (const VoxelTable::Entry& entry : table.entries()) {
    const std::uint32_t level = VoxelTable::level_of_tag(entry.tag);
    if (!table.coarse().keeps(level)) continue;
    const CellRange range = CellGrid::range(table.box(entry.primitive), table.grid().levels()[level]);
    cells[{level, VoxelTable::cell_of(entry.tag, range)}].push_back(entry.primitive);
  }
  return cells;
}

std::vector<std::uint32_t> primitives_of(const BoxColumns& columns) {
  return {columns.primitives, columns.primitives + columns.count};
}

TEST(CoarseCells, HoldThePrimitivesOfEachCellWithTheirBoxes) {
  std::size_t sorted = 0;
  for (const double voxels : {0.0, 1e-9, 0.01, 10.0}) {
    std::vector<PackedBox> boxes = long_among_short().make(21, 6000);
    for (int i = 0; i < 300; ++i) {  // a comb in one cell, which is sorted along y
      const float y = 4.0F + 0.125F * static_cast<float>(i % 40);
      boxes.push_back(packed({-64.0F, y, 0.0F}, {-32.0F, y + 0.0625F, 0.0625F}));
    }
    VoxelTable table;
    table.update(BoxRow(boxes), all_numbers(boxes.size()), {.voxels = voxels});
    const auto cells = kept_cells(table);
    ASSERT_GT(cells.size(), 10U);
    for (const auto& [key, expected] : cells) {
      const auto& [level, at] = key;
      const BoxColumns columns = table.coarse().find(table.voxel_of(at, level), at, level);
      std::vector<std::uint32_t> actual = primitives_of(columns);
      for (std::size_t i = 0; i < columns.count; ++i) {
        const PackedBox& box = boxes[actual[i]];
        for (std::size_t k = 0; k < 3; ++k) {
          ASSERT_EQ(columns.lo[k][i], box.lo[k]);
          ASSERT_EQ(columns.hi[k][i], -box.minus_hi[k]);
        }
      }
      sorted += columns.axis < 3 ? 1 : 0;
      std::sort(actual.begin(), actual.end());
      ASSERT_EQ(actual, expected) << voxels << " voxels, level " << level;
      const Cell empty = {at[0], at[1] + 1000, at[2]};
      EXPECT_EQ(table.coarse().find(table.voxel_of(empty, level), empty, level).count, 0U);
    }
  }
  EXPECT_GT(sorted, 0U);
}

TEST(CoarseCells, AreTheSameOnAnyNumberOfThreads) {
  const std::vector<PackedBox> boxes = long_among_short().make(22, 6000);
  VoxelTable first;
  with_threads(1, [&] { first.update(BoxRow(boxes), all_numbers(boxes.size()), {}); });
  for (const unsigned threads : {2U, 7U}) {
    VoxelTable table;
    with_threads(threads, [&] { table.update(BoxRow(boxes), all_numbers(boxes.size()), {}); });
    for (const auto& [key, unused] : kept_cells(first)) {
      const auto& [level, at] = key;
      ASSERT_TRUE(table.coarse().keeps(level));
      const std::size_t voxel = table.voxel_of(at, level);
      ASSERT_EQ(primitives_of(table.coarse().find(voxel, at, level)),
                primitives_of(first.coarse().find(voxel, at, level)));
    }
  }
}

/// The finest level is looked up by nobody, and a level that most primitives have is looked up by few.
TEST(CoarseCells, AreOfLevelsThatFinerCellsLookUpOften) {
  for (const BoxFamily& family : box_families()) {
    const std::vector<PackedBox> boxes = family.make(23, 2000);
    for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
      VoxelTable table;
      table.update(BoxRow(boxes), all_numbers(boxes.size()), {.cells = rule});
      for (std::size_t level = 0; level < table.grid().levels().size(); ++level) {
        const bool may = rule == research::CellRule::Levels && level > 0;
        EXPECT_TRUE(may || !table.coarse().keeps(level)) << family.name << ", " << name_of(rule);
      }
    }
  }
  std::vector<PackedBox> boxes = long_among_short().make(24, 2000);
  const auto kept = [&] {
    VoxelTable table;
    table.update(BoxRow(boxes), all_numbers(boxes.size()), {});
    return table.coarse().keeps(table.grid().levels().size() - 1);
  };
  EXPECT_TRUE(kept());
  for (std::size_t i = 0; i < boxes.size(); ++i) {  // now most boxes are large
    const auto at = static_cast<float>(i);
    if (i % 5 != 0) boxes[i] = packed({at, at, at}, {at + 64.0F, at + 64.0F, at + 64.0F});
  }
  EXPECT_FALSE(kept());
}

/// What was kept before an update is gone after it.
TEST(CoarseCells, AreThoseOfTheLastUpdate) {
  const std::vector<PackedBox> boxes = long_among_short().make(25, 3000);
  const std::vector<PackedBox> others = box_families()[0].make(25, 100);
  VoxelTable table;
  table.update(BoxRow(boxes), all_numbers(boxes.size()), {});
  EXPECT_GT(kept_cells(table).size(), 0U);
  EXPECT_GT(table.coarse().memory_bytes(), 0U);
  table.update(BoxRow(others), all_numbers(others.size()), {});
  EXPECT_EQ(compare(run_all(VoxelPairs(table)), overlapping(others, all_numbers(others.size())), true), "");
  table.update(BoxRow(), {}, {});
  for (std::size_t level = 0; level < CellGrid::kMaxLevels; ++level) EXPECT_FALSE(table.coarse().keeps(level));
}

}  // namespace
}  // namespace graze::testing
