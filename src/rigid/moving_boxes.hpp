// Conservative advancement of two moving boxtree nodes: a certified time until which two boxes stay separated, from
// their positions and velocities at one instant.
//
// Along a fixed direction d the gap between the boxes at time t + r is at least gap - r s - r r k / 2. s is the
// largest closing speed of points of the boxes along d at time t (linear in the points, so the corners decide). k
// bounds the second derivative of d.x for all times: a rotation by w about n accelerates a point that moves at
// speed p perpendicular to the axis by w p at most, and along d by |d x n| of that. So pure translations are exact
// up to rounding, and so is a rotation about d. The best of the 15 directions of BOXTREE, section 3.2.3, at that
// instant is taken. The bound holds for any direction, so the rounding of the directions needs no error bound.
//
// Margins, in units in which the sizes of both motions sum to at most 1: computed points and posed doubles each err
// by 2^-45, and projections round by 2^-47; together kGapMargin. Speeds likewise. Constant cost.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/motion.hpp"

namespace graze::rigid {

inline constexpr double kGapMargin = 2.0 * kPointError + 0x1p-47;
inline constexpr double kSpeedMargin = kVelocityError + 0x1p-45;

/// |a x b|.
inline double length_of_product(const Vec3& a, const Vec3& b) {
  const Vec3 c = cross(a, b);
  return std::sqrt(dot(c, c));
}

/// A lower bound of the first r > 0 with gap - r speed - r r acceleration_bound / 2 = 0. Precondition: gap > 0,
/// acceleration_bound > 0.
inline double time_to_close(double gap, double speed, double acceleration_bound) {
  const double root = std::sqrt(speed * speed + 2.0 * acceleration_bound * gap);
  const double r = speed > 0.0 ? 2.0 * gap / (speed + root) : (root - speed) / acceleration_bound;
  return r * (1.0 - 0x1p-40);
}

/// t + r, rounded down.
inline double time_after(double t, double r) {
  return (t + r) * (1.0 - 0x1p-52);
}

/// Box of a node in the relative coordinates of its tree.
struct MovingBox {
  std::array<double, 3> lo{};
  std::array<double, 3> hi{};
  double acceleration_bound = 0.0;  ///< Motion::acceleration_bound of its points
};

/// A boxtree with its motion. Tree and motion must outlive it.
class MovingTree {
 public:
  /// Lengths are in units of 2^exponent, the exponent of the motion. The tree must have a node.
  MovingTree(const Boxtree& tree, const Motion& motion, int exponent);

  [[nodiscard]] const BoxNode& node(std::size_t place) const { return tree_->nodes[place]; }
  [[nodiscard]] MovingBox root() const;
  [[nodiscard]] MovingBox child(const BoxNode& node, const MovingBox& parent) const;
  /// Length of the diagonal of a box.
  [[nodiscard]] double size(const MovingBox& box) const;
  /// Bounds Motion::transverse_speed of the points of a box.
  [[nodiscard]] double transverse_speed(const MovingBox& box) const;
  /// Bounds the distance of any point of the object from the centre of rotation.
  [[nodiscard]] double far() const { return far_; }

 private:
  friend class MovingBoxes;
  const Boxtree* tree_;
  const Motion* motion_;
  double unit_;                      ///< length of a relative unit
  double slack_;                     ///< slack of the tree's boxes plus rounding of their derivation in doubles
  Vec3 middle_;                      ///< origin of the local frame, relative to the centre of rotation
  Vec3 lever_;                       ///< velocity of middle_ perpendicular to the axis, at the start
  std::array<Vec3, 3> levers_;       ///< change of that velocity for each relative coordinate
  std::array<double, 3> lengths_{};  ///< lengths of levers_
  double far_ = 0.0;
};

struct BoxGap {
  /// Contents of the boxes do not touch before this time. If it is later than the time of the test, they do not
  /// touch at this time either.
  double until = 0.0;
  double width = 0.0;  ///< widest gap over all directions; < 0 if the boxes overlap
};

/// The separating axis test of two moving trees at one time.
class MovingBoxes {
 public:
  MovingBoxes(const MovingTree& a, const MovingTree& b, double t);

  [[nodiscard]] double time() const { return time_; }
  /// Stops as soon as `until` is at least `enough`.
  [[nodiscard]] BoxGap gap(const MovingBox& a, const MovingBox& b, double enough) const;

 private:
  static constexpr std::size_t kCount = 15;
  using Row = std::array<double, kCount>;

  void set_direction(std::size_t k, const Vec3& d);

  double time_;
  double slack_a_;
  double slack_b_;
  Vec3 axis_a_;
  Vec3 axis_b_;
  std::array<Vec3, 3> columns_a_{};  ///< images of the unit vectors of relative coordinates
  std::array<Vec3, 3> columns_b_{};
  std::array<Vec3, 3> turning_a_{};  ///< time derivatives of columns_a_ and columns_b_
  std::array<Vec3, 3> turning_b_{};
  Vec3 between_;   ///< from middle_ of a to middle_ of b
  Vec3 drifting_;  ///< time derivative of between_
  std::array<Vec3, kCount> directions_{};
  std::array<Row, 3> slope_a_{};
  std::array<Row, 3> slope_b_{};
  Row offset_{};
};

}  // namespace graze::rigid
