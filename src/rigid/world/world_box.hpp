// Boxes of posed objects in the coordinates of the world, in doubles: the bounding volume of a world's broad phase.
// Doubles, because worlds reach from 1e-300 to 1e300 and floats do not.
//
// The box of a posed object contains the posed doubles of all its vertices. It is derived in constant time from the
// object's local box and ball: along each axis of the world the posed object reaches no farther from its posed
// centre than the turned local box, and no farther than the ball around the centre. Proof of the rounding in the
// source.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::rigid {

struct WorldBox {
  std::array<double, 3> lo{};
  std::array<double, 3> hi{};

  /// Whether closed boxes share a point.
  [[nodiscard]] bool overlaps(const WorldBox& other) const {
    // No early exit: which comparison fails is unpredictable, so branches would be mispredicted.
    unsigned apart = 0;
    for (std::size_t k = 0; k < 3; ++k)
      apart |= static_cast<unsigned>(lo[k] > other.hi[k]) | static_cast<unsigned>(other.lo[k] > hi[k]);
    return apart == 0;
  }
  [[nodiscard]] bool contains(const WorldBox& other) const {
    unsigned beyond = 0;
    for (std::size_t k = 0; k < 3; ++k)
      beyond |= static_cast<unsigned>(lo[k] > other.lo[k]) | static_cast<unsigned>(other.hi[k] > hi[k]);
    return beyond == 0;
  }
  [[nodiscard]] WorldBox united(const WorldBox& other) const {
    WorldBox both;
    for (std::size_t k = 0; k < 3; ++k) {
      both.lo[k] = std::min(lo[k], other.lo[k]);
      both.hi[k] = std::max(hi[k], other.hi[k]);
    }
    return both;
  }
  /// Half of the surface area. Infinite, or 0, beyond the range of doubles: then trees are worse, not wrong.
  [[nodiscard]] double half_area() const {
    const double x = hi[0] - lo[0];
    const double y = hi[1] - lo[1];
    const double z = hi[2] - lo[2];
    return x * y + y * z + z * x;
  }

  friend bool operator==(const WorldBox&, const WorldBox&) = default;
};

/// Box and ball of an object in its own coordinates, around one centre. They contain every vertex that a triangle
/// uses, in real arithmetic.
struct LocalBounds {
  Vec3 centre;
  Vec3 half;
  double radius = 0.0;
  double max_coordinate = 0.0;  ///< the largest |coordinate| of these vertices
  bool empty = true;            ///< no triangle: there is no box
};

/// O(triangles).
LocalBounds local_bounds(std::span<const Vec3> positions, std::span<const Triangle> triangles);

/// The box of an object in a pose. Preconditions: the bounds are not empty, the pose is valid for the object.
WorldBox posed_box(const LocalBounds& bounds, const Pose& pose);

/// The box, larger by `share` of its longest side on every side, and by `along` in its direction.
WorldBox enlarged(const WorldBox& box, double share, const std::array<double, 3>& along = {});

}  // namespace graze::rigid
