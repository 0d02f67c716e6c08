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
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "geometry/volume.hpp"

namespace graze::cull {

/// A box in doubles, for positions that floats do not resolve.
struct DoubleBox {
  std::array<double, 3> lo{};
  std::array<double, 3> hi{};
};

/// Tests the cross-product axes only: returns false if one of them separates. segment_box.cpp has the proof.
bool segment_may_cross(const Vec3& p0, const Vec3& p1, const Aabb& box);
bool segment_may_cross(const Vec3& p0, const Vec3& p1, const DoubleBox& box);

/// Tests the box axes only, exactly: returns whether the bounding box of the segment, in doubles, overlaps `box`.
template <typename Box>
bool segment_bounds_overlap(const Vec3& p0, const Vec3& p1, const Box& box) {
  // No short-circuit evaluation: which comparison fails is random, and branches would be mispredicted.
  const auto overlap = [](double a, double b, double lo, double hi) {
    return static_cast<int>(std::max(a, b) >= lo) & static_cast<int>(std::min(a, b) <= hi);
  };
  return (overlap(p0.x, p1.x, double{box.lo[0]}, double{box.hi[0]}) &
          overlap(p0.y, p1.y, double{box.lo[1]}, double{box.hi[1]}) &
          overlap(p0.z, p1.z, double{box.lo[2]}, double{box.hi[2]})) != 0;
}

/// Returns false only if the closed segment and the closed box have no common point. Preconditions: finite points;
/// no NaN in the box, which may be infinite.
template <typename Box>
bool segment_may_overlap(const Vec3& p0, const Vec3& p1, const Box& box) {
  return segment_bounds_overlap(p0, p1, box) && segment_may_cross(p0, p1, box);
}

/// Tests one segment against many boxes: writes the indices of the boxes that it may overlap, ascending, and
/// returns how many. Precondition: `found` has space for one index per box.
std::size_t segment_may_overlap(const Vec3& p0, const Vec3& p1, std::span<const Aabb> boxes, std::uint32_t* found);

}  // namespace graze::cull
