// The scalar boxtree traversal: every overlap test generates all intersecting triangle pairs, with or without lift;
// the answers are those of the SIMD traversal; operation counts beside those of BOXTREE (Table 1, section 3.3).
#include "rigid/boxtree/boxtree_traversal_scalar.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "rigid/boxtree/build_boxtree.hpp"
#include "rigid/traversal_cases.hpp"

namespace graze::rigid::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

namespace {

constexpr std::array kCoarser = {BoxOverlap::Sat, BoxOverlap::SatLite, BoxOverlap::Axis, research::kLookup};

struct Trees {
  explicit Trees(const TraversalCase& traversal_case, BoxtreeSplit split = BoxtreeSplit::Free)
      : a(build_boxtree(traversal_case.a.positions, traversal_case.a.triangles, split)),
        b(build_boxtree(traversal_case.b.positions, traversal_case.b.triangles, split)),
        placement(
            place(place_soup(traversal_case.a, a.local_frame, traversal_case.pose_a, boxtree_slack(a), a.depth),
                  place_soup(traversal_case.b, b.local_frame, traversal_case.pose_b, boxtree_slack(b), b.depth))) {}

  Pairs pairs(BoxOverlap overlap, bool lift = true, FlopCounts* flops = nullptr) const {
    return pairs_of([&](LeafSink& sink) {
      traverse_boxtrees_scalar(a, b, placement, {.overlap = overlap, .lift = lift}, sink, flops);
    });
  }

  Boxtree a;
  Boxtree b;
  Placement placement;
};

TraversalCase rough_balls(double distance) {
  const Soup ball = rough_ball(4);
  return {"balls", ball, ball, {}, pose_from_axis_angle({1, 2, 3}, 0.7, {distance, 0.2, 0.1})};
}

FlopCounts counted(BoxOverlap overlap, bool lift) {
  const Trees trees(rough_balls(1.9));
  FlopCounts flops;
  trees.pairs(overlap, lift, &flops);
  return flops;
}

TEST(BoxtreeTraversalScalar, GeneratesAllIntersectingPairsByEveryOverlapTest) {
  std::size_t intersecting = 0;
  for (const TraversalCase& traversal_case : traversal_cases()) {
    const Pairs expected = intersecting_pairs(traversal_case);
    intersecting += expected.size();
    for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
      const Trees trees(traversal_case, split);
      for (const BoxOverlap overlap : kCoarser)
        EXPECT_EQ(filter_intersecting(traversal_case, trees.pairs(overlap)), expected)
            << traversal_case.name << ", " << name_of(overlap) << ", " << name_of(split);
    }
  }
  EXPECT_GT(intersecting, 5000U);
}

TEST(BoxtreeTraversalScalar, GeneratesTheSamePairsWithAndWithoutLiftAndCounting) {
  for (const TraversalCase& traversal_case : traversal_cases()) {
    const Trees trees(traversal_case);
    for (const BoxOverlap overlap : kCoarser) {
      const Pairs pairs = trees.pairs(overlap);
      FlopCounts lifted;
      FlopCounts plain;
      EXPECT_EQ(trees.pairs(overlap, false), pairs) << traversal_case.name << ", " << name_of(overlap);
      EXPECT_EQ(trees.pairs(overlap, true, &lifted), pairs) << traversal_case.name << ", " << name_of(overlap);
      EXPECT_EQ(trees.pairs(overlap, false, &plain), pairs) << traversal_case.name << ", " << name_of(overlap);
      EXPECT_EQ(lifted.tests, plain.tests) << traversal_case.name << ", " << name_of(overlap);
      EXPECT_EQ(lifted.comparisons, plain.comparisons) << traversal_case.name << ", " << name_of(overlap);
    }
  }
}

TEST(BoxtreeTraversalScalar, GeneratesFewerPairsWithMoreDirections) {
  for (const TraversalCase& traversal_case : traversal_cases()) {
    const Trees trees(traversal_case);
    for (std::size_t i = 0; i + 1 < kCoarser.size(); ++i) {
      const Pairs finer = trees.pairs(kCoarser[i]);
      const Pairs coarser = trees.pairs(kCoarser[i + 1]);
      EXPECT_TRUE(std::includes(coarser.begin(), coarser.end(), finer.begin(), finer.end()))
          << traversal_case.name << ", " << name_of(kCoarser[i]);
    }
  }
  const Trees trees(rough_balls(1.9));
  const std::size_t all = trees.pairs(research::kLookup).size();
  EXPECT_LT(trees.pairs(BoxOverlap::Sat).size(), trees.pairs(BoxOverlap::SatLite).size());
  EXPECT_LT(trees.pairs(BoxOverlap::SatLite).size(), trees.pairs(BoxOverlap::Axis).size());
  EXPECT_LT(trees.pairs(BoxOverlap::Axis).size(), all);
  EXPECT_LT(all, 2048U * 2048U / 50);  // 2 % of all triangle pairs
}

TEST(BoxtreeTraversalScalar, AnswersAsTheTraversalInLanes) {
  const TraversalCase traversal_case = rough_balls(1.9);
  const Trees trees(traversal_case);
  LeafGroupTables work;
  for (const BoxOverlap overlap : {BoxOverlap::Sat, BoxOverlap::SatLite, BoxOverlap::Axis}) {
    const Pairs in_lanes = pairs_of([&](LeafSink& sink) {
      traverse_boxtrees({trees.a, traversal_case.a.positions, traversal_case.a.triangles},
                        {trees.b, traversal_case.b.positions, traversal_case.b.triangles}, trees.placement,
                        {.overlap = overlap}, work, sink);
    });
    const Pairs scalar = trees.pairs(overlap);
    EXPECT_EQ(filter_intersecting(traversal_case, scalar), filter_intersecting(traversal_case, in_lanes))
        << name_of(overlap);
    EXPECT_FALSE(filter_intersecting(traversal_case, scalar).empty());
  }
}

TEST(BoxtreeTraversalScalar, SeparatesDistantObjectsByOneTest) {
  const Trees trees(rough_balls(4.0));
  for (const BoxOverlap overlap : kCoarser) {
    FlopCounts flops;
    EXPECT_TRUE(trees.pairs(overlap, true, &flops).empty()) << name_of(overlap);
    EXPECT_EQ(flops.tests, 1U) << name_of(overlap);
  }
}

TEST(BoxtreeTraversalScalar, SeparatesNothingByNaN) {
  const TraversalCase& traversal_case = traversal_cases().front();
  const std::size_t all = traversal_case.a.triangles.size() * traversal_case.b.triangles.size();
  Trees trees(traversal_case);
  const Placement right = trees.placement;
  for (const BoxOverlap overlap : kCoarser) {
    trees.placement = right;
    trees.placement.offset.fill(std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(trees.pairs(overlap).size(), all) << name_of(overlap);
    trees.placement = right;
    trees.placement.margin.fill(std::numeric_limits<float>::infinity());
    EXPECT_EQ(trees.pairs(overlap).size(), all) << name_of(overlap);
    trees.placement.offset.fill(std::numeric_limits<float>::infinity());
    EXPECT_EQ(trees.pairs(overlap).size(), all) << name_of(overlap);
  }
}

TEST(BoxtreeTraversalScalar, EndsWhenTheSinkHasEnough) {
  const Trees trees(rough_balls(1.0));
  std::size_t drained = 0;
  const auto drain = [&](std::span<const TrianglePair> batch) {
    drained += batch.size();
    return true;
  };
  for (const bool lift : {true, false}) {
    drained = 0;
    LeafSink sink(drain, 8);
    traverse_boxtrees_scalar(trees.a, trees.b, trees.placement, {.lift = lift}, sink);
    EXPECT_EQ(drained, 8U);
  }
}

TEST(BoxtreeTraversalScalar, GeneratesNothingForAnEmptyTree) {
  TraversalCase traversal_case = traversal_cases().front();
  traversal_case.b = {};
  FlopCounts flops;
  EXPECT_TRUE(Trees(traversal_case).pairs(BoxOverlap::Sat, true, &flops).empty());
  EXPECT_EQ(flops.tests, 0U);
}

// Operations of the most expensive test of a pair. BOXTREE's Table 1 has 12 (3 + 4 + 5), 24 and 82; this
// implementation needs one comparison less along three directions, and a cut does not move an interval end along
// directions perpendicular to its axis. Lookup tables save two products of three.
TEST(BoxtreeTraversalScalar, TakesNoMoreOperationsThanThePaperSays) {
  EXPECT_EQ(counted(BoxOverlap::Axis, false).worst, 11U);
  EXPECT_EQ(counted(BoxOverlap::SatLite, false).worst, 22U);
  EXPECT_EQ(counted(BoxOverlap::Sat, false).worst, 58U);
  EXPECT_EQ(counted(research::kLookup, false).worst, 9U);
}

// Section 3.3: 1.5 products, 2 sums and 5 comparisons. The most expensive pairs have a leaf of a, where the work on
// a child of b is for one pair alone: 6 operations and 3 comparisons.
TEST(BoxtreeTraversalScalar, HalvesProductsAndSumsByLift) {
  const FlopCounts flops = counted(BoxOverlap::Axis, true);
  const auto tests = static_cast<double>(flops.tests);
  EXPECT_NEAR(static_cast<double>(flops.multiplications) / tests, 1.5, 0.05);
  EXPECT_NEAR(static_cast<double>(flops.additions) / tests, 2.0, 0.05);
  EXPECT_LE(static_cast<double>(flops.comparisons) / tests, 4.0);
  EXPECT_EQ(flops.worst, 9U);
  EXPECT_EQ(counted(BoxOverlap::SatLite, true).worst, 15U);
  EXPECT_EQ(counted(BoxOverlap::Sat, true).worst, 39U);
}

}  // namespace

}  // namespace graze::rigid::testing
