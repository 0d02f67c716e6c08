// Gathers the cells that finer cells look up (hash/coarse_cells.hpp).
#include "hash/coarse_cells.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/tasks.hpp"
#include "hash/voxel_table.hpp"

#include <hwy/cache_control.h>

namespace graze::hash {

namespace {

/// A cell with more primitives is sorted: many finer cells look it up.
constexpr std::size_t kSortedCell = 128;

/// The cells of a tile of voxels, 4 x 4 x 4, lie in one cell of the level that is this many steps coarser.
constexpr int kTileLevels = 2;
/// Distance, in entries, at which boxes are prefetched.
constexpr std::ptrdiff_t kAhead = 12;

/// Calls visit(voxel, entries) for the entries of kept levels in voxels [first, last), one tag at a time.
template <typename Keeps, typename Visit>
void for_kept_tags(const VoxelTable& table, std::size_t first, std::size_t last, const Keeps& keeps,
                   const Visit& visit) {
  const std::span<const std::uint32_t> begins = table.begins();
  const std::span<const VoxelTable::Entry> entries = table.entries();
  for (std::size_t v = first; v < last; ++v) {
    const std::size_t end = begins[v + 1];
    for (std::size_t i = begins[v]; i < end;) {
      const std::uint32_t tag = entries[i].tag;
      std::size_t next = i + 1;
      while (next < end && entries[next].tag == tag) ++next;
      if (keeps(VoxelTable::level_of_tag(tag))) visit(v, entries.subspan(i, next - i));
      i = next;
    }
  }
}

}  // namespace

void CoarseCells::update(const VoxelTable& table, std::span<const std::uint64_t> counts) {
  levels_ = 0;
  std::uint32_t levels = 0;
  const std::span<const CellGrid::Level> grid = table.grid().levels();
  for (std::size_t i = 1; i < counts.size(); ++i) {
    std::uint64_t finer = 0;
    for (std::size_t j = 0; j < i && grid[j].exponent + kTileLevels < grid[i].exponent; ++j) finer += counts[j];
    if (counts[i] <= finer) levels |= std::uint32_t{1} << i;
  }
  pieces_.clear();
  if (levels == 0) return;
  pieces_.resize((table.voxel_count() >> kPieceBits) + 1);
  levels_ = levels;
  parallel_for(0, pieces_.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) fill(table, p, pieces_[p]);
  });
}

void CoarseCells::fill(const VoxelTable& table, std::size_t number, Piece& piece) const {
  const std::size_t first = number << kPieceBits;
  const std::size_t last = std::min(table.voxel_count(), (number + 1) << kPieceBits);
  const auto keeps_level = [&](std::size_t level) { return keeps(level); };
  std::size_t tags = 0;
  std::size_t boxes = 0;
  for_kept_tags(table, first, last, keeps_level, [&](std::size_t, std::span<const VoxelTable::Entry> same) {
    ++tags;
    boxes += same.size();
  });
  if (tags == 0) return;
  for (std::size_t k = 0; k < 3; ++k) {
    piece.lo[k].reserve(boxes + CellBatch::kPadding);
    piece.hi[k].reserve(boxes + CellBatch::kPadding);
  }
  piece.primitives.reserve(boxes);
  piece.cells.reserve(tags);
  std::vector<std::size_t> voxels;  // of each cell
  voxels.reserve(tags);

  CellBatch batch;
  const auto add = [&](std::size_t voxel, const std::array<std::int32_t, 3>& at, std::uint32_t level) {
    if (batch.size() > kSortedCell) batch.sort();
    const BoxColumns columns = batch.columns();
    piece.cells.push_back({.at = at,
                           .level = static_cast<std::uint8_t>(level),
                           .axis = static_cast<std::uint8_t>(columns.axis),
                           .begin = static_cast<std::uint32_t>(piece.primitives.size()),
                           .count = static_cast<std::uint32_t>(columns.count),
                           .sorted = static_cast<std::uint32_t>(columns.sorted),
                           .longest = columns.longest});
    voxels.push_back(voxel);
    for (std::size_t k = 0; k < 3; ++k) {
      piece.lo[k].insert(piece.lo[k].end(), columns.lo[k], columns.lo[k] + columns.count);
      piece.hi[k].insert(piece.hi[k].end(), columns.hi[k], columns.hi[k] + columns.count);
    }
    piece.primitives.insert(piece.primitives.end(), columns.primitives, columns.primitives + columns.count);
    batch.clear();
  };

  const VoxelTable::Entry* const end = table.entries().data() + table.entries().size();
  // Entries with one tag belong to one cell or, if the table has few voxels, to several cells far from each other.
  std::vector<std::pair<std::array<std::int32_t, 3>, std::uint32_t>> some;
  for_kept_tags(table, first, last, keeps_level, [&](std::size_t voxel, std::span<const VoxelTable::Entry> same) {
    const std::uint32_t tag = same[0].tag;
    const std::uint32_t level = VoxelTable::level_of_tag(tag);
    const auto cell_of = [&](std::uint32_t primitive) {
      return VoxelTable::cell_of(tag, CellGrid::range(table.box(primitive), table.grid().levels()[level]));
    };
    some.clear();
    for (const VoxelTable::Entry& entry : same) {
      if (end - &entry > kAhead) hwy::Prefetch(&table.box((&entry + kAhead)->primitive));
      some.emplace_back(cell_of(entry.primitive), entry.primitive);
    }
    if (some.front().first != some.back().first ||
        std::any_of(some.begin(), some.end(), [&](const auto& one) { return one.first != some[0].first; })) {
      std::sort(some.begin(), some.end());
    }
    for (std::size_t i = 0; i < some.size(); ++i) {
      batch.push(some[i].second, table.box(some[i].second), 0);
      if (i + 1 == some.size() || some[i + 1].first != some[i].first) add(voxel, some[i].first, level);
    }
  });
  // Lanes may be loaded beyond the end of a cell.
  for (std::size_t k = 0; k < 3; ++k) {
    piece.lo[k].resize(boxes + CellBatch::kPadding);
    piece.hi[k].resize(boxes + CellBatch::kPadding);
  }
  piece.slots.resize(std::bit_ceil(2 * piece.cells.size()));
  for (std::size_t i = 0; i < piece.cells.size(); ++i) {
    std::size_t slot = piece.first_slot(voxels[i]);
    while (piece.slots[slot] != 0) slot = (slot + 1) & (piece.slots.size() - 1);
    piece.slots[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

std::size_t CoarseCells::memory_bytes() const {
  std::size_t bytes = pieces_.capacity() * sizeof(Piece);
  for (const Piece& piece : pieces_) {
    for (std::size_t k = 0; k < 3; ++k) {
      bytes += (piece.lo[k].capacity() + piece.hi[k].capacity()) * sizeof(float);
    }
    bytes += (piece.primitives.capacity() + piece.slots.capacity()) * sizeof(std::uint32_t) +
             piece.cells.capacity() * sizeof(Cell);
  }
  return bytes;
}

}  // namespace graze::hash
