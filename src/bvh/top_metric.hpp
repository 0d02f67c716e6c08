// Culling efficiency of each node in the upper level of a two-level tree: the metric for selective restructuring
// (restructure_top.hpp).
//
// Yoon, Curtis, Manocha (2007) measure the culling efficiency of a part of a hierarchy by volumes. Here the tree is
// tested against its own components, so the probability that a component overlaps a node is the volume of the
// node's box, enlarged by the mean extents of the components, over that of the root's enlarged box. The enlargement
// follows from this model; it also distinguishes boxes of zero volume, and an axis along which everything is flat
// drops out. `visits` sums the probabilities over a subtree: the number of nodes that one component is expected to
// test there. The visits after a rebuild are predicted from the number of items and from how much they fill the
// node, by a crude formula whose factor comes from the last build of that node (calibration). Growth,
// scattering and gathering of components change the prediction; a node just built has exactly the predicted visits.
// Cost: O(C) for C components.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/two_level.hpp"

namespace graze::bvh::detail {

/// Metric of the node whose children are in one block of the upper level.
struct UpperNode {
  double chance = 0.0;      ///< probability that a component overlaps its box
  double visits = 0.0;      ///< sum of the probabilities of all nodes of its subtree, component roots included
  double items = 0.0;       ///< the part of `visits` that belongs to the roots of components
  std::uint32_t count = 0;  ///< number of components below

  /// Returns the visits that the formula predicts, without the calibration factor: one node per level where boxes
  /// partition space, plus twice the overlap of the items; at most the number of nodes.
  [[nodiscard]] double uncalibrated_visits() const;
};

/// Measures the nodes above each of the `upper` blocks; entry 0 is unused. boxes[i] is the box of node slot i.
/// Words >= upper, including leaves, are items.
std::vector<UpperNode> measure_upper(const BvhTree& tree, std::uint32_t upper, std::span<const Aabb> boxes);

/// Sets the boxes of the inner nodes above blocks [1, upper) to the unions of their children; the boxes of items
/// are given.
void unite_boxes(const BvhTree& tree, std::uint32_t upper, std::span<Aabb> boxes);

/// Records the current efficiency of blocks [first, last) as that of a fresh build.
void calibrate(TwoLevelTree& two_level, std::span<const UpperNode> nodes, std::uint32_t first, std::uint32_t last);

/// Returns the predicted visits after a rebuild of the node above a block.
double predicted_visits(const TwoLevelTree& two_level, std::span<const UpperNode> nodes, std::uint32_t block);

}  // namespace graze::bvh::detail
