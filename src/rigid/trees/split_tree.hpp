// The shape of a binary tree over triangles, before it has volumes: top down, binned area heuristic over boxes, 16
// bins along each axis. One shape for all trees that the boxtree is compared with, so that they differ in their
// volumes alone. Sets that bins cannot split, and whatever is deeper than 40 levels, are halved. O(n log n).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/namespaces.hpp"

namespace graze::rigid {

/// A point in the relative coordinates of a tree, and a triangle of such.
using Point = std::array<double, 3>;
using Corners = std::array<Point, 3>;

struct SplitTree {
  struct Node {
    std::uint32_t first = 0;  ///< its triangles: order[first] to order[last - 1]
    std::uint32_t last = 0;
    std::uint32_t child = 0;  ///< the first of two that stand together, behind their parent; 0: a leaf
  };
  std::vector<std::uint32_t> order;
  std::vector<Node> nodes;  ///< the root first; leaves have one triangle
  std::uint32_t depth = 0;
};

SplitTree build_split_tree(std::span<const Corners> triangles);

}  // namespace graze::rigid
