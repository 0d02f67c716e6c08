// Two moving objects over a slab of time [t0, t1]: bounds of both along directions that are fixed in space, linear
// in time. They follow the linear motion bounds of deforming meshes (docs/decisions, method auto) with a bound of
// the curvature of rigid motions.
//
// Along a direction d, let g(t) be the distance from the upper end of one box to the lower end of another. Between
// its ends, g lies above the line through g(t0) and g(t1) by at least -K (t1 - t0)^2 / 8, where K bounds |g''|: the
// error of linear interpolation. A rotation by w about n accelerates a point with the speed p perpendicular to the
// axis by w p at most, and along d by |d x n| of that (rigid/motion/motion.hpp). So each direction separates two
// boxes until the line, lowered by that much, reaches zero, and likewise from some time on: a *window* of the slab
// is left in which the contents of the boxes may touch. The windows of several directions intersect; if nothing is
// left, the boxes are separated for the whole slab, although no single direction need separate them throughout. The
// proof holds for any d, and translations have no curvature.
//
// Margin of a direction, in units in which the sizes of both motions sum to at most 1. Lengths of directions are at
// most 1.01, so the slopes of an object sum to at most 1.75 of its scale, and an offset is at most 1.75 of the
// distance of the middles (by coordinates):
//  - computed points and posed doubles each err by kPointError, projections in doubles by 2^-47: kGapMargin;
//  - slopes and offsets are rounded to floats, and a traversal takes `steps` products and sums, each within 2^-24
//  of
//    at most twice the sum of the slopes (and the offset): 1.75 2^-22 (steps + 8) of that, as in placement.cpp;
//  - boxes that are kept in relative coordinates (for new directions below the root) round once for each step: the
//    slopes times 2^-23 steps, less than the item above once more;
//  - the slack of the boxes; the curvature; underflow in floats: 2^-120.
// Constant cost.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "rigid/motion/motion.hpp"
#include "rigid/motion/moving_bounds.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

/// An object with a boxtree that has at least one node, and its motion, in units of 2^exponent.
struct MovingObject {
  /// `its_motion` with its time may be a piece of a motion.
  MovingObject(const ObjectState& state, Motion its_motion, int exponent);
  MovingObject(const MovingObject&) = delete;
  MovingObject& operator=(const MovingObject&) = delete;

  [[nodiscard]] std::array<Vec3, 3> vertices(TriangleId triangle) const {
    const auto& [i, j, k] = object.triangles[triangle];
    return {object.positions[i], object.positions[j], object.positions[k]};
  }
  /// Vertices of a triangle relative to the centre of rotation.
  [[nodiscard]] std::array<Vec3, 3> from_centre(TriangleId triangle) const {
    const auto& [i, j, k] = object.triangles[triangle];
    return {motion.from_centre(object.positions[i]), motion.from_centre(object.positions[j]),
            motion.from_centre(object.positions[k])};
  }

  const ObjectState& object;
  Motion motion;
  double unit;                ///< length of a relative unit of the tree
  Vec3 middle;                ///< origin of the local frame, relative to the centre of rotation
  double far;                 ///< bounds the distance of any vertex from the centre of rotation
  double size;                ///< diagonal of the root's box
  double slack;               ///< how far vertices may lie outside of boxes, in relative units
  double speed;               ///< bounds the speed of any vertex
  double acceleration_bound;  ///< Motion::acceleration_bound of all vertices
};

/// Times within a slab, as fractions of it: contents of two boxes do not touch before `start` of the slab, nor in
/// its last `tail`.
template <typename Real>
struct TimeWindow {
  Real start = 0;
  Real tail = 0;
};

inline constexpr std::size_t kSlabDirections = 16;

/// Projections of both objects on sixteen directions, in floats: a vertex with relative coordinates u lies at the
/// sum of slope[i] u[i] at both ends of the slab; b's are measured from offset. Both are relative to the middle of
/// a at that time, which moves: gaps do not depend on a common origin.
struct SlabFrame {
  using Row = std::array<float, kSlabDirections>;
  using Slopes = std::array<std::array<Row, 3>, 2>;  ///< [end][axis of the tree][direction]
  alignas(64) Slopes slope_a;
  alignas(64) Slopes slope_b;
  alignas(64) std::array<Row, 2> before;  ///< offset of b minus the margin, for lower ends
  alignas(64) std::array<Row, 2> beyond;  ///< offset of b plus the margin, for upper ends
};

/// Interval of a box: lower ends at the start and at the end of the slab, then upper ends, by direction.
struct alignas(64) TimedEnds {
  std::array<SlabFrame::Row, 2> lo;
  std::array<SlabFrame::Row, 2> hi;
};

/// The ends of a slab of time, 0 <= t0 < t1 <= 1.
class MovingSlab {
 public:
  MovingSlab(const MovingObject& a, const MovingObject& b, double t0, double t1);

  [[nodiscard]] double t0() const { return t0_; }
  [[nodiscard]] double t1() const { return t1_; }
  [[nodiscard]] double duration() const { return t1_ - t0_; }
  [[nodiscard]] const MovingObject& a() const { return a_; }
  [[nodiscard]] const MovingObject& b() const { return b_; }
  [[nodiscard]] const Motion::Instant& at_a(std::size_t end) const { return at_a_[end]; }
  [[nodiscard]] const Motion::Instant& at_b(std::size_t end) const { return at_b_[end]; }
  /// Axes of the tree of a or b about halfway, of length at most 1, shorter the more the object turns in the slab.
  [[nodiscard]] std::array<Vec3, 3> axes_a() const { return axes(at_a_); }
  [[nodiscard]] std::array<Vec3, 3> axes_b() const { return axes(at_b_); }
  /// The largest coordinate of the middle of b relative to that of a, at either end.
  [[nodiscard]] double far() const {
    return std::max(geometry::max_abs(between_[0]), geometry::max_abs(between_[1]));
  }
  /// Bounds how far gaps may fall below their line, along the worst direction.
  [[nodiscard]] double bend() const;

  /// The window of the roots' boxes along the 15 directions of BOXTREE, section 3.2.3, in doubles; start and tail
  /// sum to more than 1 if they are separated throughout.
  [[nodiscard]] TimeWindow<double> root_window() const;
  /// The projections of a traversal. Directions have lengths of at most 1.01.
  void project(const std::array<Vec3, kSlabDirections>& directions, SlabFrame& frame) const;
  /// The 15 directions, and zero, which separates nothing.
  [[nodiscard]] std::array<Vec3, kSlabDirections> box_directions() const;

 private:
  static std::array<Vec3, 3> axes(const std::array<Motion::Instant, 2>& at);
  [[nodiscard]] double bend(const Vec3& direction) const;

  const MovingObject& a_;
  const MovingObject& b_;
  double t0_;
  double t1_;
  std::array<Motion::Instant, 2> at_a_;
  std::array<Motion::Instant, 2> at_b_;
  std::array<Vec3, 2> between_;  ///< from the middle of a to the middle of b
};

}  // namespace graze::rigid
