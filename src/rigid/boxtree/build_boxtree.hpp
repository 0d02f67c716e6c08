// Top-down construction of a restricted boxtree (BOXTREE, section 4).
#pragma once

#include <span>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

#include "rigid/boxtree/boxtree.hpp"

namespace graze::rigid {

/// The tree of a soup of finite points with ids in range. The same for any number of threads.
Boxtree build_boxtree(std::span<const Vec3> positions, std::span<const Triangle> triangles, BoxtreeSplit split);

}  // namespace graze::rigid
