// Rigid motions between two poses: ends, paths and speeds.
#include "rigid/motion/motion.hpp"

#include <gtest/gtest.h>

#include "rigid/rigid_motions.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

using motions::between;
using motions::Random;
using motions::random_point;
using motions::random_pose;

const double kPi = std::acos(-1.0);

double difference(const Pose& a, const Pose& b) {
  double most = max_abs(a.translation - b.translation);
  for (std::size_t i = 0; i < 3; ++i) most = std::max(most, max_abs(a.rotation[i] - b.rotation[i]));
  return most;
}

RigidMotion random_motion(Random& random, int i) {
  RigidMotion motion{random_pose(random, kPi, 1.0), random_pose(random, kPi, 1.0)};
  if (i % 4 == 1) motion.end = compose(random_pose(random, 1e-9, 1e-3), motion.start);
  if (i % 4 == 2)  // half a turn, up to rounding or a little more or less
    motion.end = compose(pose_from_axis_angle(random_point(random, 1.0), kPi + (i % 3 - 1) * 1e-15), motion.start);
  if (i % 4 == 3) {  // as far from orthonormal as poses may be
    for (Pose* pose : {&motion.start, &motion.end})
      for (Vec3& row : pose->rotation) row = row + random_point(random, 1.5e-7);
  }
  motion.path = i % 2 == 0 ? MotionPath::Straight : MotionPath::Screw;
  motion.centre = random_point(random, 2.0);
  return motion;
}

TEST(Motion, BeginsAndEndsWithItsPosesBitForBitAndWithinRoundingNearThem) {
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    const RigidMotion motion = random_motion(random, i);
    EXPECT_EQ(pose_at(motion, 0.0), motion.start);
    EXPECT_EQ(pose_at(motion, 1.0), motion.end);
    EXPECT_LE(difference(pose_at(motion, 0x1p-60), motion.start), 1e-14) << i;
    EXPECT_LE(difference(pose_at(motion, 1.0 - 0x1p-53), motion.end), 1e-14) << i;
  }
}

TEST(Motion, IsStationaryIfItStartsAndEndsInOnePose) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    RigidMotion motion = stationary(random_pose(random, kPi, 1e3));
    motion.path = i % 2 == 0 ? MotionPath::Straight : MotionPath::Screw;
    motion.centre = random_point(random, 10.0);
    for (const double t : {0.0, 0.3, 0.77, 1.0}) EXPECT_EQ(pose_at(motion, t), motion.start);
  }
}

TEST(Motion, WithoutATurnMovesEveryPointOnALine) {
  RigidMotion motion = stationary(pose_from_axis_angle({1, 2, 3}, 1.0, {1, 0, 0}));
  motion.end.translation = {3, 4, 0};
  for (const MotionPath path : {MotionPath::Straight, MotionPath::Screw}) {
    motion.path = path;
    motion.centre = {5, 6, 7};
    const Pose half = pose_at(motion, 0.5);
    EXPECT_EQ(half.rotation, motion.start.rotation);
    EXPECT_EQ(half.translation, (Vec3{2, 2, 0}));
  }
}

TEST(Motion, OnAStraightPathTheCentreMovesOnALineAtConstantSpeed) {
  Random random(3);
  for (int i = 0; i < 100; i += 2) {
    const RigidMotion motion = random_motion(random, i);
    const Vec3 from = posed(motion.start, motion.centre);
    const Vec3 to = posed(motion.end, motion.centre);
    for (const double t : {0.125, 0.5, 0.9}) {
      const Vec3 at = posed(pose_at(motion, t), motion.centre);
      EXPECT_LE(max_abs(at - lerp(from, to, t)), 1e-14 * 8) << i;
    }
  }
}

TEST(Motion, OnAScrewEqualTimesAreEqualMotions) {
  // The motion from t to t + 1/4 is the same transformation of space for all t.
  Random random(4);
  for (int i = 1; i < 100; i += 2) {
    if (i % 4 == 3) continue;
    const RigidMotion motion = random_motion(random, i);
    const auto step = [&](double t) { return compose(pose_at(motion, t + 0.25), inverse(pose_at(motion, t))); };
    EXPECT_LE(difference(step(0.0), step(0.25)), 1e-14 * 8) << i;
    EXPECT_LE(difference(step(0.0), step(0.5)), 1e-14 * 8) << i;
    EXPECT_LE(difference(step(0.0), step(0.75)), 1e-14 * 8) << i;
  }
}

TEST(Motion, TurnsTheShortestWay) {
  for (const double angle : {1e-12, 1e-3, 1.0, 3.0, kPi - 1e-9}) {
    const RigidMotion motion{{}, pose_from_axis_angle({0, 0, 1}, angle)};
    const rigid::Motion made(motion, 0);
    EXPECT_NEAR(made.angle(), angle, 4e-16 * 4);
    EXPECT_LE(difference(pose_at(motion, 0.5), pose_from_axis_angle({0, 0, 1}, 0.5 * angle)), 1e-15);
  }
  const rigid::Motion back({{}, pose_from_axis_angle({0, 0, 1}, 3.5)}, 0);
  EXPECT_NEAR(back.angle(), 2.0 * kPi - 3.5, 1e-14);
  EXPECT_NEAR(back.axis().z, -1.0, 1e-15);
}

TEST(Motion, PosesVelocitiesAndBendsAreThoseOfTheFormula) {
  // Finite differences of positions against the velocity, and of velocities against the acceleration.
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const RigidMotion motion = random_motion(random, i);
    const rigid::Motion made(motion, 3);
    const double h = 0x1p-17;
    const double t = between(random, h, 1.0 - h);
    const Vec3 x = random_point(random, 2.0);
    const Vec3 from_centre = made.from_centre(x);
    const auto now = made.at(t);
    const Vec3 before = made.at(t - h).point(from_centre);
    const Vec3 after = made.at(t + h).point(from_centre);
    EXPECT_LE(max_abs((0.5 / h) * (after - before) - now.velocity(from_centre)), 1e-8) << i;
    EXPECT_LE(max_abs(posed(made.pose(t), x) - 8.0 * now.point(from_centre)), 1e-14 * 8);
    const double transverse_speed = made.transverse_speed(from_centre);
    const double far = length(from_centre) * (1.0 + 1e-12);
    EXPECT_LE(length(now.velocity(from_centre)), made.speed(transverse_speed, far) * (1.0 + 1e-12));
    const Vec3 d = random_point(random, 1.0);
    const Vec3 second = (0.5 / h) * (made.at(t + h).velocity(from_centre) - made.at(t - h).velocity(from_centre));
    EXPECT_LE(std::abs(dot(d, second)),
              made.acceleration_bound(transverse_speed, far) * length(cross(d, made.axis())) + 1e-8)
        << i;
  }
}

}  // namespace
}  // namespace graze
