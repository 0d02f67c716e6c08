// Two posed objects, projected: for each of some directions of space where the vertices of either lie, as sums over
// the axes of its tree. What the overlap tests of boxtrees and of other trees start from.
//
// For a direction s, the vertex of a with relative coordinates u lies at sum of slope_a[i] u[i], and one of b at
// offset + sum of slope_b[i] u[i], in units of 2^exponent and measured from the middle of a. `margin` covers what
// parts these floats from the posed doubles, and the rounding of a walk. So if the intervals that a walk derives
// for two boxes are farther apart than the margin along some s, the boxes hold no triangles that meet. Any s is
// right, a unit vector or not, whether the poses are exactly orthonormal or not. Values that overflow or are no
// numbers tell nothing apart. Constant cost.
#pragma once

#include <array>
#include <cstddef>

#include <graze/rigid.hpp>

#include "rigid/local_frame.hpp"

namespace graze::rigid {

/// The directions, in order: the axes of a, the axes of b, the products of axis i of a and axis j of b at
/// 6 + 3 i + j, and one that is zero, which tells nothing apart.
inline constexpr std::size_t kDirections = 16;

/// An object in its place.
struct Placed {
  Frame frame;
  Pose pose;
  double reach = 0.0;  ///< the largest |coordinate| of its vertices
  double slack = 0.0;  ///< how far vertices may be outside of the boxes of the tree, in relative units
  double steps = 0.0;  ///< of a walk from the root to a leaf, each a product and a sum of floats
  /// The box of its root: by default that of the frame, which holds every object.
  std::array<float, 3> lo = {-1.0F, -1.0F, -1.0F};
  std::array<float, 3> hi = {1.0F, 1.0F, 1.0F};
};

struct Placement {
  using Row = std::array<float, kDirections>;
  alignas(64) std::array<Row, 3> slope_a{};  ///< [axis of the tree][direction]
  alignas(64) std::array<Row, 3> slope_b{};
  alignas(64) Row offset{};
  alignas(64) Row margin{};
  alignas(64) Row inverse_length{};  ///< at most 1 / |s|; filled where asked for
  int exponent = 0;
  /// The roots are apart along one of the first six directions: there is nothing to walk, and the products of axes
  /// are not filled. With lengths, `gap` is how far at least, in units.
  bool roots_apart = false;
  double gap = 0.0;
};

Placement place(const Placed& a, const Placed& b, bool with_lengths = false);

/// How far a point of an object can have moved from one pose to another: of posed doubles, in units of space,
/// rounded up. `object.pose` is not used.
double largest_move(const Placed& object, const Pose& from, const Pose& to);

}  // namespace graze::rigid
