// Recursive splits of a part; split_part.hpp describes the method.
#include "methods/cluster/build/split_part.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/assert.hpp"

namespace graze::methods {

namespace {

constexpr float kRoundedSize = 65000.0F;  // of the longest axis

/// Eight numbers of 16 bits, in one register where the compiler has a type for it: left to itself, it vectorizes
/// over items, which costs more than it saves.
#if defined(__GNUC__)
using Lanes = std::int16_t __attribute__((vector_size(16), may_alias));

Lanes lower(Lanes a, Lanes b) {
  return a < b ? a : b;
}
Lanes upper(Lanes a, Lanes b) {
  return a > b ? a : b;
}
#else
using Lanes = std::array<std::int16_t, 8>;

Lanes lower(const Lanes& a, const Lanes& b) {
  Lanes result;
  for (std::size_t k = 0; k < a.size(); ++k) result[k] = std::min(a[k], b[k]);
  return result;
}
Lanes upper(const Lanes& a, const Lanes& b) {
  Lanes result;
  for (std::size_t k = 0; k < a.size(); ++k) result[k] = std::max(a[k], b[k]);
  return result;
}
#endif

template <typename Item>
Lanes load(const Item& item) {
  static_assert(sizeof(Item) == sizeof(Lanes));
  static_assert(alignof(Item) == 16);
  return *reinterpret_cast<const Lanes*>(item.lanes.data());
}
template <typename Item>
void store(const Lanes& lanes, Item& item) {
  *reinterpret_cast<Lanes*>(item.lanes.data()) = lanes;
}

/// Extents of items along all lanes.
template <typename Item>
struct Extents {
  Item lo;
  Item hi;

  explicit Extents(std::span<const Item> items) {
    Lanes least = load(items[0]);
    Lanes most = least;
    for (const Item& item : items) {
      const Lanes here = load(item);
      least = lower(least, here);
      most = upper(most, here);
    }
    store(least, lo);
    store(most, hi);
  }
  [[nodiscard]] std::uint32_t size(std::size_t k) const {
    return static_cast<std::uint32_t>(int{hi.lanes[k]} - int{lo.lanes[k]});
  }
  [[nodiscard]] std::size_t longest(std::size_t count) const {
    std::size_t axis = 0;
    for (std::size_t k = 1; k < count; ++k) axis = size(k) > size(axis) ? k : axis;
    return axis;
  }
};

/// Moves the items that `first` accepts to the front, without branches; returns their number.
template <typename Item, typename First>
std::size_t move_to_front(std::span<Item> items, const First& first) {
  std::size_t count = 0;
  for (Item& item : items) {
    const bool is_first = first(item);
    const Lanes here = load(item);
    store(load(items[count]), item);
    store(here, items[count]);
    count += is_first ? 1U : 0U;
  }
  return count;
}

/// Where a range is split: at a multiple of a full cluster next to the middle.
std::size_t split_of(std::size_t size) {
  const std::size_t half = size / 2;
  if (size <= kClusterFaces) return half;
  return std::max<std::size_t>((half + kClusterFaces / 2) / kClusterFaces, 1) * kClusterFaces;
}

}  // namespace

/// Rounds the axes of the items of a range, relative to their extents; one scale for all axes.
void PartSplitter::round(std::span<const SplitAxes> axes, const Range& range) {
  SplitAxes lo;
  SplitAxes hi;
  lo.fill(std::numeric_limits<float>::infinity());
  hi.fill(-std::numeric_limits<float>::infinity());
  const std::span<Item> items = std::span(items_).subspan(range.begin, range.end - range.begin);
  for (const Item& item : items) {
    const SplitAxes& at = axes[item.index()];
    for (std::size_t k = 0; k < lo.size(); ++k) {
      lo[k] = at[k] < lo[k] ? at[k] : lo[k];
      hi[k] = at[k] > hi[k] ? at[k] : hi[k];
    }
  }
  float size = 0.0F;
  for (std::size_t k = 0; k < lo.size(); ++k) size = std::max(size, 0.5F * hi[k] - 0.5F * lo[k]);
  const float scale = size > 0.0F ? 0.5F * kRoundedSize / size : 0.0F;
  for (Item& item : items) {
    const SplitAxes& at = axes[item.index()];
    for (std::size_t k = 0; k < lo.size(); ++k) {
      const float offset = std::clamp((at[k] - lo[k]) * scale, 0.0F, kRoundedSize);  // a tiny size has no scale
      item.lanes[k] = static_cast<std::int16_t>(static_cast<int>(offset) - 0x8000);
    }
  }
}

/// Splits a range along its longest axis: reorders the items so that those before the split come first, and returns
/// the index of the split.
std::size_t PartSplitter::cut(std::span<const SplitAxes> axes, const Range& range) {
  constexpr unsigned kMaxBinBits = 7;
  constexpr std::uint32_t kCoarse = 256;  // fewer different numbers are rounded anew
  const std::span<Item> items = std::span(items_).subspan(range.begin, range.end - range.begin);
  Extents<Item> extents{std::span<const Item>(items)};
  std::size_t axis = extents.longest(SplitAxes().size());
  if (extents.size(axis) < kCoarse) {
    round(axes, range);
    extents = Extents<Item>{std::span<const Item>(items)};
    axis = extents.longest(SplitAxes().size());
  }
  const std::size_t at = split_of(items.size());
  const int lo = extents.lo.lanes[axis];
  const auto bits = static_cast<unsigned>(std::bit_width(extents.size(axis)));
  // Two items a bin, so that a short range has few bins to search.
  const unsigned bin_bits = std::min(kMaxBinBits, static_cast<unsigned>(std::bit_width(items.size())) - 1);
  const unsigned shift = bits > bin_bits ? bits - bin_bits : 0;
  const auto bin_of = [&](const Item& item) {
    return static_cast<std::uint32_t>(int{item.lanes[axis]} - lo) >> shift;
  };
  std::array<std::uint32_t, std::size_t{1} << kMaxBinBits> bins;
  std::fill_n(bins.begin(), std::size_t{1} << bin_bits, 0U);
  for (const Item& item : items) ++bins[bin_of(item)];
  std::uint32_t bin = 0;
  std::size_t before = 0;
  while (before + bins[bin] <= at) before += bins[bin++];
  // Items of lower bins, then those of the bin with the split, then the others.
  const int bin_begin = lo + static_cast<int>(bin << shift);
  const int bin_end = lo + static_cast<int>((bin + 1) << shift);
  move_to_front(items, [&](const Item& item) { return item.lanes[axis] < bin_begin; });
  const std::span<Item> others = items.subspan(before);
  move_to_front(others, [&](const Item& item) { return item.lanes[axis] < bin_end; });
  const auto begin = others.begin();
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(at - before),
                   begin + static_cast<std::ptrdiff_t>(bins[bin]), [axis](const Item& a, const Item& b) {
                     return std::pair(a.lanes[axis], a.index()) < std::pair(b.lanes[axis], b.index());
                   });
  return range.begin + at;
}

void PartSplitter::split(std::span<const SplitAxes> axes, FunctionRef<bool(std::span<const std::uint16_t>)> fits,
                         FunctionRef<void()> take) {
  GRAZE_ASSERT(axes.size() <= kMaxSize);
  items_.assign(axes.size(), {});
  for (std::size_t i = 0; i < axes.size(); ++i) items_[i].lanes[kIndexLane] = static_cast<std::int16_t>(i);
  stack_.assign(1, {0, axes.size()});
  while (!stack_.empty()) {
    const Range range = stack_.back();
    stack_.pop_back();
    const std::size_t size = range.end - range.begin;
    if (size == 0) continue;
    if (size <= kClusterFaces) {
      std::array<std::uint16_t, kClusterFaces> indices;
      for (std::size_t i = 0; i < size; ++i) indices[i] = items_[range.begin + i].index();
      if (fits(std::span(indices).first(size))) {
        take();
        continue;
      }
    }
    const std::size_t at = cut(axes, range);
    stack_.push_back({at, range.end});
    stack_.push_back({range.begin, at});
  }
}

}  // namespace graze::methods
