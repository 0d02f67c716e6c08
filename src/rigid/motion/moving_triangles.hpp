// Conservative advancement of a leaf pair: the distance of two triangles in rigid motion, and a certified time
// until which they stay separated.
//
// The closest points of 9 edge-edge and 6 vertex-face pairs give a direction d and a distance that is not below the
// true one. For any d, each of the 9 vertex pairs gives a time until which it keeps its order along d, from the
// speeds at that time and the acceleration bounds of rigid/motion/moving_slab.hpp; until the smallest of these
// times the triangles are separated. Triangles that cross have no such d. Crossing is therefore decided exactly at
// the start, and triangles that start disjoint never reach a crossing. Constant cost.
#pragma once

#include <array>

#include <graze/types.hpp>

#include "rigid/motion/motion.hpp"

namespace graze::rigid {

struct MovingTriangle {
  const Motion* motion;
  std::array<Vec3, 3> from_centre;  ///< Motion::from_centre of its vertices
  double acceleration_bound;        ///< Motion::acceleration_bound of its vertices

  /// `far` bounds the distance of points of the object from the centre of rotation.
  MovingTriangle(const Motion& its_motion, const std::array<Vec3, 3>& vertices, double far);
};

struct TriangleGap {
  double distance = 0.0;  ///< at least the distance of the posed triangles, unless they cross
  double until = 0.0;     ///< separated before this time, and also at t if it is > t; equals t if nothing is proved
};

/// Tests two triangles at time t, in units in which the sizes of both motions sum to at most 1. If `until` reaches
/// `enough`, the distance may be infinity: it was not measured. Triangles closer than `contact` may be left without
/// a proof that they are separated longer.
TriangleGap triangle_gap(const MovingTriangle& a, const MovingTriangle& b, double t, double enough = 4.0,
                         double contact = 0.0);

}  // namespace graze::rigid
