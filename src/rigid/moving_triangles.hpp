// The distance of two triangles in rigid motion, and how long they certainly stay apart: the leaves of conservative
// advancement.
//
// The closest points of 9 pairs of edges and 6 of a vertex and a face give a direction d, and a distance that is no
// less than the true one. Whatever d is, each of the 9 pairs of vertices gives a time until which they keep their
// order along d, with their speeds at that time and bends as of rigid/moving_boxes.hpp: until the least of these
// the triangles are apart. Triangles that cross have no such d; so they are told from others at the start, exactly,
// and later they never get there. Constant cost.
#pragma once

#include <array>

#include <graze/types.hpp>

#include "rigid/motion.hpp"

namespace graze::rigid {

struct MovingTriangle {
  const Motion* motion;
  std::array<Vec3, 3> from_centre;  ///< its vertices, as Motion::from_centre
  double bend;                      ///< Motion::bend of its vertices

  /// `far` bounds how far points of the object are from the centre.
  MovingTriangle(const Motion& its_motion, const std::array<Vec3, 3>& vertices, double far);
};

struct TriangleGap {
  double distance = 0.0;  ///< not less than the distance of the triangles of posed doubles, unless they cross
  double until = 0.0;     ///< they are apart before it; more than t: at t, too. t if nothing is proved
};

/// At time t, in units in which both motions' sizes sum to at most 1. Where `until` is at least `enough`, the
/// distance may be infinity: it was not measured.
TriangleGap triangle_gap(const MovingTriangle& a, const MovingTriangle& b, double t, double enough = 4.0);

}  // namespace graze::rigid
