// How long two boxes of moving boxtrees stay apart: certified, from where they are at one instant.
//
// Along a fixed direction d the gap between the boxes at time t + r is at least gap - r s - r r k / 2: s is the
// largest speed at which points of the boxes approach each other along d at time t (linear in the points, so the
// corners tell), and k bounds the second derivative of d.x for all times: a turn by w about n bends the path of a
// point that moves across the axis at speed p by w p at most, and along d by |d x n| of it. Pure translations are
// exact up to rounding, and so is a turn about d. Of 15 directions, those of BOXTREE, section 3.2.3, at that
// instant, the best is taken. Every direction is right, so their own rounding needs no bound.
//
// Margins, in units in which both motions' sizes sum to at most 1: computed points and posed doubles are each
// 2^-45 off, projections round by 2^-47: kGapMargin. Speeds likewise. Constant cost.
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

/// The largest r that is certainly before gap - r speed - r r bend / 2 is 0. Precondition: gap > 0, bend > 0.
inline double time_to_close(double gap, double speed, double bend) {
  const double root = std::sqrt(speed * speed + 2.0 * bend * gap);
  const double r = speed > 0.0 ? 2.0 * gap / (speed + root) : (root - speed) / bend;
  return r * (1.0 - 0x1p-40);
}

/// t + r, rounded down.
inline double time_after(double t, double r) {
  return (t + r) * (1.0 - 0x1p-52);
}

/// A node's box in the relative coordinates of its tree.
struct MovingBox {
  std::array<double, 3> lo{};
  std::array<double, 3> hi{};
  double bend = 0.0;  ///< Motion::bend of its points
};

/// A boxtree and its motion. Both must outlive it.
class MovingTree {
 public:
  /// Lengths in units of 2^exponent, as of the motion. The tree has a node.
  MovingTree(const Boxtree& tree, const Motion& motion, int exponent);

  [[nodiscard]] const BoxNode& node(std::size_t place) const { return tree_->nodes[place]; }
  [[nodiscard]] MovingBox root() const;
  [[nodiscard]] MovingBox child(const BoxNode& node, const MovingBox& parent) const;
  /// The length of the diagonal of a box.
  [[nodiscard]] double size(const MovingBox& box) const;
  /// Bounds Motion::pace of points of the box.
  [[nodiscard]] double pace(const MovingBox& box) const;
  /// Bounds how far any point is from the centre.
  [[nodiscard]] double far() const { return far_; }

 private:
  friend class MovingBoxes;
  const Boxtree* tree_;
  const Motion* motion_;
  double unit_;                      ///< of relative coordinates
  double slack_;                     ///< of boxes, and of deriving them in doubles
  Vec3 middle_;                      ///< of the frame, from the centre
  Vec3 lever_;                       ///< velocity of the middle across the axis, at the start
  std::array<Vec3, 3> levers_;       ///< and what relative coordinates add to it
  std::array<double, 3> lengths_{};  ///< of levers
  double far_ = 0.0;
};

struct BoxGap {
  /// The contents of the boxes do not touch before it (nor at it, if it is later than when they were looked at).
  double until = 0.0;
  double width = 0.0;  ///< the widest gap along the directions; < 0 where boxes overlap
};

/// Two moving trees at one time.
class MovingBoxes {
 public:
  MovingBoxes(const MovingTree& a, const MovingTree& b, double t);

  [[nodiscard]] double time() const { return time_; }
  /// Stops looking once `until` is at least `enough`.
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
  std::array<Vec3, 3> columns_a_{};  ///< where relative coordinates go
  std::array<Vec3, 3> columns_b_{};
  std::array<Vec3, 3> turning_a_{};  ///< and how fast these vectors change
  std::array<Vec3, 3> turning_b_{};
  Vec3 between_;   ///< from the middle of a to that of b
  Vec3 drifting_;  ///< and how fast it changes
  std::array<Vec3, kCount> directions_{};
  std::array<Row, 3> slope_a_{};
  std::array<Row, 3> slope_b_{};
  Row offset_{};
};

}  // namespace graze::rigid
