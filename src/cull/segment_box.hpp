// Segment against box, conservatively (R-TRI, Curtis et al. 2008, section 5.1): the path of a vertex over a step,
// or an edge at an instant, is a segment; its own box is a poor bound for it, so it is tested as what it is.
//
// Separating axes: the three of the box, by exact comparisons, then the three cross products of the segment's
// direction with them, with a proved margin. An axis that separates proves that no point is common, so "false" is
// certain; "true" means only that none was proved to separate. Cost: O(1), about 12 products.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "geometry/volume.hpp"

namespace graze::cull {

/// The cross axes alone: false if one of them separates. See segment_box.cpp for the proof.
bool segment_may_cross(const Vec3& p0, const Vec3& p1, const Aabb& box);

/// The box axes alone, exact: whether the box of the segment, in doubles, and `box` share a point.
inline bool segment_bounds_overlap(const Vec3& p0, const Vec3& p1, const Aabb& box) {
  // Without short cuts: which comparison fails is a coin toss that branches would lose.
  const auto overlap = [](double a, double b, float lo, float hi) {
    return static_cast<int>(std::max(a, b) >= double{lo}) & static_cast<int>(std::min(a, b) <= double{hi});
  };
  return (overlap(p0.x, p1.x, box.lo[0], box.hi[0]) & overlap(p0.y, p1.y, box.lo[1], box.hi[1]) &
          overlap(p0.z, p1.z, box.lo[2], box.hi[2])) != 0;
}

/// False only if the closed segment and the closed box have no common point. Preconditions: finite points; no NaN
/// in the box, which may be infinite.
inline bool segment_may_overlap(const Vec3& p0, const Vec3& p1, const Aabb& box) {
  return segment_bounds_overlap(p0, p1, box) && segment_may_cross(p0, p1, box);
}

/// One segment against many boxes: writes, ascending, the places of those that it may overlap, and returns how
/// many. Precondition: room for as many as there are boxes.
std::size_t segment_may_overlap(const Vec3& p0, const Vec3& p1, std::span<const Aabb> boxes, std::uint32_t* found);

}  // namespace graze::cull
