// A cell batch: the primitives of one grid cell of a spatial hash, stored as structure of arrays for overlap tests
// in SIMD lanes. The boxes are columns of floats; a bit mask says along which axes each primitive begins in the
// cell, so that a pair that shares several cells is reported in one of them only (HASH, section 4.3). Sorting a
// large batch along one axis limits each test to a window (sweep and prune). Cost: O(n^2) tests for n primitives,
// fewer if sorted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/function_ref.hpp"
#include "geometry/packed_box.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze::hash {

/// View of boxes as columns of floats. If they are sorted along an axis, those that are much longer than the others
/// along it come last, unsorted. CellBatch::kPadding lanes may be loaded beyond the end.
struct BoxColumns {
  struct Window {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  std::array<const float*, 3> lo{};
  std::array<const float*, 3> hi{};
  const std::uint32_t* primitives = nullptr;
  std::size_t count = 0;
  std::size_t axis = 3;    ///< axis of the sorted lower ends; 3 if unsorted
  std::size_t sorted = 0;  ///< number of sorted boxes
  double longest = 0.0;    ///< largest extent of the sorted boxes along the axis

  /// Indices of all sorted boxes that may overlap [from, to] along the sorted axis; long boxes are not included.
  /// Precondition: sorted.
  [[nodiscard]] Window window(float from, float to) const;
};

class CellBatch {
 public:
  static constexpr std::int32_t kAllAxes = 7;
  static constexpr std::size_t kPadding = 16;  ///< lanes that may be loaded beyond the end

  void clear() {
    count_ = 0;
    axis_ = 3;
  }
  void push(std::uint32_t primitive, const PackedBox& box, std::int32_t begins) {
    if (count_ + kPadding >= capacity_) grow();
    float* to = ends_.data() + count_;
    for (std::size_t k = 0; k < 3; ++k, to += 2 * capacity_) {
      to[0] = box.lo[k];
      to[capacity_] = -box.minus_hi[k];
    }
    begins_[count_] = begins;
    primitives_[count_] = primitive;
    ++count_;
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const float* lo(std::size_t axis) const { return ends_.data() + 2 * axis * capacity_; }
  [[nodiscard]] const float* hi(std::size_t axis) const { return ends_.data() + (2 * axis + 1) * capacity_; }
  [[nodiscard]] const std::int32_t* begins() const { return begins_.data(); }
  [[nodiscard]] const std::uint32_t* primitives() const { return primitives_.data(); }

  /// Sorts by lower ends along the axis that separates most of the primitives, if there is one. The few primitives
  /// that are much longer than the others along this axis come last, unsorted.
  void sort();
  /// The axis that the primitives are sorted along; 3 if unsorted.
  [[nodiscard]] std::size_t sorted_along() const { return axis_; }
  [[nodiscard]] BoxColumns columns() const {
    return {.lo = {lo(0), lo(1), lo(2)},
            .hi = {hi(0), hi(1), hi(2)},
            .primitives = primitives(),
            .count = count_,
            .axis = axis_,
            .sorted = sorted_,
            .longest = longest_};
  }

 private:
  void grow();

  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
  std::vector<float> ends_;  ///< columns of lower and upper ends of each axis, of `capacity_` each: one allocation
  std::vector<std::int32_t> begins_;
  std::vector<std::uint32_t> primitives_;
  std::size_t axis_ = 3;
  std::size_t sorted_ = 0;  ///< number of sorted primitives
  double longest_ = 0.0;    ///< largest extent of the sorted primitives along the axis
};

/// The box around the primitives of a batch.
struct BatchBounds {
  std::array<float, 3> lo{};
  std::array<float, 3> hi{-1.0F, -1.0F, -1.0F};

  /// Around nothing.
  BatchBounds() = default;
  /// Precondition: the batch is not empty.
  explicit BatchBounds(const CellBatch& batch);
  [[nodiscard]] bool empty() const { return hi[0] < lo[0]; }
  /// Keeps the part between two floats, both included, along an axis.
  void clip(std::size_t axis, const std::array<float, 2>& ends) {
    lo[axis] = std::max(lo[axis], ends[0]);
    hi[axis] = std::min(hi[axis], ends[1]);
  }
};

/// Buffer of pairs that is passed to hand_on when it is full.
struct PairChunk {
  static constexpr std::size_t kSize = 1024;
  using Sink = FunctionRef<void(std::span<const LeafPair> pairs)>;

  explicit PairChunk(Sink sink) : hand_on(sink) {}

  std::array<LeafPair, kSize + CellBatch::kPadding> pairs;
  std::size_t filled = 0;
  Sink hand_on;

  void flush() {
    if (filled > 0) hand_on(std::span<const LeafPair>(pairs.data(), filled));
    filled = 0;
  }
  /// Passes on kSize pairs if there are as many. The size is fixed so that the order of results does not depend on
  /// the number of lanes.
  void flush_full() {
    if (filled < kSize) return;
    hand_on(std::span<const LeafPair>(pairs.data(), kSize));
    std::copy(pairs.begin() + kSize, pairs.begin() + static_cast<std::ptrdiff_t>(filled), pairs.begin());
    filled -= kSize;
  }
};

struct CellBatchCounts {
  std::uint64_t tests = 0;
  std::uint64_t pairs = 0;
  std::uint64_t repeated = 0;
};

/// Tests rows [first, last) of a cell batch against all columns of another batch; if both are the same batch,
/// against the columns behind each row. Appends pairs whose boxes overlap, and whose begin masks together cover all
/// axes, to `chunk`: (row, column), or (column, row) if `swapped`. Dispatches to the best instruction set once per
/// call.
void test_overlaps(const CellBatch& rows, std::size_t first, std::size_t last, const CellBatch& columns,
                   bool swapped, PairChunk& chunk, CellBatchCounts& counts);

/// Returns the places of all boxes that overlap `bounds`: first those that are sorted, then the long ones, each in
/// ascending order. They are in `buffer`, until it is used again.
std::span<const std::uint32_t> find_overlaps(const BoxColumns& boxes, const BatchBounds& bounds,
                                             std::vector<std::uint32_t>& buffer, CellBatchCounts& counts);

}  // namespace graze::hash
