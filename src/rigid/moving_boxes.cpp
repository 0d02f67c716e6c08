// Gaps, closing speeds and separation times of moving boxes. See the header.
#include "rigid/moving_boxes.hpp"

#include <algorithm>
#include <cmath>

namespace graze::rigid {

namespace {

/// Cross products of axes shorter than this are skipped: such axes are nearly parallel and the product adds
/// nothing.
constexpr double kShort = 0x1p-10;

Vec3 column(const Rows& m, std::size_t k) {
  if (k == 0) return {m[0].x, m[1].x, m[2].x};
  if (k == 1) return {m[0].y, m[1].y, m[2].y};
  return {m[0].z, m[1].z, m[2].z};
}

/// Centre and half extents of a box, enlarged by its slack.
struct Spread {
  std::array<double, 3> mid;
  std::array<double, 3> half;

  Spread(const MovingBox& box, double slack) {
    for (std::size_t i = 0; i < 3; ++i) {
      mid[i] = 0.5 * (box.lo[i] + box.hi[i]);
      half[i] = 0.5 * (box.hi[i] - box.lo[i]) + slack;
    }
  }
};

}  // namespace

MovingTree::MovingTree(const Boxtree& tree, const Motion& motion, int exponent)
    : tree_(&tree),
      motion_(&motion),
      unit_(std::ldexp(1.0, tree.local_frame.exponent - exponent)),
      slack_(2.0 * boxtree_slack(tree)),
      middle_(motion.from_centre(tree.local_frame.origin)) {
  const Rows& start = motion.start().rotation;
  lever_ = motion.angle() * cross(motion.axis(), times(start, middle_)) + motion.sweep();
  for (std::size_t i = 0; i < 3; ++i) {
    levers_[i] = (motion.angle() * unit_) * cross(motion.axis(), column(start, i));
    lengths_[i] = length(levers_[i]);
  }
  far_ = length(middle_) + 1.75 * unit_;
}

MovingBox MovingTree::root() const {
  MovingBox box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.lo[i] = static_cast<double>(tree_->lo[i]);
    box.hi[i] = static_cast<double>(tree_->hi[i]);
  }
  box.acceleration_bound = motion_->acceleration_bound(transverse_speed(box), far_);
  return box;
}

MovingBox MovingTree::child(const BoxNode& node, const MovingBox& parent) const {
  MovingBox box = parent;
  const auto cut = static_cast<double>(node.cut());
  if (node.upper()) {
    box.lo[node.axis()] += cut;
  } else {
    box.hi[node.axis()] -= cut;
  }
  if (motion_->angle() != 0.0) box.acceleration_bound = motion_->acceleration_bound(transverse_speed(box), far_);
  return box;
}

double MovingTree::size(const MovingBox& box) const {
  const double x = box.hi[0] - box.lo[0];
  const double y = box.hi[1] - box.lo[1];
  const double z = box.hi[2] - box.lo[2];
  return unit_ * std::sqrt(x * x + y * y + z * z);
}

double MovingTree::transverse_speed(const MovingBox& box) const {
  const Spread spread(box, slack_);
  Vec3 lever = lever_;
  double more = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    lever = lever + spread.mid[i] * levers_[i];
    more += spread.half[i] * lengths_[i];
  }
  return std::sqrt(dot(lever, lever)) + more + kVelocityError;  // kVelocityError covers the rounding
}

MovingBoxes::MovingBoxes(const MovingTree& a, const MovingTree& b, double t)
    : time_(t), slack_a_(a.slack_), slack_b_(b.slack_), axis_a_(a.motion_->axis()), axis_b_(b.motion_->axis()) {
  const Motion::Instant now_a = a.motion_->at(t);
  const Motion::Instant now_b = b.motion_->at(t);
  between_ = now_b.point(b.middle_) - now_a.point(a.middle_);
  drifting_ = now_b.velocity(b.middle_) - now_a.velocity(a.middle_);
  std::array<Vec3, 3> unit_a;
  std::array<Vec3, 3> unit_b;
  for (std::size_t i = 0; i < 3; ++i) {
    unit_a[i] = column(now_a.turn, i);
    unit_b[i] = column(now_b.turn, i);
    columns_a_[i] = a.unit_ * unit_a[i];
    columns_b_[i] = b.unit_ * unit_b[i];
    turning_a_[i] = a.unit_ * column(now_a.spin, i);
    turning_b_[i] = b.unit_ * column(now_b.spin, i);
  }
  // Columns have length 1 within 1e-6; scaled down, all directions have length at most 1.
  for (std::size_t i = 0; i < 3; ++i) {
    set_direction(i, (1.0 - 0x1p-19) * unit_a[i]);
    set_direction(3 + i, (1.0 - 0x1p-19) * unit_b[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      const Vec3 d = cross(unit_a[i], unit_b[j]);
      const double size = std::sqrt(dot(d, d));
      set_direction(6 + 3 * i + j, size > kShort ? ((1.0 - 0x1p-40) / size) * d : Vec3{});
    }
  }
}

void MovingBoxes::set_direction(std::size_t k, const Vec3& d) {
  directions_[k] = d;
  offset_[k] = dot(d, between_);
  for (std::size_t i = 0; i < 3; ++i) {
    slope_a_[i][k] = dot(d, columns_a_[i]);
    slope_b_[i][k] = dot(d, columns_b_[i]);
  }
}

BoxGap MovingBoxes::gap(const MovingBox& a, const MovingBox& b, double enough) const {
  const Spread in_a(a, slack_a_);
  const Spread in_b(b, slack_b_);
  Row offset;
  Row gaps;
  for (std::size_t k = 0; k < kCount; ++k) {
    offset[k] = offset_[k] +
                (slope_b_[0][k] * in_b.mid[0] + slope_b_[1][k] * in_b.mid[1] + slope_b_[2][k] * in_b.mid[2]) -
                (slope_a_[0][k] * in_a.mid[0] + slope_a_[1][k] * in_a.mid[1] + slope_a_[2][k] * in_a.mid[2]);
    const double spread = std::abs(slope_a_[0][k]) * in_a.half[0] + std::abs(slope_a_[1][k]) * in_a.half[1] +
                          std::abs(slope_a_[2][k]) * in_a.half[2] + std::abs(slope_b_[0][k]) * in_b.half[0] +
                          std::abs(slope_b_[1][k]) * in_b.half[1] + std::abs(slope_b_[2][k]) * in_b.half[2];
    gaps[k] = std::abs(offset[k]) - spread - kGapMargin;
  }
  BoxGap result{time_, gaps[0]};
  for (std::size_t k = 1; k < kCount; ++k) result.width = std::max(result.width, gaps[k]);
  if (!(result.width > 0.0)) return result;
  for (std::size_t k = 0; k < kCount; ++k) {
    if (!(gaps[k] > 0.0)) continue;
    const Vec3& d = directions_[k];
    double speed = dot(d, drifting_);
    double spread = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double at_a = dot(d, turning_a_[i]);
      const double at_b = dot(d, turning_b_[i]);
      speed += at_b * in_b.mid[i] - at_a * in_a.mid[i];
      spread += std::abs(at_a) * in_a.half[i] + std::abs(at_b) * in_b.half[i];
    }
    const double closing = (offset[k] > 0.0 ? -speed : speed) + spread + kSpeedMargin;
    const double acceleration_bound = length_of_product(d, axis_a_) * a.acceleration_bound +
                                      length_of_product(d, axis_b_) * b.acceleration_bound + kSpeedMargin;
    result.until = std::max(result.until, time_after(time_, time_to_close(gaps[k], closing, acceleration_bound)));
    if (result.until >= enough) return result;
  }
  return result;
}

}  // namespace graze::rigid
