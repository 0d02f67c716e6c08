// Trees of AABBs, OBBs, k-DOPs and spheres: every traversal generates all intersecting triangle pairs, with and
// without lift; node sizes and operation counts beside those of BOXTREE (Table 1).
#include "rigid/trees/volume_tree.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <limits>

#include "geometry/vec.hpp"
#include "rigid/traversal_cases.hpp"

namespace graze::rigid::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

namespace {

constexpr std::array kTrees = {RigidTree::Aabb, RigidTree::Obb, RigidTree::Kdop18, RigidTree::Kdop26,
                               RigidTree::Sphere};

struct Trees {
  Trees(const WalkCase& walk_case, RigidTree kind)
      : a(build_volume_tree(walk_case.a.positions, walk_case.a.triangles, kind)),
        b(build_volume_tree(walk_case.b.positions, walk_case.b.triangles, kind)),
        placement(place(place_soup(walk_case.a, a->frame(), walk_case.pose_a, 0.0, a->depth()),
                        place_soup(walk_case.b, b->frame(), walk_case.pose_b, 0.0, b->depth()))) {}

  Pairs pairs(bool lift = true, FlopCounts* flops = nullptr) const {
    return pairs_of([&](LeafSink& sink) { a->walk(*b, placement, sink, flops, lift); });
  }

  std::unique_ptr<VolumeTree> a;
  std::unique_ptr<VolumeTree> b;
  Placement placement;
};

WalkCase rough_balls(double distance) {
  const Soup ball = rough_ball(4);
  return {"balls", ball, ball, {}, pose_from_axis_angle({1, 2, 3}, 0.7, {distance, 0.2, 0.1})};
}

TEST(VolumeTree, BringsAllPairsThatMeet) {
  for (const WalkCase& walk_case : walk_cases()) {
    const Pairs expected = pairs_that_meet(walk_case);
    for (const RigidTree kind : kTrees)
      EXPECT_EQ(those_that_meet(walk_case, Trees(walk_case, kind).pairs()), expected)
          << walk_case.name << ", " << name_of(kind);
  }
}

TEST(VolumeTree, BringsTheSamePairsWithAndWithoutLiftAndCounting) {
  for (const WalkCase& walk_case : walk_cases()) {
    for (const RigidTree kind : kTrees) {
      const Trees trees(walk_case, kind);
      const Pairs pairs = trees.pairs();
      FlopCounts lifted;
      FlopCounts plain;
      EXPECT_EQ(trees.pairs(false), pairs) << walk_case.name << ", " << name_of(kind);
      EXPECT_EQ(trees.pairs(true, &lifted), pairs) << walk_case.name << ", " << name_of(kind);
      EXPECT_EQ(trees.pairs(false, &plain), pairs) << walk_case.name << ", " << name_of(kind);
      EXPECT_EQ(lifted.tests, plain.tests) << walk_case.name << ", " << name_of(kind);
      EXPECT_LE(lifted.total(), plain.total()) << walk_case.name << ", " << name_of(kind);
    }
  }
}

TEST(VolumeTree, HoldsItsTrianglesAndNoOthers) {
  for (const WalkCase& walk_case : walk_cases()) {
    for (const RigidTree kind : kTrees) {
      const auto& [positions, triangles] = walk_case.a;
      const auto tree = build_volume_tree(positions, triangles, kind);
      EXPECT_EQ(tree->validate(positions, triangles), "") << walk_case.name << ", " << name_of(kind);
      EXPECT_EQ(tree->node_count(), 2 * triangles.size() - 1);
      const std::vector<Triangle> fewer(triangles.begin() + 1, triangles.end());
      EXPECT_NE(tree->validate(positions, fewer), "") << walk_case.name << ", " << name_of(kind);
    }
  }
  for (const RigidTree kind : kTrees) {
    Soup ball = rough_ball(2);
    const auto tree = build_volume_tree(ball.positions, ball.triangles, kind);
    ball.positions[7] = 1.01 * ball.positions[7];
    EXPECT_NE(tree->validate(ball.positions, ball.triangles), "") << name_of(kind);
  }
}

TEST(VolumeTree, TakesTheBytesThatTheTableSays) {
  const Soup ball = rough_ball(1);
  const auto bytes = [&](RigidTree kind) {
    return build_volume_tree(ball.positions, ball.triangles, kind)->bytes_per_node();
  };
  EXPECT_EQ(bytes(RigidTree::Aabb), 28U);
  EXPECT_EQ(bytes(RigidTree::Obb), 64U);
  EXPECT_EQ(bytes(RigidTree::Kdop18), 76U);
  EXPECT_EQ(bytes(RigidTree::Kdop26), 108U);
  EXPECT_EQ(bytes(RigidTree::Sphere), 20U);  // 16 in the paper, which has no pointer
}

TEST(VolumeTree, TellsMostTrianglesApart) {
  const std::size_t meeting = pairs_that_meet(rough_balls(1.9)).size();
  ASSERT_GT(meeting, 50U);
  for (const RigidTree kind : kTrees) {
    const std::size_t pairs = Trees(rough_balls(1.9), kind).pairs().size();
    EXPECT_GE(pairs, meeting) << name_of(kind);
    EXPECT_LT(pairs, 60 * meeting) << name_of(kind);  // of 4 million pairs
    FlopCounts flops;
    EXPECT_TRUE(Trees(rough_balls(4.0), kind).pairs(true, &flops).empty()) << name_of(kind);
    EXPECT_EQ(flops.tests, 1U) << name_of(kind);
  }
}

TEST(VolumeTree, TellsNothingApartByNumbersThatAreNone) {
  const WalkCase& walk_case = walk_cases().front();
  const std::size_t all = walk_case.a.triangles.size() * walk_case.b.triangles.size();
  for (const RigidTree kind : kTrees) {
    Trees trees(walk_case, kind);
    const Placement right = trees.placement;
    trees.placement.offset.fill(std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(trees.pairs().size(), all) << name_of(kind);
    trees.placement = right;
    trees.placement.margin.fill(std::numeric_limits<float>::infinity());
    EXPECT_EQ(trees.pairs().size(), all) << name_of(kind);
    trees.placement.offset.fill(-std::numeric_limits<float>::infinity());
    EXPECT_EQ(trees.pairs().size(), all) << name_of(kind);
  }
}

TEST(VolumeTree, HasNoNodesWithoutTriangles) {
  WalkCase walk_case = walk_cases().front();
  walk_case.b = {};
  for (const RigidTree kind : kTrees) {
    const Trees trees(walk_case, kind);
    EXPECT_EQ(trees.b->node_count(), 0U);
    EXPECT_EQ(trees.b->validate({}, {}), "");
    EXPECT_TRUE(trees.pairs().empty());
  }
}

TEST(VolumeTree, AnswersQueriesAsTheBoxtree) {
  const WalkCase walk_case = rough_balls(1.9);
  const auto pairs = [&](RigidTree kind, BoxOverlap overlap) {
    const RigidObject a(walk_case.a.positions, walk_case.a.triangles, {.tree = kind});
    const RigidObject b(walk_case.b.positions, walk_case.b.triangles, {.tree = kind});
    return Collider(a, b, {.overlap = overlap}).triangle_pairs(walk_case.pose_a, walk_case.pose_b).pairs;
  };
  const auto expected = pairs(RigidTree::Boxtree, BoxOverlap::Sat);
  ASSERT_GT(expected.size(), 50U);
  for (const RigidTree kind : kTrees) EXPECT_EQ(pairs(kind, BoxOverlap::Sat), expected) << name_of(kind);
  EXPECT_EQ(pairs(RigidTree::Boxtree, research::kLookup), expected);
}

// Operations of the most expensive test of a pair, without lift. BOXTREE's Table 1 has 29 for spheres, 90 for
// AABBs, 243 for OBBs and 168 for 24-DOPs. This implementation also adds margins, and OBBs of b are first
// transformed into the local frame of a, which lift does once for all pairs of a node.
TEST(VolumeTree, TakesTheOperationsThatAreCounted) {
  const auto worst = [](RigidTree kind, bool lift) {
    FlopCounts flops;
    Trees(rough_balls(1.9), kind).pairs(lift, &flops);
    EXPECT_LT(flops.total(), flops.tests * flops.worst) << name_of(kind);
    return flops.worst;
  };
  EXPECT_EQ(worst(RigidTree::Sphere, false), 31U);
  EXPECT_EQ(worst(RigidTree::Aabb, false), 90U);
  EXPECT_EQ(worst(RigidTree::Obb, false), 300U);
  EXPECT_EQ(worst(RigidTree::Kdop18, false), 126U);
  EXPECT_EQ(worst(RigidTree::Kdop26, false), 182U);
}

}  // namespace

}  // namespace graze::rigid::testing
