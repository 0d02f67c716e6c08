// How well the upper level of a two-level tree culls, node by node: what decides about restructuring.
//
// Yoon, Curtis, Manocha (2007) judge the culling efficiency of a part of a hierarchy by volumes. Ours: what is
// tested against the tree are its own components, so the chance that one meets a node is the volume of the node's
// box grown by their mean extents, over that of the root's. The growth is derived, and at the same time keeps boxes
// of no volume apart; an axis along which everything is flat drops out. `visits` sums the chances over a subtree:
// the nodes that one component is expected to test there. What a rebuild would bring it to is predicted from the
// number of items and how much they fill the node, by a crude law whose factor is taken from the last build of that
// node (calibration): growth, scattering and gathering change the prediction, and a node just built is as
// predicted. Cost: O(C).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/two_level.hpp"

namespace graze::bvh::detail {

/// The node whose children are in a block of the upper level.
struct UpperNode {
  double chance = 0.0;      ///< that a component meets its box
  double visits = 0.0;      ///< sum of the chances of all nodes of its subtree, roots of components included
  double items = 0.0;       ///< the part of `visits` that is roots of components
  std::uint32_t count = 0;  ///< of those roots

  /// Visits that the law expects, but for the factor: a node a level where boxes part space, and twice what the
  /// items overlap; never more than there are nodes.
  [[nodiscard]] double law() const;
};

/// For each of `upper` blocks (the first stands for nothing); boxes[i]: that of node slot i. Words of `upper` and
/// more, leaves too, are items.
std::vector<UpperNode> measure_upper(const BvhTree& tree, std::uint32_t upper, std::span<const Aabb> boxes);

/// Makes the inner nodes of the blocks [1, upper) the unions of their children; the boxes of items are given.
void unite_boxes(const BvhTree& tree, std::uint32_t upper, std::span<Aabb> boxes);

/// Remembers the blocks [first, last) as freshly built.
void calibrate(TwoLevelTree& two_level, std::span<const UpperNode> nodes, std::uint32_t first, std::uint32_t last);

/// Visits after a rebuild of the node above a block.
double predicted_visits(const TwoLevelTree& two_level, std::span<const UpperNode> nodes, std::uint32_t block);

}  // namespace graze::bvh::detail
