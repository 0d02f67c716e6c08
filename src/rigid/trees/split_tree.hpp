// Topology of a binary tree over triangles, before volumes are fitted: top-down build with the
// surface area heuristic (SAH) over boxes, 16 bins along each axis. All trees that the boxtree is compared with use
// one topology, so that they differ only in their volumes. Sets that bins cannot split, and nodes deeper than 40
// levels, are halved. O(n log n).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/namespaces.hpp"

namespace graze::rigid {

/// A point in the relative coordinates of a tree, and a triangle of three such points.
using Point = std::array<double, 3>;
using Corners = std::array<Point, 3>;

struct SplitTree {
  struct Node {
    std::uint32_t first = 0;  ///< triangles of the node: order[first] to order[last - 1]
    std::uint32_t last = 0;
    std::uint32_t child = 0;  ///< first of two adjacent children, at a larger index; 0: a leaf
  };
  std::vector<std::uint32_t> order;
  std::vector<Node> nodes;  ///< the root first; leaves have one triangle
  std::uint32_t depth = 0;
};

SplitTree build_split_tree(std::span<const Corners> triangles);

}  // namespace graze::rigid
