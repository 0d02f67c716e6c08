// Box overlap tests between the primitives of a cell (hash/cell_batch.hpp), compiled by Highway once per
// instruction set. Comparisons only, no arithmetic: exact on every target.
#include "hash/cell_batch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hash/cell_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::hash {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void overlap_lanes(const CellBatch& rows, std::size_t first, std::size_t last, const CellBatch& columns,
                   bool swapped, PairChunk& chunk, CellBatchCounts& counts) {
  const hn::CappedTag<float, CellBatch::kPadding> d;
  const hn::RebindToSigned<decltype(d)> whole;
  const std::size_t lanes = hn::Lanes(d);
  const bool self = &rows == &columns;
  const BoxColumns boxes = columns.columns();
  const auto all = hn::Set(whole, CellBatch::kAllAxes);
  const std::uint32_t* const primitives = columns.primitives();
  std::uint64_t tests = 0;
  std::uint64_t found = 0;
  std::uint64_t overlapping = 0;
  for (std::size_t i = first; i < last; ++i) {
    // Two runs of columns: the window of the sorted ones (or all columns), and the long ones.
    std::array<BoxColumns::Window, 2> runs{{{0, boxes.count}, {}}};
    if (boxes.axis < 3) {
      runs = {boxes.window(rows.lo(boxes.axis)[i], rows.hi(boxes.axis)[i]), {boxes.sorted, boxes.count}};
    }
    const std::uint32_t row = rows.primitives()[i];
    const auto lo_x = hn::Set(d, rows.lo(0)[i]);
    const auto lo_y = hn::Set(d, rows.lo(1)[i]);
    const auto lo_z = hn::Set(d, rows.lo(2)[i]);
    const auto hi_x = hn::Set(d, rows.hi(0)[i]);
    const auto hi_y = hn::Set(d, rows.hi(1)[i]);
    const auto hi_z = hn::Set(d, rows.hi(2)[i]);
    const auto begins = hn::Set(whole, rows.begins()[i]);
    for (const BoxColumns::Window& run : runs) {
      const std::size_t begin = self && run.begin <= i ? i + 1 : run.begin;
      const std::size_t end = run.end;
      if (begin >= end) continue;
      tests += end - begin;
      for (std::size_t j = begin; j < end; j += lanes) {
        const auto x =
            hn::And(hn::Le(lo_x, hn::LoadU(d, columns.hi(0) + j)), hn::Le(hn::LoadU(d, columns.lo(0) + j), hi_x));
        const auto y =
            hn::And(hn::Le(lo_y, hn::LoadU(d, columns.hi(1) + j)), hn::Le(hn::LoadU(d, columns.lo(1) + j), hi_y));
        const auto z =
            hn::And(hn::Le(lo_z, hn::LoadU(d, columns.hi(2) + j)), hn::Le(hn::LoadU(d, columns.lo(2) + j), hi_z));
        auto overlap = hn::And(hn::And(x, y), z);
        if (end - j < lanes) overlap = hn::And(overlap, hn::FirstN(d, end - j));
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, overlap, bytes);
        unsigned overlaps = bytes[0] | static_cast<unsigned>(bytes[1]) << 8U;
        if (overlaps == 0) continue;
        const auto here = hn::Eq(hn::Or(begins, hn::LoadU(whole, columns.begins() + j)), all);
        hn::StoreMaskBits(whole, here, bytes);
        unsigned hits = overlaps & (bytes[0] | static_cast<unsigned>(bytes[1]) << 8U);
        for (; overlaps != 0; overlaps &= overlaps - 1) ++overlapping;
        for (; hits != 0; hits &= hits - 1) {
          const std::uint32_t column = primitives[j + hwy::Num0BitsBelowLS1Bit_Nonzero32(hits)];
          chunk.pairs[chunk.filled++] = swapped ? LeafPair{column, row} : LeafPair{row, column};
          ++found;
        }
        chunk.flush_full();
      }
    }
  }
  counts.tests += tests;
  counts.pairs += found;
  counts.repeated += overlapping - found;
}

/// Sets the bounds to those of the boxes, of which there is at least one.
void bounds_lanes(const BoxColumns& boxes, BatchBounds& bounds) {
  const hn::CappedTag<float, CellBatch::kPadding> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t k = 0; k < 3; ++k) {
    const float* const lo = boxes.lo[k];
    const float* const hi = boxes.hi[k];
    auto least = hn::Set(d, lo[0]);
    auto most = hn::Set(d, hi[0]);
    std::size_t i = 0;
    for (; i + lanes <= boxes.count; i += lanes) {
      least = hn::Min(least, hn::LoadU(d, lo + i));
      most = hn::Max(most, hn::LoadU(d, hi + i));
    }
    const auto rest = hn::FirstN(d, boxes.count - i);
    least = hn::IfThenElse(rest, hn::Min(least, hn::LoadU(d, lo + i)), least);
    most = hn::IfThenElse(rest, hn::Max(most, hn::LoadU(d, hi + i)), most);
    bounds.lo[k] = hn::GetLane(hn::MinOfLanes(d, least));
    bounds.hi[k] = hn::GetLane(hn::MaxOfLanes(d, most));
  }
}

/// Writes the places of the columns [begin, end) that overlap the bounds; returns the end of what is written.
std::uint32_t* find_lanes(const BoxColumns& columns, std::size_t begin, std::size_t end, const BatchBounds& bounds,
                          std::uint32_t* found) {
  const hn::CappedTag<float, CellBatch::kPadding> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto lo_x = hn::Set(d, bounds.lo[0]);
  const auto lo_y = hn::Set(d, bounds.lo[1]);
  const auto lo_z = hn::Set(d, bounds.lo[2]);
  const auto hi_x = hn::Set(d, bounds.hi[0]);
  const auto hi_y = hn::Set(d, bounds.hi[1]);
  const auto hi_z = hn::Set(d, bounds.hi[2]);
  for (std::size_t j = begin; j < end; j += lanes) {
    const auto x =
        hn::And(hn::Le(lo_x, hn::LoadU(d, columns.hi[0] + j)), hn::Le(hn::LoadU(d, columns.lo[0] + j), hi_x));
    const auto y =
        hn::And(hn::Le(lo_y, hn::LoadU(d, columns.hi[1] + j)), hn::Le(hn::LoadU(d, columns.lo[1] + j), hi_y));
    const auto z =
        hn::And(hn::Le(lo_z, hn::LoadU(d, columns.hi[2] + j)), hn::Le(hn::LoadU(d, columns.lo[2] + j), hi_z));
    auto overlap = hn::And(hn::And(x, y), z);
    if (end - j < lanes) overlap = hn::And(overlap, hn::FirstN(d, end - j));
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, overlap, bytes);
    unsigned hits = bytes[0] | static_cast<unsigned>(bytes[1]) << 8U;
    for (; hits != 0; hits &= hits - 1) {
      *found++ = static_cast<std::uint32_t>(j + hwy::Num0BitsBelowLS1Bit_Nonzero32(hits));
    }
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::hash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace graze::hash {

HWY_EXPORT(overlap_lanes);
HWY_EXPORT(bounds_lanes);
HWY_EXPORT(find_lanes);

void test_overlaps(const CellBatch& rows, std::size_t first, std::size_t last, const CellBatch& columns,
                   bool swapped, PairChunk& chunk, CellBatchCounts& counts) {
  HWY_DYNAMIC_DISPATCH(overlap_lanes)(rows, first, last, columns, swapped, chunk, counts);
}

BatchBounds::BatchBounds(const CellBatch& batch) {
  HWY_DYNAMIC_DISPATCH(bounds_lanes)(batch.columns(), *this);
}

std::span<const std::uint32_t> find_overlaps(const BoxColumns& boxes, const BatchBounds& bounds,
                                             std::vector<std::uint32_t>& buffer, CellBatchCounts& counts) {
  if (buffer.size() < boxes.count) buffer.resize(2 * boxes.count);
  std::uint32_t* end = buffer.data();
  std::array<BoxColumns::Window, 2> runs{{{0, boxes.count}, {}}};
  if (boxes.axis < 3) {
    runs = {boxes.window(bounds.lo[boxes.axis], bounds.hi[boxes.axis]), {boxes.sorted, boxes.count}};
  }
  for (const BoxColumns::Window& run : runs) {
    if (run.begin == run.end) continue;
    counts.tests += run.end - run.begin;
    end = HWY_DYNAMIC_DISPATCH(find_lanes)(boxes, run.begin, run.end, bounds, end);
  }
  return {buffer.data(), end};
}

void CellBatch::grow() {
  const std::size_t capacity = std::max(std::size_t{64}, 2 * capacity_) + kPadding;
  std::vector<float> ends(6 * capacity);
  for (std::size_t k = 0; k < 6; ++k) std::copy_n(ends_.data() + k * capacity_, count_, ends.data() + k * capacity);
  ends_ = std::move(ends);
  begins_.resize(capacity);
  primitives_.resize(capacity);
  capacity_ = capacity;
}

void CellBatch::sort() {
  axis_ = 3;
  sorted_ = count_;
  if (count_ < 2) return;
  // Share of the columns that a sweep visits per row: its window, as wide as the longest extent that is not long,
  // and the long primitives.
  constexpr double kWorthIt = 0.5;
  constexpr double kLong = 4.0;  // multiple of the mean extent beyond which a primitive is long
  double least = kWorthIt;
  for (std::size_t k = 0; k < 3; ++k) {
    const float* const los = lo(k);
    const float* const his = hi(k);
    double lowest = los[0];
    double highest = lowest;
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i) {
      const double lo = los[i];
      lowest = std::min(lowest, lo);
      highest = std::max(highest, lo);
      const double extent = his[i] - lo;
      sum += extent <= std::numeric_limits<float>::max() ? extent : 0.0;
    }
    const double limit = kLong * sum / static_cast<double>(count_);
    double longest = 0.0;
    std::size_t long_ones = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const double extent = his[i] - static_cast<double>(los[i]);
      if (extent <= limit) {
        longest = std::max(longest, extent);
      } else {
        ++long_ones;
      }
    }
    const double share =
        longest / (highest - lowest) + static_cast<double>(long_ones) / static_cast<double>(count_);
    if (share < least) {  // false for NaN and infinity: the axis is not used
      least = share;
      axis_ = k;
      sorted_ = count_ - long_ones;
      longest_ = longest;
    }
  }
  if (axis_ == 3) return;
  std::vector<std::uint32_t> order(count_);
  std::iota(order.begin(), order.end(), 0U);
  const float* const keys = lo(axis_);
  const float* const upper = hi(axis_);
  const auto is_short = [&](std::uint32_t i) {
    return static_cast<double>(upper[i]) - static_cast<double>(keys[i]) <= longest_;
  };
  const auto middle = std::stable_partition(order.begin(), order.end(), is_short);
  std::sort(order.begin(), middle,
            [&](std::uint32_t i, std::uint32_t j) { return keys[i] != keys[j] ? keys[i] < keys[j] : i < j; });
  const auto apply = [&](auto* column) {
    const std::vector<std::remove_reference_t<decltype(*column)>> copy(column, column + count_);
    for (std::size_t i = 0; i < count_; ++i) column[i] = copy[order[i]];
  };
  for (std::size_t k = 0; k < 6; ++k) apply(ends_.data() + k * capacity_);
  apply(begins_.data());
  apply(primitives_.data());
}

BoxColumns::Window BoxColumns::window(float from, float to) const {
  const float* const keys = lo[axis];
  // A box that overlaps `from` begins at most the longest extent before it; the added margin covers rounding
  // errors.
  const double at = from;
  const double first = at - longest * (1.0 + 0x1p-40) - std::abs(at) * 0x1p-50;
  const float* const begin =
      std::partition_point(keys, keys + sorted, [&](float key) { return static_cast<double>(key) < first; });
  const float* const end = std::partition_point(begin, keys + sorted, [&](float key) { return key <= to; });
  return {static_cast<std::size_t>(begin - keys), static_cast<std::size_t>(end - keys)};
}

}  // namespace graze::hash
#endif
