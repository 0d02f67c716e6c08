// First contacts of moving rigid objects (conservative advancement): analytic cases, random soups against dense
// sampling, and limits.
#include <gtest/gtest.h>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/rigid.hpp>
#include <graze/scene.hpp>

#include "rigid/motion/moving_triangles.hpp"
#include "rigid/rigid_motions.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace rigid;
namespace {

using motions::ball;
using motions::between;
using motions::box;
using motions::Random;
using motions::random_point;
using motions::random_pose;
using motions::random_soup;
using motions::Soup;

const double kPi = std::acos(-1.0);

Pose moved(double x, double y, double z) {
  Pose pose;
  pose.translation = {x, y, z};
  return pose;
}

RigidImpact first_contact(const Soup& a, const RigidMotion& motion_a, const Soup& b, const RigidMotion& motion_b,
                          double tolerance = 1e-6) {
  const RigidObject object_a = a.object();
  const RigidObject object_b = b.object();
  return Collider(object_a, object_b).first_contact(motion_a, motion_b, {tolerance});
}

/// Upper bound of the longest path of a vertex plus the diameter of the soup.
double extent(const Soup& soup, const RigidMotion& motion) {
  Vec3 lo = soup.positions[0];
  Vec3 hi = soup.positions[0];
  double way = 0.0;
  for (const Vec3& x : soup.positions) {
    lo = {std::min(lo.x, x.x), std::min(lo.y, x.y), std::min(lo.z, x.z)};
    hi = {std::max(hi.x, x.x), std::max(hi.y, x.y), std::max(hi.z, x.z)};
    Vec3 last = posed(motion.start, x);
    double own = 0.0;
    for (int i = 1; i <= 64; ++i) {
      const Vec3 next = posed(pose_at(motion, i / 64.0), x);
      own += length(next - last);
      last = next;
    }
    way = std::max(way, own);
  }
  return 1.01 * (length(hi - lo) + way);
}

/// Checks a result at `samples` times in [0, 1]: no triangles intersect before toi, and the reported pair is close.
void check_by_sampling(const Soup& a, const RigidMotion& motion_a, const Soup& b, const RigidMotion& motion_b,
                       double tolerance, int samples) {
  const RigidObject object_a = a.object();
  const RigidObject object_b = b.object();
  Collider collider(object_a, object_b);
  const RigidImpact impact = collider.first_contact(motion_a, motion_b, {tolerance});
  const auto intersect = [&](double t) {
    return collider.first_hit(pose_at(motion_a, t), pose_at(motion_b, t)).hit();
  };
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (impact.pair && t >= impact.toi) break;
    ASSERT_FALSE(intersect(t)) << "they intersect at " << t << ", before " << impact.toi;
  }
  if (!impact.pair) {
    EXPECT_EQ(impact.toi, 1.0);
    return;
  }
  // Times just before toi reveal a bound that is slightly too large.
  for (const double back : {1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3}) {
    if (impact.toi <= back) continue;
    ASSERT_FALSE(intersect(impact.toi - back)) << "they intersect " << back << " before " << impact.toi;
  }
  const double near = tolerance * (extent(a, motion_a) + extent(b, motion_b)) * 4.0;
  EXPECT_LE(impact.distance, near);
  if (impact.distance == 0.0) {
    EXPECT_TRUE(intersect(0.0));
    return;
  }
  const double distance = motions::distance(a.posed_triangle(pose_at(motion_a, impact.toi), impact.pair->a),
                                            b.posed_triangle(pose_at(motion_b, impact.toi), impact.pair->b));
  EXPECT_LE(distance, impact.distance);
}

TEST(RigidAdvance, AFallingCubeTouchesThePlaneWhenItGetsThere) {
  const Soup cube = box({-1, -1, -1}, {1, 1, 1});
  const Soup plane = box({-10, -10, -3}, {10, 10, -2});
  const RigidImpact impact =
      first_contact(cube, {moved(0.25, 0.5, 0), moved(0.25, 0.5, -2)}, plane, stationary({}));
  ASSERT_TRUE(impact.pair);
  EXPECT_LE(impact.toi, 0.5);
  EXPECT_NEAR(impact.toi, 0.5, 1e-4);
  EXPECT_LE(impact.distance, 1e-4);
  EXPECT_FALSE(first_contact(cube, {moved(0, 0, 0), moved(0, 0, -0.999)}, plane, stationary({})).pair);
}

TEST(RigidAdvance, ATurningBarTouchesAWallAtTheAngleOfItsReach) {
  // The end of the bar is at (2 cos, 2 sin) +- half its width; the wall is at y = 1.
  const Soup bar = box({0, 0, -0.5}, {2, 0x1p-20, 0.5});
  const Soup wall = box({-5, 1, -5}, {5, 2, 5});
  for (const double angle : {0.75, 1.5, 3.0}) {
    const RigidMotion motion{{}, pose_from_axis_angle({0, 0, 1}, angle)};
    const RigidImpact impact = first_contact(bar, motion, wall, stationary({}));
    ASSERT_TRUE(impact.pair) << angle;
    EXPECT_NEAR(impact.toi * angle, std::asin(0.5), 1e-4);
  }
  EXPECT_FALSE(first_contact(bar, {{}, pose_from_axis_angle({0, 0, 1}, 0.52)}, wall, stationary({})).pair);
  // The other direction, away from the wall, by half a turn.
  EXPECT_FALSE(first_contact(bar, {{}, pose_from_axis_angle({0, 0, 1}, -kPi + 1e-9)}, wall, stationary({})).pair);
}

TEST(RigidAdvance, APointThatTurnsTowardsAWallDoesNotComeTooLate) {
  // The point starts at (1, 0) and first moves parallel to the wall x = 1/2; only the curvature of its path brings
  // it there, after a sixth of a turn: a radius that is too small would show here.
  const Soup point{{{1, 0, 0}}, {{0, 0, 0}}};
  const Soup wall{{{0.5, -9, -9}, {0.5, 9, -9}, {0.5, 0, 9}}, {{0, 1, 2}}};
  const RigidMotion motion{{}, pose_from_axis_angle({0, 0, 1}, 3.0)};
  const RigidImpact impact = first_contact(point, motion, wall, stationary({}), 1e-9);
  ASSERT_TRUE(impact.pair);
  EXPECT_LE(3.0 * impact.toi, kPi / 3.0);
  EXPECT_NEAR(3.0 * impact.toi, kPi / 3.0, 1e-6);
  const rigid::Motion turning(motion, 5);
  const rigid::Motion still(stationary({}), 5);
  const MovingTriangle a(turning, {Vec3{1, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 0, 0}}, 2.0 / 32.0);
  const MovingTriangle b(still, {wall.positions[0], wall.positions[1], wall.positions[2]}, 13.0 / 32.0);
  const TriangleGap gap = triangle_gap(a, b, 0.0);
  EXPECT_NEAR(gap.distance, 0.5 / 32.0, 1e-12);
  EXPECT_LE(3.0 * gap.until, kPi / 3.0);
  EXPECT_GE(3.0 * gap.until, 1.0 - 1e-6);
}

TEST(RigidAdvance, AScrewTurnsABladeThroughASlotThatAStraightTurnHits) {
  // A blade along x rises by 2 while it turns by a quarter about z. A bar of the same shape is in its path.
  const Soup blade = box({-1, -0.05, -0.05}, {1, 0.05, 0.05});
  const Soup bar = box({-1, -0.05, -0.05}, {1, 0.05, 0.05});
  Pose end = pose_from_axis_angle({0, 0, 1}, 0.5 * kPi, {0, 0, 2});
  const RigidMotion screw{{}, end, MotionPath::Screw};
  // The bar has the orientation of the blade at time 1/2: contact when the blade has risen to it.
  const Pose over = pose_from_axis_angle({0, 0, 1}, 0.25 * kPi, {0, 0, 1.0});
  const RigidImpact impact = first_contact(blade, screw, bar, stationary(over));
  ASSERT_TRUE(impact.pair);
  EXPECT_NEAR(impact.toi, 0.45, 1e-3);  // 0.1 below it, at a speed of 2
  // A screw about a displaced axis: the hand of a clock around (3, 0).
  const Pose round = pose_from_axis_angle({0, 0, 1}, 0.5 * kPi, {3, -3, 0});
  const RigidMotion clock{{}, round, MotionPath::Screw};
  for (const double t : {0.25, 0.5, 0.75}) {
    const Vec3 at = posed(pose_at(clock, t), {0, 0, 0});
    EXPECT_NEAR(std::hypot(at.x - 3.0, at.y), 3.0, 1e-13);
  }
}

/// A sheet turns on a screw past a static sheet half a unit away. It is modelled around its own origin or far from
/// it; the motion in space is equal. Far from the origin, rotation and translation nearly cancel: adding up their
/// speeds would be too pessimistic.
TEST(RigidAdvance, AScrewDoesNotCareHowFarFromItsOriginAnObjectIsModelled) {
  constexpr std::uint32_t kCells = 10;
  for (const double off : {0.0, 1e3, 1e6}) {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
    for (std::uint32_t i = 0; i <= kCells; ++i) {
      for (std::uint32_t j = 0; j <= kCells; ++j) positions.push_back({off + 0.1 * i - 0.5, 0.1 * j - 0.5, 0.0});
    }
    for (std::uint32_t i = 0; i < kCells; ++i) {
      for (std::uint32_t j = 0; j < kCells; ++j) {
        const VertexId v = i * (kCells + 1) + j;
        triangles.push_back({v, v + 1, v + kCells + 1});
        triangles.push_back({v + 1, v + kCells + 2, v + kCells + 1});
      }
    }
    const RigidObject object(positions, triangles);
    Collider collider(object, object);
    const Pose static_at{.translation = {-off, 0.0, 0.5}};
    const Pose turn = pose_from_axis_angle({0, 0, 1}, 0.5 * std::acos(-1.0));
    const Pose end = compose(turn, Pose{.translation = {-off, 0.0, 0.0}});
    const RigidImpact impact = collider.first_contact(
        stationary(static_at), {.start = {.translation = {-off, 0.0, 0.0}}, .end = end, .path = MotionPath::Screw});
    EXPECT_FALSE(impact.pair) << off;
    EXPECT_LT(impact.stats.node_tests, 100U) << off;
  }
}

TEST(RigidAdvance, ARollingBallTouchesAStaticOneWhereTheirRadiiSayWithinItsFacets) {
  const Soup small = ball(1.0, 24);
  const RigidMotion rolling{moved(-5, 0, 0), pose_from_axis_angle({0, 1, 0}, 2.5, {0, 0, 0})};
  const RigidImpact impact = first_contact(small, rolling, small, stationary({}));
  ASSERT_TRUE(impact.pair);
  EXPECT_GE(impact.toi, 0.6 - 1e-5);
  EXPECT_LE(impact.toi, 0.6 + 5e-3);
}

TEST(RigidAdvance, ATranslationAgreesWithTheDetector) {
  Random random(11);
  int contacts = 0;
  for (int i = 0; i < 60; ++i) {
    const Soup a = random_soup(random, 20, 0.4);
    const Soup b = random_soup(random, 20, 0.4);
    RigidMotion motion_a = stationary(random_pose(random, 3.0, 0.0));
    RigidMotion motion_b = stationary(random_pose(random, 3.0, 0.0));
    motion_b.start.translation = {3, 0, 0};
    motion_b.end.translation = random_point(random, 3.0);
    motion_a.end.translation = random_point(random, 0.5);
    const RigidImpact impact = first_contact(a, motion_a, b, motion_b, 1e-9);

    Scene scene;
    const Body body_a{.positions = a.positions, .triangles = a.triangles};
    const Body body_b{.positions = b.positions, .triangles = b.triangles};
    scene.add_body(body_a);
    scene.add_body(body_b);
    std::vector<Vec3> x_t0;
    std::vector<Vec3> x_t1;
    for (const Vec3& x : a.positions) {
      x_t0.push_back(posed(motion_a.start, x));
      x_t1.push_back(posed(motion_a.end, x));
    }
    for (const Vec3& x : b.positions) {
      x_t0.push_back(posed(motion_b.start, x));
      x_t1.push_back(posed(motion_b.end, x));
    }
    const Impacts all = Detector(scene, {.method = Method::Brute}).impacts(x_t0, x_t1);
    double first = 2.0;
    const VertexId split = static_cast<VertexId>(a.positions.size());
    for (const Impact& one : all.impacts) {
      const auto& v = one.pair.vertices;
      const bool between_bodies = one.pair.kind == FeatureKind::VertexFace ? (v[0] < split) != (v[1] < split)
                                                                           : (v[0] < split) != (v[2] < split);
      if (between_bodies) first = std::min(first, one.toi());
    }
    if (first > 1.0) {
      // A near miss may count; a pair farther apart than the tolerance may not.
      EXPECT_LE(impact.pair ? impact.distance : 0.0, 1e-7);
      continue;
    }
    ++contacts;
    ASSERT_TRUE(impact.pair) << i;
    EXPECT_LE(impact.toi, first + 1e-6) << i;
    EXPECT_NEAR(impact.toi, first, 1e-5) << i;
  }
  EXPECT_GT(contacts, 20);
}

TEST(RigidAdvance, NothingIntersectsBeforeTheTimeOfContactOfRandomSoups) {
  Random random(3);
  for (unsigned i = 0; i < 150; ++i) {
    const Soup a = random_soup(random, 1 + i % 30, i % 3 == 0 ? 0.8 : 0.2);
    const Soup b = random_soup(random, 1 + i % 17, i % 2 == 0 ? 0.6 : 0.15);
    RigidMotion motion_a{random_pose(random, 3.0, 0.5), random_pose(random, 3.0, 0.5)};
    RigidMotion motion_b{random_pose(random, 3.0, 1.0), random_pose(random, 3.0, 1.0)};
    motion_b.start.translation.x += 3.0;
    motion_b.end.translation.x += i % 4 == 0 ? 3.5 : 0.0;
    motion_a.path = i % 5 < 2 ? MotionPath::Screw : MotionPath::Straight;
    motion_b.path = i % 5 < 3 ? MotionPath::Straight : MotionPath::Screw;
    motion_a.centre = random_point(random, i % 2 == 0 ? 0.0 : 2.0);
    if (i % 6 == 5) motion_b = stationary(motion_b.start);
    SCOPED_TRACE(i);
    check_by_sampling(a, motion_a, b, motion_b, i % 7 == 0 ? 1e-9 : 1e-6, 300);
    if (HasFatalFailure()) return;
  }
}

TEST(RigidAdvance, SingleTrianglesThatPassCloselyAreNotMissed) {
  // Rotations of up to half a revolution with long levers: a wrong radius or speed would miss triangles.
  Random random(5);
  int contacts = 0;
  for (int i = 0; i < 250; ++i) {
    const Soup a = random_soup(random, 1, 2.0);
    const Soup b = random_soup(random, 2, 1.0);
    const RigidMotion motion_a{random_pose(random, kPi, 0.2), random_pose(random, kPi, 0.2)};
    const RigidMotion motion_b{random_pose(random, kPi, 2.0), random_pose(random, kPi, 2.0),
                               i % 2 == 0 ? MotionPath::Screw : MotionPath::Straight};
    SCOPED_TRACE(i);
    check_by_sampling(a, motion_a, b, motion_b, 1e-7, 400);
    if (HasFatalFailure()) return;
    contacts += first_contact(a, motion_a, b, motion_b).pair ? 1 : 0;
  }
  EXPECT_GT(contacts, 50);
  EXPECT_LT(contacts, 245);
}

TEST(RigidAdvance, ATouchAtTheStartIsAContactAtTimeZero) {
  const Soup cube = box({0, 0, 0}, {1, 1, 1});
  const RigidImpact touching =
      first_contact(cube, {moved(0, 0, 0), moved(-1, 0, 0)}, cube, stationary(moved(1, 0.5, 0.5)));
  ASSERT_TRUE(touching.pair);
  EXPECT_EQ(touching.toi, 0.0);
  EXPECT_EQ(touching.distance, 0.0);
  const RigidImpact crossing = first_contact(cube, stationary({}), cube, stationary(moved(0.5, 0.5, 0.5)));
  EXPECT_EQ(crossing.toi, 0.0);
  EXPECT_EQ(crossing.distance, 0.0);
  // An edge through the middle of a face, far from all edges: distances of features do not reveal it.
  const Soup face{{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}}};
  const Soup needle{{{0, 0, -3}, {0, 0, 3}, {0.01, 0, 3}}, {{0, 1, 2}}};
  EXPECT_EQ(first_contact(face, stationary({}), needle, {moved(0, 0, 0), moved(1, 0, 0)}).toi, 0.0);
}

TEST(RigidAdvance, ADiscThatSpinsOrSlidesOnAPlaneJustAboveItIsFree) {
  const Soup disc = box({-1, -1, 0}, {1, 1, 0.1});
  const Soup plane = box({-10, -10, -1}, {10, 10, -1e-3});
  const Pose turned = pose_from_axis_angle({0, 0, 1}, 3.0, {2, 1, 0});
  const RigidImpact impact = first_contact(disc, {{}, turned}, plane, stationary({}));
  EXPECT_FALSE(impact.pair);
  EXPECT_LT(impact.stats.tiers.interval, 2000U);
  EXPECT_FALSE(first_contact(disc, {{}, moved(5, 5, 0)}, plane, stationary({})).pair);
}

TEST(RigidAdvance, ObjectsThatMoveTogetherNeverTouch) {
  const Soup cube = box({-1, -1, -1}, {1, 1, 1});
  const Pose end = pose_from_axis_angle({1, 2, 3}, 2.0, {100, 50, 3});
  Pose beside = moved(2.001, 0, 0);
  const RigidMotion motion_a{{}, end, MotionPath::Screw};
  const RigidMotion motion_b{beside, compose(end, beside), MotionPath::Screw};
  const RigidImpact impact = first_contact(cube, motion_a, cube, motion_b);
  EXPECT_FALSE(impact.pair);
}

TEST(RigidAdvance, EmptyObjectsNeverTouch) {
  const Soup none;
  const Soup cube = box({0, 0, 0}, {1, 1, 1});
  EXPECT_FALSE(first_contact(none, stationary({}), cube, stationary({})).pair);
  EXPECT_FALSE(first_contact(cube, stationary({}), none, stationary({})).pair);
  EXPECT_EQ(first_contact(none, stationary({}), none, stationary({})).toi, 1.0);
}

TEST(RigidAdvance, SizesFromTinyToHugeGiveTheSameTimes) {
  for (const double size : {1e-300, 1e-150, 1e-20, 1.0, 1e20, 1e150, 1e299}) {
    const Soup cube = box({-size, -size, -size}, {size, size, size});
    const Soup plane = box({-8 * size, -8 * size, -3 * size}, {8 * size, 8 * size, -2 * size});
    Pose end = pose_from_axis_angle({0, 0, 1}, 1.0, {0, 0, -2 * size});
    const RigidImpact impact = first_contact(cube, {{}, end}, plane, stationary({}));
    ASSERT_TRUE(impact.pair) << size;
    EXPECT_NEAR(impact.toi, 0.5, 1e-4) << size;
    EXPECT_LE(impact.distance, 1e-4 * size);
  }
  // A tiny object and a huge one.
  const Soup grain = box({-1e-300, -1e-300, -1e-300}, {1e-300, 1e-300, 1e-300});
  const Soup world = box({-1e300, -1e300, -1e300}, {1e300, 1e300, 0});
  const RigidImpact impact = first_contact(grain, {moved(0, 0, 1e300), moved(0, 0, -1e300)}, world, stationary({}));
  ASSERT_TRUE(impact.pair);
  EXPECT_NEAR(impact.toi, 0.5, 1e-4);
}

TEST(RigidAdvance, FarTranslationsAndFarPlacesKeepTheirTimes) {
  const Soup cube = box({-1, -1, -1}, {1, 1, 1});
  const RigidImpact bullet =
      first_contact(cube, {moved(-1e9, 0, 0), moved(1e9, 0, 0)}, cube, stationary({}), 1e-12);
  ASSERT_TRUE(bullet.pair);
  EXPECT_NEAR(bullet.toi, 0.5 - 1e-9, 1e-11);
  const RigidImpact far = first_contact(cube, {moved(1e8, 0, 0), moved(1e8 + 4, 0, 0)}, cube,
                                        stationary(pose_from_axis_angle({1, 0, 0}, 1.0, {1e8 + 4, 0, 0})));
  ASSERT_TRUE(far.pair);
  EXPECT_NEAR(far.toi, 0.5, 1e-5);
}

TEST(RigidAdvance, TheFinestToleranceEnds) {
  Random random(8);
  for (int i = 0; i < 20; ++i) {
    const Soup a = random_soup(random, 12, 0.5);
    const Soup b = random_soup(random, 12, 0.5);
    RigidMotion motion_a{random_pose(random, 3.0, 0.2), random_pose(random, 3.0, 0.2)};
    RigidMotion motion_b{random_pose(random, 3.0, 0.2), random_pose(random, 3.0, 0.2)};
    motion_b.start.translation.x += 3.5;
    SCOPED_TRACE(i);
    check_by_sampling(a, motion_a, b, motion_b, 0x1p-40, 50);
  }
}

TEST(RigidAdvance, TheSameQueryGivesTheSameAnswerAndWork) {
  Random random(21);
  const Soup a = random_soup(random, 60, 0.3);
  const Soup b = random_soup(random, 60, 0.3);
  RigidMotion motion_a{random_pose(random, 3.0, 0.2), random_pose(random, 3.0, 0.2)};
  motion_a.start.translation.y += 4.0;
  const RigidImpact one = first_contact(a, motion_a, b, stationary({}));
  const RigidImpact two = first_contact(a, motion_a, b, stationary({}));
  ASSERT_TRUE(one.pair);
  EXPECT_EQ(one.toi, two.toi);
  EXPECT_EQ(one.pair, two.pair);
  EXPECT_EQ(one.distance, two.distance);
  EXPECT_EQ(one.stats.node_tests, two.stats.node_tests);
  EXPECT_EQ(one.stats.tiers.interval, two.stats.tiers.interval);
  EXPECT_GT(one.stats.triangle_tests, 0U);
}

TEST(RigidAdvance, BadMotionsAndTolerancesAreRefused) {
  const Soup cube = box({0, 0, 0}, {1, 1, 1});
  for (const double tolerance : {0.0, 0x1p-41, 1.5, -1.0, std::nan("")})
    EXPECT_THROW((void)first_contact(cube, stationary({}), cube, stationary({}), tolerance), InputError);
  Pose mirror;
  mirror.rotation[2].z = -1.0;
  EXPECT_THROW((void)first_contact(cube, stationary(mirror), cube, stationary({})), InputError);
  EXPECT_THROW((void)first_contact(cube, {{}, mirror}, cube, stationary({})), InputError);
  EXPECT_THROW((void)first_contact(cube, {{}, moved(1e305, 0, 0)}, cube, stationary({})), InputError);
  RigidMotion nowhere = stationary({});
  nowhere.centre.x = std::nan("");
  EXPECT_THROW((void)first_contact(cube, nowhere, cube, stationary({})), InputError);
  const Soup huge = box({0, 0, 0}, {1e305, 1, 1});
  EXPECT_THROW((void)first_contact(huge, stationary({}), cube, stationary({})), InputError);
  EXPECT_THROW((void)pose_at(stationary({}), 1.5), InputError);
  EXPECT_THROW((void)pose_at(stationary({}), std::nan("")), InputError);
  try {
    (void)first_contact(cube, stationary({}), cube, {{}, mirror});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("motion of b"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("reflection"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace graze
