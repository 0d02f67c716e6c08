// Planar vertex-edge, edge-edge and neighbour tests against a naive reference in rational arithmetic: exact tests
// always agree with it, filtered tests where they decide.
#include "cull/planar_pair.hpp"

#include "cull/contour_loops.hpp"
#include "cull/planar_check.hpp"
#include "cull/planar_exact.hpp"
#include "geometry/vec.hpp"
#include "oracle/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;
namespace {

using oracle::Random;
using test::check_pairs;
using test::grid_point;
using test::PairTally;
using test::planar;
using test::Points;
using test::rough_axis;

/// With s = 2t - 1: a - c = (1, s) and a - d = (b - s, b s + lift), so that f = s^2 + lift and p = b at s = 0.
Points touching_for_an_instant(double b, double lift) {
  Points points;
  points[1] = {{-1.0, 1.0, 0.0}, {-1.0, -1.0, 0.0}};
  points[2] = {{-b - 1.0, b - lift, 0.0}, {-b + 1.0, -b - lift, 0.0}};
  points[3] = {{9.0, 9.0, 0.0}, {9.0, 9.0, 0.0}};
  return points;
}

TEST(PlanarPair, finds_a_touch_of_a_single_instant) {
  const ProjectionAxis axis{2, 0.0, 0.0};
  const auto touches = [&](const Points& p) {
    PairTally tally;
    check_pairs(axis, p, tally);
    return exact_vertex_edge(axis, p[0], p[1], p[2]);
  };
  EXPECT_TRUE(touches(touching_for_an_instant(-1.0, 0.0)));       // a double root, inside the edge
  EXPECT_TRUE(touches(touching_for_an_instant(0.0, 0.0)));        // at its end
  EXPECT_FALSE(touches(touching_for_an_instant(1.0, 0.0)));       // collinear, but beside it
  EXPECT_FALSE(touches(touching_for_an_instant(-1.0, 0x1p-52)));  // missed by the last bit
  EXPECT_TRUE(touches(touching_for_an_instant(-1.0, -0x1p-52)));
}

TEST(PlanarPair, finds_touches_at_the_ends_of_the_step_alone) {
  const ProjectionAxis axis{2, 0.0, 0.0};
  const VertexPath c{{-1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}};
  const VertexPath d{{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  const double least = 0x1p-1074;
  EXPECT_TRUE(exact_vertex_edge(axis, {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, c, d));
  EXPECT_TRUE(exact_vertex_edge(axis, {{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}}, c, d));
  EXPECT_FALSE(exact_vertex_edge(axis, {{0.0, least, 0.0}, {0.0, 1.0, 0.0}}, c, d));
  EXPECT_FALSE(exact_vertex_edge(axis, {{0.0, 1.0, 0.0}, {0.0, least, 0.0}}, c, d));
  EXPECT_TRUE(exact_vertex_edge(axis, {{1.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}, c, d));
  EXPECT_FALSE(exact_vertex_edge(axis, {{1.0 + 0x1p-52, 1.0, 0.0}, {1.0 + 0x1p-52, 0.0, 0.0}}, c, d));
}

TEST(PlanarPair, edges_that_cross_all_the_time_without_a_vertex_on_the_other_cross) {
  const ProjectionAxis axis{2, 0.25, -0.5};
  const auto still = [](double x, double y, double z) { return VertexPath{{x, y, z}, {x, y, z}}; };
  const VertexPath a = still(-1.0, 0.0, 0.0);
  const VertexPath b = still(1.0, 0.0, 0.0);
  const VertexPath c = still(0.0, -1.0, 0.0);
  const VertexPath d = still(0.0, 1.0, 0.0);
  EXPECT_TRUE(exact_edge_edge(axis, a, b, c, d));
  EXPECT_EQ(planar_edge_edge(planar(axis, a), planar(axis, b), planar(axis, c), planar(axis, d)), Touch::Yes);
  const VertexPath up = still(0.0, 0.25, 0.0);
  EXPECT_FALSE(exact_edge_edge(axis, a, b, up, d));
  EXPECT_EQ(planar_edge_edge(planar(axis, a), planar(axis, b), planar(axis, up), planar(axis, d)), Touch::No);
}

TEST(PlanarPair, the_filter_never_denies_a_touch_that_rounding_hides) {
  // The vertex is at the middle of the edge for the whole step; each computed projection has its own error.
  Random random(5);
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    const ProjectionAxis axis = test::random_axis(random);
    VertexPath a;
    VertexPath c;
    VertexPath d;
    for (Vec3 VertexPath::*end : {&VertexPath::t0, &VertexPath::t1}) {
      const Vec3 base = test::random_base(random, axis);
      const double x = random.between(-9, 9);
      const double y = random.between(-9, 9);
      a.*end = test::beside(random, axis, base, 0, 0);
      c.*end = test::beside(random, axis, base, x, y);
      d.*end = test::beside(random, axis, base, -x, -y);
    }
    EXPECT_TRUE(exact_vertex_edge(axis, a, c, d));
    EXPECT_NE(planar_vertex_edge(planar(axis, a), planar(axis, c), planar(axis, d)).touch, Touch::No) << i;
    EXPECT_NE(planar_neighbours(planar(axis, a), planar(axis, c), planar(axis, d)), Touch::No) << i;
  }
}

TEST(PlanarPair, scaling_by_powers_of_two_changes_no_answer) {
  Random random(4);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const ProjectionAxis axis = rough_axis(random);
    Points points;
    for (VertexPath& path : points) {
      path = {grid_point(random, 3), grid_point(random, 3)};
    }
    const bool truth = exact_edge_edge(axis, points[0], points[1], points[2], points[3]);
    for (const int power : {-1060, -1000, -520, -300, 300, 520, 990}) {
      Points scaled = points;
      for (VertexPath& path : scaled) {
        path.t0 = std::ldexp(1.0, power / 2) * (std::ldexp(1.0, power - power / 2) * path.t0);
        path.t1 = std::ldexp(1.0, power / 2) * (std::ldexp(1.0, power - power / 2) * path.t1);
      }
      EXPECT_EQ(exact_edge_edge(axis, scaled[0], scaled[1], scaled[2], scaled[3]), truth) << power;
      const Touch filtered = planar_edge_edge(planar(axis, scaled[0]), planar(axis, scaled[1]),
                                              planar(axis, scaled[2]), planar(axis, scaled[3]));
      if (filtered != Touch::Doubt) {
        EXPECT_EQ(filtered == Touch::Yes, truth) << power;
      }
    }
  }
}

}  // namespace
}  // namespace graze
