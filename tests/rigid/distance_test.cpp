// Distances of rigid objects against rational arithmetic: bounds, tolerances, contact, pairs within a distance; on
// degenerate soups, at all scales, far from the origin; coherence; hierarchies; refused input.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/error.hpp>
#include <graze/rigid_distance.hpp>

#include "geometry/vec.hpp"
#include "rigid/distance/proximity_tree.hpp"
#include "rigid/distance/triangle_distance.hpp"
#include "rigid/distance_oracle.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RigidObject object_of(const Soup& soup, RigidTree tree = RigidTree::Boxtree) {
  return {soup.positions, soup.triangles, {.tree = tree, .threads = 1}};
}

std::string described(const Soup& a, const Pose& pose_a, const Soup& b, const Pose& pose_b) {
  return a.name + " in " + testing::described(pose_a) + "\n" + b.name + " in " + testing::described(pose_b) + "\n";
}

/// Checks all queries in one pose.
void check_pose_pair(const Soup& a, const Soup& b, const PosePair& poses) {
  SCOPED_TRACE(described(a, poses.a, b, poses.b));
  const RigidObject object_a = object_of(a);
  const RigidObject object_b = object_of(b);
  const DistanceTwin twin(a, poses.a, b, poses.b);
  DistanceQuery query(object_a, object_b);
  for (const double relative : {1e-6, 0.0, 0.25}) {
    const DistanceOptions options{.relative = relative};
    EXPECT_EQ(twin.check(query.distance(poses.a, poses.b, options), options), "") << relative;
  }
  const RigidDistance fine = query.distance(poses.a, poses.b, {.relative = 0.0});
  if (!fine.pair || !(fine.hi > 0.0)) {
    EXPECT_EQ(query.within(poses.a, poses.b, 0.0).within(), fine.pair.has_value());
    return;
  }
  EXPECT_FALSE(query.within(poses.a, poses.b, 0.0).within());
  for (const double d : {0.5 * fine.lo, fine.lo, fine.hi, 1.5 * fine.hi}) {
    if (!std::isfinite(d)) continue;
    const std::vector<TrianglePair> expected = twin.within(d);
    const WithinDistance within = query.within(poses.a, poses.b, d);
    EXPECT_EQ(within.within(), !expected.empty()) << d;
    if (within.within()) {
      EXPECT_TRUE(std::binary_search(expected.begin(), expected.end(), *within.pair));
    }
    std::vector<TrianglePair> found;
    for (const RigidProximity& proximity : query.proximities(poses.a, poses.b, d).proximities)
      found.push_back(proximity.pair);
    EXPECT_EQ(found, expected) << d;
  }
  for (const double absolute : {0.1 * fine.hi, 3.0 * fine.hi}) {
    const DistanceOptions options{.relative = 0.0, .absolute = absolute};
    EXPECT_EQ(twin.check(query.distance(poses.a, poses.b, options), options), "") << absolute;
  }
  for (const double limit : {0.5 * fine.hi, 2.0 * fine.hi}) {
    if (!(limit > 0.0)) continue;
    const DistanceOptions options{.limit = limit};
    const RigidDistance found = query.distance(poses.a, poses.b, options);
    EXPECT_EQ(twin.check(found, options), "") << limit;
    EXPECT_EQ(found.pair.has_value(), limit > fine.hi);
  }
}

TEST(RigidDistance, BoundsContainTheExactDistanceOfDegenerateSoups) {
  Random random = seeded(1201);
  for (const std::size_t count : kIsSlow ? std::vector<std::size_t>{5} : std::vector<std::size_t>{3, 5, 12}) {
    const std::vector<Soup> gallery = soup_gallery(random, count);
    const Soup other = random_soup(random, count, 0.5);
    for (const Soup& soup : gallery) {
      for (const double share : kIsSlow ? std::vector{0.6} : std::vector{0.0, 0.6, 1.5})
        check_pose_pair(soup, other, near_poses(soup, other, share, {}, random));
      check_pose_pair(soup, soup, near_poses(soup, soup, 0.8, {}, random));
      check_pose_pair(soup, soup, {{}, {.translation = {0.5, 0.0, 0.0}}});
    }
  }
}

TEST(RigidDistance, BoundsHoldAtEveryScaleAndFarFromTheOrigin) {
  Random random = seeded(1202);
  for (const int exponent : {-990, -200, 0, 300, 985}) {
    const Soup a = scaled(random_soup(random, 4, 0.6), exponent);
    const Soup b = scaled(random_soup(random, 4, 0.6), exponent);
    check_pose_pair(a, b, near_poses(a, b, 1.1, {}, random));
    const Soup tiny = scaled(random_soup(random, 4, 0.6), exponent - 30);
    check_pose_pair(a, tiny, near_poses(a, tiny, 0.7, {}, random));
  }
  const Soup a = random_soup(random, 4, 0.6);
  for (const double far : {1e4, 1e9, 1e15}) {
    check_pose_pair(a, a, near_poses(a, a, 1.2, {far, -far, 0.5 * far}, random));
    PosePair apart = near_poses(a, a, 1.0, {}, random);
    apart.b.translation = {far, 0.0, far};
    check_pose_pair(a, a, apart);
  }
  const Soup huge = scaled(random_soup(random, 3, 0.6), 1019);
  const Soup small = scaled(random_soup(random, 3, 0.6), -1040);
  check_pose_pair(huge, small, {});
  check_pose_pair(small, small, {{}, {.translation = {0x1p-1035, 0.0, 0.0}}});
}

TEST(RigidDistance, PosesThatAreNotQuiteOrthonormalKeepTheirBounds) {
  Random random = seeded(1203);
  for (int round = 0; round < 8; ++round) {
    const Soup a = random_soup(random, 6, 0.5);
    PosePair poses = near_poses(a, a, 0.9, {}, random);
    poses.a = distorted(poses.a, 9e-7, random);
    poses.b = distorted(poses.b, 9e-7, random);
    check_pose_pair(a, a, poses);
  }
}

TEST(RigidDistance, ObjectsThatTouchHaveDistanceZero) {
  const Soup cube = unit_cube();
  const RigidObject object = object_of(cube);
  for (const Pose& pose : axis_permutations()) {
    for (const Vec3& by : {Vec3{2.0, 0.0, 0.0}, Vec3{0.0, -2.0, 0.5}, Vec3{2.0, 2.0, 0.0}, Vec3{-2.0, 2.0, 2.0}}) {
      // Cubes of side 2 about the origin, by exact poses.
      const Soup centred = moved(scaled(cube, 1), {-1.0, -1.0, -1.0});
      const RigidObject big = object_of(centred);
      Pose there = pose;
      there.translation = by;
      const RigidDistance touching = distance({&big, pose}, {&big, there});
      EXPECT_TRUE(touching.intersects());
      EXPECT_EQ(touching.lo, 0.0);
      EXPECT_EQ(touching.hi, 0.0);
      there.translation = (1.0 + 0x1p-52) * by;
      const RigidDistance apart = distance({&big, pose}, {&big, there});
      EXPECT_FALSE(apart.intersects());
      EXPECT_GT(apart.lo, 0.0);
      EXPECT_LE(apart.lo, apart.hi);
      EXPECT_LE(apart.hi, 0x1p-50);
    }
  }
  EXPECT_TRUE(distance({&object, {}}, {&object, {}}).intersects());
}

TEST(RigidDistance, AnExactTieIsWithin) {
  const Soup cube = unit_cube();
  const RigidObject object = object_of(cube);
  DistanceQuery query(object, object);
  for (const double gap : {2.0, 0x1p-30, 1e-17, 3.0}) {
    // The cubes meet at x = 0, where doubles are finest.
    const Soup left = moved(cube, {-1.0, 0.0, 0.0});
    DistanceQuery across(object_of(left), object);
    const Pose there{.translation = {0.0, 0.25, 0.125}};
    const Soup point{"point", {{gap, 0.5, 0.5}}, {{0, 0, 0}}};
    DistanceQuery to_point(object_of(left), object_of(point));
    EXPECT_TRUE(to_point.within({}, {}, gap).within());
    EXPECT_FALSE(to_point.within({}, {}, std::nextafter(gap, 0.0)).within());
    EXPECT_EQ(to_point.proximities({}, {}, gap).proximities.size(), 2U);
    EXPECT_TRUE(across.within({}, there, 0.0).within());
  }
  EXPECT_TRUE(query.within({}, {.translation = {3.0, 4.0 + 1.0, 1.0}}, std::sqrt(20.0)).within());
}

TEST(RigidDistance, LargerMeshesAgreeWithAllPairs) {
  Random random = seeded(1204);
  for (const Soup& a : solids(kIsSlow ? 40 : 100)) {
    for (const Soup& b : solids(kIsSlow ? 30 : 70)) {
      const RigidObject object_a = object_of(a);
      const RigidObject object_b = object_of(b);
      const PosePair poses = near_poses(a, b, 1.0, {}, random);
      double least = kInfinity;
      for (TriangleId i = 0; i < a.triangles.size(); ++i) {
        for (TriangleId j = 0; j < b.triangles.size(); ++j) {
          bool exact = false;
          least = std::min(
              least,
              rigid::triangle_distance(posed_triangle(a, poses.a, i), posed_triangle(b, poses.b, j), exact).hi);
        }
      }
      for (const double relative : {0.0, 1e-9, 0.1}) {
        const RigidDistance found = distance({&object_a, poses.a}, {&object_b, poses.b}, {.relative = relative});
        EXPECT_LE(found.lo, least);
        EXPECT_GE(found.hi, least * (1.0 - 0x1p-40));
        EXPECT_LE(found.hi - found.lo, std::max(relative, 0x1p-40) * found.hi);
      }
    }
  }
}

TEST(RigidDistance, ManyTriangleTestsAreSaved) {
  const Soup torus = solids(4000)[2];
  const RigidObject object = object_of(torus);
  const RigidDistance found = distance({&object, {}}, {&object, {.translation = {2.5, 0.1, 0.2}}});
  EXPECT_GT(found.lo, 0.0);
  EXPECT_LT(found.stats.triangle_tests, 2000U);
  EXPECT_LT(found.stats.node_tests, 5000U);
}

TEST(RigidDistance, TheOwnTreeOfAnObjectDoesNotMatter) {
  Random random = seeded(1205);
  const Soup a = random_soup(random, 60, 0.2);
  const PosePair poses = near_poses(a, a, 1.1, {}, random);
  const RigidObject first = object_of(a);
  const RigidDistance expected = distance({&first, poses.a}, {&first, poses.b});
  for (const RigidTree tree : all_values<RigidTree>()) {
    const RigidObject other = object_of(a, tree);
    const RigidDistance found = distance({&first, poses.a}, {&other, poses.b});
    EXPECT_EQ(found.lo, expected.lo);
    EXPECT_EQ(found.hi, expected.hi);
    EXPECT_EQ(found.pair, expected.pair);
    EXPECT_GT(other.memory().distance_bytes, 0U);
  }
}

TEST(RigidDistance, CoherenceKeepsBoundsAndDecisions) {
  Random random = seeded(1206);
  const Soup a = random_soup(random, 6, 0.5);
  const Soup b = solids(8)[1];
  const RigidObject object_a = object_of(a);
  const RigidObject object_b = object_of(b);
  DistanceQuery coherent(object_a, object_b, {.coherence = true});
  DistanceQuery plain(object_a, object_b);
  PosePair poses = near_poses(a, b, 1.0, {}, random);
  for (int step = 0; step < (kIsSlow ? 10 : 40); ++step) {
    poses.b.translation = poses.b.translation + 0.15 * random_vec(random);
    if (step % 5 == 0) poses.a = random_rotation(random);
    const DistanceTwin twin(a, poses.a, b, poses.b);
    EXPECT_EQ(twin.check(coherent.distance(poses.a, poses.b), {}), "") << step;
    EXPECT_EQ(coherent.within(poses.a, poses.b, 0.2).within(), plain.within(poses.a, poses.b, 0.2).within());
    EXPECT_EQ(coherent.proximities(poses.a, poses.b, 0.2).proximities,
              plain.proximities(poses.a, poses.b, 0.2).proximities);
  }
}

TEST(RigidDistance, ProximitiesHaveBoundsAndPoints) {
  Random random = seeded(1207);
  const Soup a = random_soup(random, 6, 0.8);
  const PosePair poses = near_poses(a, a, 0.7, {}, random);
  const DistanceTwin twin(a, poses.a, a, poses.b);
  DistanceQuery query(object_of(a), object_of(a));
  const RigidProximities found = query.proximities(poses.a, poses.b, 1.0);
  EXPECT_FALSE(found.proximities.empty());
  for (const RigidProximity& proximity : found.proximities) {
    const oracle::Fraction& exact = twin.of(proximity.pair);
    EXPECT_LE(proximity.lo, oracle::sqrt_up(exact));
    EXPECT_GE(proximity.hi, oracle::sqrt_down(exact));
    EXPECT_LE(proximity.hi - proximity.lo, 0x1p-47 * proximity.hi);
    EXPECT_EQ(proximity.hi == 0.0, exact.numerator == 0);
    EXPECT_NEAR(length(proximity.point_b - proximity.point_a), proximity.hi, 1e-12);
  }
}

TEST(RigidDistance, NothingIsInfinitelyFar) {
  const RigidObject none({}, {});
  const Soup cube = unit_cube();
  const RigidObject object = object_of(cube);
  for (const auto& [a, b] : {std::pair{&none, &object}, std::pair{&object, &none}, std::pair{&none, &none}}) {
    const RigidDistance found = distance({a, {}}, {b, {}});
    EXPECT_EQ(found.lo, kInfinity);
    EXPECT_EQ(found.hi, kInfinity);
    EXPECT_FALSE(found.pair.has_value());
    EXPECT_FALSE(found.intersects());
    DistanceQuery query(*a, *b);
    EXPECT_FALSE(query.within({}, {}, 1e300).within());
    EXPECT_TRUE(query.proximities({}, {}, 1e300).proximities.empty());
  }
}

TEST(RigidDistance, HierarchiesHoldTheirTriangles) {
  Random random = seeded(1208);
  for (const std::size_t count : {1U, 7U, 8U, 9U, 100U}) {
    for (const Soup& soup : soup_gallery(random, count)) {
      const rigid::ProximityTree tree = rigid::build_proximity_tree(soup.positions, soup.triangles);
      EXPECT_EQ(rigid::validate_proximity_tree(tree, soup.positions, soup.triangles), "") << soup.name;
    }
  }
  const Soup soup = random_soup(random, 30, 0.3);
  rigid::ProximityTree tree = rigid::build_proximity_tree(soup.positions, soup.triangles);
  tree.nodes[1].half[0][0] *= 0.5F;
  EXPECT_NE(rigid::validate_proximity_tree(tree, soup.positions, soup.triangles), "");
}

TEST(RigidDistance, BadInputIsRefused) {
  const Soup cube = unit_cube();
  const RigidObject object = object_of(cube);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Pose bad;
  bad.translation.x = nan;
  DistanceQuery query(object, object);
  EXPECT_THROW((void)query.distance(bad, {}), InputError);
  EXPECT_THROW((void)query.distance({}, bad), InputError);
  EXPECT_THROW((void)query.within({}, bad, 1.0), InputError);
  EXPECT_THROW((void)query.proximities(bad, {}, 1.0), InputError);
  EXPECT_THROW((void)query.distance({}, {}, {.relative = -1.0}), InputError);
  EXPECT_THROW((void)query.distance({}, {}, {.relative = 2.0}), InputError);
  EXPECT_THROW((void)query.distance({}, {}, {.relative = nan}), InputError);
  EXPECT_THROW((void)query.distance({}, {}, {.absolute = -1.0}), InputError);
  EXPECT_THROW((void)query.distance({}, {}, {.limit = 0.0}), InputError);
  EXPECT_THROW((void)query.distance({}, {}, {.limit = nan}), InputError);
  for (const double d : {-1.0, nan, kInfinity}) {
    EXPECT_THROW((void)query.within({}, {}, d), InputError);
    EXPECT_THROW((void)query.proximities({}, {}, d), InputError);
  }
  EXPECT_THROW((void)distance({nullptr, {}}, {&object, {}}), InputError);
  EXPECT_THROW((void)distance({&object, {}}, {nullptr, {}}), InputError);
}

}  // namespace
}  // namespace graze::testing
