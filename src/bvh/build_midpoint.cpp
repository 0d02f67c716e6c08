// Midpoint builder: splits at the middle of the longest axis, as in R-TRI (section 5.1). The axis and its middle
// are those of the box of the leaves' centres, not of the node's volume, so that both sides always get a leaf.
//
// Cost: one pass over the leaves per level; real meshes have O(log n) levels. Where centres are concentrated, each
// split may separate only one leaf; deeper than 64 levels the builder splits at medians (top_down.hpp).
#include <algorithm>
#include <iterator>

#include "bvh/build.hpp"
#include "bvh/top_down.hpp"

namespace graze::bvh::detail {

BvhTree bvh_build_midpoint(std::span<const Aabb> boxes) {
  std::vector<BuildLeaf> leaves = make_build_leaves(boxes);
  const auto split = [&](const BuildRange& range) -> std::uint32_t {
    const std::span<BuildLeaf> all(leaves);
    const std::span<BuildLeaf> part = all.subspan(range.begin, range.size());
    const CentreBounds bounds(part);
    const std::size_t axis = bounds.longest();
    if (range.depth >= kMedianSplitDepth || !(bounds.lo[axis] < bounds.hi[axis]))
      return split_median(all, range, axis);
    // The middle of two different floats rounds to a value in [lo, hi]; `cut` is hi if it rounds to lo. So lo < cut
    // <= hi, and "< cut" puts lo on the left and hi on the right.
    const float middle = 0.5F * bounds.lo[axis] + 0.5F * bounds.hi[axis];
    const float cut = middle > bounds.lo[axis] ? middle : bounds.hi[axis];
    const auto right =
        std::partition(part.begin(), part.end(), [&](const BuildLeaf& leaf) { return leaf.centre(axis) < cut; });
    return range.begin + static_cast<std::uint32_t>(std::distance(part.begin(), right));
  };
  return build_top_down(boxes.size(), split, [&](std::uint32_t i) { return leaves[i].id; });
}

}  // namespace graze::bvh::detail
