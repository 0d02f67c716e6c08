// Rigid motions: decomposition into axis, angle and translation, and evaluation at a time. See the header.
#include "rigid/motion/motion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>

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

namespace {

constexpr int kMostTurns = 1000;
/// Rotations that differ by less than this angle count as equal if an axis is given.
constexpr double kEqual = 1e-6;
/// A screw with turns ends at least this far from a whole number of them: the sine of half of 0.3 radians.
constexpr double kLeastSine = 0.149;

/// The rotation of a motion: the shortest one between the poses, or about the given axis, with all turns.
Turn whole_turn(const RigidMotion& motion) {
  Turn turn;
  if (motion.start.rotation != motion.end.rotation)
    turn = turn_of(times_transposed(motion.end.rotation, motion.start.rotation));
  if (motion.turns == 0 && motion.axis == Vec3{}) return turn;
  if (motion.axis != Vec3{}) {
    const double size = max_abs(motion.axis);
    const Vec3 scaled_axis{motion.axis.x / size, motion.axis.y / size, motion.axis.z / size};
    const Vec3 given = (1.0 / length(scaled_axis)) * scaled_axis;
    const double along = dot(turn.axis, given);
    if (turn.angle < kEqual) {
      turn = {given, turn.angle * along};
    } else if (along < 0.0) {
      turn = {-turn.axis, -turn.angle};
    }
  }
  turn.angle += static_cast<double>(motion.turns) * 2.0 * std::acos(-1.0);
  if (turn.angle < 0.0) turn = {-turn.axis, -turn.angle};
  return turn;
}

}  // namespace

double motion_size(const RigidMotion& motion, double max_coordinate) {
  const double centre = motion.path == MotionPath::Straight ? length(motion.centre) : 0.0;
  const double size =
      max_coordinate + 3.0 * centre + length(motion.start.translation) + length(motion.end.translation);
  if (motion.turns == 0) return size;
  // The angle is at most 1 + 2 |turns| times pi. A screw's velocity is at most h / |sin h| <= 7 h times the
  // distance of the places, with h half the angle; h cot h and h likewise.
  const double half_turns = 1.0 + 2.0 * std::abs(static_cast<double>(motion.turns));
  return size * half_turns * (motion.path == MotionPath::Screw ? 16.0 : 1.0);
}

void check_turns(const RigidMotion& motion, const char* which) {
  if (std::abs(static_cast<long>(motion.turns)) > kMostTurns)
    throw InputError(fmt::format("{}: {} turns are more than {}", which, motion.turns, kMostTurns));
  const Vec3& axis = motion.axis;
  if (!is_finite(axis))
    throw InputError(fmt::format("{}: its axis ({}, {}, {}) is not finite", which, axis.x, axis.y, axis.z));
  if (motion.turns == 0 && axis == Vec3{}) return;
  Turn shortest;
  if (motion.start.rotation != motion.end.rotation)
    shortest = turn_of(times_transposed(motion.end.rotation, motion.start.rotation));
  if (axis == Vec3{}) {
    if (shortest.angle < kEqual)
      throw InputError(fmt::format("{}: start and end have equal rotations; turns need an axis", which));
  } else if (shortest.angle >= kEqual) {
    const double size = max_abs(axis);
    const Vec3 scaled_axis{axis.x / size, axis.y / size, axis.z / size};
    if (!(length(cross(shortest.axis, (1.0 / length(scaled_axis)) * scaled_axis)) <= kEqual))
      throw InputError(fmt::format("{}: its axis ({}, {}, {}) is not that of the rotation between the poses", which,
                                   axis.x, axis.y, axis.z));
  }
  if (motion.turns != 0 && motion.path == MotionPath::Screw &&
      !(std::abs(std::sin(0.5 * whole_turn(motion).angle)) >= kLeastSine))
    throw InputError(
        fmt::format("{}: a screw that ends near a whole number of turns has no axis; use a straight path", which));
}

Motion::Motion(const RigidMotion& motion, int exponent, double from_time, double to_time)
    : start_(motion.start),
      end_(motion.end),
      path_(motion.path),
      exponent_(exponent),
      scale_(std::ldexp(1.0, -exponent)),
      from_(from_time),
      rate_(to_time - from_time) {
  const Vec3 from = scaled(start_.translation, -exponent);
  const Vec3 to = scaled(end_.translation, -exponent);
  const Turn turn = whole_turn(motion);
  const bool turns = start_.rotation != end_.rotation || turn.angle != 0.0;
  if (turns) {
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
  if (rate_ == 1.0) return at_whole(t);
  Instant now = at_whole(from_ + t * rate_);
  for (Vec3& row : now.spin) row = rate_ * row;
  now.drift = rate_ * now.drift;
  return now;
}

Motion::Instant Motion::at_whole(double t) const {
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
  const double whole = from_ + t * rate_;
  if (whole == 0.0 || is_stationary()) return start_;
  if (whole == 1.0) return end_;
  const Instant now = at_whole(whole);
  return {now.turn, scaled(now.shift - times(now.turn, centre_), exponent_)};
}

}  // namespace graze::rigid
