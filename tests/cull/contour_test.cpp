// The contour test against all pairs of edges in rationals: Simple is never said of a loop that touches itself at some
// time, and within the budget the answer is the twin's.
#include "cull/contour.hpp"

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

static void PrintTo(ContourTest::Answer answer, std::ostream* out) {
  constexpr std::array kNames{"Simple", "Crossing", "Unknown"};
  *out << kNames[static_cast<std::size_t>(answer)];
}

namespace {

using oracle::Random;
using test::figure_eight;
using test::Loop;
using test::make_loop;
using test::PlanarStep;
using test::random_axis;
using test::spiral;
using test::star;
using test::TwinPath;
using Answer = ContourTest::Answer;

std::vector<TwinPath> twin_of(const Loop& loop) {
  std::vector<TwinPath> polygon;
  for (const VertexId vertex : loop.vertices) {
    polygon.push_back(test::twin_project(loop.axis, loop.paths[vertex]));
  }
  return polygon;
}

Answer truth_of(const Loop& loop) {
  return test::twin_is_simple(twin_of(loop)) ? Answer::Simple : Answer::Crossing;
}

/// The place in the loop of an edge in its order; the loop's size if it is none.
std::size_t place_of(const Loop& loop, const std::array<VertexId, 2>& edge) {
  const std::size_t n = loop.vertices.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (loop.vertices[i] == edge[0] && loop.vertices[(i + 1) % n] == edge[1]) {
      return i;
    }
  }
  return n;
}

/// The answer, after a check that edges said to touch do.
Answer answer_of(ContourTest& contour, const Loop& loop) {
  contour.start(loop.paths, loop.axis);
  const Answer answer = contour.test(loop.vertices);
  if (answer == Answer::Crossing) {
    const std::size_t i = place_of(loop, contour.crossing().a);
    const std::size_t j = place_of(loop, contour.crossing().b);
    EXPECT_LT(std::max(i, j), loop.vertices.size());
    EXPECT_TRUE(test::twin_edges_touch(twin_of(loop), i, j));
  }
  return answer;
}

Loop changed(Loop loop, double scale, const Vec3& shift) {
  for (VertexPath& path : loop.paths) {
    path.t0 = scale * path.t0 + shift;
    path.t1 = scale * path.t1 + shift;
  }
  return loop;
}

PlanarStep still(double x, double y) {
  return {{x, y}, {x, y}};
}

struct Tally {
  int simple = 0;
  int crossing = 0;

  void add(Answer answer) {
    simple += answer == Answer::Simple ? 1 : 0;
    crossing += answer == Answer::Crossing ? 1 : 0;
  }
};

TEST(ContourTest, agrees_with_all_pairs_on_deforming_stars) {
  Random random(1);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 200 && !HasFailure(); ++i) {
    const std::size_t n = static_cast<std::size_t>(random.between(3, 24));
    const Loop loop = make_loop(random, random_axis(random), star(random, n, random.unit(), 1.5 * random.unit()));
    const Answer truth = truth_of(loop);
    EXPECT_EQ(answer_of(contour, loop), truth) << i;
    tally.add(truth);
  }
  EXPECT_GT(tally.simple, 40);
  EXPECT_GT(tally.crossing, 40);
}

TEST(ContourTest, agrees_with_all_pairs_on_small_grids_where_all_is_degenerate) {
  Random random(2);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    const std::size_t n = static_cast<std::size_t>(random.between(3, 6));
    const bool moves = i % 3 != 0;
    const auto coordinate = [&] { return static_cast<double>(random.between(-2, 2)); };
    Loop loop;
    loop.axis = {static_cast<std::uint8_t>(random.below(3)), 0.5 * random.between(-2, 2), 0.5 * random.between(-2, 2)};
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

TEST(ContourTest, what_it_calls_simple_is_simple_at_many_instants) {
  Random random(3);
  ContourTest contour;
  int simple = 0;
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
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
  EXPECT_GT(simple, 10);
}

TEST(ContourTest, agrees_with_all_pairs_on_spirals) {
  Random random(4);
  ContourTest contour;
  for (const double shift : {0.0, 0.4, 0.6, -0.4, -0.6}) {
    const Loop loop = make_loop(random, random_axis(random), spiral(40, 3.2, shift));
    const Answer truth = truth_of(loop);
    EXPECT_EQ(truth, std::abs(shift) < 0.5 ? Answer::Simple : Answer::Crossing) << shift;
    EXPECT_EQ(answer_of(contour, loop), truth) << shift;
  }
}

TEST(ContourTest, finds_the_crossing_of_a_figure_eight) {
  Random random(5);
  ContourTest contour;
  for (const std::size_t n : {8U, 13U, 50U, 301U}) {
    EXPECT_EQ(answer_of(contour, make_loop(random, random_axis(random), figure_eight(n))), Answer::Crossing) << n;
  }
}

/// A floor with a spike whose tip goes from left to right, below a ceiling with a spike that hangs down to `low`.
std::vector<PlanarStep> two_spikes(double low) {
  return {still(-3, 0), still(-0.5, 0), {{-1, 1}, {1, 1}}, still(0.5, 0), still(3, 0),
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

TEST(ContourTest, finds_neighbours_that_fold_back_on_each_other) {
  Random random(8);
  ContourTest contour;
  for (const double end : {0.5, 0.0, -0.5}) {  // the corner at (0, 0) closes, or goes on to the other side
    const Loop loop = make_loop(random, {0, 0.5, -0.25}, {still(0, 0), still(2, 0), still(2, 2), {{1, 1}, {1, end}}});
    const Answer truth = truth_of(loop);
    EXPECT_EQ(truth, end > 0.0 ? Answer::Simple : Answer::Crossing) << end;
    EXPECT_EQ(answer_of(contour, loop), truth) << end;
    std::vector<VertexId> turned = loop.vertices;
    for (std::size_t k = 0; k < 4; ++k) {  // wherever the loop begins
      std::rotate(turned.begin(), turned.begin() + 1, turned.end());
      EXPECT_EQ(contour.test(turned), truth) << end << " " << k;
    }
  }
}

TEST(ContourTest, an_edge_that_shrinks_to_a_point_for_an_instant_is_a_crossing) {
  ContourTest contour;
  // The edge from vertex 0 to 1 is parallel to the axis z at t = 1/2, when 1 is behind 0.
  const auto loop = [](double miss) {
    return Loop{{2, 0.0, 0.0},
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
  for (int i = 0; i < kSide; ++i) square.push_back(still(i, 0));
  for (int i = 0; i < kSide; ++i) square.push_back(still(kSide, i));
  for (int i = 0; i < kSide; ++i) square.push_back(still(kSide - i, kSide));
  for (int i = 0; i < kSide; ++i) square.push_back(still(0, kSide - i));
  EXPECT_EQ(answer_of(contour, make_loop(random, {2, 0.5, 0.0}, square)), Answer::Simple);
  EXPECT_EQ(contour.counts().planar_tests, 0U);
  square[4].t1 = {2.5, 0.0};  // a vertex that passes its neighbour on the line
  EXPECT_EQ(answer_of(contour, make_loop(random, {2, 0.5, 0.0}, square)), Answer::Crossing);
}

TEST(ContourTest, common_motion_scale_and_place_change_no_answer) {
  Random random(10);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 40 && !HasFailure(); ++i) {
    const Loop loop = make_loop(random, random_axis(random), star(random, 12, 0.8, 1.0));
    const Answer truth = truth_of(loop);
    tally.add(truth);
    for (const int power : {-1000, -300, 300, 980}) {
      EXPECT_EQ(answer_of(contour, changed(loop, std::ldexp(1.0, power), {})), truth) << power;
    }
    Loop far = changed(loop, 1.0, {1e6, -1e6, 1e6});
    EXPECT_EQ(answer_of(contour, far), truth_of(far));
    for (VertexPath& path : far.paths) {
      path.t1 = path.t1 + Vec3{1e5, 2e5, -3e5};  // much further than the loop is wide
    }
    EXPECT_EQ(answer_of(contour, far), truth_of(far));
  }
  EXPECT_GT(tally.simple, 5);
  EXPECT_GT(tally.crossing, 5);
}

TEST(ContourTest, agrees_with_all_pairs_on_loops_of_many_edges) {
  Random random(11);
  ContourTest contour;
  Tally tally;
  for (int i = 0; i < 12 && !HasFailure(); ++i) {
    const Loop loop = make_loop(random, random_axis(random), star(random, 150, 0.02 * i, 0.08 * i));
    const Answer truth = truth_of(loop);
    EXPECT_EQ(answer_of(contour, loop), truth) << i;
    tally.add(truth);
  }
  EXPECT_GT(tally.simple, 2);
  EXPECT_GT(tally.crossing, 2);
}

TEST(ContourTest, smooth_loops_need_next_to_no_planar_tests) {
  Random random(12);
  ContourTest contour;
  EXPECT_EQ(answer_of(contour, make_loop(random, random_axis(random), star(random, 1000, 0.0, 0.1))), Answer::Simple);
  EXPECT_LT(contour.counts().planar_tests, 20U);
  EXPECT_LT(contour.counts().bound_tests, 400U);
}

TEST(ContourTest, gives_up_within_its_budget_on_a_loop_that_turns_far) {
  Random random(13);
  ContourTest contour;
  constexpr std::size_t kEdges = 1000;
  std::vector<PlanarStep> steps = star(random, kEdges, 0.9, 0.0);
  for (PlanarStep& step : steps) {  // by 120 degrees about the middle: similar at all times, so simple
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
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1.7e308}) {
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
    const Loop whole = make_loop(random, random_axis(random), star(random, 200, 0.2, 0.4));
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
  EXPECT_FALSE(ContourTest::has_both(loop, {{4, 7}, {7, 9}}));  // both vertices, no edge
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
