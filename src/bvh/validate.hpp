// Checks every promise of tree.hpp and volumes.hpp on a tree at hand; for tests and for debugging. Cost: O(n).
#pragma once

#include <string>

#include "bvh/two_level.hpp"
#include "bvh/volumes.hpp"

namespace graze::bvh {

/// Empty if the tree is right: every leaf once, subtrees in their ranges, parents before children, depth as stated,
/// pieces and top covering all blocks once; of two levels, the same in each. Else one line on the first thing that
/// is wrong.
std::string bvh_validate(const BvhTree& tree);

/// Also: every inner node is exactly the union of its children, and unused slots are empty.
template <typename Volume>
std::string bvh_validate(const BvhTree& tree, const BvhVolumes<Volume>& volumes);

/// Also: components are what and where they are said to be.
std::string bvh_validate(const TwoLevelTree& two_level);
template <typename Volume>
std::string bvh_validate(const TwoLevelTree& two_level, const BvhVolumes<Volume>& volumes);

}  // namespace graze::bvh
