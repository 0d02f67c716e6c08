// Checks all invariants of tree.hpp, volumes.hpp and two_level.hpp on a given tree; for tests and debugging. Cost:
// O(n).
#pragma once

#include <string>

#include "bvh/two_level.hpp"
#include "bvh/volumes.hpp"

namespace graze::bvh {

/// Returns an empty string if the tree is valid: each leaf occurs once, subtrees are in their ranges, parents
/// precede children, the depth is right, pieces and top cover each block once; in a two-level tree, each level by
/// itself. Else returns one line that describes the first fault.
std::string bvh_validate(const BvhTree& tree);

/// Also checks that every inner node is exactly the union of its children, and that the volumes of unused slots are
/// empty.
template <typename Volume>
std::string bvh_validate(const BvhTree& tree, const BvhVolumes<Volume>& volumes);

/// Also checks that the list of components describes the lower level.
std::string bvh_validate(const TwoLevelTree& two_level);
template <typename Volume>
std::string bvh_validate(const TwoLevelTree& two_level, const BvhVolumes<Volume>& volumes);

}  // namespace graze::bvh
