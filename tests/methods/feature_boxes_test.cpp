// Feature boxes contain their features up to the requested time, and the box test rejects only boxes farther apart
// than the gap.
#include "methods/brute/feature_boxes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "methods/brute/all_pairs.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;
namespace {

TEST(FeatureBoxes, HoldEveryPointOfTheWayUpToTheAskedTime) {
  std::mt19937_64 random(7);
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
  Features features;
  for (VertexId v = 0; v < 3000; ++v) {
    const auto number = [&] {
      const double mantissa = static_cast<double>(random() >> 11U) * 0x1p-52 - 1.0;
      return std::ldexp(mantissa, static_cast<int>(random() % 2040) - 1018);
    };
    x_t0.push_back({number(), number(), number()});
    x_t1.push_back({number(), number(), v % 3 == 0 ? x_t0.back().z : number()});
    features.vertices.push_back(v);
  }
  x_t0[0] = {1.7e308, -1.7e308, 0.0};
  x_t1[0] = {-1.7e308, 1.7e308, 5e-324};
  for (const double until : {0.0, 1e-6, 0.3, 0.999, 1.0}) {
    const FeatureBoxes boxes = make_feature_boxes(features, x_t0, x_t1, until);
    for (std::size_t v = 0; v < x_t0.size(); ++v) {
      const Box box = boxes.vertices.box(v);
      const auto expect_holds = [&](std::size_t axis, double from, double to) {
        for (const double t : {0.0, until / 2, until}) {
          // Computed in long double: its three roundings are far below those of double, which the box must allow
          // for.
          const long double at = (1.0L - t) * from + static_cast<long double>(t) * to;
          const long double own_error = 0x1p-60L * (std::abs(from) + std::abs(static_cast<long double>(to)));
          EXPECT_LE(box.lo[axis] - own_error, at);
          EXPECT_GE(box.hi[axis] + own_error, at);
        }
        EXPECT_GE(box.lo[axis], std::min(from, to)) << "no larger than the whole way";
        EXPECT_LE(box.hi[axis], std::max(from, to));
      };
      expect_holds(0, x_t0[v].x, x_t1[v].x);
      expect_holds(1, x_t0[v].y, x_t1[v].y);
      expect_holds(2, x_t0[v].z, x_t1[v].z);
    }
  }
}

TEST(FeatureBoxes, ShrinkWithTheTimeAsked) {
  Features features;
  features.vertices = {0};
  const std::vector<Vec3> x_t0 = {{0, 0, 0}};
  const std::vector<Vec3> x_t1 = {{8, -8, 0}};
  const Box box = make_feature_boxes(features, x_t0, x_t1, 0.25).vertices.box(0);
  EXPECT_EQ(box.lo[0], 0.0);
  EXPECT_NEAR(box.hi[0], 2.0, 1e-12);
  EXPECT_NEAR(box.lo[1], -2.0, 1e-12);
  EXPECT_EQ(box.hi[2], 0.0);
}

TEST(BoxesWithin, KeepsExactlyTheBoxesWithinTheGapOnEveryAxis) {
  Features features;
  std::vector<Vec3> x;
  for (VertexId v = 0; v < 100; ++v) {
    x.push_back({static_cast<double>(v), 0.0, 0.0});
    features.vertices.push_back(v);
  }
  const Boxes boxes = make_feature_boxes(features, x, x).vertices;
  std::vector<std::uint32_t> found(kBoxRun);
  const Box point = boxes.box(50);
  EXPECT_EQ(boxes_within(boxes, point, 0, 100, 0.0, found.data()), 1U);
  EXPECT_EQ(found[0], 50U);
  EXPECT_EQ(boxes_within(boxes, point, 0, 100, std::nextafter(2.0, 0.0), found.data()), 3U);
  EXPECT_EQ(boxes_within(boxes, point, 0, 100, 2.0, found.data()), 5U);
  EXPECT_EQ(found[0], 48U);
  EXPECT_EQ(found[4], 52U);
  EXPECT_EQ(boxes_within(boxes, point, 51, 52, 2.0, found.data()), 1U);
  EXPECT_EQ(boxes_within(boxes, point, 60, 60, 2.0, found.data()), 0U);
  for (std::size_t axis = 1; axis < 3; ++axis) {
    Box beside = point;
    beside.lo[axis] = beside.hi[axis] = 1.5;
    EXPECT_EQ(boxes_within(boxes, beside, 0, 100, 1.0, found.data()), 0U);
    EXPECT_EQ(boxes_within(boxes, beside, 0, 100, 1.5, found.data()), 3U);
    beside.lo[axis] = beside.hi[axis] = -1.5;
    EXPECT_EQ(boxes_within(boxes, beside, 0, 100, 1.0, found.data()), 0U);
  }
}

TEST(AllPairs, BlocksCoverEveryPairOnce) {
  Features features;
  for (VertexId v = 0; v < 700; ++v) {
    features.vertices.push_back(v);
    features.edges.push_back({v, v + 1});
    if (v % 2 == 0) features.faces.push_back({v, v + 1, v + 2});
  }
  const std::vector<Vec3> x(702);
  const FeatureBoxes boxes = make_feature_boxes(features, x, x);
  for (const PairKind kind : {PairKind::VertexFace, PairKind::EdgeEdge, PairKind::EdgeFace}) {
    std::vector<PairBlock> blocks;
    append_pair_blocks(kind, features, blocks);
    EXPECT_GT(blocks.size(), 1U);
    const std::size_t columns = kind == PairKind::EdgeEdge ? 700 : 350;
    std::vector<int> seen(700 * columns, 0);
    std::uint64_t pairs = 0;
    for (const PairBlock& block : blocks) {
      pairs += block.pairs;
      for_each_candidate(block, features, boxes, 0.0, [&](std::size_t row, std::size_t column) {
        ASSERT_TRUE(row >= block.first && row < block.last);
        ++seen[row * columns + column];
      });
    }
    EXPECT_EQ(pairs, kind == PairKind::EdgeEdge ? 700U * 699U / 2U : 700U * 350U);
    for (std::size_t row = 0; row < 700; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        bool expected = false;
        switch (kind) {
          case PairKind::VertexFace:
            expected = !incident(features.vertices[row], features.faces[column]);
            break;
          case PairKind::EdgeEdge:
            expected = column > row && !incident(features.edges[row], features.edges[column]);
            break;
          case PairKind::EdgeFace:
            expected = !incident(features.edges[row], features.faces[column]);
            break;
        }
        ASSERT_EQ(seen[row * columns + column], expected ? 1 : 0) << row << ", " << column;
      }
    }
  }
}

}  // namespace
}  // namespace graze
