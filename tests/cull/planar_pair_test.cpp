// Planar vertex-edge, edge-edge and neighbour tests, judged by a twin in rationals: exact always, filtered where they
// claim anything.
#include "cull/planar_pair.hpp"

#include "cull/planar_exact.hpp"
#include "cull/planar_twin.hpp"
#include "geometry/vec.hpp"
#include "oracle/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace graze {
namespace {

using oracle::Random;
using test::twin_project;

using Points = std::array<VertexPath, 4>;

PlanarPath planar(const ProjectionAxis& axis, const VertexPath& path) {
  return {project(axis, path.t0), project(axis, path.t1),
          projection_error(std::max(max_abs(path.t0), max_abs(path.t1)))};
}

ProjectionAxis random_axis(Random& random) {
  const auto q = [&] {
    return random.coin() ? 0.5 * random.between(-2, 2) : std::ldexp(random.between(-1 << 20, 1 << 20), -20);
  };
  return {static_cast<std::uint8_t>(random.below(3)), q(), q()};
}

Vec3 grid_point(Random& random, int size) {
  const auto x = [&] { return static_cast<double>(random.between(-size, size)); };
  return {x(), x(), x()};
}

struct Tally {
  int touching = 0;
  int apart = 0;
  int doubted = 0;
};

/// All three tests of one set of points against the twin.
void check(const ProjectionAxis& axis, const Points& p, Tally& tally) {
  const std::array twin{twin_project(axis, p[0]), twin_project(axis, p[1]), twin_project(axis, p[2]),
                        twin_project(axis, p[3])};
  const std::array filter{planar(axis, p[0]), planar(axis, p[1]), planar(axis, p[2]), planar(axis, p[3])};
  const auto compare = [&](const char* name, bool truth, bool exact, Touch filtered) {
    EXPECT_EQ(exact, truth) << name;
    if (filtered != Touch::Doubt) {
      EXPECT_EQ(filtered == Touch::Yes, truth) << name << ", filtered";
    }
    ++(truth ? tally.touching : tally.apart);
    tally.doubted += filtered == Touch::Doubt ? 1 : 0;
  };
  compare("vertex and edge", twin_vertex_edge(twin[0], twin[1], twin[2]), exact_vertex_edge(axis, p[0], p[1], p[2]),
          planar_vertex_edge(filter[0], filter[1], filter[2]).touch);
  compare("edge and edge", twin_edge_edge(twin[0], twin[1], twin[2], twin[3]),
          exact_edge_edge(axis, p[0], p[1], p[2], p[3]),
          planar_edge_edge(filter[0], filter[1], filter[2], filter[3]));
  compare("neighbours", twin_neighbours(twin[0], twin[1], twin[2]), exact_neighbours(axis, p[0], p[1], p[2]),
          planar_neighbours(filter[0], filter[1], filter[2]));
}

TEST(PlanarPair, agrees_with_the_twin_on_small_grids_where_all_is_degenerate) {
  Random random(1);
  Tally tally;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    const ProjectionAxis axis = i % 2 == 0 ? ProjectionAxis{2, 0.0, 0.0} : random_axis(random);
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
    check(axis, points, tally);
  }
  EXPECT_GT(tally.touching, 2000);
  EXPECT_GT(tally.apart, 2000);
  EXPECT_GT(tally.doubted, 700);
}

TEST(PlanarPair, agrees_with_the_twin_on_doubles_and_the_filter_decides_nearly_all) {
  Random random(2);
  Tally tally;
  constexpr int kCases = 1000;
  for (int i = 0; i < kCases && !HasFailure(); ++i) {
    const Vec3 far = i % 4 == 0 ? Vec3{1e6, -2e6, 5e5} : Vec3{};
    Points points;
    for (VertexPath& path : points) {
      const auto x = [&] { return far + Vec3{random.symmetric(), random.symmetric(), random.symmetric()}; };
      path = {x(), x()};
    }
    check(random_axis(random), points, tally);
  }
  EXPECT_GT(tally.touching, kCases / 4);
  EXPECT_GT(tally.apart, kCases / 4);
  EXPECT_LT(tally.doubted, kCases * 3 / 50);
}

TEST(PlanarPair, agrees_with_the_twin_where_points_nearly_touch) {
  // On a grid, pushed by a few of the last bits, or by nothing.
  Random random(3);
  Tally tally;
  for (int i = 0; i < 1200 && !HasFailure(); ++i) {
    const double scale = std::ldexp(1.0, random.between(-60, -20));
    Points points;
    for (VertexPath& path : points) {
      path = {grid_point(random, 2) + scale * grid_point(random, 1),
              grid_point(random, 2) + scale * grid_point(random, 1)};
    }
    check(random_axis(random), points, tally);
  }
  EXPECT_GT(tally.touching, 500);
  EXPECT_GT(tally.apart, 500);
}

/// With s = 2t - 1: a - c = (1, s) and a - d = (b - s, b s + lift), so f = s^2 + lift and p = b at s = 0.
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
    Tally tally;
    check(axis, p, tally);
    return exact_vertex_edge(axis, p[0], p[1], p[2]);
  };
  EXPECT_TRUE(touches(touching_for_an_instant(-1.0, 0.0)));       // a double root, inside the edge
  EXPECT_TRUE(touches(touching_for_an_instant(0.0, 0.0)));        // at its end
  EXPECT_FALSE(touches(touching_for_an_instant(1.0, 0.0)));       // in one line, but beside
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

TEST(PlanarPair, scaling_by_powers_of_two_changes_no_answer) {
  Random random(4);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const ProjectionAxis axis = random_axis(random);
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
