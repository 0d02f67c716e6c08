// Binned SAH builder: surface area heuristic (Wald, "On fast construction of SAH-based bounding volume
// hierarchies", 2007).
//
// The centres of the leaves are sorted into 16 bins along the longest axis. Of the 15 splits between bins the
// builder takes the one with the least area(left) * leaves(left) + area(right) * leaves(right). A leaf always holds
// one triangle, so there is no alternative of making a larger leaf, and small ranges use fewer bins. Cost: two
// passes over the leaves per level.
#include <algorithm>
#include <array>
#include <iterator>

#include "bvh/build.hpp"
#include "bvh/top_down.hpp"

namespace graze::bvh::detail {

namespace {

constexpr std::size_t kBins = 16;

struct Bin {
  std::array<float, 3> lo;
  std::array<float, 3> hi;
  std::uint32_t count = 0;

  Bin() {
    lo.fill(std::numeric_limits<float>::infinity());
    hi.fill(-std::numeric_limits<float>::infinity());
  }

  template <typename Box>
  void include(const Box& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lo[axis] = box.lo[axis] < lo[axis] ? box.lo[axis] : lo[axis];
      hi[axis] = box.hi[axis] > hi[axis] ? box.hi[axis] : hi[axis];
    }
  }

  /// SAH cost of the bin: number of leaves times half the area; 0 if empty. Floats are below 2^128, so the product
  /// fits a double.
  [[nodiscard]] double cost() const {
    if (count == 0) return 0.0;
    const double x = static_cast<double>(hi[0]) - static_cast<double>(lo[0]);
    const double y = static_cast<double>(hi[1]) - static_cast<double>(lo[1]);
    const double z = static_cast<double>(hi[2]) - static_cast<double>(lo[2]);
    return (x * (y + z) + y * z) * count;
  }
};

}  // namespace

BvhTree bvh_build_sah(std::span<const Aabb> boxes) {
  std::vector<BuildLeaf> leaves = make_build_leaves(boxes);
  const auto split = [&](const BuildRange& range) -> std::uint32_t {
    if (range.size() == 2) return range.begin + 1;
    const std::span<BuildLeaf> all(leaves);
    const std::span<BuildLeaf> part = all.subspan(range.begin, range.size());
    const CentreBounds bounds(part);
    const std::size_t axis = bounds.longest();
    if (range.depth >= kMedianSplitDepth || !(bounds.lo[axis] < bounds.hi[axis]))
      return split_median(all, range, axis);

    const std::size_t bin_count = std::min<std::size_t>(kBins, std::max<std::size_t>(4, range.size()));
    const double origin = bounds.lo[axis];
    const double scale = static_cast<double>(bin_count) / bounds.extent(axis);
    const auto bin_of = [&](const BuildLeaf& leaf) {
      const double place = (static_cast<double>(leaf.centre(axis)) - origin) * scale;
      return std::min(static_cast<std::size_t>(place), bin_count - 1);
    };
    std::array<Bin, kBins> bins;
    for (const BuildLeaf& leaf : part) {
      Bin& bin = bins[bin_of(leaf)];
      bin.include(leaf);
      ++bin.count;
    }

    // right[i] is the cost of all bins from i on.
    std::array<double, kBins> right{};
    Bin sum;
    for (std::size_t i = bin_count; i-- > 1;) {
      sum.include(bins[i]);
      sum.count += bins[i].count;
      right[i] = sum.cost();
    }
    Bin left;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < bin_count; ++i) {
      left.include(bins[i - 1]);
      left.count += bins[i - 1].count;
      const double cost = left.cost() + right[i];
      if (left.count > 0 && left.count < range.size() && cost < least) {
        least = cost;
        best = i;
      }
    }
    // The extreme centres fall into the first and the last bin, so a split exists; the median is a safeguard.
    if (best == 0) return split_median(all, range, axis);
    const auto cut =
        std::partition(part.begin(), part.end(), [&](const BuildLeaf& leaf) { return bin_of(leaf) < best; });
    return range.begin + static_cast<std::uint32_t>(std::distance(part.begin(), cut));
  };
  return build_top_down(boxes.size(), split, [&](std::uint32_t i) { return leaves[i].id; });
}

}  // namespace graze::bvh::detail
