// The contour test on loops with a known answer: touches at one instant, folds, degenerate edges, and its budget. A
// loop that touches itself at some time is never reported as Simple.
#include "cull/contour.hpp"

#include "cull/contour_check.hpp"
#include "cull/contour_loops.hpp"
#include "cull/planar_twin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ostream>
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
using test::figure_eight;
using test::Loop;
using test::make_loop;
using test::PlanarStep;
using test::random_axis;
using test::star;
using test::Tally;
using test::truth_of;
using test::twin_of;
using test::TwinPath;

PlanarStep still(double x, double y) {
  return {{x, y}, {x, y}};
}

TEST(ContourTest, finds_the_crossing_of_a_figure_eight) {
  Random random(5);
  ContourTest contour;
  for (const std::size_t n : {8U, 13U, 50U, 301U}) {
    EXPECT_EQ(answer_of(contour, make_loop(random, random_axis(random), figure_eight(n))), Answer::Crossing) << n;
  }
}

/// A floor with a spike whose tip moves from left to right, below a ceiling with a spike that hangs down to `low`.
std::vector<PlanarStep> two_spikes(double low) {
  return {still(-3, 0), still(-0.5, 0), {{-1, 1}, {1, 1}}, still(0.5, 0),  still(3, 0),
          still(3, 2),  still(0.1, 2),  still(0, low),     still(-0.1, 2), still(-3, 2)};
}

TEST(ContourTest, finds_crossings_that_last_from_some_time_to_some_other) {
  Random random(6);
  ContourTest contour;
  const Loop through = make_loop(random, random_axis(random), two_spikes(0.75));
  const std::vector<TwinPath> polygon = twin_of(through);
  EXPECT_TRUE(test::twin_is_simple_at(polygon, 0));
  EXPECT_TRUE(test::twin_is_simple_at(polygon, 1));
  EXPECT_EQ(truth_of(through), Answer::Crossing);
  EXPECT_EQ(answer_of(contour, through), Answer::Crossing);
  const Loop below = make_loop(random, random_axis(random), two_spikes(1.25));
  EXPECT_EQ(truth_of(below), Answer::Simple);
  EXPECT_EQ(answer_of(contour, below), Answer::Simple);
}

TEST(ContourTest, finds_a_touch_of_a_single_instant_and_not_a_miss_by_the_last_bit) {
  Random random(7);
  ContourTest contour;
  const ProjectionAxis axis{1, 0.0, 0.0};  // exact projections
  const Loop touch = make_loop(random, axis, two_spikes(1.0));
  EXPECT_EQ(answer_of(contour, touch), Answer::Crossing);
  const Loop miss = make_loop(random, axis, two_spikes(1.0 + 0x1p-52));
  EXPECT_EQ(answer_of(contour, miss), Answer::Simple);
  EXPECT_EQ(truth_of(miss), Answer::Simple);
}

TEST(ContourTest, finds_touches_that_the_rounding_of_projections_would_hide) {
  // A spike from the left whose tip touches the wall on the right or ends one unit before it, in all four
  // directions of the bounds: exact in integers, except for a base point that makes every computed projection
  // round.
  Random random(20);
  ContourTest contour;
  for (int k = 0; k < 400 && !HasFailure(); ++k) {
    Loop loop;
    loop.axis = random_axis(random);
    const std::array bases{test::random_base(random, loop.axis), test::random_base(random, loop.axis)};
    const bool touches = random.coin();
    const bool moves = random.coin();
    const bool diagonal = random.coin();
    const bool swapped = random.coin();
    const std::array<std::array<int, 2>, 7> polygon{
        {{2, -2}, {2, 2}, {-2, 2}, {-2, 1}, {touches ? 2 : 1, 0}, {-2, -1}, {-2, -2}}};
    for (const auto& [x, y] : polygon) {
      const int i = diagonal ? x + y : x;
      const int j = diagonal ? x - y : y;
      loop.vertices.push_back(static_cast<VertexId>(loop.paths.size()));
      const double u = swapped ? j : i;
      const double w = swapped ? i : j;
      const Vec3 start = test::beside(random, loop.axis, bases[0], u, w);
      loop.paths.push_back({start, moves ? test::beside(random, loop.axis, bases[1], u, w) : start});
    }
    EXPECT_EQ(answer_of(contour, loop), touches ? Answer::Crossing : Answer::Simple) << k;
  }
}

TEST(ContourTest, finds_triangles_that_become_flat) {
  Random random(21);
  ContourTest contour;
  for (const double end : {0.25, 0.0, -0.25}) {
    const Loop loop = make_loop(random, {0, 0.0, 0.0}, {still(0, 0), still(2, 0), {{1, 1}, {1, end}}});
    EXPECT_EQ(answer_of(contour, loop), end > 0.0 ? Answer::Simple : Answer::Crossing) << end;
  }
}

TEST(ContourTest, finds_neighbours_that_fold_back_on_each_other) {
  Random random(8);
  ContourTest contour;
  for (const double end : {0.5, 0.0, -0.5}) {  // the corner at (0, 0) closes or opens to the other side
    const Loop loop =
        make_loop(random, {0, 0.5, -0.25}, {still(0, 0), still(2, 0), still(2, 2), {{1, 1}, {1, end}}});
    const Answer truth = truth_of(loop);
    EXPECT_EQ(truth, end > 0.0 ? Answer::Simple : Answer::Crossing) << end;
    EXPECT_EQ(answer_of(contour, loop), truth) << end;
    std::vector<VertexId> turned = loop.vertices;
    for (std::size_t k = 0; k < 4; ++k) {  // at every starting vertex of the loop
      std::rotate(turned.begin(), turned.begin() + 1, turned.end());
      EXPECT_EQ(contour.test(turned), truth) << end << " " << k;
    }
  }
}

TEST(ContourTest, an_edge_that_shrinks_to_a_point_for_an_instant_is_a_crossing) {
  ContourTest contour;
  // The edge from vertex 0 to vertex 1 is parallel to the z axis at t = 1/2, when 1 is behind 0.
  const auto loop = [](double miss) {
    return Loop{
        {2, 0.0, 0.0},
        {{{0, 0, 0}, {0, 0, 0}}, {{1, -1, 1}, {-1, 1 + miss, 1}}, {{2, 2, 0}, {2, 2, 0}}, {{0, 3, 0}, {0, 3, 0}}},
        {0, 1, 2, 3}};
  };
  EXPECT_EQ(answer_of(contour, loop(0.0)), Answer::Crossing);
  for (const double miss : {0.5, 0x1p-40, -0x1p-40, -0.5}) {
    const Answer truth = truth_of(loop(miss));
    EXPECT_EQ(answer_of(contour, loop(miss)), truth) << miss;
  }
}

TEST(ContourTest, sides_divided_into_collinear_edges_are_simple) {
  Random random(9);
  ContourTest contour;
  std::vector<PlanarStep> square;
  constexpr int kSide = 9;
  square.reserve(4 * std::size_t{kSide});
  for (int i = 0; i < kSide; ++i) square.push_back(still(i, 0));
  for (int i = 0; i < kSide; ++i) square.push_back(still(kSide, i));
  for (int i = 0; i < kSide; ++i) square.push_back(still(kSide - i, kSide));
  for (int i = 0; i < kSide; ++i) square.push_back(still(0, kSide - i));
  EXPECT_EQ(answer_of(contour, make_loop(random, {2, 0.5, 0.0}, square)), Answer::Simple);
  EXPECT_EQ(contour.counts().planar_tests, 0U);
  square[4].t1 = {2.5, 0.0};  // a vertex that passes its neighbour along the line
  EXPECT_EQ(answer_of(contour, make_loop(random, {2, 0.5, 0.0}, square)), Answer::Crossing);
}

TEST(ContourTest, smooth_loops_need_next_to_no_planar_tests) {
  Random random(12);
  ContourTest contour;
  EXPECT_EQ(answer_of(contour, make_loop(random, random_axis(random), star(random, 1000, 0.0, 0.1))),
            Answer::Simple);
  EXPECT_LT(contour.counts().planar_tests, 20U);
  EXPECT_LT(contour.counts().bound_tests, 400U);
}

TEST(ContourTest, a_loop_that_moves_and_turns_as_a_whole_costs_little_more_than_one_at_rest) {
  Random random(19);
  const std::vector<PlanarStep> rest = star(random, 200, 0.1, 0.0);
  std::vector<PlanarStep> turning = rest;
  for (PlanarStep& step : turning) {  // rotation by about 17 degrees, many edge lengths, and a large translation
    step.t1 = {10.0 + 0.956 * step.t0.x - 0.292 * step.t0.y, 0.292 * step.t0.x + 0.956 * step.t0.y};
  }
  ContourTest contour;
  EXPECT_EQ(answer_of(contour, make_loop(random, random_axis(random), turning)), Answer::Simple);
  EXPECT_LT(contour.counts().planar_tests, 200U);
}

TEST(ContourTest, gives_up_within_its_budget_on_a_loop_that_turns_far) {
  Random random(13);
  ContourTest contour;
  constexpr std::size_t kEdges = 1000;
  std::vector<PlanarStep> steps = star(random, kEdges, 0.9, 0.0);
  for (PlanarStep& step : steps) {  // rotation by 120 degrees about the centre: similar at all times, so simple
    step.t1 = {-0.5 * step.t0.x - 0.866 * step.t0.y, 0.866 * step.t0.x - 0.5 * step.t0.y};
  }
  const Loop loop = make_loop(random, random_axis(random), steps);
  EXPECT_EQ(answer_of(contour, loop), Answer::Unknown);
  EXPECT_LE(contour.counts().planar_tests, 16 * kEdges + 64);
  EXPECT_LE(contour.counts().bound_tests, 128 * kEdges + 64);
}

TEST(ContourTest, projections_that_are_not_finite_are_unknown) {
  Random random(14);
  ContourTest contour;
  const Loop loop = make_loop(random, {2, 0.5, 0.5}, star(random, 9, 0.1, 0.1));
  EXPECT_EQ(answer_of(contour, loop), Answer::Simple);
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1.7e308}) {
    for (double Vec3::*coordinate : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      Loop spoilt = loop;
      spoilt.paths[spoilt.vertices[4]].t1.*coordinate = bad;
      EXPECT_EQ(answer_of(contour, spoilt), Answer::Unknown) << bad;
    }
  }
}

TEST(ContourTest, kept_projections_give_the_answers_of_fresh_ones) {
  Random random(15);
  ContourTest keeping;
  Tally tally;
  for (int frame = 0; frame < 20; ++frame) {
    const ProjectionAxis axis = random_axis(random);
    const std::vector<PlanarStep> steps = star(random, 200, 0.1, 0.3);
    const Loop whole = make_loop(random, axis, steps);
    keeping.start(whole.paths, whole.axis);
    for (int part = 0; part < 20; ++part) {
      const std::size_t size = 3 + random.below(60);
      const std::size_t first = random.below(200 - static_cast<std::uint32_t>(size));
      const std::vector<VertexId> loop(whole.vertices.begin() + static_cast<std::ptrdiff_t>(first),
                                       whole.vertices.begin() + static_cast<std::ptrdiff_t>(first + size));
      ContourTest fresh;
      fresh.start(whole.paths, whole.axis);
      const Answer answer = fresh.test(loop);
      ASSERT_EQ(keeping.test(loop), answer);
      if (answer == Answer::Crossing) {
        ASSERT_EQ(keeping.crossing(), fresh.crossing());
      }
      tally.add(answer);
    }
  }
  EXPECT_GT(tally.simple, 20);
  EXPECT_GT(tally.crossing, 20);
  const ContourTest::Counts& counts = keeping.counts();
  EXPECT_EQ(counts.loops, 400U);
  EXPECT_EQ(counts.projected + counts.reused, counts.edges);
  EXPECT_LE(counts.projected, 20U * 200U);
  EXPECT_GT(counts.reused, counts.projected);
}

TEST(ContourTest, a_new_frame_forgets_the_projections_of_the_one_before) {
  Random random(16);
  ContourTest contour;
  Loop loop = make_loop(random, {2, 0.0, 0.0}, star(random, 20, 0.1, 0.1));
  EXPECT_EQ(answer_of(contour, loop), Answer::Simple);
  std::swap(loop.paths[loop.vertices[3]], loop.paths[loop.vertices[9]]);
  EXPECT_EQ(answer_of(contour, loop), Answer::Crossing);
  EXPECT_EQ(contour.counts().projected, 40U);
  EXPECT_EQ(contour.counts().reused, 0U);
}

TEST(ContourTest, has_both_finds_edges_in_either_direction_and_across_the_seam) {
  const std::vector<VertexId> loop{4, 7, 1, 9, 3};
  EXPECT_TRUE(ContourTest::has_both(loop, {{4, 7}, {1, 9}}));
  EXPECT_TRUE(ContourTest::has_both(loop, {{9, 1}, {7, 4}}));
  EXPECT_TRUE(ContourTest::has_both(loop, {{3, 4}, {7, 1}}));
  EXPECT_TRUE(ContourTest::has_both(loop, {{1, 7}, {4, 3}}));
  EXPECT_FALSE(ContourTest::has_both(loop, {{4, 7}, {7, 9}}));  // both vertices, but no edge
  EXPECT_FALSE(ContourTest::has_both(loop, {{4, 8}, {1, 9}}));
  EXPECT_FALSE(ContourTest::has_both(loop, {{5, 6}, {8, 2}}));
}

TEST(ContourTest, a_loop_with_both_edges_of_a_crossing_fails_too) {
  Random random(17);
  ContourTest contour;
  int inherited = 0;
  for (int i = 0; i < 300; ++i) {
    const Loop whole = make_loop(random, random_axis(random), star(random, 16, 0.8, 1.2));
    if (answer_of(contour, whole) != Answer::Crossing) {
      continue;
    }
    const CrossingEdges edges = contour.crossing();
    const std::size_t first = random.below(8);
    const std::vector<VertexId> part(whole.vertices.begin() + static_cast<std::ptrdiff_t>(first),
                                     whole.vertices.begin() + static_cast<std::ptrdiff_t>(first + 8));
    if (ContourTest::has_both(part, edges)) {
      ++inherited;
      EXPECT_EQ(contour.test(part), Answer::Crossing);
    }
  }
  EXPECT_GT(inherited, 20);
}

}  // namespace
}  // namespace graze
