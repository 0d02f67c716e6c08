// LBVH builder (linear BVH): sorts leaves by Morton code and splits where the highest bit changes (Lauterbach et
// al., "Fast BVH construction on GPUs", 2009).
//
// Codes have 21 bits per axis, with one scale for all three axes so that grid cells are cubes. A range of leaves
// with equal codes is halved. A split lowers the highest differing bit, so the depth is at most 63 + ceil(log2 n)
// without a further rule. Codes, sort and all subtrees are computed in parallel. Cost: O(n log n).
#include <algorithm>
#include <bit>
#include <cstdint>

#include "bvh/build.hpp"
#include "bvh/top_down.hpp"
#include "core/sort.hpp"

namespace graze::bvh::detail {

namespace {

/// Inserts two zero bits before each of the lower 21 bits.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32U) & 0x001f00000000ffffU;
  x = (x | x << 16U) & 0x001f0000ff0000ffU;
  x = (x | x << 8U) & 0x100f00f00f00f00fU;
  x = (x | x << 4U) & 0x10c30c30c30c30c3U;
  x = (x | x << 2U) & 0x1249249249249249U;
  return x;
}

struct Coded {
  std::uint64_t code = 0;
  std::uint32_t id = 0;
};

}  // namespace

BvhTree bvh_build_lbvh(std::span<const Aabb> boxes) {
  std::vector<Coded> coded(boxes.size());
  {
    const std::vector<BuildLeaf> leaves = make_build_leaves(boxes);
    const CentreBounds bounds(leaves);
    const double extent = boxes.empty() ? 0.0 : bounds.extent(bounds.longest());
    constexpr double kCells = 0x1p21;
    const double scale = extent > 0.0 ? kCells / extent : 0.0;
    parallel_for(0, boxes.size(), 4096, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        std::uint64_t code = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double offset = static_cast<double>(leaves[i].centre(axis)) - static_cast<double>(bounds.lo[axis]);
          code |= spread(static_cast<std::uint64_t>(std::min(offset * scale, kCells - 1.0))) << axis;
        }
        coded[i] = {code, static_cast<std::uint32_t>(i)};
      }
    });
  }
  parallel_sort(coded, [](const Coded& a, const Coded& b) { return a.code < b.code; });

  const auto split = [&](const BuildRange& range) -> std::uint32_t {
    const std::uint64_t differ = coded[range.begin].code ^ coded[range.end - 1].code;
    if (differ == 0) return range.begin + range.size() / 2;
    const std::uint64_t bit = std::bit_floor(differ);
    const auto* cut = std::partition_point(coded.data() + range.begin, coded.data() + range.end,
                                           [bit](const Coded& c) { return (c.code & bit) == 0; });
    return static_cast<std::uint32_t>(cut - coded.data());
  };
  return build_top_down(boxes.size(), split, [&](std::uint32_t i) { return coded[i].id; });
}

}  // namespace graze::bvh::detail
