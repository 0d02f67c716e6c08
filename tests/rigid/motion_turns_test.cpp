// Motions of more than half a turn, and first contacts of fine objects with large triangles: against dense
// sampling.
#include <gtest/gtest.h>

#include <graze/error.hpp>
#include <graze/rigid.hpp>

#include "core/simd/targets.hpp"
#include "rigid/motion/motion.hpp"
#include "rigid/motion_sampling.hpp"

namespace graze {
namespace {

using namespace motions;

const double kPi = std::acos(-1.0);

RigidImpact first_contact(const Soup& a, const RigidMotion& motion_a, const Soup& b, const RigidMotion& motion_b,
                          double tolerance = 1e-6) {
  const RigidObject object_a = a.object();
  const RigidObject object_b = b.object();
  return Collider(object_a, object_b).first_contact(motion_a, motion_b, {tolerance});
}

double difference(const Pose& a, const Pose& b) {
  double most = max_abs(a.translation - b.translation);
  for (std::size_t i = 0; i < 3; ++i) most = std::max(most, max_abs(a.rotation[i] - b.rotation[i]));
  return most;
}

TEST(RigidTurns, TurnsAreAddedToTheShortestRotationInItsDirectionOrThatOfTheAxis) {
  const Vec3 axis{1, -2, 0.5};
  for (const double rest : {0.0, 0.3, -0.3, 2.0, 3.0}) {
    for (const int turns : {-3, -1, 1, 2, 50}) {
      const Pose start = pose_from_axis_angle({0, 1, 1}, 0.7);
      const RigidMotion motion{
          .start = start, .end = compose(pose_from_axis_angle(axis, rest), start), .turns = turns, .axis = axis};
      for (const double t : {0.0, 0.1, 0.37, 0.5, 0.99, 1.0}) {
        const double angle = t * (rest + turns * 2.0 * kPi);
        EXPECT_LE(difference(pose_at(motion, t), compose(pose_from_axis_angle(axis, angle), start)), 1e-13 * 4)
            << rest << " " << turns << " " << t;
      }
    }
  }
  // Without an axis, positive is the way of the shortest rotation.
  const RigidMotion motion{.end = pose_from_axis_angle({0, 0, 1}, 1.0), .turns = -1};
  EXPECT_LE(difference(pose_at(motion, 0.5), pose_from_axis_angle({0, 0, 1}, 0.5 - kPi)), 1e-14);
}

TEST(RigidTurns, SpeedsAndAccelerationsAreBoundedForManyTurnsAndForPieces) {
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    RigidMotion motion{.start = random_pose(random, kPi, 1.0), .turns = i % 7 - 3};
    motion.end = compose(pose_from_axis_angle(random_point(random, 1.0), between(random, 0.4, 3.0)), motion.start);
    motion.path = i % 2 == 0 ? MotionPath::Straight : MotionPath::Screw;
    motion.centre = random_point(random, 2.0);
    const double from = i % 3 == 0 ? 0.0 : between(random, 0.0, 0.5);
    const double to = i % 3 == 0 ? 1.0 : between(random, 0.6, 1.0);
    const rigid::Motion made(motion, 3, from, to);
    const double h = 0x1p-18;
    const double t = between(random, h, 1.0 - h);
    const Vec3 x = made.from_centre(random_point(random, 2.0));
    const auto now = made.at(t);
    EXPECT_LE(max_abs(posed(pose_at(motion, from + t * (to - from)), {}) - 8.0 * now.point(made.from_centre({}))),
              1e-11);
    const Vec3 velocity = (0.5 / h) * (made.at(t + h).point(x) - made.at(t - h).point(x));
    EXPECT_LE(max_abs(velocity - now.velocity(x)), 1e-5) << i;
    const double transverse_speed = made.transverse_speed(x);
    const double far = length(x) * (1.0 + 1e-12);
    EXPECT_LE(length(now.velocity(x)), made.speed(transverse_speed, far) * (1.0 + 1e-9)) << i;
    const Vec3 d = random_point(random, 1.0);
    const Vec3 second = (0.5 / h) * (made.at(t + h).velocity(x) - made.at(t - h).velocity(x));
    EXPECT_LE(std::abs(dot(d, second)),
              made.acceleration_bound(transverse_speed, far) * length(cross(d, made.axis())) * (1.0 + 1e-6) + 1e-6)
        << i;
  }
}

TEST(RigidTurns, ABarThatTurnsFiveTimesPiHitsInItsSecondTurnWhatSinksIntoItsWay) {
  const Soup bar = box({0, -0.05, -0.05}, {2, 0.05, 0.05});
  const Soup cube = box({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1});
  const RigidMotion turning{.end = pose_from_axis_angle({0, 0, 1}, kPi), .turns = 2, .axis = {0, 0, 1}};
  // The bar points to the cube at 0.2, 0.6 and 1; the cube passes its plane from 0.425 to 0.575, in between.
  RigidMotion sinking = stationary({});
  sinking.start.translation = {-1.5, 0, 1};
  sinking.end.translation = {-1.5, 0, -1};
  EXPECT_FALSE(first_contact(bar, turning, cube, sinking).pair);
  // Slower, it is in the plane at 0.6.
  sinking.start.translation = {-1.5, 0, 0.5};
  sinking.end.translation = {-1.5, 0, -0.25};
  const RigidImpact second = first_contact(bar, turning, cube, sinking);
  ASSERT_TRUE(second.pair);
  EXPECT_NEAR(second.toi, 0.6, 0.02);
  check_sampled(
      bar, cube, second,
      [&](double t) {
        return PosePair{pose_at(turning, t), pose_at(sinking, t)};
      },
      0.0, 1.0, 2000, 1e-4);
}

TEST(RigidTurns, NothingIntersectsBeforeTheTimeOfContactOfRandomTurns) {
  Random random(31);
  int contacts = 0;
  for (int i = 0; i < 60; ++i) {
    const Soup a = random_soup(random, 6, 0.5);
    const Soup b = random_soup(random, 6, 0.5);
    RigidMotion motion_a{.start = random_pose(random, kPi, 0.2), .turns = i % 5 - 2};
    motion_a.end =
        compose(pose_from_axis_angle(random_point(random, 1.0), between(random, 0.4, 3.0)), motion_a.start);
    motion_a.path = i % 2 == 0 ? MotionPath::Straight : MotionPath::Screw;
    motion_a.centre = random_point(random, 0.5);
    RigidMotion motion_b = stationary(random_pose(random, kPi, 0.2));
    motion_b.start.translation.x += 3.2;
    motion_b.end = motion_b.start;
    motion_b.end.translation.x -= i % 3 == 0 ? 0.2 : 2.0;
    motion_b.axis = random_point(random, 1.0);
    motion_b.turns = i % 4;
    const RigidImpact impact = first_contact(a, motion_a, b, motion_b);
    contacts += impact.pair ? 1 : 0;
    SCOPED_TRACE(i);
    check_sampled(
        a, b, impact,
        [&](double t) {
          return PosePair{pose_at(motion_a, t), pose_at(motion_b, t)};
        },
        0.0, 1.0, 1000, 1e-3);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(contacts, 20);
  EXPECT_LT(contacts, 60);
}

TEST(RigidTurns, TurnsAndAxesThatDoNotFitThePosesAreRefused) {
  const Soup cube = box({0, 0, 0}, {1, 1, 1});
  const auto refused = [&](const RigidMotion& motion) {
    EXPECT_THROW((void)first_contact(cube, motion, cube, stationary({})), InputError);
    EXPECT_THROW((void)pose_at(motion, 0.5), InputError);
  };
  const Pose turned = pose_from_axis_angle({0, 0, 1}, 1.0);
  refused({.turns = 1});
  refused({.end = turned, .turns = 1001});
  refused({.end = turned, .turns = -1001});
  refused({.end = turned, .turns = 1, .axis = {0, 1, 1}});
  refused({.end = turned, .axis = {0, std::nan(""), 1}});
  refused({.path = MotionPath::Screw, .turns = 1, .axis = {0, 0, 1}});
  refused({.end = pose_from_axis_angle({0, 0, 1}, 0.1), .path = MotionPath::Screw, .turns = 1});
  EXPECT_NO_THROW((void)pose_at({.end = turned, .turns = 1, .axis = {0, 0, -1e300}}, 0.5));
  EXPECT_NO_THROW((void)pose_at({.turns = 1, .axis = {0, 0, 1e-300}}, 0.5));
}

/// A fine ball, of many leaf groups, and walls of a few triangles much larger than it.
struct Walls {
  Soup fine = ball(1.0, 12);
  Soup walls;

  explicit Walls(double size) : walls(box({-size, -size, -size}, {size, size, size})) {}
};

TEST(RigidTurns, AFineObjectMeetsLargeTrianglesAsSamplingSays) {
  Random random(12);
  const Walls room(8.0);
  int contacts = 0;
  for (int i = 0; i < 24; ++i) {
    RigidMotion motion{random_pose(random, kPi, 2.0), random_pose(random, kPi, i % 3 == 0 ? 4.0 : 20.0)};
    motion.path = i % 4 == 1 ? MotionPath::Screw : MotionPath::Straight;
    RigidMotion turn = stationary(random_pose(random, kPi, 0.0));
    if (i % 2 == 0) turn.end = compose(pose_from_axis_angle({1, 1, 0}, 0.3), turn.start);
    SCOPED_TRACE(i);
    // The large object is b, then a.
    const RigidImpact impact = first_contact(room.fine, motion, room.walls, turn);
    check_sampled(
        room.fine, room.walls, impact,
        [&](double t) {
          return PosePair{pose_at(motion, t), pose_at(turn, t)};
        },
        0.0, 1.0, 150, 1e-3);
    const RigidImpact swapped = first_contact(room.walls, turn, room.fine, motion);
    check_sampled(
        room.walls, room.fine, swapped,
        [&](double t) {
          return PosePair{pose_at(turn, t), pose_at(motion, t)};
        },
        0.0, 1.0, 150, 1e-3);
    if (HasFatalFailure()) return;
    EXPECT_EQ(impact.pair.has_value(), swapped.pair.has_value());
    EXPECT_NEAR(impact.toi, swapped.toi, 1e-4);
    contacts += impact.pair ? 1 : 0;
  }
  EXPECT_GT(contacts, 4);
  EXPECT_LT(contacts, 24);
}

TEST(RigidTurns, EveryInstructionSetGivesTheSameContactsAndWork) {
  Random random(77);
  const Walls room(8.0);
  std::vector<std::pair<RigidMotion, RigidMotion>> motions;
  for (int i = 0; i < 6; ++i) {
    RigidMotion motion{random_pose(random, kPi, 2.0), random_pose(random, kPi, 9.0)};
    motions.emplace_back(motion, stationary(random_pose(random, kPi, 0.0)));
  }
  std::vector<RigidImpact> expected;
  for (const std::string& target : core::simd_targets()) {
    core::use_simd_target(target);
    for (std::size_t i = 0; i < motions.size(); ++i) {
      RigidMotion from_outside = motions[i].first;
      from_outside.start.translation.x += 3.0;
      for (const RigidImpact& impact : {first_contact(room.fine, motions[i].first, room.walls, motions[i].second),
                                        first_contact(room.fine, from_outside, room.fine, motions[i].second)}) {
        if (target == core::simd_targets().front()) {
          expected.push_back(impact);
          continue;
        }
        static std::size_t next = 0;
        const RigidImpact& one = expected[next++ % expected.size()];
        EXPECT_EQ(impact.toi, one.toi) << target << " " << i;
        EXPECT_EQ(impact.pair, one.pair) << target << " " << i;
        EXPECT_EQ(impact.stats.node_tests, one.stats.node_tests) << target << " " << i;
      }
    }
  }
  core::use_simd_target("");
}

}  // namespace
}  // namespace graze
