// The primitives of a cell side by side, for tests in SIMD lanes: boxes as columns of floats, and along which axes
// each begins in the cell.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "geometry/packed_box.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze::hash {

class CellBatch {
 public:
  static constexpr std::int32_t kAllAxes = 7;
  static constexpr std::size_t kPadding = 16;  ///< lanes that may be loaded beyond the end

  void clear() {
    count_ = 0;
    axis_ = 3;
  }
  void push(std::uint32_t primitive, const PackedBox& box, std::int32_t begins) {
    if (count_ + kPadding >= primitives_.size()) grow();
    for (std::size_t k = 0; k < 3; ++k) {
      lo_[k][count_] = box.lo[k];
      hi_[k][count_] = -box.minus_hi[k];
    }
    begins_[count_] = begins;
    primitives_[count_] = primitive;
    ++count_;
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const float* lo(std::size_t axis) const { return lo_[axis].data(); }
  [[nodiscard]] const float* hi(std::size_t axis) const { return hi_[axis].data(); }
  [[nodiscard]] const std::int32_t* begins() const { return begins_.data(); }
  [[nodiscard]] const std::uint32_t* primitives() const { return primitives_.data(); }

  /// Sorts by lower ends along the axis that tells most of them apart, if one does. The few that are much longer
  /// than the others along it come last, in no order.
  void sort();
  /// The axis that they are sorted along, or 3.
  [[nodiscard]] std::size_t sorted_along() const { return axis_; }
  struct Window {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// The places of all that may meet [lo, hi] along that axis, but for the long ones. Precondition: sorted.
  [[nodiscard]] Window window(float lo, float hi) const;
  /// Those of the long ones.
  [[nodiscard]] Window long_ones() const { return {sorted_, count_}; }

 private:
  void grow();

  std::size_t count_ = 0;
  std::array<std::vector<float>, 3> lo_;
  std::array<std::vector<float>, 3> hi_;
  std::vector<std::int32_t> begins_;
  std::vector<std::uint32_t> primitives_;
  std::size_t axis_ = 3;
  std::size_t sorted_ = 0;  ///< how many are sorted
  double longest_ = 0.0;    ///< extent of those along the axis
};

/// Takes pairs, and hands them on when it is full.
struct PairChunk {
  static constexpr std::size_t kSize = 1024;

  std::array<LeafPair, kSize + CellBatch::kPadding> pairs;
  std::size_t filled = 0;
  void (*hand_on)(void* context, const LeafPair* pairs, std::size_t count) = nullptr;
  void* context = nullptr;

  void flush() {
    if (filled > 0) hand_on(context, pairs.data(), filled);
    filled = 0;
  }
  /// Hands on kSize if there are as many: always so many, that what is made of them is in the same order whatever
  /// the number of lanes.
  void flush_full() {
    if (filled < kSize) return;
    hand_on(context, pairs.data(), kSize);
    std::copy(pairs.begin() + kSize, pairs.begin() + static_cast<std::ptrdiff_t>(filled), pairs.begin());
    filled -= kSize;
  }
};

struct CellBatchCounts {
  std::uint64_t tests = 0;
  std::uint64_t pairs = 0;
  std::uint64_t repeated = 0;
};

/// Tests rows [first, last) of a crowd against all of another; or, if it is the same one, against what comes after
/// the row. Pairs that overlap and begin along all axes go to `chunk`: (row, column), or the other way round. One
/// dispatch to the best instruction set a call.
void meet(const CellBatch& rows, std::size_t first, std::size_t last, const CellBatch& columns, bool swapped,
          PairChunk& chunk, CellBatchCounts& counts);

}  // namespace graze::hash
