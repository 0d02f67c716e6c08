// Spatial hashing (HASH, section 4.2): primitives by the cells that their boxes overlap, cells by the voxels of a
// table.
//
// The paper's cells have one size, the largest extent of a primitive, and its table a fifth as many voxels as there
// are primitives. Here each primitive may have a size of its own, a power of two, such that its box overlaps about
// four cells: sizes are levels of nested grids, and one large primitive does not coarsen the cells of the others.
// Levels with few primitives are merged into coarser ones.
//
// Insertion takes no lock: cells are counted by voxel, the counts summed up, the entries written (count, scan,
// scatter), each piece of the primitives to places of its own, so that the table is the same for any number of
// threads. Within a voxel entries are put in order by cell: cells that collide stay apart. Cost: O(primitives).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/methods.hpp>

#include "geometry/packed_box.hpp"

namespace graze {

/// Boxes of primitives, by number, at a fixed distance in memory. Referred to.
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

/// A cell of the grid of one level.
struct Cell {
  std::array<std::int32_t, 3> at{};
  std::uint32_t level = 0;  ///< place in VoxelTable::levels()

  friend bool operator==(const Cell&, const Cell&) = default;
};

class VoxelTable {
 public:
  /// A primitive in a cell. The tag has the level and the lowest bits of the cell's coordinates: cells of one voxel
  /// with the same tag are the same, or so far from each other that no box overlaps both.
  struct Entry {
    std::uint32_t primitive = 0;
    std::uint32_t tag = 0;
  };

  /// Puts the primitives with these numbers, ascending, into cells, in place of what there was. The boxes are
  /// referred to until the next update.
  void update(const BoxRow& boxes, std::span<const std::uint32_t> numbers, const HashOptions& options);

  [[nodiscard]] std::size_t voxel_count() const { return begins_.empty() ? 0 : begins_.size() - 1; }
  /// By cell.
  [[nodiscard]] std::span<const Entry> voxel(std::size_t v) const {
    return {entries_.data() + begins_[v], begins_[v + 1] - begins_[v]};
  }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> begins_;
};

}  // namespace graze
