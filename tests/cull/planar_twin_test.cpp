// Planar vertex-edge, edge-edge and neighbour tests on thousands of random points, against a naive reference in
// rational arithmetic.
#include "cull/planar_check.hpp"
#include "geometry/vec.hpp"
#include "oracle/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace graze {

using namespace core;
using namespace geometry;
using namespace cull;
namespace {

using oracle::Random;
using test::check_pairs;
using test::grid_point;
using test::PairTally;
using test::Points;
using test::rough_axis;

TEST(PlanarTwin, agrees_with_the_twin_on_small_grids_where_all_is_degenerate) {
  Random random(1);
  PairTally tally;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    const ProjectionAxis axis = i % 2 == 0 ? ProjectionAxis{2, 0.0, 0.0} : rough_axis(random);
    const int size = random.between(1, 4);
    Points points;
    for (VertexPath& path : points) {
      path = {grid_point(random, size), grid_point(random, size)};
      if (random.below(3) == 0) {
        path.t1 = path.t0;
      }
    }
    if (random.below(8) == 0) {
      points[2] = points[1];
    }
    check_pairs(axis, points, tally);
  }
  EXPECT_GT(tally.touching, 2000);
  EXPECT_GT(tally.apart, 2000);
  EXPECT_GT(tally.doubted, 700);
}

TEST(PlanarTwin, agrees_with_the_twin_on_doubles_and_the_filter_decides_nearly_all) {
  Random random(2);
  PairTally tally;
  constexpr int kCases = 1000;
  for (int i = 0; i < kCases && !HasFailure(); ++i) {
    const Vec3 far = i % 4 == 0 ? Vec3{1e6, -2e6, 5e5} : Vec3{};
    Points points;
    for (VertexPath& path : points) {
      const auto x = [&] { return far + Vec3{random.symmetric(), random.symmetric(), random.symmetric()}; };
      path = {x(), x()};
    }
    check_pairs(rough_axis(random), points, tally);
  }
  EXPECT_GT(tally.touching, kCases / 4);
  EXPECT_GT(tally.apart, kCases / 4);
  EXPECT_LT(tally.doubted, kCases * 3 / 50);
}

TEST(PlanarTwin, agrees_with_the_twin_where_points_nearly_touch) {
  // Points on a grid, perturbed in their last bits or not at all.
  Random random(3);
  PairTally tally;
  for (int i = 0; i < 1200 && !HasFailure(); ++i) {
    const double scale = std::ldexp(1.0, random.between(-60, -20));
    Points points;
    for (VertexPath& path : points) {
      path = {grid_point(random, 2) + scale * grid_point(random, 1),
              grid_point(random, 2) + scale * grid_point(random, 1)};
    }
    check_pairs(rough_axis(random), points, tally);
  }
  EXPECT_GT(tally.touching, 500);
  EXPECT_GT(tally.apart, 500);
}

}  // namespace
}  // namespace graze
