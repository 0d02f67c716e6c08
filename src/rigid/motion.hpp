// A rigid motion between two poses as a function of time in real numbers, and its evaluation in doubles.
//
// With R0 the start's rotation as it is given, a unit axis n, an angle w in [0, pi] and E(t) the rotation by t w
// about n, a point x of the object is at
//     x(t) = E(t) (R0 + t D) (x - c) + p + s(t),       s(t) = t v (straight) or integral of E(r) v over [0, t]
//     (screw),
// with c = 0 for a screw. D takes up what the end is off from a rotation of the start, at most some 1e-6. All of
// these are doubles, so the motion is defined in real numbers. x(0) and x(1) are the two poses within rounding, and
// pose() gives them bit for bit. The screw has no division by the angle: v is the velocity of the object's origin
// at the start, and (1 - cos)/angle and the like are evaluated by what they tend to.
//
// Rounding. Let M bound |x| + 3 |c| + |translation| of start + of end, and u = 2^-53. E(t) errs by 60 u (angle,
// sine and 1 - cos by at most 12 u together, axis by 4 u and its products by 14 u, with factors 1 and 2, sums), its
// product with R0 + t D by 40 u, with x - c by 8 u more, s(t) by 50 u |v|: 256 u M covers where x(t) is, computed
// from at(), and posed(pose(t), x) as well. Velocities, with the angle and v as factors, err by 5 times that.
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

/// How far in units of M (above) a computed point is from its real place, as a vector; the same bounds what
/// posed(pose(t), x) is off. kVelocityError likewise of velocities.
inline constexpr double kPointError = 0x1p-45;
inline constexpr double kVelocityError = 0x1p-42;

/// The bound M of an object: its vertices are at most `reach` from the origin of its coordinates.
double motion_size(const RigidMotion& motion, double reach);

class Motion {
 public:
  /// Lengths are in units of 2^exponent from here on; exponent in [-1020, 1022]. Precondition: check_motion() took
  /// it; its size is at most 2^20 units.
  Motion(const RigidMotion& motion, int exponent);

  /// A point x of the object is at turn (x - centre) + shift, and has the velocity spin (x - centre) + drift.
  struct Instant {
    Rows turn;
    Vec3 shift;
    Rows spin;
    Vec3 drift;

    [[nodiscard]] Vec3 point(const Vec3& from_centre) const { return times(turn, from_centre) + shift; }
    [[nodiscard]] Vec3 velocity(const Vec3& from_centre) const { return times(spin, from_centre) + drift; }
  };
  [[nodiscard]] Instant at(double t) const;
  /// In the original units.
  [[nodiscard]] Pose pose(double t) const;

  [[nodiscard]] const Pose& start() const { return start_; }
  [[nodiscard]] const Vec3& axis() const { return axis_; }
  [[nodiscard]] double angle() const { return angle_; }
  /// x - centre for a point in the original units.
  [[nodiscard]] Vec3 from_centre(const Vec3& x) const { return scale_ * x - centre_; }
  /// How fast a point moves across the axis, at the start: of x - centre. A turn and the glide of a screw may
  /// nearly cancel, so they are added before they are measured. It changes by at most (angle + 1) |D| |x -
  /// centre|.
  [[nodiscard]] double pace(const Vec3& from_centre) const {
    return length(angle_ * cross(axis_, times(start_.rotation, from_centre)) + sweep_);
  }
  /// Of a screw: the velocity of the centre across the axis, at the start.
  [[nodiscard]] const Vec3& sweep() const { return sweep_; }
  /// Bounds |d.x''(t)| / |d x axis| for every direction d, t, and point whose pace is at most `pace` and that is
  /// at most `far` from the centre: x'' is angle axis x (what turns with the object and starts as that velocity).
  [[nodiscard]] double bend(double pace, double far) const {
    return angle_ * (pace + angle_ * off_ * far + 2.0 * off_ * far) * (1.0 + 0x1p-40);
  }
  /// Bounds the speed of such a point.
  [[nodiscard]] double speed(double pace, double far) const {
    return (pace + angle_ * off_ * far + off_ * far + along_) * (1.0 + 0x1p-40);
  }
  [[nodiscard]] bool stands() const { return angle_ == 0.0 && off_ == 0.0 && glide_ == Vec3{}; }

 private:
  [[nodiscard]] Rows rotation(double s, double q) const;

  Pose start_;
  Pose end_;
  MotionPath path_;
  int exponent_;
  double scale_;
  Vec3 axis_{1.0, 0.0, 0.0};
  double angle_ = 0.0;
  Rows residue_{};      ///< D
  Vec3 centre_{};       ///< c
  Vec3 place_{};        ///< p
  Vec3 glide_{};        ///< v
  double off_ = 0.0;    ///< bounds |D|
  Vec3 sweep_{};        ///< v across the axis, of a screw
  double along_ = 0.0;  ///< bounds the rest of |v|
};

}  // namespace graze::rigid
