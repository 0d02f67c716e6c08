// The table of a spatial hash (HASH, section 4.2): maps primitives to the grid cells that their boxes overlap, and
// cells to the voxels of a hash table.
//
// In the paper all cells have one cell size, the largest extent of a primitive, and the table has a fifth as many
// voxels as there are primitives. By default each primitive has its own cell size here (hash/cell_grid.hpp), so
// that one large primitive does not coarsen the cells of the others, and the voxels of neighbouring cells are
// adjacent in memory.
//
// Insertion takes no lock: count the entries of each range of voxels, compute prefix sums, and write the entries
// (count, scan, scatter), each piece of the primitives to its own positions; then sort each range by voxel and cell
// while it is in the cache. So cells that collide in a voxel stay distinct, and the table is identical for every
// number of threads. Cost: O(primitives).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/methods.hpp>
#include <graze/research.hpp>
#include <graze/stats.hpp>

#include "geometry/packed_box.hpp"
#include "hash/cell_grid.hpp"
#include "hash/coarse_cells.hpp"

namespace graze::hash {

/// View of the boxes of primitives, indexed by number, at a fixed stride in memory. Does not own the boxes.
class BoxRow {
 public:
  BoxRow() = default;
  template <typename T>
  BoxRow(std::span<const T> owners, PackedBox T::*box)
      : first_(owners.empty() ? nullptr : reinterpret_cast<const std::byte*>(&(owners.front().*box))),
        stride_(sizeof(T)) {}
  explicit BoxRow(std::span<const PackedBox> boxes)
      : first_(reinterpret_cast<const std::byte*>(boxes.data())), stride_(sizeof(PackedBox)) {}

  [[nodiscard]] const PackedBox& operator[](std::uint32_t i) const {
    return *reinterpret_cast<const PackedBox*>(first_ + i * stride_);
  }

 private:
  const std::byte* first_ = nullptr;
  std::size_t stride_ = 0;
};

/// Largest extent of a bounded box along an axis; at least the resolution of a float at the position of the boxes,
/// and positive.
double largest_extent(const BoxRow& boxes, std::span<const std::uint32_t> numbers);

/// Returns the unit, one of CellGrid::kUnits, for which most primitives of a sample have the same cell size.
double best_cell_unit(const BoxRow& boxes, std::span<const std::uint32_t> numbers);

class VoxelTable {
 public:
  /// A primitive in a cell. The tag holds the level and the lowest bits of the cell's coordinates: cells of one
  /// voxel with equal tags are identical, or so far apart that no box overlaps both.
  struct Entry {
    std::uint32_t primitive = 0;
    std::uint32_t tag = 0;
  };
  /// Number of entries from which on a voxel is heavy: its work is split among several threads.
  static constexpr std::size_t kHeavy = 1024;

  /// Values that a table shares with another table. 0: determined by the primitives of this table alone.
  struct Shared {
    double cell = 0.0;           ///< cell size, for research::CellRule::Largest
    double unit = 0.0;           ///< common factor of the cell sizes, for research::CellRule::Levels
    std::size_t primitives = 0;  ///< number of primitives that determines the number of voxels
  };
  /// Replaces the contents by the primitives with these numbers, in ascending order. Keeps a reference to the boxes
  /// until the next update. If memory runs out, update must be called again.
  void update(const BoxRow& boxes, std::span<const std::uint32_t> numbers, const research::HashOptions& options,
              const Shared& shared);
  void update(const BoxRow& boxes, std::span<const std::uint32_t> numbers, const research::HashOptions& options) {
    update(boxes, numbers, options, Shared{});
  }

  /// The boxes were moved in memory, unchanged.
  void refer_to(const BoxRow& boxes) { boxes_ = boxes; }

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t voxel_count() const { return begins_.empty() ? 0 : begins_.size() - 1; }
  /// Entries of a voxel, in the order of cells.
  [[nodiscard]] std::span<const Entry> voxel(std::size_t v) const {
    return {entries_.data() + begins_[v], begins_[v + 1] - begins_[v]};
  }
  /// Entries of all voxels, in the order of voxels.
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  /// Index of the first entry of each voxel, followed by the number of entries.
  [[nodiscard]] std::span<const std::uint32_t> begins() const { return begins_; }
  /// Voxels with at least kHeavy entries, in ascending order.
  [[nodiscard]] std::span<const std::uint32_t> heavy() const { return heavy_; }
  /// Cells that finer cells look up often.
  [[nodiscard]] const CoarseCells& coarse() const { return coarse_; }
  [[nodiscard]] const CellGrid& grid() const { return grid_; }
  [[nodiscard]] const PackedBox& box(std::uint32_t primitive) const { return boxes_[primitive]; }

  [[nodiscard]] std::size_t voxel_of(const std::array<std::int32_t, 3>& cell, std::uint32_t level) const {
    const auto x = static_cast<std::uint32_t>(cell[0]);
    const auto y = static_cast<std::uint32_t>(cell[1]);
    const auto z = static_cast<std::uint32_t>(cell[2]);
    if (tile_count_ == 0) return range_of(mixed(x, y, z, level), voxel_count_);
    // Tiles of 4 x 4 x 4 cells are hashed; within a tile the coordinates determine the voxel.
    const std::uint32_t within = (x & 3U) | (y & 3U) << 2U | (z & 3U) << 4U;
    const auto tile = [](std::int32_t at) { return static_cast<std::uint32_t>(at >> 2); };
    const std::uint64_t hash = mixed(tile(cell[0]), tile(cell[1]), tile(cell[2]), level);
    return range_of(hash, tile_count_) * kTile + within;
  }
  static std::uint32_t tag_of(const std::array<std::int32_t, 3>& cell, std::uint32_t level) {
    const auto bits = [](std::int32_t at) { return static_cast<std::uint32_t>(at) & kTagMask; };
    return level | bits(cell[0]) << 5U | bits(cell[1]) << 10U | bits(cell[2]) << 15U;
  }
  static std::uint32_t level_of_tag(std::uint32_t tag) { return tag & kTagMask; }
  /// Returns the cell of an entry whose primitive has this range on the tag's level.
  static std::array<std::int32_t, 3> cell_of(std::uint32_t tag, const CellRange& range) {
    const auto at = [&](std::size_t k) {
      const std::uint32_t bits = tag >> (5U + 5U * k) & kTagMask;
      return range.lo[k] + static_cast<std::int32_t>((bits - static_cast<std::uint32_t>(range.lo[k])) & kTagMask);
    };
    return {at(0), at(1), at(2)};
  }

  /// Adds the voxels, entries and voxel pairs; takes the maximum of the numbers of levels.
  void count(HashCounts& counts) const;
  /// Estimate of the memory after update for this number of primitives.
  static std::size_t planned_bytes(std::size_t primitives, const research::HashOptions& options);
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::uint32_t kTagMask = 31;  // there are fewer levels, and a box overlaps fewer cells along an
                                                 // axis
  static constexpr unsigned kTagBits = 20;
  static constexpr unsigned kRangeBits =
      32 - kTagBits;  // voxels of a range: their counts stay in the first-level cache
  static constexpr std::size_t kTile = 64;

  static std::uint64_t mixed(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t level) {
    std::uint64_t hash = (std::uint64_t{x} << 32U | y) * 0x9E3779B97F4A7C15U;
    hash = (hash ^ hash >> 29U ^ (std::uint64_t{level} << 32U | z)) * 0xBF58476D1CE4E5B9U;
    return hash ^ hash >> 32U;
  }
  /// Maps a hash to a number below `count`, which fits into 32 bits.
  static std::size_t range_of(std::uint64_t hash, std::size_t count) {
    return static_cast<std::size_t>((hash & 0xFFFFFFFFU) * count >> 32U);
  }

  void choose_size(std::size_t primitives, const research::HashOptions& options);
  std::vector<std::uint32_t> scatter(std::span<const std::uint32_t> numbers,
                                     std::span<const std::int16_t> exponents);
  void order(std::span<const std::uint32_t> range_begins);

  BoxRow boxes_;
  CellGrid grid_;
  std::size_t voxel_count_ = 0;
  std::size_t tile_count_ = 0;  ///< 0: cells are hashed one by one
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> heavy_;
  CoarseCells coarse_;
  std::uint64_t used_voxels_ = 0;
  std::uint64_t voxel_pairs_ = 0;
};

}  // namespace graze::hash
