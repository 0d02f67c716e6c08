// Quality of a refitted tree (SAH cost), and the decision to rebuild a tree that has degraded.
//
// bvh_cost = (sum of the areas of inner nodes) / (sum of the areas of leaves + area of the root), where areas are
// those of the boxes (the first three directions of any volume). The numerator is what the surface area heuristic
// (SAH) minimises: the probability that a node is visited. Division by the leaf areas removes uniform growth and
// longer steps, which no tree can avoid; the root area keeps the quotient finite if leaves have no area. Rebuild
// the whole tree once its cost exceeds kRebuildFactor times the cost right after its build. Selective
// restructuring, as in the upper level of a two-level tree (restructure_top.hpp), did not pay here in the one case
// tried, untuned: on a sheet of 250k triangles whose halves drift apart, the metric alone takes 0.2 of a build and
// finds nothing until traversal takes 1.03 times as long; at 1.2 times it selects everything, at 1.8 times the cost
// of a build. Edits (edit_tree.hpp) rebuild the nodes that they degrade. Cost: O(n); the result has the same bits
// with any number of threads.
#pragma once

#include "bvh/volumes.hpp"

namespace graze::bvh {

/// A rebuild pays once traversal, whose time grows roughly as the cost, takes half as long again as after the
/// build.
inline constexpr double kRebuildFactor = 1.5;

/// Returns the quotient defined above; 1 if all areas are 0 or one is infinite.
template <typename Volume>
double bvh_cost(const BvhTree& tree, const BvhVolumes<Volume>& volumes);

inline bool bvh_should_rebuild(double cost_at_build, double cost_now, double factor = kRebuildFactor) {
  return cost_now > factor * cost_at_build;
}

/// Returns the memory of topology and volumes, in bytes per leaf.
template <typename Volume>
double bvh_bytes_per_triangle(const BvhTree& tree, const BvhVolumes<Volume>& volumes) {
  if (tree.leaf_count == 0) return 0.0;
  return static_cast<double>(tree.memory_bytes() + volumes.memory_bytes()) / static_cast<double>(tree.leaf_count);
}

}  // namespace graze::bvh
