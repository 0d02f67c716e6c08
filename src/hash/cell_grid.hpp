// The grids that a spatial hash puts primitives into (HASH, section 4.2): cells of one size, or of nested sizes.
//
// Coordinates of a cell are a monotone function of those of a point, so that boxes that overlap have ranges of
// cells that overlap, whatever is rounded. Nested sizes are powers of two by a common factor: a power of two
// commutes with rounding, so that the cell of a coarser level around a cell follows by shifting, exactly. The
// factor is chosen so that most primitives have one size. A primitive's own size is the smallest for which its box
// overlaps kMeanCells cells in the mean over all places that the grid could have. It is never below what a float
// resolves there, so that coordinates fit 25 bits. Boxes without end are in the one cell of the whole space. Cost:
// O(1) a primitive.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/packed_box.hpp"

namespace graze::hash {

/// Inclusive.
struct CellRange {
  std::array<std::int32_t, 3> lo{};
  std::array<std::int32_t, 3> hi{};
};

class CellGrid {
 public:
  /// Binary exponents of cell sizes: those of floats, and the whole space.
  static constexpr int kFinest = -149;
  static constexpr int kCoarsest = 129;
  static constexpr int kWholeSpace = kCoarsest + 1;
  static constexpr std::size_t kExponents = kWholeSpace - kFinest + 1;
  static constexpr std::size_t kMaxLevels = 24;
  static constexpr double kMeanCells = 2.2;

  struct Level {
    int exponent = 0;    ///< of nested grids the size is 2^exponent / unit; else only the order matters
    double scale = 0.0;  ///< cells a unit of length; 0: the whole space is one
  };

  /// Nested sizes, 2^exponent / unit, from how many primitives have each exponent for their own (by exponent -
  /// kFinest). Sizes with so few primitives that all their pairs together cost little are merged into the next in
  /// use.
  CellGrid(std::span<const std::uint64_t> counts, double unit);
  /// One size for all boxes that end; the whole space for others, if there are any.
  CellGrid(double size, bool endless);
  CellGrid() = default;

  /// Of nested sizes the unit, else cells a unit of length: grids with the same may be looked up in each other.
  [[nodiscard]] double unit() const { return unit_; }
  /// Fine to coarse.
  [[nodiscard]] std::span<const Level> levels() const { return levels_; }
  /// The level, by place in levels(), of primitives with this exponent for their own.
  [[nodiscard]] std::uint32_t level_of(int exponent) const {
    return level_of_[static_cast<std::size_t>(exponent - kFinest)];
  }

  static std::int32_t coordinate(float x, const Level& level) {
    constexpr double kMaxCell = 1 << 30;
    if (level.scale == 0.0) return 0;
    double at = static_cast<double>(x) * level.scale;
    at = at < -kMaxCell ? -kMaxCell : at;
    at = at > kMaxCell ? kMaxCell : at;
    const auto whole = static_cast<std::int32_t>(at);
    return whole - static_cast<std::int32_t>(at < whole);
  }
  static CellRange range(const PackedBox& box, const Level& level) {
    CellRange range;
    for (std::size_t k = 0; k < 3; ++k) {
      range.lo[k] = coordinate(box.lo[k], level);
      range.hi[k] = coordinate(-box.minus_hi[k], level);
    }
    return range;
  }
  /// The cell of a coarser level around one.
  static std::array<std::int32_t, 3> around(const std::array<std::int32_t, 3>& cell, const Level& fine,
                                            const Level& coarse) {
    if (coarse.scale == 0.0) return {};
    const int by = coarse.exponent - fine.exponent;
    const int shift = by < 31 ? by : 31;
    return {cell[0] >> shift, cell[1] >> shift, cell[2] >> shift};
  }

  /// The units that there are to choose from.
  static constexpr std::array<double, 4> kUnits = {1.0, 0x1.306fe0a31b715p+0, 0x1.6a09e667f3bcdp+0,
                                                   0x1.ae89f995ad3adp+0};
  /// A primitive's own exponent.
  static int own_exponent(const PackedBox& box, double unit = 1.0) {
    double largest = 0.0;
    double farthest = 0.0;
    std::array<double, 3> extent{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double lo = box.lo[k];
      const double hi = -static_cast<double>(box.minus_hi[k]);
      extent[k] = hi - lo;
      largest = extent[k] > largest ? extent[k] : largest;
      const double far = hi > -lo ? hi : -lo;
      farthest = far > farthest ? far : farthest;
    }
    if (!(largest <= kLongest) || !(farthest <= kLongest)) return kWholeSpace;
    constexpr int kResolved = 22;
    int exponent = exponent_of(farthest) - kResolved;
    exponent = exponent < kFinest ? kFinest : exponent;
    const int start = exponent_of(largest) - 2;  // a cell of which the longest side has four to eight
    exponent = exponent < start ? start : exponent;
    double per = unit * power_of_two(-exponent);
    while ((1.0 + extent[0] * per) * (1.0 + extent[1] * per) * (1.0 + extent[2] * per) > kMeanCells) {
      per *= 0.5;
      ++exponent;
    }
    return exponent;
  }

 private:
  static constexpr double kLongest = 0x1p126;

  static int exponent_of(double x) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52U & 0x7FFU) - 1023;  // x >= 0; 0: -1023
  }
  static double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
  }

  double unit_ = 1.0;
  std::vector<Level> levels_;
  std::array<std::uint8_t, kExponents> level_of_{};
};

}  // namespace graze::hash
