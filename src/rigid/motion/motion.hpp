// Rigid motion between two poses as a function of time in real numbers, and its evaluation in doubles with an error
// bound.
//
// With R0 the rotation of the start as given, a unit axis n, an angle w >= 0 and E(t) the rotation by t w about n,
// a point x of the object is at
//     x(t) = E(t) (R0 + t D) (x - c) + p + s(t),
//     s(t) = t v (straight) or the integral of E(r) v over [0, t] (screw),
// with c = 0 for a screw. D is the deviation of the end pose from a rotation of the start pose, about 1e-6 at most.
// All of these are doubles, so the motion is defined in real numbers. x(0) and x(1) equal the two poses within
// rounding, and pose() returns the poses bit for bit. The screw needs no division by the angle: v is the velocity
// of the object's origin at the start, and terms like (1 - cos)/angle are evaluated by their limits.
//
// Rounding. Let M bound |x| + 3 |c| + |translation| of the start + |translation| of the end, and let u = 2^-53.
// E(t) errs by 60 u (angle, sine and 1 - cos by at most 12 u together, axis by 4 u and its products by 14 u, with
// factors 1 and 2, sums), its product with R0 + t D by 40 u, with x - c by 8 u more, and s(t) by 50 u |v|. So 256 u
// M covers the error of x(t) as computed from at(), and also that of posed(pose(t), x). Velocities, which have the
// angle and v as factors, err by 5 times that.
#pragma once

#include <array>

#include <graze/rigid.hpp>

#include "geometry/vec.hpp"

namespace graze::rigid {

/// A matrix by rows.
using Rows = std::array<Vec3, 3>;

inline Vec3 times(const Rows& m, const Vec3& x) {
  return {dot(m[0], x), dot(m[1], x), dot(m[2], x)};
}

/// Error bounds in units of M (see above), as the length of a vector. kPointError bounds the error of a computed
/// point and of posed(pose(t), x); kVelocityError bounds the error of a velocity.
inline constexpr double kPointError = 0x1p-45;
inline constexpr double kVelocityError = 0x1p-42;

/// The bound M of an object whose vertices are at most `max_coordinate` from the origin of its coordinates.
double motion_size(const RigidMotion& motion, double max_coordinate);

/// Throws InputError, naming `which`, for turns and an axis that do not fit the poses (see RigidMotion).
void check_turns(const RigidMotion& motion, const char* which);

class Motion {
 public:
  /// From here on lengths are in units of 2^exponent, with exponent in [-1020, 1022]. Precondition: check_motion()
  /// accepted the motion, its size is at most 2^20 units, 0 <= from < to <= 1. Times are those of the piece from
  /// `from` to `to`, as fractions of it.
  Motion(const RigidMotion& motion, int exponent, double from = 0.0, double to = 1.0);

  /// Position and velocity of the object at one time. A point x is at turn (x - centre) + shift and has the
  /// velocity spin (x - centre) + drift.
  struct Instant {
    Rows turn;
    Vec3 shift;
    Rows spin;
    Vec3 drift;

    [[nodiscard]] Vec3 point(const Vec3& from_centre) const { return times(turn, from_centre) + shift; }
    [[nodiscard]] Vec3 velocity(const Vec3& from_centre) const { return times(spin, from_centre) + drift; }
  };
  [[nodiscard]] Instant at(double t) const;
  /// The pose at time t, in the original units.
  [[nodiscard]] Pose pose(double t) const;

  /// The pose at the start of the whole motion.
  [[nodiscard]] const Pose& start() const { return start_; }
  [[nodiscard]] const Vec3& axis() const { return axis_; }
  [[nodiscard]] double angle() const { return angle_; }
  /// x - centre for a point x in the original units.
  [[nodiscard]] Vec3 from_centre(const Vec3& x) const { return scale_ * x - centre_; }
  /// Speed of a point perpendicular to the rotation axis at the start of the whole motion, from x - centre. The
  /// rotation and the glide of a screw may nearly cancel, so both are added before the length is taken. During the
  /// motion this speed changes by at most (angle + 1) |D| |x - centre|.
  [[nodiscard]] double transverse_speed(const Vec3& from_centre) const {
    return length(angle_ * cross(axis_, times(start_.rotation, from_centre)) + sweep_);
  }
  /// Screw only: the velocity of the centre perpendicular to the axis at the start.
  [[nodiscard]] const Vec3& sweep() const { return sweep_; }
  /// Acceleration bound: bounds |d.x''(t)| / |d x axis| for every direction d, time t, and point whose
  /// transverse speed is at most `transverse_speed` and whose distance from the centre is at most `far`. x'' is
  /// angle axis x (a vector that rotates with the object and equals the perpendicular velocity at the start).
  [[nodiscard]] double acceleration_bound(double transverse_speed, double far) const {
    return rate_ * rate_ * angle_ * (transverse_speed + angle_ * off_ * far + 2.0 * off_ * far) * (1.0 + 0x1p-40);
  }
  /// Bounds the speed of a point with this transverse speed and distance from the centre.
  [[nodiscard]] double speed(double transverse_speed, double far) const {
    return rate_ * (transverse_speed + angle_ * off_ * far + off_ * far + along_) * (1.0 + 0x1p-40);
  }
  [[nodiscard]] bool is_stationary() const { return angle_ == 0.0 && off_ == 0.0 && glide_ == Vec3{}; }

 private:
  [[nodiscard]] Rows rotation(double s, double q) const;
  [[nodiscard]] Instant at_whole(double t) const;

  Pose start_;
  Pose end_;
  MotionPath path_;
  int exponent_;
  double scale_;
  double from_;
  double rate_;
  Vec3 axis_{1.0, 0.0, 0.0};
  double angle_ = 0.0;
  Rows residue_{};      ///< D
  Vec3 centre_{};       ///< c
  Vec3 place_{};        ///< p
  Vec3 glide_{};        ///< v
  double off_ = 0.0;    ///< bounds |D|
  Vec3 sweep_{};        ///< screw: the part of v perpendicular to the axis
  double along_ = 0.0;  ///< bounds the rest of |v|
};

}  // namespace graze::rigid
