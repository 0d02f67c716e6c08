// Poses: exact touches and misses by one unit in the last place, rotations by right angles, matrices at the limit
// of orthonormality, and refused poses.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Pose translated(const Vec3& t) {
  return {.translation = t};
}

TEST(RigidPoses, PosedRoundsEachOperationOnce) {
  Random random = seeded(911);
  for (int i = 0; i < 20000; ++i) {
    Pose pose = random_rotation(random);
    pose.translation = std::ldexp(1.0, random.between(-60, 60)) * random_vec(random);
    const Vec3 x = std::ldexp(1.0, random.between(-60, 60)) * random_vec(random);
    ASSERT_EQ(posed(pose, x), posed_twin(pose, x));
  }
  const Pose tiny = pose_from_axis_angle({1, 2, 3}, 0.5, {1e-310, -1e-320, 0});
  EXPECT_EQ(posed(tiny, {3e-310, 1e-312, -5e-324}), posed_twin(tiny, {3e-310, 1e-312, -5e-324}));
}

TEST(RigidPoses, AreMadeOfFiniteNumbersOnly) {
  for (const double bad : {kInfinity, -kInfinity, kNaN}) {
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<double, 4> q{1.0, 0.5, -0.25, 2.0};
      q[k] = bad;
      EXPECT_THROW((void)pose_from_quaternion(q), InputError);
    }
    EXPECT_THROW((void)pose_from_axis_angle({1, bad, 0}, 0.5), InputError);
    EXPECT_THROW((void)pose_from_axis_angle({1, 0, 0}, bad), InputError);
  }
  EXPECT_THROW((void)pose_from_quaternion({0, 0, 0, 0}), InputError);
  EXPECT_THROW((void)pose_from_axis_angle({0, 0, 0}, 1.0), InputError);
}

TEST(RigidPoses, AColliderKeepsTheObjectsItWasMadeFor) {
  const Soup cube = unit_cube();
  RigidObject a(cube.positions, cube.triangles);
  RigidObject b(cube.positions, cube.triangles);
  Collider collider(a, b);
  const TrianglePairs before = collider.triangle_pairs({}, translated({0.5, 0.25, 0.125}));
  ASSERT_FALSE(before.pairs.empty());
  a = RigidObject({}, {});
  b = RigidObject({}, {});
  EXPECT_EQ(collider.triangle_pairs({}, translated({0.5, 0.25, 0.125})).pairs, before.pairs);
}

TEST(RigidPoses, CubesTouchExactlyAndMissByOneUnitInTheLastPlace) {
  const Soup cube = unit_cube();
  const std::vector<Choice> choices = all_choices();
  Pairing pairing(cube, cube, choices);
  const double more = std::nextafter(1.0, 2.0);
  const double less = std::nextafter(1.0, 0.0);
  struct Case {
    Vec3 t;
    bool hit;
  };
  const std::vector<Case> cases{{{1, 0, 0}, true},        {{-1, 0, 0}, true},         {{0, 1, 0}, true},
                                {{0, 0, -1}, true},       {{1, 1, 0}, true},          {{1, -1, 1}, true},
                                {{more, 0, 0}, false},    {{0, -more, 0}, false},     {{0, 0, more}, false},
                                {{1, 1, more}, false},    {{less, less, less}, true}, {{1, 0.5, 0.25}, true},
                                {{-1, -1, -more}, false}, {{1, 1, less}, true},       {{more, 0.5, 0.5}, false}};
  for (const Case& c : cases) {
    const auto expected = intersecting_pairs(cube, {}, cube, translated(c.t));
    ASSERT_EQ(!expected.empty(), c.hit);
    ASSERT_EQ(pairing.check({}, translated(c.t), expected), "");
    ASSERT_EQ(pairing.check(translated(-c.t), {}), "");
  }
}

TEST(RigidPoses, RightAnglesAndReflectionsKeepTouchesExact) {
  Random random = seeded(912);
  const std::vector<Choice> choices = few_choices();
  const Soup cube = moved(unit_cube(), {-0.5, -0.5, -0.5});
  Soup bar = cube;
  for (Vec3& x : bar.positions) x.y *= 3.0;
  Pairing pairing(cube, bar, choices);
  const std::vector<Pose> turns = axis_permutations();
  for (const Pose& turn : turns) {
    Pose pose_a = turns[random.below(48)];
    pose_a.translation = {0.25, 8, -2};
    Pose pose_b = turn;
    // The half lengths of the bar along the world axes determine where it touches.
    const Vec3 half{std::abs(turn.rotation[0].y) == 1.0 ? 1.5 : 0.5,
                    std::abs(turn.rotation[1].y) == 1.0 ? 1.5 : 0.5,
                    std::abs(turn.rotation[2].y) == 1.0 ? 1.5 : 0.5};
    const Vec3 touch{half.x + 0.5, half.y + 0.5, half.z + 0.5};
    pose_b.translation = pose_a.translation + touch;
    ASSERT_FALSE(intersecting_pairs(cube, pose_a, bar, pose_b).empty());
    ASSERT_EQ(pairing.check(pose_a, pose_b), "");
    pose_b.translation = pose_a.translation + Vec3{touch.x, 0, 0};
    ASSERT_FALSE(intersecting_pairs(cube, pose_a, bar, pose_b).empty());
    ASSERT_EQ(pairing.check(pose_a, pose_b), "");
    pose_b.translation = pose_a.translation + Vec3{0, -touch.y * (1 + 0x1p-40), 0};
    ASSERT_TRUE(intersecting_pairs(cube, pose_a, bar, pose_b).empty());
    ASSERT_EQ(pairing.check(pose_a, pose_b), "");
  }
}

TEST(RigidPoses, WhatARotationIsOffBelongsToThePose) {
  Random random = seeded(913);
  const std::vector<Choice> choices = few_choices();
  for (int i = 0; i < (kIsSlow ? 10 : 60); ++i) {
    const Soup a = moved(random_soup(random, 8, 0.5), 1e3 * random_vec(random));
    const Soup b = i % 2 == 0 ? random_soup(random, 8, 0.5) : moved(unit_cube(), {-0.5, -0.5, -0.5});
    Pairing pairing(a, b, choices);
    PosePair poses = near_poses(a, b, 0.0, {}, random);
    poses.a = distorted(poses.a, 9e-7, random);
    poses.b = distorted(poses.b, 9e-7, random);
    poses.a.translation = random_vec(random) - posed({poses.a.rotation, {}}, middle_of(a));
    ASSERT_EQ(pairing.check(poses.a, poses.b), "");
  }
}

/// Checks that every query of a collider refuses the poses.
void expect_refused(Collider& collider, const Pose& a, const Pose& b, const std::string& words) {
  const auto expect = [&](auto&& query) {
    try {
      query();
      ADD_FAILURE() << "accepted " << described(a) << " and " << described(b);
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  expect([&] { (void)collider.first_hit(a, b); });
  expect([&] { (void)collider.triangle_pairs(a, b); });
  expect([&] { (void)collider.contacts(a, b); });
}

TEST(RigidPoses, WhatIsNoPoseIsRefusedAndTheNextQueryIsRight) {
  Random random = seeded(914);
  const Soup cube = unit_cube();
  for (const Choice& choice : all_choices()) {
    const RigidObject object(cube.positions, cube.triangles, {choice.tree, choice.split, 1});
    Collider collider(object, object, choice.options);
    const auto before = collider.triangle_pairs({}, translated({0.5, 0.5, 0.5})).pairs;
    ASSERT_FALSE(before.empty());
    for (const double bad : {kNaN, kInfinity, -kInfinity}) {
      expect_refused(collider, translated({0, bad, 0}), {}, "pose of a");
      expect_refused(collider, {}, translated({0, 0, bad}), "pose of b");
      Pose pose;
      pose.rotation[1].z = bad;
      expect_refused(collider, pose, {}, "pose of a");
      expect_refused(collider, {}, pose, "pose of b");
    }
    Pose zero;
    zero.rotation = {};
    expect_refused(collider, {}, zero, "pose of b");
    Pose huge;
    for (Vec3& row : huge.rotation) row = 1e300 * row;
    expect_refused(collider, huge, {}, "pose of a");
    for (int i = 0; i < 5; ++i) {
      const Pose rotation = random_rotation(random);
      expect_refused(collider, distorted(rotation, 2e-6, random), rotation, "pose of a");
      EXPECT_NO_THROW((void)collider.first_hit(distorted(rotation, 9e-7, random), rotation));
    }
    EXPECT_EQ(collider.triangle_pairs({}, translated({0.5, 0.5, 0.5})).pairs, before) << described(choice);
    EXPECT_TRUE(collider.first_hit({}, translated({0.5, 0.5, 0.5})).hit());
    EXPECT_FALSE(collider.first_hit({}, translated({0.5, 0.5, 3})).hit());
  }
}

TEST(RigidPoses, TreesOfTwoKindsDoNotGoTogether) {
  const Soup cube = unit_cube();
  const RigidObject boxtree(cube.positions, cube.triangles);
  for (const Choice& choice : few_choices()) {
    if (choice.tree == RigidTree::Boxtree) continue;
    const RigidObject other(cube.positions, cube.triangles, {.tree = choice.tree});
    EXPECT_THROW(Collider(boxtree, other), InputError);
    EXPECT_THROW(Collider(other, boxtree), InputError);
  }
}

TEST(RigidPoses, HugeTranslationsAreExact) {
  Random random = seeded(915);
  const Soup cube = unit_cube();
  const Soup soup = random_soup(random, 10, 0.5);
  const std::vector<Choice> choices = few_choices();
  Pairing cubes(cube, cube, choices);
  Pairing mixed(cube, soup, choices);
  for (const double far : {1e10, 0x1p53, 1e17, 1e38, 1e39, 1e150, 1e300, 1.7e308}) {
    for (int i = 0; i < 3; ++i) {
      const Pose away = translated(far * random_vec(random));
      ASSERT_EQ(cubes.check(away, {}), "");
      ASSERT_EQ(cubes.check({}, away), "");
      ASSERT_EQ(cubes.check(away, away), "");
      ASSERT_EQ(mixed.check(away, away), "");
      ASSERT_EQ(mixed.check(away, translated(away.translation + random_vec(random))), "");
      ASSERT_EQ(mixed.check(away, translated(-away.translation)), "");
    }
  }
}

TEST(RigidPoses, APoseThatOverflowsIsRefused) {
  Soup large;
  large.name = "large";
  large.add({1.5e308, 1.5e308, 0}, {1e308, 0, 0}, {0, 1e308, 1e307});
  const Pose turn = pose_from_axis_angle({0, 0, 1}, 0.785);
  for (const Choice& choice : few_choices()) {
    const RigidObject object(large.positions, large.triangles, {choice.tree, choice.split, 1});
    Collider collider(object, object, choice.options);
    EXPECT_TRUE(collider.first_hit({}, {}).hit());
    expect_refused(collider, turn, {}, "pose of a");
    expect_refused(collider, {}, translated({0, 1e308, 0}), "pose of b");
    // Valid, and at the limit.
    EXPECT_TRUE(collider.first_hit(translated({0, -1.5e308, 0}), translated({0, -1.5e308, 0})).hit());
  }
}

TEST(RigidPoses, FarApartIsSeenAtTheRoots) {
  Random random = seeded(916);
  const Soup soup = random_soup(random, 200, 0.2);
  for (const Choice& choice : few_choices()) {
    const RigidObject object(soup.positions, soup.triangles, {choice.tree, choice.split, 1});
    Collider collider(object, object, choice.options);
    for (const double far : {10.0, 1e6, 1e30, 1e45, 1e200, 1e308}) {
      const TrianglePairs pairs = collider.triangle_pairs({}, translated({far, -far, 0}));
      EXPECT_TRUE(pairs.pairs.empty());
      EXPECT_EQ(pairs.stats.triangle_tests, 0U) << described(choice) << " at " << far;
    }
  }
}

}  // namespace
}  // namespace graze::testing
