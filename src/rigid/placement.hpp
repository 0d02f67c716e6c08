// Projection of two posed objects onto the directions of a separating axis test: for each direction the positions
// of both objects' vertices as linear functions of relative coordinates. All overlap tests (of boxtrees and of the
// other trees) start from it.
//
// For a direction s, the vertex of a with relative coordinates u lies at the sum of slope_a[i] u[i], and a vertex
// of b at offset + the sum of slope_b[i] u[i], in units of 2^exponent and measured from the centre of a. `margin`
// bounds the difference between these floats and the posed doubles plus the rounding of a traversal. So if the
// intervals that a traversal derives for two boxes are separated by more than the margin along some s, the boxes
// contain no triangles that intersect. The proof holds for any s, of unit length or not, and for poses that are not
// exactly orthonormal. Values that overflow or are NaN never separate anything. Constant cost.
#pragma once

#include <array>
#include <cstddef>

#include <graze/rigid.hpp>

#include "rigid/local_frame.hpp"

namespace graze::rigid {

/// Directions in order: the axes of a, the axes of b, the cross products of axis i of a and axis j of b at 6 + 3 i
/// + j, and one zero direction, which never separates.
inline constexpr std::size_t kDirections = 16;

/// An object at its pose.
struct Placed {
  LocalFrame local_frame;
  Pose pose;
  double max_coordinate = 0.0;  ///< the largest |coordinate| of its vertices
  double slack = 0.0;           ///< how far vertices may lie outside of the boxes of the tree, in relative units
  double steps = 0.0;           ///< steps of a traversal from root to leaf; each is a product and a sum of floats
  /// The box of the root. The default is the box of the local frame, which contains every object.
  std::array<float, 3> lo = {-1.0F, -1.0F, -1.0F};
  std::array<float, 3> hi = {1.0F, 1.0F, 1.0F};
};

struct Placement {
  using Row = std::array<float, kDirections>;
  alignas(64) std::array<Row, 3> slope_a{};  ///< [axis of the tree][direction]
  alignas(64) std::array<Row, 3> slope_b{};
  alignas(64) Row offset{};
  alignas(64) Row margin{};
  alignas(64) Row inverse_length{};  ///< at most 1 / |s|; filled only on request
  int exponent = 0;
  /// The roots are separated along one of the first six directions: no traversal is needed, and the cross products
  /// are not filled. With lengths, `gap` is a lower bound of the distance, in units.
  bool roots_separated = false;
  double gap = 0.0;
};

Placement place(const Placed& a, const Placed& b, bool with_lengths = false);

/// Displacement bound between two poses: the largest distance that any posed point of the object moves, rounded up.
/// `object.pose` is not used.
double max_displacement(const Placed& object, const Pose& from, const Pose& to);

}  // namespace graze::rigid
