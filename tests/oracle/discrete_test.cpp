// The discrete oracle and the distance over a step, against hand-made cases and dense sampling.
#include "oracle/discrete.hpp"

#include "oracle/query_generator.hpp"
#include "oracle/step_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace graze::oracle {
namespace {

constexpr auto kVf = FeatureKind::VertexFace;
constexpr auto kEe = FeatureKind::EdgeEdge;

constexpr int kSteps = 40;  // samples along each parameter
const Vec3 kO{0, 0, 0};
const Vec3 kX{1, 0, 0};
const Vec3 kY{0, 1, 0};

TEST(OracleEdgeFace, PiercingTouchingAndMissing) {
  EXPECT_TRUE(intersect_edge_face({Vec3{0.25, 0.25, 1}, Vec3{0.25, 0.25, -1}, kO, kX, kY}));
  EXPECT_TRUE(intersect_edge_face({Vec3{0.25, 0.25, 1}, Vec3{0.25, 0.25, 0}, kO, kX, kY}));
  EXPECT_FALSE(intersect_edge_face({Vec3{0.25, 0.25, 1}, Vec3{0.25, 0.25, 0x1p-1000}, kO, kX, kY}));
  EXPECT_TRUE(intersect_edge_face({Vec3{-1, 1, 0}, Vec3{1, 1, 0}, kO, kX, kY}));  // coplanar, one corner
  EXPECT_FALSE(intersect_edge_face({Vec3{-1, 1.5, 0}, Vec3{1, 1.5, 0}, kO, kX, kY}));
  EXPECT_TRUE(intersect_edge_face({Vec3{0.1, 0.1, 0}, Vec3{0.2, 0.2, 0}, kO, kX, kY}));  // inside
  EXPECT_TRUE(intersect_edge_face({kX, kX, kX, kX, kX}));
  EXPECT_TRUE(intersect_edge_face({Vec3{0.5, -1, 0}, Vec3{0.5, 1, 0}, kO, kX, kX}));  // a face that is a segment
  EXPECT_FALSE(intersect_edge_face({Vec3{1.5, -1, 0}, Vec3{1.5, 1, 0}, kO, kX, kX}));
}

TEST(OracleTriangleTriangle, PiercingNestedTouchingAndMissing) {
  EXPECT_TRUE(intersect_triangle_triangle({kO, kX, kY, Vec3{0.2, 0.2, -1}, Vec3{0.2, 0.2, 1}, Vec3{5, 5, 5}}));
  EXPECT_TRUE(intersect_triangle_triangle({Vec3{-9, -9, 0}, Vec3{9, -9, 0}, Vec3{0, 9, 0}, kO, kX, kY}));
  EXPECT_TRUE(intersect_triangle_triangle({kO, kX, kY, Vec3{0.2, 0.2, 0}, Vec3{0.2, 0.2, 1}, Vec3{5, 5, 5}}));
  EXPECT_FALSE(intersect_triangle_triangle({kO, kX, kY, Vec3{0, 0, 1}, Vec3{1, 0, 1}, Vec3{0, 1, 1}}));
  EXPECT_FALSE(intersect_triangle_triangle({kO, kX, kY, Vec3{1, 1, 0}, Vec3{1, 2, 0}, Vec3{2, 1, 0}}));
}

TEST(OracleDistance, VertexFaceInEveryRegion) {
  EXPECT_EQ(distance2_vertex_face({Vec3{0.25, 0.25, 3}, kO, kX, kY}), 9);
  EXPECT_EQ(distance2_vertex_face({Vec3{1, 1, 0}, kO, kX, kY}), Rational(1, 2));
  EXPECT_EQ(distance2_vertex_face({Vec3{1, 1, 1}, kO, kX, kY}), Rational(3, 2));
  EXPECT_EQ(distance2_vertex_face({Vec3{-3, -4, 0}, kO, kX, kY}), 25);
  EXPECT_EQ(distance2_vertex_face({Vec3{0.5, -2, 0}, kO, kX, kY}), 4);
  EXPECT_EQ(distance2_vertex_face({Vec3{0.25, 0.25, 0}, kO, kX, kY}), 0);
  EXPECT_EQ(distance2_vertex_face({Vec3{0.5, 2, 0}, kO, kX, kX}), 4);  // a segment
  EXPECT_EQ(distance2_vertex_face({Vec3{4, 4, 0}, kX, kX, kX}), 25);   // a point
}

TEST(OracleDistance, EdgeEdgeInEveryRegion) {
  EXPECT_EQ(distance2_edge_edge({Vec3{-1, 0, 2}, Vec3{1, 0, 2}, Vec3{0, -1, 0}, Vec3{0, 1, 0}}), 4);
  EXPECT_EQ(distance2_edge_edge({Vec3{1, 0, 2}, Vec3{2, 0, 2}, Vec3{0, -1, 0}, Vec3{0, 1, 0}}), 5);
  EXPECT_EQ(distance2_edge_edge({Vec3{1, 2, 2}, Vec3{2, 2, 2}, Vec3{0, -1, 0}, Vec3{0, 1, 0}}), 6);
  EXPECT_EQ(distance2_edge_edge({kO, kX, Vec3{0.5, 1, 0}, Vec3{3, 1, 0}}), 1);  // parallel, overlapping
  EXPECT_EQ(distance2_edge_edge({kO, kX, Vec3{2, 1, 0}, Vec3{3, 1, 0}}), 2);    // parallel, separated
  EXPECT_EQ(distance2_edge_edge({kO, kO, kX, kX}), 1);
  EXPECT_EQ(distance2_edge_edge({kO, kX, kX, kY}), 0);
}

TEST(OracleDistance, NoSampledPairOfPointsIsNearer) {
  for (const QueryFamily& family : query_families()) {
    if (family.name == "mixed-magnitudes" || family.name == "extreme") continue;  // sampling would overflow
    for (std::uint64_t i = 0; i < 40; ++i) {
      const FeatureKind kind = i % 2 == 0 ? kVf : kEe;
      const auto x = make_query(family, kind, 31, i).t0;
      const Fraction exact = distance2_fraction(kind, x);
      double nearest = 1e300;
      for (int a = 0; a <= kSteps; ++a) {
        for (int b = 0; b <= (kind == kVf ? kSteps - a : kSteps); ++b) {
          const double s = a / double{kSteps};
          const double u = b / double{kSteps};
          double sum = 0.0;
          for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
            const double d = kind == kVf
                                 ? x[0].*axis - ((1 - s - u) * x[1].*axis + s * x[2].*axis + u * x[3].*axis)
                                 : (1 - s) * x[0].*axis + s * x[1].*axis - ((1 - u) * x[2].*axis + u * x[3].*axis);
            sum += d * d;
          }
          nearest = std::min(nearest, sum);
        }
      }
      double size = 0.0;
      double extent = 0.0;
      for (const Vec3& p : x) {
        size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        extent = std::max({extent, std::abs(p.x - x[0].x), std::abs(p.y - x[0].y), std::abs(p.z - x[0].z)});
      }
      const double rounding = 1e-12 * (size + 1e-300);
      EXPECT_LE(sqrt_down(exact), std::sqrt(nearest) + rounding) << family.name << " " << i;
      // The best sample is within a mesh width of the closest points.
      EXPECT_GE(sqrt_up(exact), std::sqrt(nearest) - rounding - 4.0 * extent / kSteps) << family.name << " " << i;
    }
  }
}

TEST(OracleDistance, WithinIsExactAtTheBoundary) {
  const std::array<Vec3, 4> x{Vec3{0.25, 0.25, 3}, kO, kX, kY};
  EXPECT_TRUE(within(kVf, x, 3.0));
  EXPECT_FALSE(within(kVf, x, std::nextafter(3.0, 0.0)));
  EXPECT_FALSE(within(kVf, x, -1.0));
  EXPECT_TRUE(within(kVf, {kX, kX, kX, kX}, 0.0));
}

TEST(OracleStepDistance, MinimumIsBracketedWhereItIsKnown) {
  // Slides parallel to the face at height 3 for the whole step: constant distance.
  const PairStep slide{{Vec3{-1, 0.1, 3}, Vec3{-9, -9, 0}, Vec3{9, -9, 0}, Vec3{0, 9, 0}},
                       {Vec3{1, 0.1, 3}, Vec3{-9, -9, 0}, Vec3{9, -9, 0}, Vec3{0, 9, 0}}};
  const auto flat = StepDistance(kVf, slide).minimum(1e-9);
  EXPECT_LE(flat.lo, 3.0);
  EXPECT_GE(flat.hi, 3.0);
  EXPECT_LE(flat.hi - flat.lo, 1e-9);
  // Passes a corner at distance 2 at t = 1/3.
  const PairStep pass{{Vec3{-1, -2, 0}, kO, kX, kY}, {Vec3{2, -2, 0}, kO, kX, kY}};
  const auto corner = StepDistance(kVf, pass).minimum(1e-9);
  EXPECT_NEAR(corner.lo, 2.0, 1e-8);
  EXPECT_NEAR(corner.hi, 2.0, 1e-8);
  // Two points that pass each other at distance 1 at t = 1/3, closer than at any dyadic time tested.
  const PairStep points{{Vec3{-1, 1, 0}, Vec3{-1, 1, 0}, kO, kO}, {Vec3{2, 1, 0}, Vec3{2, 1, 0}, kO, kO}};
  const auto closest = StepDistance(kEe, points).minimum(1e-9);
  EXPECT_LE(closest.lo, 1.0);
  EXPECT_GE(closest.hi, 1.0);
  EXPECT_LE(closest.hi - closest.lo, 1e-9);
}

TEST(OracleStepDistance, BracketsEverySample) {
  int tight = 0;
  int all = 0;
  for (const QueryFamily& family : query_families()) {
    if (family.name == "mixed-magnitudes" || family.name == "extreme") continue;
    for (std::uint64_t i = 0; i < 20; ++i) {
      const FeatureKind kind = i % 2 == 0 ? kVf : kEe;
      const PairStep pair = make_query(family, kind, 41, i);
      const StepDistance distance(kind, pair);
      const auto bracket = distance.minimum(1e-6, 400);
      for (int k = 0; k <= 32; ++k) EXPECT_LE(bracket.lo, sqrt_up(distance.distance2_at({k, -5}))) << family.name;
      EXPECT_LE(bracket.lo, bracket.hi);
      ++all;
      tight += bracket.hi - bracket.lo <= 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(tight, all * 9 / 10);
}

TEST(OracleStepDistance, ReachIsProvedOnBothSides) {
  using Reach = StepDistance::Reach;
  const StepDistance pass(kVf, {{Vec3{-1, -2, 0}, kO, kX, kY}, {Vec3{2, -2, 0}, kO, kX, kY}});
  const Dyadic one{1, 0};
  EXPECT_EQ(pass.reach(dyadic_from(2.0), dyadic_from(2.0), one), Reach::Near);
  EXPECT_EQ(pass.reach(dyadic_from(1.9), dyadic_from(1.99), one), Reach::None);
  EXPECT_EQ(pass.reach(dyadic_from(1.9), dyadic_from(2.1), one), Reach::Far);
  // Before t = 1/4 the vertex is farther than 2 from the corner.
  EXPECT_EQ(pass.reach(dyadic_from(2.0), dyadic_from(2.0), {1, -2}), Reach::None);
}

}  // namespace
}  // namespace graze::oracle
