// Insertion of primitives into the voxels of a spatial hash (hash/voxel_table.hpp).
#include "hash/voxel_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze::hash {

namespace {

/// Number of primitives per task: small enough to occupy two threads, and large enough that the tables of counts,
/// one per piece, stay small.
std::size_t piece_length(std::size_t primitives) {
  constexpr std::size_t kShortest = std::size_t{1} << 14U;
  constexpr std::size_t kMaxTasks = 64;
  return std::max(kShortest, (primitives + kMaxTasks - 1) / kMaxTasks);
}
std::size_t piece_count(std::size_t primitives) {
  return (primitives + piece_length(primitives) - 1) / piece_length(primitives);
}

/// Runs work(piece, first, last) over pieces of `count` primitives in parallel.
template <typename Work>
void for_pieces(std::size_t count, const Work& work) {
  const std::size_t length = piece_length(count);
  parallel_for(0, piece_count(count), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) work(p, p * length, std::min(count, (p + 1) * length));
  });
}

/// Calls visit(cell) for each cell of a range.
template <typename Visit>
void for_cells(const CellRange& range, const Visit& visit) {
  std::array<std::int32_t, 3> cell{};
  for (cell[2] = range.lo[2]; cell[2] <= range.hi[2]; ++cell[2]) {
    for (cell[1] = range.lo[1]; cell[1] <= range.hi[1]; ++cell[1]) {
      for (cell[0] = range.lo[0]; cell[0] <= range.hi[0]; ++cell[0]) visit(cell);
    }
  }
}

}  // namespace

double largest_extent(const BoxRow& boxes, std::span<const std::uint32_t> numbers) {
  std::vector<double> largest(piece_count(numbers.size()), std::numeric_limits<float>::denorm_min());
  for_pieces(numbers.size(), [&](std::size_t p, std::size_t first, std::size_t last) {
    constexpr double kResolved = 0x1p-22;
    double most = largest[p];
    for (std::size_t i = first; i < last; ++i) {
      const PackedBox& box = boxes[numbers[i]];
      if (CellGrid::own_exponent(box) == CellGrid::kWholeSpace) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const double lo = box.lo[k];
        const double hi = -static_cast<double>(box.minus_hi[k]);
        most = std::max({most, hi - lo, kResolved * std::abs(lo), kResolved * std::abs(hi)});
      }
    }
    largest[p] = most;
  });
  double all = std::numeric_limits<float>::denorm_min();
  for (const double of_piece : largest) all = std::max(all, of_piece);
  return all;
}

double best_cell_unit(const BoxRow& boxes, std::span<const std::uint32_t> numbers) {
  constexpr std::size_t kSample = 2048;
  constexpr double kBetter = 1.05;  // factor by which a later candidate must be better
  const std::size_t stride = numbers.size() / kSample + 1;
  double best = 0.0;
  double unit = CellGrid::kUnits[0];
  for (const double candidate : CellGrid::kUnits) {
    std::array<std::uint32_t, CellGrid::kExponents> counts{};
    for (std::size_t i = 0; i < numbers.size(); i += stride) {
      ++counts[static_cast<std::size_t>(CellGrid::own_exponent(boxes[numbers[i]], candidate) - CellGrid::kFinest)];
    }
    double pairs = 0.0;
    for (const std::uint32_t count : counts) pairs += static_cast<double>(count) * count;
    if (pairs <= kBetter * best) continue;
    best = pairs;
    unit = candidate;
  }
  return unit;
}

/// Chooses the number of voxels. The paper hashes cells one by one into a table of any size; by default tiles of
/// cells are hashed.
void VoxelTable::choose_size(std::size_t primitives, const research::HashOptions& options) {
  constexpr double kPapersShare = 0.2;
  constexpr double kOwnShare = 4.0;
  constexpr double kMaxVoxels = 0x1p31;
  const bool tiled = options.cells == research::CellRule::Levels;
  const double share = options.voxels > 0.0 ? options.voxels : tiled ? kOwnShare : kPapersShare;
  const double wanted = std::clamp(share * static_cast<double>(primitives), 1.0, kMaxVoxels);
  voxel_count_ = static_cast<std::size_t>(wanted);
  tile_count_ = tiled ? (voxel_count_ + kTile - 1) / kTile : 0;
  if (tiled) voxel_count_ = tile_count_ * kTile;
}

void VoxelTable::update(const BoxRow& boxes, std::span<const std::uint32_t> numbers,
                        const research::HashOptions& options, const Shared& shared) {
  boxes_ = boxes;
  heavy_.clear();
  const bool nested = options.cells == research::CellRule::Levels;
  const double unit = shared.unit > 0.0 ? shared.unit : nested ? best_cell_unit(boxes, numbers) : 1.0;
  std::vector<std::int16_t> exponents(numbers.size());
  std::vector<std::array<std::uint32_t, CellGrid::kExponents>> counts(piece_count(numbers.size()));
  for_pieces(numbers.size(), [&](std::size_t p, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const int exponent = CellGrid::own_exponent(boxes_[numbers[i]], unit);
      exponents[i] = static_cast<std::int16_t>(exponent);
      ++counts[p][static_cast<std::size_t>(exponent - CellGrid::kFinest)];
    }
  });
  std::array<std::uint64_t, CellGrid::kExponents> all{};
  for (const auto& of_piece : counts) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += of_piece[i];
  }
  grid_ = nested ? CellGrid(all, unit)
                 : CellGrid(shared.cell > 0.0 ? shared.cell : largest_extent(boxes, numbers), all.back() > 0);
  choose_size(shared.primitives > 0 ? shared.primitives : numbers.size(), options);
  order(scatter(numbers, exponents));
  // The paper's rule has one cell size; what outgrows all cells is gathered when it is looked up.
  std::vector<std::uint64_t> of_level(nested ? grid_.levels().size() : 0);
  for (std::size_t i = 0; nested && i < all.size(); ++i) {
    if (all[i] > 0) of_level[grid_.level_of(static_cast<int>(i) + CellGrid::kFinest)] += all[i];
  }
  coarse_.update(*this, of_level);
}

/// Writes the entries grouped by range of voxels, with the voxel within the range in the bits above the tag.
/// Returns the index of the first entry of each range, followed by the number of entries.
std::vector<std::uint32_t> VoxelTable::scatter(std::span<const std::uint32_t> numbers,
                                               std::span<const std::int16_t> exponents) {
  const std::size_t ranges = ((voxel_count_ - 1) >> kRangeBits) + 1;
  const std::size_t pieces = piece_count(numbers.size());
  const auto visit_entries = [&](std::size_t first, std::size_t last, const auto& visit) {
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t level = grid_.level_of(exponents[i]);
      for_cells(CellGrid::range(boxes_[numbers[i]], grid_.levels()[level]),
                [&](const std::array<std::int32_t, 3>& cell) { visit(numbers[i], cell, level); });
    }
  };
  // For each piece and range: first the count, then the write position.
  std::vector<std::uint32_t> places(pieces * ranges);
  for_pieces(numbers.size(), [&](std::size_t p, std::size_t first, std::size_t last) {
    std::uint32_t* const counts = places.data() + p * ranges;
    visit_entries(first, last, [&](std::uint32_t, const auto& cell, std::uint32_t level) {
      ++counts[voxel_of(cell, level) >> kRangeBits];
    });
  });
  std::vector<std::uint32_t> begins(ranges + 1);
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < ranges; ++r) {
    begins[r] = static_cast<std::uint32_t>(sum);
    for (std::size_t p = 0; p < pieces; ++p) {
      sum += std::exchange(places[p * ranges + r], static_cast<std::uint32_t>(sum));
    }
  }
  if (sum > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("the primitives overlap more cells of the spatial hash than 32 bits can number");
  }
  begins[ranges] = static_cast<std::uint32_t>(sum);
  entries_.resize(sum);
  for_pieces(numbers.size(), [&](std::size_t p, std::size_t first, std::size_t last) {
    std::uint32_t* const to = places.data() + p * ranges;
    visit_entries(first, last, [&](std::uint32_t number, const auto& cell, std::uint32_t level) {
      const std::size_t voxel = voxel_of(cell, level);
      entries_[to[voxel >> kRangeBits]++] = {number,
                                             static_cast<std::uint32_t>(voxel) << kTagBits | tag_of(cell, level)};
    });
  });
  return begins;
}

/// Sorts the entries of each range by voxel and cell.
void VoxelTable::order(std::span<const std::uint32_t> range_begins) {
  constexpr std::size_t kLength = std::size_t{1} << kRangeBits;
  constexpr std::uint32_t kTagOnly = (std::uint32_t{1} << kTagBits) - 1;
  struct Totals {
    std::uint64_t used = 0;
    std::uint64_t pairs = 0;
    std::vector<std::uint32_t> heavy;
  };
  const std::size_t ranges = range_begins.size() - 1;
  std::vector<Totals> totals(ranges);
  begins_.resize(voxel_count_ + 1);
  begins_[voxel_count_] = static_cast<std::uint32_t>(entries_.size());
  const auto by_cell = [](const Entry& a, const Entry& b) {
    return a.tag != b.tag ? a.tag < b.tag : a.primitive < b.primitive;
  };
  parallel_for(0, ranges, 4, [&](std::size_t first, std::size_t last) {
    std::vector<Entry> some;
    std::array<std::uint32_t, kLength + 1> next;
    for (std::size_t r = first; r < last; ++r) {
      const std::size_t voxel_begin = r * kLength;
      const std::size_t voxels = std::min(kLength, voxel_count_ - voxel_begin);
      const auto range = std::span(entries_).subspan(range_begins[r], range_begins[r + 1] - range_begins[r]);
      some.assign(range.begin(), range.end());
      next.fill(0);
      for (const Entry& entry : some) ++next[(entry.tag >> kTagBits) + 1];
      for (std::size_t v = 0; v < voxels; ++v) {
        const std::uint32_t count = next[v + 1];
        totals[r].used += count > 0 ? 1 : 0;
        totals[r].pairs += count > 0 ? std::uint64_t{count} * (count - 1) / 2 : 0;
        if (count >= kHeavy) totals[r].heavy.push_back(static_cast<std::uint32_t>(voxel_begin + v));
        begins_[voxel_begin + v] = range_begins[r] + next[v];
        next[v + 1] += next[v];
      }
      for (const Entry& entry : some)
        range[next[entry.tag >> kTagBits]++] = {entry.primitive, entry.tag & kTagOnly};
      std::uint32_t begin = 0;
      for (std::size_t v = 0; v < voxels; ++v) {
        const std::uint32_t end = next[v];
        const auto in_voxel = range.subspan(begin, end - begin);
        if (in_voxel.size() > 1 && !std::is_sorted(in_voxel.begin(), in_voxel.end(), by_cell)) {
          std::sort(in_voxel.begin(), in_voxel.end(), by_cell);
        }
        begin = end;
      }
    }
  });
  used_voxels_ = 0;
  voxel_pairs_ = 0;
  for (const Totals& of_range : totals) {
    used_voxels_ += of_range.used;
    voxel_pairs_ += of_range.pairs;
    heavy_.insert(heavy_.end(), of_range.heavy.begin(), of_range.heavy.end());
  }
}

void VoxelTable::count(HashCounts& counts) const {
  counts.levels = std::max<std::uint64_t>(counts.levels, grid_.levels().size());
  counts.voxels += voxel_count();
  counts.used_voxels += used_voxels_;
  counts.entries += entries_.size();
  counts.voxel_pairs += voxel_pairs_;
}

std::size_t VoxelTable::planned_bytes(std::size_t primitives, const research::HashOptions& options) {
  VoxelTable table;
  table.choose_size(primitives, options);
  const auto entries = static_cast<std::size_t>(CellGrid::kMeanCells * static_cast<double>(primitives));
  return table.voxel_count_ * sizeof(std::uint32_t) + entries * sizeof(Entry);
}

std::size_t VoxelTable::memory_bytes() const {
  return entries_.capacity() * sizeof(Entry) + begins_.capacity() * sizeof(std::uint32_t) +
         heavy_.capacity() * sizeof(std::uint32_t) + coarse_.memory_bytes();
}

}  // namespace graze::hash
