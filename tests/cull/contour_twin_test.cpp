// The contour test against all pairs of edges in rational arithmetic: a loop that touches itself at some time is
// never reported as Simple, and within the budget the answer is that of the naive reference.
#include "cull/contour.hpp"

#include "cull/contour_check.hpp"
#include "cull/contour_loops.hpp"
#include "cull/planar_twin.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;
namespace {

using oracle::Random;
using test::Answer;
using test::answer_of;
using test::Loop;
using test::make_loop;
using test::random_axis;
using test::spiral;
using test::star;
using test::Tally;
using test::truth_of;
using test::twin_of;
using test::TwinPath;

Loop changed(Loop loop, double scale, const Vec3& shift) {
  for (VertexPath& path : loop.paths) {
    path.t0 = scale * path.t0 + shift;
    path.t1 = scale * path.t1 + shift;
  }
  return loop;
}

TEST(ContourTwin, agrees_with_all_pairs_on_deforming_stars) {
  Random random(1);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 120 && !HasFailure(); ++i) {
    const std::size_t n = static_cast<std::size_t>(random.between(3, 24));
    const Loop loop = make_loop(random, random_axis(random), star(random, n, random.unit(), 1.5 * random.unit()));
    const Answer truth = truth_of(loop);
    EXPECT_EQ(answer_of(contour, loop), truth) << i;
    tally.add(truth);
  }
  EXPECT_GT(tally.simple, 25);
  EXPECT_GT(tally.crossing, 25);
}

TEST(ContourTwin, agrees_with_all_pairs_on_small_grids_where_all_is_degenerate) {
  Random random(2);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    const std::size_t n = static_cast<std::size_t>(random.between(3, 6));
    const bool moves = i % 3 != 0;
    const auto coordinate = [&] { return static_cast<double>(random.between(-2, 2)); };
    Loop loop;
    loop.axis = {static_cast<std::uint8_t>(random.below(3)), 0.5 * random.between(-2, 2),
                 0.5 * random.between(-2, 2)};
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 p{coordinate(), coordinate(), coordinate()};
      const Vec3 step{0.25 * coordinate(), 0.25 * coordinate(), 0.25 * coordinate()};
      loop.paths.push_back({p, moves ? p + step : p});
      loop.vertices.push_back(static_cast<VertexId>(k));
    }
    const Answer truth = truth_of(loop);
    EXPECT_EQ(answer_of(contour, loop), truth) << i;
    tally.add(truth);
  }
  EXPECT_GT(tally.simple, 100);
  EXPECT_GT(tally.crossing, 500);
  EXPECT_GT(contour.counts().exact_tests, 100U);
}

TEST(ContourTwin, what_it_calls_simple_is_simple_at_many_instants) {
  Random random(3);
  ContourTest contour;
  int simple = 0;
  for (int i = 0; i < 30 && !HasFailure(); ++i) {
    const Loop loop = make_loop(random, random_axis(random), star(random, 10, 0.6, 0.9));
    if (answer_of(contour, loop) != Answer::Simple) {
      continue;
    }
    ++simple;
    const std::vector<TwinPath> polygon = twin_of(loop);
    for (int k = 0; k <= 8; ++k) {
      EXPECT_TRUE(test::twin_is_simple_at(polygon, test::Rational(k) / 8)) << i << " " << k;
    }
  }
  EXPECT_GT(simple, 5);
}

TEST(ContourTwin, agrees_with_all_pairs_on_spirals) {
  Random random(4);
  ContourTest contour;
  for (const double shift : {0.0, 0.4, 0.6, -0.4, -0.6}) {
    const Loop loop = make_loop(random, random_axis(random), spiral(40, 3.2, shift));
    const Answer truth = truth_of(loop);
    EXPECT_EQ(truth, std::abs(shift) < 0.5 ? Answer::Simple : Answer::Crossing) << shift;
    EXPECT_EQ(answer_of(contour, loop), truth) << shift;
  }
}

TEST(ContourTwin, common_motion_scale_and_place_change_no_answer) {
  Random random(10);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 24 && !HasFailure(); ++i) {
    const Loop loop = make_loop(random, random_axis(random), star(random, 12, 0.8, 1.0));
    const Answer truth = truth_of(loop);
    tally.add(truth);
    for (const int power : {-1000, -300, 300, 980}) {
      EXPECT_EQ(answer_of(contour, changed(loop, std::ldexp(1.0, power), {})), truth) << power;
    }
    Loop far = changed(loop, 1.0, {1e6, -1e6, 1e6});
    EXPECT_EQ(answer_of(contour, far), truth_of(far));
    for (VertexPath& path : far.paths) {
      path.t1 = path.t1 + Vec3{1e5, 2e5, -3e5};  // much farther than the width of the loop
    }
    EXPECT_EQ(answer_of(contour, far), truth_of(far));
  }
  EXPECT_GT(tally.simple, 5);
  EXPECT_GT(tally.crossing, 5);
}

TEST(ContourTwin, agrees_with_all_pairs_where_some_vertices_move_beyond_all_measure) {
  Random random(18);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 30 && !HasFailure(); ++i) {
    Loop loop = make_loop(random, random_axis(random), star(random, 7, 0.5, 0.3));
    const double far = std::array{1e3, 1e12, 1e50}[static_cast<std::size_t>(i) % 3];
    for (std::uint32_t k = random.below(2); k < 2; ++k) {
      Vec3& end = loop.paths[loop.vertices[random.below(7)]].t1;
      end = i % 2 == 0 ? far * end : Vec3{far * random.symmetric(), far * random.symmetric(), random.symmetric()};
    }
    const Answer truth = truth_of(loop);
    EXPECT_EQ(answer_of(contour, loop), truth) << i;
    tally.add(truth);
  }
  EXPECT_GT(tally.simple, 5);
  EXPECT_GT(tally.crossing, 5);
}

TEST(ContourTwin, agrees_with_all_pairs_on_loops_of_many_edges) {
  Random random(11);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 9 && !HasFailure(); ++i) {
    const Loop loop = make_loop(random, random_axis(random), star(random, 150, 0.03 * i, 0.15 * i));
    const Answer truth = truth_of(loop);
    EXPECT_EQ(answer_of(contour, loop), truth) << i;
    tally.add(truth);
  }
  EXPECT_GT(tally.simple, 2);
  EXPECT_GT(tally.crossing, 2);
}

}  // namespace
}  // namespace graze
