// Top-down construction shared by the midpoint, SAH and LBVH builders: splits ranges of an array of leaves from the
// root down, into the layout of tree.hpp.
//
// The range of a node determines the position of its blocks. So the top of the tree is split sequentially, and the
// ranges below it are then built in parallel without communication. Iterative. Cost: O(n) plus the cost of the
// splits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bvh/tree.hpp"
#include "core/tasks.hpp"
#include "geometry/volume.hpp"

namespace graze::bvh::detail {

/// Depth from which builders split at the median.
inline constexpr std::uint32_t kMedianSplitDepth = 64;

/// A node that is not built yet: its slot, the first of its blocks, and its leaves [begin, end) in the builder's
/// array.
struct BuildRange {
  std::uint32_t node = 0;
  std::uint32_t block = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t depth = 0;

  [[nodiscard]] std::uint32_t size() const { return end - begin; }
};

/// Builds a tree of n leaves. split(range) reorders the builder's array within the range and returns the position
/// of the split, strictly inside the range; leaf(i) returns the primitive at position i. Disjoint ranges are split
/// concurrently.
template <typename Split, typename Leaf>
BvhTree build_top_down(std::size_t n, const Split& split, const Leaf& leaf) {
  BvhTree tree;
  tree.leaf_count = n;
  tree.words.assign(2 * std::max<std::size_t>(n, 1), kNoNode);
  tree.parent.assign(std::max<std::size_t>(n, 1), kNoNode);
  if (n == 0) return tree;

  // Builds one node and appends the ranges of its children, if it has any.
  const auto make = [&](const BuildRange& r, std::vector<BuildRange>& rest) {
    if (r.size() == 1) {
      tree.words[r.node] = kLeaf | leaf(r.begin);
      return;
    }
    tree.words[r.node] = r.block;
    tree.parent[r.block] = r.node;
    const std::uint32_t cut = split(r);
    rest.push_back({2 * r.block, r.block + 1, r.begin, cut, r.depth + 1});
    rest.push_back({2 * r.block + 1, r.block + (cut - r.begin), cut, r.end, r.depth + 1});
  };

  constexpr std::size_t kTasks = 64;
  const std::size_t small = std::max<std::size_t>(n / kTasks, 1024);
  std::vector<BuildRange> todo{{0, 1, 0, static_cast<std::uint32_t>(n), 0}};
  std::vector<BuildRange> below;
  while (!todo.empty()) {
    const BuildRange range = todo.back();
    todo.pop_back();
    if (range.size() <= small) {
      below.push_back(range);
    } else {
      make(range, todo);
    }
  }
  std::vector<std::uint32_t> depths(below.size());
  parallel_for(0, below.size(), 1, [&](std::size_t first, std::size_t last) {
    std::vector<BuildRange> stack;
    for (std::size_t i = first; i < last; ++i) {
      stack.assign(1, below[i]);
      while (!stack.empty()) {
        const BuildRange range = stack.back();
        stack.pop_back();
        depths[i] = std::max(depths[i], range.depth);
        make(range, stack);
      }
    }
  });
  tree.depth = *std::max_element(depths.begin(), depths.end());
  return tree;
}

/// A leaf during construction: its id and its box, clamped to the largest float so that centres are finite.
struct BuildLeaf {
  std::array<float, 3> lo;
  std::array<float, 3> hi;
  std::uint32_t id;

  /// Halves both terms before the sum, which therefore cannot overflow.
  [[nodiscard]] float centre(std::size_t axis) const { return 0.5F * lo[axis] + 0.5F * hi[axis]; }
};

inline std::vector<BuildLeaf> make_build_leaves(std::span<const Aabb> boxes) {
  constexpr float kMaxFloat = std::numeric_limits<float>::max();
  std::vector<BuildLeaf> leaves(boxes.size());
  parallel_for(0, boxes.size(), 4096, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        leaves[i].lo[axis] = std::clamp(boxes[i].lo[axis], -kMaxFloat, kMaxFloat);
        leaves[i].hi[axis] = std::clamp(boxes[i].hi[axis], -kMaxFloat, kMaxFloat);
      }
      leaves[i].id = static_cast<std::uint32_t>(i);
    }
  });
  return leaves;
}

/// Bounding box of the centres of leaves.
struct CentreBounds {
  std::array<float, 3> lo;
  std::array<float, 3> hi;

  explicit CentreBounds(std::span<const BuildLeaf> leaves) {
    lo.fill(std::numeric_limits<float>::infinity());
    hi.fill(-std::numeric_limits<float>::infinity());
    for (const BuildLeaf& leaf : leaves) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float c = leaf.centre(axis);
        lo[axis] = c < lo[axis] ? c : lo[axis];
        hi[axis] = c > hi[axis] ? c : hi[axis];
      }
    }
  }
  /// Computed in double: the difference of two floats may overflow a float.
  [[nodiscard]] double extent(std::size_t axis) const {
    return static_cast<double>(hi[axis]) - static_cast<double>(lo[axis]);
  }
  [[nodiscard]] std::size_t longest() const {
    const std::size_t xy = extent(1) > extent(0) ? 1 : 0;
    return extent(2) > extent(xy) ? 2 : xy;
  }
};

/// Splits a range in half by the order (centre, id) along an axis. Both halves are non-empty and uniquely
/// determined.
inline std::uint32_t split_median(std::span<BuildLeaf> leaves, const BuildRange& range, std::size_t axis) {
  const std::uint32_t cut = range.begin + range.size() / 2;
  const auto less = [axis](const BuildLeaf& a, const BuildLeaf& b) {
    return a.centre(axis) != b.centre(axis) ? a.centre(axis) < b.centre(axis) : a.id < b.id;
  };
  std::nth_element(leaves.begin() + range.begin, leaves.begin() + cut, leaves.begin() + range.end, less);
  return cut;
}

}  // namespace graze::bvh::detail
