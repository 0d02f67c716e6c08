// Generates the overlapping pairs of primitives in the voxels of a spatial hash (hash/voxel_pairs.hpp).
#include "hash/voxel_pairs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "hash/cell_batch.hpp"

#include <hwy/cache_control.h>

namespace graze::hash {

namespace {

using CellAt = std::array<std::int32_t, 3>;

/// Approximate number of entries per group, and largest number of groups: each group gathers the coarser cells that
/// it tests against.
constexpr std::size_t kGroupEntries = 512;
constexpr std::size_t kMaxGroups = 128;
/// Approximate number of rows of a heavy voxel per group.
constexpr std::size_t kGroupRows = 512;
constexpr std::size_t kMaxParts = 64;
/// A cell batch larger than this is sorted.
constexpr std::size_t kDenseCell = 512;
/// Size of the cache of coarser cells; a prime, so that neighbouring cells do not collide.
constexpr std::size_t kCoarseCacheSize = 61;
/// Distance, in entries, at which boxes are prefetched.
constexpr std::size_t kAhead = 12;
/// The gathered columns are not sorted for this many rows or fewer.
constexpr std::size_t kMinSweepRows = 8;

/// Returns the entries of a voxel that have this tag.
std::span<const VoxelTable::Entry> entries_with_tag(std::span<const VoxelTable::Entry> voxel, std::uint32_t tag) {
  constexpr std::size_t kMaxUnsortedBoxes = 16;
  std::size_t first = 0;
  if (voxel.size() > kMaxUnsortedBoxes) {
    first = static_cast<std::size_t>(
        std::partition_point(voxel.begin(), voxel.end(), [&](const auto& entry) { return entry.tag < tag; }) -
        voxel.begin());
  } else {
    while (first < voxel.size() && voxel[first].tag < tag) ++first;
  }
  std::size_t last = first;
  while (last < voxel.size() && voxel[last].tag == tag) ++last;
  return voxel.subspan(first, last - first);
}

/// Returns the leading entries that have the tag of the first entry.
std::span<const VoxelTable::Entry> with_first_tag(std::span<const VoxelTable::Entry> entries) {
  std::size_t count = 1;
  while (count < entries.size() && entries[count].tag == entries[0].tag) ++count;
  return entries.first(count);
}

std::int32_t begins_in(const CellRange& range, const CellAt& cell) {
  std::int32_t bits = 0;
  for (std::size_t k = 0; k < 3; ++k) bits |= static_cast<std::int32_t>(range.lo[k] == cell[k]) << k;
  return bits;
}

/// Fills the batch with the primitives of each cell that these entries of one tag lie in, and calls visit(cell) for
/// each cell.
template <typename Visit>
void for_cells_of_tag(const VoxelTable& table, std::span<const VoxelTable::Entry> entries, CellBatch& cell_batch,
                      const Visit& visit) {
  const CellGrid::Level& grid = table.grid().levels()[VoxelTable::level_of_tag(entries[0].tag)];
  std::vector<std::pair<CellAt, std::uint32_t>> sorted;
  sorted.reserve(entries.size());
  for (const VoxelTable::Entry& entry : entries) {
    const CellRange range = CellGrid::range(table.box(entry.primitive), grid);
    sorted.emplace_back(VoxelTable::cell_of(entry.tag, range), entry.primitive);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size();) {
    const CellAt at = sorted[i].first;
    cell_batch.clear();
    for (; i < sorted.size() && sorted[i].first == at; ++i) {
      const PackedBox& box = table.box(sorted[i].second);
      cell_batch.push(sorted[i].second, box, begins_in(CellGrid::range(box, grid), at));
    }
    visit(at);
  }
}

}  // namespace

/// A cell of a heavy voxel, with its primitives.
struct VoxelPairs::HeavyCell {
  CellAt at{};
  std::uint32_t level = 0;
  CellBatch cell_batch;
};

/// The cells of all heavy voxels of a table: gathered and sorted once, for all groups.
class VoxelPairs::HeavyCells {
 public:
  explicit HeavyCells(const VoxelTable& table)
      : voxels_(table.heavy().begin(), table.heavy().end()), cells_(voxels_.size()) {
    parallel_for(0, voxels_.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (auto entries = table.voxel(voxels_[i]); !entries.empty();) {
          const auto same = with_first_tag(entries);
          CellBatch cell_batch;
          for_cells_of_tag(table, same, cell_batch, [&](const CellAt& at) {
            if (cell_batch.size() > kDenseCell) cell_batch.sort();
            cells_[i].push_back({at, VoxelTable::level_of_tag(same[0].tag), cell_batch});
          });
          entries = entries.subspan(same.size());
        }
      }
    });
  }

  /// Cells of a heavy voxel.
  [[nodiscard]] std::span<const HeavyCell> of(std::size_t voxel) const {
    const auto place = std::lower_bound(voxels_.begin(), voxels_.end(), voxel) - voxels_.begin();
    return cells_[static_cast<std::size_t>(place)];
  }
  /// Returns the primitives of a cell of a heavy voxel; an empty batch if there is no such cell.
  [[nodiscard]] const CellBatch& find(std::size_t voxel, const CellAt& at, std::uint32_t level) const {
    for (const HeavyCell& cell : of(voxel)) {
      if (cell.level == level && cell.at == at) return cell.cell_batch;
    }
    return none_;
  }

 private:
  std::vector<std::uint32_t> voxels_;          ///< ascending
  std::vector<std::vector<HeavyCell>> cells_;  ///< for each entry of voxels_
  CellBatch none_;
};

/// Visits the voxels of a group.
class VoxelPairs::Worker {
 public:
  Worker(const VoxelTable& own, const VoxelTable& other, const HeavyCells& heavy, bool self, bool second,
         PairChunk& chunk)
      : own_(own),
        other_(other),
        heavy_(heavy),
        end_(own.entries().data() + own.entries().size()),
        self_(self),
        second_(second),
        chunk_(chunk) {}

  /// Processes all cells of a voxel that is not heavy.
  void voxel(std::span<const VoxelTable::Entry> entries) {
    while (!entries.empty()) {
      const auto same = with_first_tag(entries);
      cell(same);
      entries = entries.subspan(same.size());
    }
  }
  /// Processes part `part` of `parts` of the rows of a cell of a heavy voxel.
  void heavy_cell(const HeavyCell& cell, std::size_t part, std::size_t parts) {
    const std::size_t count = cell.cell_batch.size();
    rows(cell.cell_batch, count * part / parts, count * (part + 1) / parts, cell.at,
         own_.grid().levels()[cell.level]);
  }
  [[nodiscard]] const CellBatchCounts& counts() const { return counts_; }

 private:
  /// Processes the entries of one tag. They belong to one cell or, if the table has few voxels, to several cells
  /// far from each other.
  void cell(std::span<const VoxelTable::Entry> entries) {
    const CellGrid::Level& grid = own_.grid().levels()[VoxelTable::level_of_tag(entries[0].tag)];
    CellAt at{};
    rows_.clear();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      // Prefetch beyond the cell, too: the next entries of the table belong to the next cell.
      const VoxelTable::Entry* const entry = entries.data() + i;
      if (static_cast<std::size_t>(end_ - entry) > kAhead) hwy::Prefetch(&own_.box(entry[kAhead].primitive));
      const PackedBox& box = own_.box(entry->primitive);
      const CellRange range = CellGrid::range(box, grid);
      const CellAt here = VoxelTable::cell_of(entry->tag, range);
      if (i == 0) at = here;
      if (here != at) {
        for_cells_of_tag(own_, entries, rows_, [&](const CellAt& one) { all_rows(one, grid); });
        return;
      }
      rows_.push(entry->primitive, box, begins_in(range, at));
    }
    all_rows(at, grid);
  }

  void all_rows(const CellAt& at, const CellGrid::Level& grid) {
    if (rows_.size() > kDenseCell && self_) rows_.sort();
    rows(rows_, 0, rows_.size(), at, grid);
  }

  void rows(const CellBatch& rows, std::size_t first, std::size_t last, const CellAt& at,
            const CellGrid::Level& grid) {
    if (first == last) return;
    if (self_ && rows.size() > 1) test_overlaps(rows, first, last, rows, false, chunk_, counts_);
    const std::span<const CellGrid::Level> levels = other_.grid().levels();
    BatchBounds around_rows;
    columns_.clear();
    for (std::uint32_t i = 0; i < levels.size(); ++i) {
      const bool same = levels[i].exponent == grid.exponent;
      if (levels[i].exponent < grid.exponent || (same && (self_ || second_))) continue;
      const BoxColumns boxes = coarse_cell(same ? at : CellGrid::around(at, grid, levels[i]), i);
      if (boxes.count == 0) continue;
      if (around_rows.empty()) {
        around_rows = BatchBounds(rows);
        for (std::size_t k = 0; k < 3; ++k) around_rows.clip(k, CellGrid::interval(at[k], grid));
      }
      gather(boxes, around_rows, at, grid);
    }
    if (columns_.size() == 0) return;
    if (columns_.size() > kDenseCell && rows.size() > kMinSweepRows) columns_.sort();
    test_overlaps(rows, first, last, columns_, second_, chunk_, counts_);
  }

  /// Returns the primitives of a cell of the other table, which the table keeps or which are gathered here. These
  /// are cached, as finer cells nearby often lie in the same cell.
  BoxColumns coarse_cell(const CellAt& around, std::uint32_t level) {
    const std::size_t voxel = other_.voxel_of(around, level);
    if (other_.coarse().keeps(level)) return other_.coarse().find(voxel, around, level);
    if (other_.voxel(voxel).size() >= VoxelTable::kHeavy) return heavy_.find(voxel, around, level).columns();
    Coarse& coarse = coarse_[voxel % kCoarseCacheSize];
    if (coarse.known && coarse.level == level && coarse.at == around) return coarse.cell_batch.columns();
    coarse.known = true;
    coarse.level = level;
    coarse.at = around;
    coarse.cell_batch.clear();
    const CellGrid::Level& grid = other_.grid().levels()[level];
    const std::uint32_t tag = VoxelTable::tag_of(around, level);
    const auto entries = entries_with_tag(other_.voxel(voxel), tag);
    for (const VoxelTable::Entry& entry : entries) hwy::Prefetch(&other_.box(entry.primitive));
    for (const VoxelTable::Entry& entry : entries) {
      const PackedBox& box = other_.box(entry.primitive);
      if (VoxelTable::cell_of(tag, CellGrid::range(box, grid)) == around)
        coarse.cell_batch.push(entry.primitive, box, 0);
    }
    if (coarse.cell_batch.size() > kDenseCell) coarse.cell_batch.sort();
    return coarse.cell_batch.columns();
  }

  /// Adds to columns_ the primitives of a coarser cell that overlap the box around the rows in their cell, and
  /// extend into this cell.
  void gather(const BoxColumns& boxes, const BatchBounds& around_rows, const CellAt& at,
              const CellGrid::Level& grid) {
    for (const std::uint32_t j : find_overlaps(boxes, around_rows, found_, counts_)) {
      const std::uint32_t primitive = boxes.primitives[j];
      const PackedBox& box = other_.box(primitive);
      const CellRange range = CellGrid::range(box, grid);
      bool reaches = true;
      for (std::size_t k = 0; k < 3; ++k) reaches = reaches && range.lo[k] <= at[k] && at[k] <= range.hi[k];
      if (reaches) columns_.push(primitive, box, begins_in(range, at));
    }
  }

  /// A cached coarser cell.
  struct Coarse {
    bool known = false;
    std::uint32_t level = 0;
    CellAt at{};
    CellBatch cell_batch;
  };

  const VoxelTable& own_;
  const VoxelTable& other_;
  const HeavyCells& heavy_;       ///< heavy cells of the other table
  const VoxelTable::Entry* end_;  ///< end of all entries of the own table
  bool self_;
  bool second_;
  PairChunk& chunk_;
  CellBatch rows_;
  CellBatch columns_;                 ///< primitives of coarser cells that extend into the cell of the rows
  std::vector<std::uint32_t> found_;  ///< places of primitives in a coarser cell
  std::vector<Coarse> coarse_{kCoarseCacheSize};  ///< indexed by voxel modulo kCoarseCacheSize
  CellBatchCounts counts_;
};

VoxelPairs::VoxelPairs(const VoxelTable& self)
    : a_(&self), b_(nullptr), heavy_a_(std::make_shared<HeavyCells>(self)), heavy_b_(heavy_a_) {
  add_groups(self, false);
}

VoxelPairs::VoxelPairs(const VoxelTable& a, const VoxelTable& b)
    : a_(&a), b_(&b), heavy_a_(std::make_shared<HeavyCells>(a)), heavy_b_(std::make_shared<HeavyCells>(b)) {
  if (a.empty() || b.empty()) return;
  GRAZE_ASSERT(a.grid().unit() == b.grid().unit());
  add_groups(a, false);
  // Add the voxels of b if some of its cells are finer than some of a.
  if (b.grid().levels().front().exponent < a.grid().levels().back().exponent) add_groups(b, true);
}

void VoxelPairs::add_groups(const VoxelTable& table, bool second) {
  const std::span<const std::uint32_t> begins = table.begins();
  if (table.empty()) return;
  const std::size_t voxels = table.voxel_count();
  std::size_t first = 0;
  const std::size_t length = std::max(kGroupEntries, table.entries().size() / kMaxGroups);
  for (std::size_t entry = length; first < voxels; entry += length) {
    const auto last = static_cast<std::size_t>(
        std::partition_point(begins.begin() + static_cast<std::ptrdiff_t>(first), begins.end() - 1,
                             [&](std::uint32_t begin) { return begin < entry; }) -
        begins.begin());
    if (last == first) continue;
    groups_.push_back({second, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), 0, 0});
    first = last;
  }
  for (const std::uint32_t voxel : table.heavy()) {
    const auto parts = static_cast<std::uint32_t>(std::min(kMaxParts, table.voxel(voxel).size() / kGroupRows));
    for (std::uint32_t part = 0; part < parts; ++part) groups_.push_back({second, voxel, voxel + 1, part, parts});
  }
}

VoxelPairCounts VoxelPairs::run_group(std::size_t group, Sink sink) const {
  PairChunk chunk(sink);
  const Group& work = groups_[group];
  const VoxelTable& b = b_ != nullptr ? *b_ : *a_;
  const VoxelTable& own = work.second ? b : *a_;
  Worker worker(own, work.second ? *a_ : b, work.second ? *heavy_a_ : *heavy_b_, b_ == nullptr, work.second, chunk);
  const HeavyCells& own_heavy = work.second ? *heavy_b_ : *heavy_a_;
  for (std::size_t v = work.first; v < work.last; ++v) {
    const auto entries = own.voxel(v);
    if (work.parts > 0) {
      for (const HeavyCell& cell : own_heavy.of(v)) worker.heavy_cell(cell, work.part, work.parts);
    } else if (entries.size() < VoxelTable::kHeavy) {
      worker.voxel(entries);
    }
  }
  chunk.flush();
  return {worker.counts().tests, worker.counts().pairs, worker.counts().repeated};
}

}  // namespace graze::hash
