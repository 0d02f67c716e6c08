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
  Trees(const TraversalCase& traversal_case, RigidTree kind)
      : a(build_volume_tree(traversal_case.a.positions, traversal_case.a.triangles, kind)),
        b(build_volume_tree(traversal_case.b.positions, traversal_case.b.triangles, kind)),
        placement(place(place_soup(traversal_case.a, a->local_frame(), traversal_case.pose_a, 0.0, a->depth()),
                        place_soup(traversal_case.b, b->local_frame(), traversal_case.pose_b, 0.0, b->depth()))) {}

  Pairs pairs(bool lift = true, FlopCounts* flops = nullptr) const {
    return pairs_of([&](LeafSink& sink) { a->traverse(*b, placement, sink, flops, lift); });
  }

  std::unique_ptr<VolumeTree> a;
  std::unique_ptr<VolumeTree> b;
  Placement placement;
};

TraversalCase rough_balls(double distance) {
  const Soup ball = rough_ball(4);
  return {"balls", ball, ball, {}, pose_from_axis_angle({1, 2, 3}, 0.7, {distance, 0.2, 0.1})};
}

TEST(VolumeTree, GeneratesAllIntersectingPairs) {
  for (const TraversalCase& traversal_case : traversal_cases()) {
    const Pairs expected = intersecting_pairs(traversal_case);
    for (const RigidTree kind : kTrees)
      EXPECT_EQ(filter_intersecting(traversal_case, Trees(traversal_case, kind).pairs()), expected)
          << traversal_case.name << ", " << name_of(kind);
  }
}

TEST(VolumeTree, GeneratesTheSamePairsWithAndWithoutLiftAndCounting) {
  for (const TraversalCase& traversal_case : traversal_cases()) {
    for (const RigidTree kind : kTrees) {
      const Trees trees(traversal_case, kind);
      const Pairs pairs = trees.pairs();
      FlopCounts lifted;
      FlopCounts plain;
      EXPECT_EQ(trees.pairs(false), pairs) << traversal_case.name << ", " << name_of(kind);
      EXPECT_EQ(trees.pairs(true, &lifted), pairs) << traversal_case.name << ", " << name_of(kind);
      EXPECT_EQ(trees.pairs(false, &plain), pairs) << traversal_case.name << ", " << name_of(kind);
      EXPECT_EQ(lifted.tests, plain.tests) << traversal_case.name << ", " << name_of(kind);
      EXPECT_LE(lifted.total(), plain.total()) << traversal_case.name << ", " << name_of(kind);
    }
  }
}

/// The least balanced topology: every inner node has the next triangle of a fixed order and the rest.
SplitTree chain(std::size_t count) {
  SplitTree tree;
  for (std::size_t i = 0; i < count; ++i) tree.order.push_back(static_cast<std::uint32_t>(7 * i % count));
  const auto last = static_cast<std::uint32_t>(count);
  tree.nodes.push_back({0, last, 0});
  for (std::uint32_t first = 0; first + 1 < last; ++first) {
    const auto child = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes[first == 0 ? 0 : child - 1].child = child;
    tree.nodes.push_back({first, first + 1, 0});
    tree.nodes.push_back({first + 1, last, 0});
  }
  tree.depth = last - 1;
  return tree;
}

TEST(VolumeTree, FitsVolumesToAGivenTopology) {
  const Soup soup = rough_ball(2);
  const std::size_t count = soup.triangles.size();
  ASSERT_NE(count % 7, 0U) << "the order must have every triangle once";
  const SplitTree topology = chain(count);
  for (const RigidTree kind : kTrees) {
    const auto tree = build_volume_tree(soup.positions, soup.triangles, kind, &topology);
    EXPECT_EQ(tree->validate(soup.positions, soup.triangles), "") << name_of(kind);
    EXPECT_EQ(tree->node_count(), 2 * count - 1);
    EXPECT_EQ(tree->depth(), count - 1);
    const Placement placement =
        place(place_soup(soup, tree->local_frame(), {}, 0.0, tree->depth()),
              place_soup(soup, tree->local_frame(), pose_from_axis_angle({1, 2, 3}, 0.7, {1.5, 0.2, 0.1}), 0.0,
                         tree->depth()));
    const auto other = build_volume_tree(soup.positions, soup.triangles, kind);
    const TraversalCase traversal_case{
        "chain", soup, soup, {}, pose_from_axis_angle({1, 2, 3}, 0.7, {1.5, 0.2, 0.1})};
    const auto pairs = [&](const VolumeTree& volumes) {
      return filter_intersecting(traversal_case, pairs_of([&](LeafSink& sink) {
                                   volumes.traverse(volumes, placement, sink, nullptr, true);
                                 }));
    };
    EXPECT_EQ(pairs(*tree), pairs(*other)) << name_of(kind);
    EXPECT_FALSE(pairs(*tree).empty()) << name_of(kind);
  }
}

TEST(VolumeTree, HoldsItsTrianglesAndNoOthers) {
  for (const TraversalCase& traversal_case : traversal_cases()) {
    for (const RigidTree kind : kTrees) {
      const auto& [positions, triangles] = traversal_case.a;
      const auto tree = build_volume_tree(positions, triangles, kind);
      EXPECT_EQ(tree->validate(positions, triangles), "") << traversal_case.name << ", " << name_of(kind);
      EXPECT_EQ(tree->node_count(), 2 * triangles.size() - 1);
      const std::vector<Triangle> fewer(triangles.begin() + 1, triangles.end());
      EXPECT_NE(tree->validate(positions, fewer), "") << traversal_case.name << ", " << name_of(kind);
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

TEST(VolumeTree, SeparatesMostTriangles) {
  const std::size_t intersecting = intersecting_pairs(rough_balls(1.9)).size();
  ASSERT_GT(intersecting, 50U);
  for (const RigidTree kind : kTrees) {
    const std::size_t pairs = Trees(rough_balls(1.9), kind).pairs().size();
    EXPECT_GE(pairs, intersecting) << name_of(kind);
    EXPECT_LT(pairs, 60 * intersecting) << name_of(kind);  // of 4 million pairs
    FlopCounts flops;
    EXPECT_TRUE(Trees(rough_balls(4.0), kind).pairs(true, &flops).empty()) << name_of(kind);
    EXPECT_EQ(flops.tests, 1U) << name_of(kind);
  }
}

TEST(VolumeTree, SeparatesNothingByNaN) {
  const TraversalCase& traversal_case = traversal_cases().front();
  const std::size_t all = traversal_case.a.triangles.size() * traversal_case.b.triangles.size();
  for (const RigidTree kind : kTrees) {
    Trees trees(traversal_case, kind);
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
  TraversalCase traversal_case = traversal_cases().front();
  traversal_case.b = {};
  for (const RigidTree kind : kTrees) {
    const Trees trees(traversal_case, kind);
    EXPECT_EQ(trees.b->node_count(), 0U);
    EXPECT_EQ(trees.b->validate({}, {}), "");
    EXPECT_TRUE(trees.pairs().empty());
  }
}

TEST(VolumeTree, AnswersQueriesAsTheBoxtree) {
  const TraversalCase traversal_case = rough_balls(1.9);
  const auto pairs = [&](RigidTree kind, BoxOverlap overlap) {
    const RigidObject a(traversal_case.a.positions, traversal_case.a.triangles, {.tree = kind});
    const RigidObject b(traversal_case.b.positions, traversal_case.b.triangles, {.tree = kind});
    return Collider(a, b, {.overlap = overlap}).triangle_pairs(traversal_case.pose_a, traversal_case.pose_b).pairs;
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
