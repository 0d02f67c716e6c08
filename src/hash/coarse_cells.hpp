// The cells of a voxel table that finer cells look up, ready for overlap tests: the boxes of each cell as columns
// of floats, in the order of a sweep if there are many.
//
// Voxels are visited in tiles of 4 x 4 x 4 cells, in no order of space. A cell up to two steps coarser than they
// are is gathered once for a tile, when it is looked up. A still coarser cell would be gathered once for each tile
// in it: here it is gathered once. A level is kept if at least as many primitives have levels more than two steps
// finer, so what is gathered here is at most in proportion to what is looked up. Pieces of the voxels are
// independent and run on any thread; the result does not depend on their number. Cost: O(entries of the kept
// levels); a look-up is O(1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hash/cell_batch.hpp"
#include "hash/cell_grid.hpp"

namespace graze::hash {

class VoxelTable;

class CoarseCells {
 public:
  /// Replaces the contents by the cells of the levels of the table that finer cells look up often; `counts` has the
  /// number of primitives of each level. If memory runs out, update must be called again.
  void update(const VoxelTable& table, std::span<const std::uint64_t> counts);

  /// Whether all cells of a level are kept here.
  [[nodiscard]] bool keeps(std::size_t level) const { return (levels_ >> level & 1U) != 0; }
  /// Returns the boxes of a cell; none if the cell is empty. `voxel` is the cell's. Precondition: keeps(level).
  [[nodiscard]] BoxColumns find(std::size_t voxel, const std::array<std::int32_t, 3>& at,
                                std::uint32_t level) const {
    const Piece& piece = pieces_[voxel >> kPieceBits];
    if (piece.slots.empty()) return {};
    for (std::size_t slot = piece.first_slot(voxel);; slot = (slot + 1) & (piece.slots.size() - 1)) {
      const std::uint32_t number = piece.slots[slot];
      if (number == 0) return {};
      const Cell& cell = piece.cells[number - 1];
      if (cell.is(at, level)) return piece.columns(cell);
    }
  }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr unsigned kPieceBits = 14;  ///< voxels of a piece

  /// A cell and its place in the columns of its piece.
  struct Cell {
    std::array<std::int32_t, 3> at{};
    std::uint8_t level = 0;
    std::uint8_t axis = 3;
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t sorted = 0;
    double longest = 0.0;

    [[nodiscard]] bool is(const std::array<std::int32_t, 3>& cell, std::uint32_t of_level) const {
      return at[0] == cell[0] && at[1] == cell[1] && at[2] == cell[2] && level == of_level;
    }
  };
  struct Piece {
    std::array<std::vector<float>, 3> lo;
    std::array<std::vector<float>, 3> hi;
    std::vector<std::uint32_t> primitives;
    std::vector<Cell> cells;
    std::vector<std::uint32_t> slots;  ///< number of a cell plus one, 0 if free; a power of two, half of it in use

    [[nodiscard]] std::size_t first_slot(std::size_t voxel) const {
      return static_cast<std::size_t>((std::uint64_t{voxel} * 0x9E3779B97F4A7C15U) >> 32U) & (slots.size() - 1);
    }
    [[nodiscard]] BoxColumns columns(const Cell& cell) const;
  };

  void fill(const VoxelTable& table, std::size_t number, Piece& piece) const;

  std::uint32_t levels_ = 0;  ///< bit k is set if level k is kept
  std::vector<Piece> pieces_;
};

inline BoxColumns CoarseCells::Piece::columns(const Cell& cell) const {
  BoxColumns columns;
  for (std::size_t k = 0; k < 3; ++k) {
    columns.lo[k] = lo[k].data() + cell.begin;
    columns.hi[k] = hi[k].data() + cell.begin;
  }
  columns.primitives = primitives.data() + cell.begin;
  columns.count = cell.count;
  columns.axis = cell.axis;
  columns.sorted = cell.sorted;
  columns.longest = cell.longest;
  return columns;
}

}  // namespace graze::hash
