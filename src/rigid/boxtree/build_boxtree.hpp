// Top-down construction of a restricted boxtree (BOXTREE, section 4): split criterion, cuts and depth limit are in
// build_boxtree.cpp. O(n) for each level.
#pragma once

#include <span>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

#include "rigid/boxtree/boxtree.hpp"

namespace graze::rigid {

/// Builds the tree of a polygon soup with finite positions and valid ids. The result does not depend on the number
/// of threads.
Boxtree build_boxtree(std::span<const Vec3> positions, std::span<const Triangle> triangles, BoxtreeSplit split);

}  // namespace graze::rigid
