// Rigid motions: decomposition into axis, angle and translation, and evaluation at a time. See the header.
#include "rigid/motion.hpp"

#include <algorithm>
#include <cmath>

namespace graze::rigid {

namespace {

Rows transposed(const Rows& m) {
  return {Vec3{m[0].x, m[1].x, m[2].x}, Vec3{m[0].y, m[1].y, m[2].y}, Vec3{m[0].z, m[1].z, m[2].z}};
}

/// a times the transpose of b.
Rows times_transposed(const Rows& a, const Rows& b) {
  return {times(b, a[0]), times(b, a[1]), times(b, a[2])};
}

Rows product(const Rows& a, const Rows& b) {
  return times_transposed(a, transposed(b));
}

Rows sum(const Rows& a, double t, const Rows& b) {
  return {a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]};
}

struct Turn {
  Vec3 axis{1.0, 0.0, 0.0};
  double angle = 0.0;
};

/// The shortest rotation close to m, from its quaternion. The largest of the four quaternion components is taken
/// from the diagonal, so that nothing cancels, neither near the identity (where the axis comes from differences
/// that are small themselves) nor near half a turn (where it comes from the diagonal).
Turn turn_of(const Rows& m) {
  const double trace = m[0].x + m[1].y + m[2].z;
  const std::array<double, 4> squares{1.0 + trace, 1.0 + m[0].x - m[1].y - m[2].z, 1.0 - m[0].x + m[1].y - m[2].z,
                                      1.0 - m[0].x - m[1].y + m[2].z};
  double w = m[2].y - m[1].z;
  Vec3 v;
  switch (std::max_element(squares.begin(), squares.end()) - squares.begin()) {
    case 0:
      w = squares[0];
      v = {m[2].y - m[1].z, m[0].z - m[2].x, m[1].x - m[0].y};
      break;
    case 1:
      v = {squares[1], m[0].y + m[1].x, m[0].z + m[2].x};
      break;
    case 2:
      w = m[0].z - m[2].x;
      v = {m[0].y + m[1].x, squares[2], m[1].z + m[2].y};
      break;
    default:
      w = m[1].x - m[0].y;
      v = {m[0].z + m[2].x, m[1].z + m[2].y, squares[3]};
      break;
  }
  const double size = length(v);
  if (size == 0.0) return {};
  const double sign = w < 0.0 ? -1.0 : 1.0;
  return {{sign * (v.x / size), sign * (v.y / size), sign * (v.z / size)}, 2.0 * std::atan2(size, std::abs(w))};
}

Vec3 scaled(const Vec3& x, int exponent) {
  return {std::ldexp(x.x, exponent), std::ldexp(x.y, exponent), std::ldexp(x.z, exponent)};
}

double norm(const Rows& m) {
  return std::sqrt(dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2])) * (1.0 + 0x1p-40);
}

}  // namespace

double motion_size(const RigidMotion& motion, double max_coordinate) {
  const double centre = motion.path == MotionPath::Straight ? length(motion.centre) : 0.0;
  return max_coordinate + 3.0 * centre + length(motion.start.translation) + length(motion.end.translation);
}

Motion::Motion(const RigidMotion& motion, int exponent)
    : start_(motion.start),
      end_(motion.end),
      path_(motion.path),
      exponent_(exponent),
      scale_(std::ldexp(1.0, -exponent)) {
  const Vec3 from = scaled(start_.translation, -exponent);
  const Vec3 to = scaled(end_.translation, -exponent);
  const bool turns = start_.rotation != end_.rotation;
  if (turns) {
    const Turn turn = turn_of(times_transposed(end_.rotation, start_.rotation));
    axis_ = turn.axis;
    angle_ = turn.angle;
    const double half = std::sin(0.5 * angle_);
    const Rows back = rotation(-std::sin(angle_), 2.0 * half * half);
    residue_ = sum(product(back, end_.rotation), -1.0, start_.rotation);
    off_ = norm(residue_);
  }
  if (path_ == MotionPath::Straight) {
    // Without rotation any centre moves like the object's origin.
    if (turns) centre_ = scaled(motion.centre, -exponent);
    place_ = times(start_.rotation, centre_) + from;
    glide_ = times(end_.rotation, centre_) + to - place_;
    along_ = length(glide_);
    return;
  }
  // The inverse of the integral of E over [0, 1]: h cot h tends to 1 for h -> 0, so a zero angle needs no division.
  const Vec3 displacement = to - from;
  const double h = 0.5 * angle_;
  const double across = h == 0.0 ? 0.0 : 1.0 - h * std::cos(h) / std::sin(h);
  const Vec3 sideways = cross(axis_, displacement);
  place_ = from;
  glide_ = displacement - h * sideways + across * cross(axis_, sideways);
  if (angle_ != 0.0) sweep_ = -cross(axis_, cross(axis_, glide_));
  along_ = angle_ == 0.0 ? length(glide_) : std::abs(dot(axis_, glide_)) + kVelocityError;
}

/// Rodrigues' formula: 1 + s K + q K K, where K is the cross product with the axis from the left.
Rows Motion::rotation(double s, double q) const {
  const auto& [x, y, z] = axis_;
  return {Vec3{1.0 - q * (y * y + z * z), q * x * y - s * z, q * x * z + s * y},
          Vec3{q * x * y + s * z, 1.0 - q * (x * x + z * z), q * y * z - s * x},
          Vec3{q * x * z - s * y, q * y * z + s * x, 1.0 - q * (x * x + y * y)}};
}

Motion::Instant Motion::at(double t) const {
  if (angle_ == 0.0 && off_ == 0.0) return {start_.rotation, place_ + t * glide_, {}, glide_};
  const double turned = t * angle_;
  const double s = std::sin(turned);
  const double half = std::sin(0.5 * turned);
  const double q = 2.0 * half * half;
  const Rows e = rotation(s, q);
  const Rows drawn = product(e, residue_);
  Instant now;
  now.turn = product(e, sum(start_.rotation, t, residue_));
  const Rows columns = transposed(now.turn);
  now.spin = sum(drawn, angle_,
                 transposed({cross(axis_, columns[0]), cross(axis_, columns[1]), cross(axis_, columns[2])}));
  if (path_ == MotionPath::Straight) {
    now.shift = place_ + t * glide_;
    now.drift = glide_;
    return now;
  }
  const Vec3 sideways = cross(axis_, glide_);
  Vec3 mean_velocity = glide_;
  if (turned > 0.0)
    mean_velocity = mean_velocity + (q / turned) * sideways + ((turned - s) / turned) * cross(axis_, sideways);
  now.shift = place_ + t * mean_velocity;
  now.drift = times(e, glide_);
  return now;
}

Pose Motion::pose(double t) const {
  if (t == 0.0 || is_stationary()) return start_;
  if (t == 1.0) return end_;
  const Instant now = at(t);
  return {now.turn, scaled(now.shift - times(now.turn, centre_), exponent_)};
}

}  // namespace graze::rigid
