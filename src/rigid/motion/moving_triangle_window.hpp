// The window of times of a leaf pair: the separating axis test of two moving triangles over a slab of time, in SIMD
// lanes, a lane for each direction (rigid/motion/moving_slab.hpp has the proof, which holds for any directions).
//
// Directions, from the triangles about halfway: 9 cross products of edges, 2 normals, and 5 normals of edges within
// their planes, which matter for triangles in one plane. All in floats, relative to the first vertex of a at either
// time and scaled to size 1, so the margin is relative to the triangles and their distance, not to the objects.
//
// Margin: coordinates are below 2 and rounded by 2^-23; directions are no longer than 1 + 2^-21, so their
// coordinates sum to at most 1.75. A projection errs by 3 roundings of products and sums of at most 3.5 each, and
// by 1.75 2^-23 from coordinates: below 2^-20. The difference of two and its margin: below 2^-18. The curvature is
// computed with a relative error below 2^-20. Constant cost.
#pragma once

#include <array>

#include "rigid/motion/moving_slab.hpp"

namespace graze::rigid {

/// A triangle at both ends of a slab.
struct TimedTriangle {
  std::array<std::array<Vec3, 3>, 2> at;
  Vec3 axis;                  ///< axis of rotation
  double acceleration_bound;  ///< Motion::acceleration_bound of its vertices
};

using FloatPoint = std::array<float, 3>;

/// Both triangles in floats, relative to a common origin at either time.
struct ScaledPair {
  std::array<std::array<FloatPoint, 3>, 2> a;  ///< [end][vertex]
  std::array<std::array<FloatPoint, 3>, 2> b;
  std::array<FloatPoint, 6> edges;  ///< edges of a, then of b, about halfway, in any scale
  FloatPoint axis_a;
  FloatPoint axis_b;
  float bend_a;  ///< curvature along a direction d with |d x axis| = 1
  float bend_b;
  float margin;
};

/// Narrows the window of two triangles in a slab of this duration. Returns true if nothing is left of it.
bool narrow_triangles(const TimedTriangle& a, const TimedTriangle& b, double duration, TimeWindow<float>& window);

}  // namespace graze::rigid
