// Conservative segment-box overlap test (R-TRI, Curtis et al. 2008, section 5.1): the path of a vertex over a step,
// or an edge at an instant, is a segment. The bounding box of a segment is a poor bound, so the segment itself is
// tested.
//
// Separating axes: the three axes of the box, by exact comparisons, then the three cross products of the segment's
// direction with them, with a proved error margin. A separating axis proves that segment and box have no common
// point, so "false" is certain; "true" means only that no axis was proved to separate. Cost: O(1), about 12
// products.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "geometry/volume.hpp"

namespace graze::cull {

/// Tests the cross-product axes only: returns false if one of them separates. segment_box.cpp has the proof.
bool segment_may_cross(const Vec3& p0, const Vec3& p1, const Aabb& box);

/// Tests the box axes only, exactly: returns whether the bounding box of the segment, in doubles, overlaps `box`.
inline bool segment_bounds_overlap(const Vec3& p0, const Vec3& p1, const Aabb& box) {
  // No short-circuit evaluation: which comparison fails is random, and branches would be mispredicted.
  const auto overlap = [](double a, double b, float lo, float hi) {
    return static_cast<int>(std::max(a, b) >= double{lo}) & static_cast<int>(std::min(a, b) <= double{hi});
  };
  return (overlap(p0.x, p1.x, box.lo[0], box.hi[0]) & overlap(p0.y, p1.y, box.lo[1], box.hi[1]) &
          overlap(p0.z, p1.z, box.lo[2], box.hi[2])) != 0;
}

/// Returns false only if the closed segment and the closed box have no common point. Preconditions: finite points;
/// no NaN in the box, which may be infinite.
inline bool segment_may_overlap(const Vec3& p0, const Vec3& p1, const Aabb& box) {
  return segment_bounds_overlap(p0, p1, box) && segment_may_cross(p0, p1, box);
}

/// Tests one segment against many boxes: writes the indices of the boxes that it may overlap, ascending, and
/// returns how many. Precondition: `found` has space for one index per box.
std::size_t segment_may_overlap(const Vec3& p0, const Vec3& p1, std::span<const Aabb> boxes, std::uint32_t* found);

}  // namespace graze::cull
