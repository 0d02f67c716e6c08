// How good a tree is for its volumes, and when it has rotted enough to be built anew.
//
// bvh_cost = (sum of the areas of inner nodes) / (sum of the areas of leaves + area of the root), areas of the
// boxes (first three directions of any volume). The numerator is what the surface area heuristic minimises: the
// chance that a node is visited. Dividing by the leaves takes out uniform growth and longer steps, which no tree
// can help; the root keeps it finite for leaves of no area. A refitted tree whose cost has passed kRebuildFactor
// times the cost right after its build should be rebuilt, all of it. To rebuild parts of it selectively, as is done
// in the upper of two levels (restructure_top.hpp), did not pay in the one case that was tried, untuned: on a sheet
// of 250k triangles whose halves drift apart the metric alone takes 0.2 of a build and finds nothing up to a
// distance at which traversal takes 1.03 of its time; at 1.2 it chooses everything, for 1.8 of a build. Edits
// (edit_tree.hpp) rebuild what they wear out.
// Cost: O(n), the same bits at any number of threads.
#pragma once

#include "bvh/volumes.hpp"

namespace graze::bvh {

/// Rebuild pays once traversal, which grows about as the cost does, has lost half again.
inline constexpr double kRebuildFactor = 1.5;

/// See above; 1 where every area is 0 or one is infinite.
template <typename Volume>
double bvh_cost(const BvhTree& tree, const BvhVolumes<Volume>& volumes);

inline bool bvh_should_rebuild(double cost_at_build, double cost_now, double factor = kRebuildFactor) {
  return cost_now > factor * cost_at_build;
}

/// Topology and volumes, a leaf.
template <typename Volume>
double bvh_bytes_per_triangle(const BvhTree& tree, const BvhVolumes<Volume>& volumes) {
  if (tree.leaf_count == 0) return 0.0;
  return static_cast<double>(tree.memory_bytes() + volumes.memory_bytes()) / static_cast<double>(tree.leaf_count);
}

}  // namespace graze::bvh
