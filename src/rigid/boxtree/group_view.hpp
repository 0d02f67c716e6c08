// The relative placement of two objects for a traversal of their group trees: each object's view of the other one,
// in its own relative coordinates.
//
// If triangles touch at a point that is u in the viewer's relative coordinates and w in the other's, then u =
// offset + S w up to an error e with |s . e| <= margin for every direction s with |s| <= 1 + 2e-5. The margin also
// covers the rounding of all tests in rigid/boxtree/group_traversal.cpp, which derives its share. Constant cost.
#pragma once

#include <array>

#include <graze/rigid.hpp>

#include "rigid/boxtree/group_tree.hpp"
#include "rigid/local_frame.hpp"

namespace graze::rigid {

/// Shares of the half extents of a box that are added to a margin, see rigid/boxtree/group_traversal.cpp.
inline constexpr float kOwnSkew = 0x1p-16F;
inline constexpr float kOtherSkew = 0x1p-14F;

struct GroupView {
  std::array<std::array<float, 3>, 3> slope;  ///< S: [axis of the other object][axis of the viewer]
  std::array<std::array<float, 3>, 3> turn;   ///< S / scale
  std::array<float, 3> offset;
  float scale;  ///< the unit of the other object in units of the viewer
  float margin;
  double unit;  ///< the viewer's unit in units of 2^exponent, at most

  [[nodiscard]] std::array<float, 3> point(const std::array<float, 3>& w) const {
    std::array<float, 3> u;
    for (std::size_t k = 0; k < 3; ++k)
      u[k] = offset[k] + ((slope[0][k] * w[0] + slope[1][k] * w[1]) + slope[2][k] * w[2]);
    return u;
  }
};

struct GroupPlacement {
  GroupView a;
  GroupView b;
  int exponent = 0;
  /// The boxes of the roots, along the axes of the local frames or oriented, are separated. Then the views are not
  /// filled, and `gap` is a lower bound of the distance, in units of 2^exponent.
  bool roots_separated = false;
  double gap = 0.0;
};

/// An object at its pose, as place_groups() needs it.
struct GroupPlaced {
  const LocalFrame& local_frame;
  const Pose& pose;
  double max_coordinate;           ///< the largest |coordinate| of its vertices
  const std::array<float, 3>& lo;  ///< the root's box along the axes of the local frame, up to 1e-6
  const std::array<float, 3>& hi;
  const GroupBox& root;
};

/// Precondition: poses are checked, so that rotations are orthonormal within 1e-6.
/// With `measure`, looks for the widest gap.
GroupPlacement place_groups(const GroupPlaced& a, const GroupPlaced& b, bool measure);

}  // namespace graze::rigid
