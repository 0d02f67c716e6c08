// The grids of a spatial hash (HASH, section 4.2): grid cells of one cell size, or of nested cell sizes (levels).
//
// The coordinates of a cell are a monotone function of the coordinates of a point, so overlapping boxes have
// overlapping ranges of cells, whatever the rounding. Nested sizes are powers of two times a common factor:
// multiplication by a power of two commutes with rounding, so a shift gives the coarser cell around a cell exactly.
// The factor is chosen so that most primitives have the same size. The cell size of a primitive is the smallest for
// which its box overlaps at most kMeanCells cells on average over all positions of the grid, and is never below the
// resolution of a float at the box's position, so that coordinates fit into 25 bits. Unbounded boxes are in the
// single cell of the whole space. Cost: O(1) per primitive.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/packed_box.hpp"

namespace graze::hash {

/// Range of cells; both ends are inclusive.
struct CellRange {
  std::array<std::int32_t, 3> lo{};
  std::array<std::int32_t, 3> hi{};
};

class CellGrid {
 public:
  /// Binary exponents of cell sizes: the exponents of floats, and one for the whole space.
  static constexpr int kFinest = -149;
  static constexpr int kCoarsest = 129;
  static constexpr int kWholeSpace = kCoarsest + 1;
  static constexpr std::size_t kExponents = kWholeSpace - kFinest + 1;
  static constexpr std::size_t kMaxLevels = 24;
  static constexpr double kMeanCells = 2.2;

  struct Level {
    int exponent = 0;    ///< nested grids: the cell size is 2^exponent / unit; otherwise only the order matters
    double scale = 0.0;  ///< cells per unit of length; 0: the whole space is one cell
  };

  /// Grid with nested cell sizes 2^exponent / unit. `counts` has the number of primitives of each own exponent, at
  /// index exponent - kFinest. Sizes with so few primitives that testing all their pairs costs little are merged
  /// into the next larger size in use.
  CellGrid(std::span<const std::uint64_t> counts, double unit);
  /// Grid with one cell size for all bounded boxes, and the whole space for unbounded ones if `endless`.
  CellGrid(double size, bool endless);
  CellGrid() = default;

  /// Nested sizes: the unit; otherwise cells per unit of length. Cells of a grid can be looked up in another grid
  /// if the units are equal.
  [[nodiscard]] double unit() const { return unit_; }
  /// Levels from fine to coarse.
  [[nodiscard]] std::span<const Level> levels() const { return levels_; }
  /// Index in levels() of the level of primitives with this own exponent.
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
  /// Ends, both inclusive, of an interval that contains all floats with this coordinate, and few others.
  /// coordinate(x) = `at` implies  at (1 - 2^-53) <= x scale <= (at + 1)(1 + 2^-53); the margin covers this error,
  /// that of the quotient, and the conversion to floats, normal or not.
  static std::array<float, 2> interval(std::int32_t at, const Level& level) {
    constexpr double kMost = std::numeric_limits<float>::max();
    if (level.scale == 0.0)
      return {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
    const double size = 1.0 / level.scale;
    const double far = at < 0 ? -static_cast<double>(at) : static_cast<double>(at);
    const double margin = (far + 2.0) * size * 0x1p-22 + 0x1p-149;
    const double lo = at * size - margin;
    const double hi = (at + 1.0) * size + margin;
    return {static_cast<float>(lo < -kMost  ? -kMost
                               : lo > kMost ? kMost
                                            : lo),
            static_cast<float>(hi < -kMost  ? -kMost
                               : hi > kMost ? kMost
                                            : hi)};
  }
  static CellRange range(const PackedBox& box, const Level& level) {
    CellRange range;
    for (std::size_t k = 0; k < 3; ++k) {
      range.lo[k] = coordinate(box.lo[k], level);
      range.hi[k] = coordinate(-box.minus_hi[k], level);
    }
    return range;
  }
  /// Returns the cell of a coarser level that contains `cell`.
  static std::array<std::int32_t, 3> around(const std::array<std::int32_t, 3>& cell, const Level& fine,
                                            const Level& coarse) {
    if (coarse.scale == 0.0) return {};
    const int by = coarse.exponent - fine.exponent;
    const int shift = by < 31 ? by : 31;
    return {cell[0] >> shift, cell[1] >> shift, cell[2] >> shift};
  }

  /// Candidate values of the unit: 2^(k/4) for k = 0 to 3.
  static constexpr std::array<double, 4> kUnits = {1.0, 0x1.306fe0a31b715p+0, 0x1.6a09e667f3bcdp+0,
                                                   0x1.ae89f995ad3adp+0};
  /// Returns the exponent of the primitive's own cell size.
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
    const int start = exponent_of(largest) - 2;  // start with a cell size that divides the longest side into four
                                                 // to eight cells
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
    return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52U & 0x7FFU) - 1023;  // x >= 0; 0 gives -1023
  }
  static double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
  }

  double unit_ = 1.0;
  std::vector<Level> levels_;
  std::array<std::uint8_t, kExponents> level_of_{};
};

}  // namespace graze::hash
