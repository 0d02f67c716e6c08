// Group trees and their traversal: boxes contain their triangles; every intersecting pair is generated, once, in a
// search for all pairs and in one for the first hit that never ends; large triangles against many small ones, from
// ordinary to degenerate, at all scales; measured gaps are lower bounds; infinite and NaN numbers separate nothing.
#include "rigid/boxtree/group_traversal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/simd/targets.hpp"
#include "geometry/vec.hpp"
#include "rigid/boxtree/build_boxtree.hpp"
#include "rigid/traversal_cases.hpp"

namespace graze::rigid::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

namespace {

struct GroupObject {
  GroupObject(const Soup& soup, BoxtreeSplit split)
      : tree(build_boxtree(soup.positions, soup.triangles, split)),
        groups(build_group_tree(tree, soup.positions, soup.triangles)),
        max_coordinate(max_coordinate_of(soup.positions, soup.triangles)) {}

  [[nodiscard]] GroupPlaced placed(const Pose& pose) const {
    return {tree.local_frame, pose, max_coordinate, tree.lo, tree.hi, groups.root};
  }

  Boxtree tree;
  GroupTree groups;
  double max_coordinate;
};

struct GroupPair {
  explicit GroupPair(const TraversalCase& traversal_case, BoxtreeSplit split = BoxtreeSplit::Free)
      : soups(traversal_case),
        a(soups.a, split),
        b(soups.b, split),
        placement(place_groups(a.placed(soups.pose_a), b.placed(soups.pose_b), true)) {}

  GroupTraversalCounts traverse(const GroupTraversalOptions& options, LeafSink& sink) {
    return traverse_groups({a.groups, a.tree, soups.a.positions, soups.a.triangles, placement.a},
                           {b.groups, b.tree, soups.b.positions, soups.b.triangles, placement.b}, options, tables,
                           sink);
  }
  /// The generated pairs; none if the roots are separated.
  Pairs pairs(const GroupTraversalOptions& options = {}, GroupTraversalCounts* counts = nullptr) {
    return pairs_of([&](LeafSink& sink) {
      if (placement.roots_separated) return;
      const GroupTraversalCounts now = traverse(options, sink);
      if (counts != nullptr) *counts = now;
    });
  }

  const TraversalCase& soups;
  GroupObject a;
  GroupObject b;
  GroupPlacement placement;
  GroupTables tables;
};

constexpr GroupTraversalOptions kOptions[] = {
    {}, {.first = true}, {.first = false, .measure = true}, {.first = true, .measure = true}};

void expect_all_pairs(const TraversalCase& traversal_case) {
  const Pairs expected = intersecting_pairs(traversal_case);
  for (const BoxtreeSplit split : {BoxtreeSplit::Free, BoxtreeSplit::Volume, BoxtreeSplit::Longest}) {
    GroupPair pair(traversal_case, split);
    for (const GroupTraversalOptions& options : kOptions) {
      EXPECT_EQ(filter_intersecting(traversal_case, pair.pairs(options)), expected)
          << traversal_case.name << ", " << name_of(split) << ", first " << options.first << ", measure "
          << options.measure;
    }
  }
}

TraversalCase swapped(const TraversalCase& traversal_case) {
  return {traversal_case.name + ", swapped", traversal_case.b, traversal_case.a, traversal_case.pose_b,
          traversal_case.pose_a};
}

TraversalCase rough_balls(double distance) {
  const Soup ball = rough_ball(4);
  return {"balls", ball, ball, {}, pose_from_axis_angle({1, 2, 3}, 0.7, {distance, 0.2, 0.1})};
}

/// Two triangles of edge 2 `size` and degenerate ones as large: a needle, a segment, a point, a repeated triangle.
Soup large_soup(double size) {
  const double s = size;
  return {{{-s, -s, 0}, {s, -s, 0}, {s, s, 0}, {-s, s, 0}, {s, 0x1p-30 * s, 0}},
          {{0, 1, 2}, {0, 2, 3}, {0, 1, 1}, {3, 3, 3}, {0, 1, 2}, {3, 1, 4}}};
}

TEST(GroupTraversal, GeneratesAllIntersectingPairs) {
  for (const TraversalCase& traversal_case : traversal_cases()) expect_all_pairs(traversal_case);
}

TEST(GroupTraversal, GeneratesAllPairsOfLargeTriangles) {
  const Soup ball = rough_ball(3);
  std::size_t intersecting = 0;
  for (const double size : {1.5, 10.0, 1e3, 1e6}) {
    for (const double height : {0.0, 0.5, 0.9, 1.2}) {
      const Pose tilt = pose_from_axis_angle({1, -2, 0.5}, 0.1 + height, {});
      Pose ground = tilt;
      ground.translation = posed(tilt, {0.3 * size, -0.4 * size, -height});
      const TraversalCase traversal_case{"large by " + std::to_string(size) + ", height " + std::to_string(height),
                                         large_soup(size), ball, ground, pose_from_axis_angle({3, 1, 2}, size, {})};
      intersecting += intersecting_pairs(traversal_case).size();
      expect_all_pairs(traversal_case);
      expect_all_pairs(swapped(traversal_case));
    }
  }
  EXPECT_GT(intersecting, 500U);
}

TEST(GroupTraversal, GeneratesAllPairsOfTinyAndHugeObjects) {
  for (const double unit : {1e-280, 1e-30, 1e30, 1e280}) {
    Soup ball = rough_ball(2);
    Soup floor = large_soup(7.0 * unit);
    for (Vec3& x : ball.positions) x = unit * x;
    const Pose ground = pose_from_axis_angle({1, 1, 0}, 0.3, unit * Vec3{0.2, 0.1, -0.7});
    const TraversalCase traversal_case{"unit " + std::to_string(std::log10(unit)), ball, floor, {}, ground};
    EXPECT_GT(intersecting_pairs(traversal_case).size(), 10U) << traversal_case.name;
    expect_all_pairs(traversal_case);
    expect_all_pairs(swapped(traversal_case));
  }
}

TEST(GroupTraversal, SpendsAPathOnALargeTriangleThatIsApart) {
  const Soup ball = rough_ball(5);
  Soup floor = large_soup(20.0);
  floor.triangles.resize(2);
  const Pose tilt = pose_from_axis_angle({1, -2, 0.5}, 0.7, {});
  for (const double height : {1.15, 1.3, 2.0}) {
    Pose ground = tilt;
    ground.translation = posed(tilt, {3, 4, -height});
    const TraversalCase traversal_case{"floor", ball, floor, {}, ground};
    ASSERT_TRUE(intersecting_pairs(traversal_case).empty());
    GroupPair pair(traversal_case);
    GroupTraversalCounts counts;
    EXPECT_TRUE(pair.pairs({}, &counts).empty()) << height;
    EXPECT_LT(counts.tests, 600U) << height;  // of 8192 small triangles
  }
}

// The plates have nothing but near misses, in thousands of overlapping boxes, and one pair that intersects.
TEST(GroupTraversal, FindsTheOneHitBeyondItsBudget) {
  Soup plate;
  for (std::uint32_t i = 0; i < 900; ++i) {
    const double x = i % 30;
    const double y = i / 30;
    const std::uint32_t id = 3 * i;
    plate.positions.insert(plate.positions.end(), {{x, y, 0}, {x + 1, y, 1}, {x, y + 1, 1}});
    plate.triangles.push_back({id, id + 1, id + 2});
  }
  for (const std::uint32_t hit : {0U, 412U, 899U}) {
    TraversalCase traversal_case{"plates", plate, plate, {}, {}};
    traversal_case.pose_b.translation = {0, 0, 0x1p-20};
    traversal_case.b.positions[3 * std::size_t{hit}].z = -0.5;
    const Pairs expected = intersecting_pairs(traversal_case);
    ASSERT_FALSE(expected.empty());
    ASSERT_LT(expected.size(), 10U);
    expect_all_pairs(traversal_case);
    const RigidObject a(plate.positions, plate.triangles);
    const RigidObject b(traversal_case.b.positions, traversal_case.b.triangles);
    const FirstHit found = Collider(a, b).first_hit(traversal_case.pose_a, traversal_case.pose_b);
    ASSERT_TRUE(found.hit()) << hit;
    EXPECT_TRUE(expected.contains(*found.pair)) << hit;
  }
}

TEST(GroupTraversal, MeasuresNoMoreThanTheDistance) {
  for (const double distance : {2.2, 2.6, 4.0, 50.0}) {
    const TraversalCase traversal_case = rough_balls(distance);
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3& x : traversal_case.a.positions) {
      for (const Vec3& y : traversal_case.b.positions)
        nearest = std::min(nearest, length(posed(traversal_case.pose_b, y) - posed(traversal_case.pose_a, x)));
    }
    GroupPair pair(traversal_case);
    GroupTraversalCounts counts;
    ASSERT_TRUE(pair.pairs({.first = true, .measure = true}, &counts).empty()) << distance;
    const double gap = pair.placement.roots_separated ? pair.placement.gap : counts.gap;
    const double bound = std::ldexp(gap, pair.placement.exponent);
    EXPECT_LE(bound, nearest) << distance;
    EXPECT_GT(bound, 0.1 * nearest - 0.02) << distance;
    EXPECT_GT(bound, 0.0) << distance;
  }
}

// Pairs in the order of the search, counters and gaps.
TEST(GroupTraversal, DoesTheSameOnEveryInstructionSet) {
  const std::vector<std::string> targets = simd_targets();
  for (const double distance : {0.6, 1.9, 2.2}) {
    const TraversalCase traversal_case = rough_balls(distance);
    for (const GroupTraversalOptions& options : kOptions) {
      std::vector<TrianglePair> expected;
      GroupTraversalCounts expected_counts;
      for (const std::string& target : targets) {
        use_simd_target(target);
        std::vector<TrianglePair> found;
        const auto drain = [&](std::span<const TrianglePair> batch) {
          found.insert(found.end(), batch.begin(), batch.end());
          return false;
        };
        LeafSink sink(drain, 16);
        GroupPair pair(traversal_case);
        if (pair.placement.roots_separated) continue;
        const GroupTraversalCounts counts = pair.traverse(options, sink);
        if (target == targets.front()) {
          expected = found;
          expected_counts = counts;
        }
        EXPECT_EQ(found, expected) << target << ", distance " << distance;
        EXPECT_EQ(counts.tests, expected_counts.tests) << target << ", distance " << distance;
        EXPECT_EQ(counts.gap, expected_counts.gap) << target << ", distance " << distance;
      }
      use_simd_target("");
    }
  }
}

TEST(GroupTraversal, SeparatesNothingByNaNOrInfinity) {
  const TraversalCase& traversal_case = traversal_cases().front();
  const std::size_t all = traversal_case.a.triangles.size() * traversal_case.b.triangles.size();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const GroupTraversalOptions& options : kOptions) {
    GroupPair pair(traversal_case);
    ASSERT_FALSE(pair.placement.roots_separated);
    const GroupPlacement right = pair.placement;
    pair.placement.a.offset.fill(kNaN);
    pair.placement.b.offset.fill(kNaN);
    EXPECT_EQ(pair.pairs(options).size(), all);
    pair.placement = right;
    pair.placement.a.margin = pair.placement.b.margin = kInfinity;
    EXPECT_EQ(pair.pairs(options).size(), all);
    pair.placement.a.offset.fill(kInfinity);
    pair.placement.b.offset.fill(-kInfinity);
    EXPECT_EQ(pair.pairs(options).size(), all);
  }
}

TEST(GroupTraversal, EndsWhenTheSinkHasEnough) {
  const TraversalCase traversal_case = rough_balls(1.0);
  for (const GroupTraversalOptions& options : kOptions) {
    std::size_t drained = 0;
    const auto drain = [&](std::span<const TrianglePair> batch) {
      drained += batch.size();
      return true;
    };
    LeafSink sink(drain, 8);
    GroupPair pair(traversal_case);
    pair.traverse(options, sink);
    EXPECT_GT(drained, 0U);
    EXPECT_LE(drained, 8U);
  }
}

TEST(GroupTraversal, GeneratesNothingForAnEmptyObject) {
  TraversalCase traversal_case = traversal_cases().front();
  traversal_case.b = {};
  GroupPair pair(traversal_case);
  EXPECT_TRUE(pair.b.groups.empty());
  EXPECT_EQ(validate_group_tree(pair.b.groups, pair.b.tree, {}, {}), "");
  EXPECT_TRUE(pairs_of([&](LeafSink& sink) { pair.traverse({}, sink); }).empty());
}

TEST(GroupTree, HoldsItsTriangles) {
  for (const TraversalCase& traversal_case : traversal_cases()) {
    const auto& [positions, triangles] = traversal_case.a;
    const GroupObject object(traversal_case.a, BoxtreeSplit::Free);
    EXPECT_EQ(validate_group_tree(object.groups, object.tree, positions, triangles), "") << traversal_case.name;
  }
  Soup ball = rough_ball(4);
  const GroupObject object(ball, BoxtreeSplit::Free);
  EXPECT_EQ(validate_group_tree(object.groups, object.tree, ball.positions, ball.triangles), "");
  ball.positions[7] = 1.5 * ball.positions[7];
  EXPECT_NE(validate_group_tree(object.groups, object.tree, ball.positions, ball.triangles), "");
}

TEST(GroupTree, TakesThreeBytesATriangleAtMost) {
  for (const int levels : {3, 4, 5}) {
    const Soup ball = rough_ball(levels);
    const GroupObject object(ball, BoxtreeSplit::Free);
    EXPECT_LT(static_cast<double>(object.groups.bytes()), 3.0 * static_cast<double>(ball.triangles.size()) + 64.0);
  }
}

// A long thin box across all axes: no box along the axes of the local frame is nearly as small.
TEST(GroupTree, TurnsItsBoxes) {
  const Pose turn = pose_from_axis_angle({1, 2, 3}, 0.7);
  Soup rod;
  for (std::uint32_t i = 0; i < 400; ++i) {
    const double x = -1.0 + i / 200.0;
    const double y = i % 2 == 0 ? 0.01 : -0.01;
    const std::uint32_t id = 3 * i;
    for (const Vec3& p : {Vec3{x, y, 0.002}, Vec3{x + 0.005, -y, -0.002}, Vec3{x, 0, 0.002}})
      rod.positions.push_back(posed(turn, p));
    rod.triangles.push_back({id, id + 1, id + 2});
  }
  const GroupObject object(rod, BoxtreeSplit::Free);
  std::array<float, 3> half = object.groups.root.half;
  std::sort(half.begin(), half.end());
  EXPECT_LT(half[0], 0.004F);
  EXPECT_LT(half[1], 0.02F);
  EXPECT_GT(half[2], 0.4F);
}

}  // namespace

}  // namespace graze::rigid::testing
