// The continuous elementary tests on pairs whose answer is known by construction, and tier against tier.
#include <gtest/gtest.h>

#include <cmath>
#include <graze/elementary.hpp>
#include <graze/error.hpp>
#include <limits>
#include <random>

#include "geometry/vec.hpp"
#include "narrow/exact/exact_tests.hpp"
#include "narrow/interval.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

using Four = std::array<Vec3, 4>;

constexpr Vec3 kF0{0, 0, 0};
constexpr Vec3 kF1{1, 0, 0};
constexpr Vec3 kF2{0, 1, 0};

PairStep still_face(const Vec3& v_t0, const Vec3& v_t1) {
  return {{v_t0, kF0, kF1, kF2}, {v_t1, kF0, kF1, kF2}};
}

PairStep scaled(PairStep pair, double s) {
  for (auto* end : {&pair.t0, &pair.t1}) {
    for (Vec3& x : *end) x = s * x;
  }
  return pair;
}

void expect_toi(const std::optional<ElementaryImpact>& impact, double toi) {
  ASSERT_TRUE(impact.has_value());
  EXPECT_LE(impact->toi_lo, toi);
  EXPECT_GE(impact->toi_hi, toi);
  EXPECT_LE(impact->toi_hi - impact->toi_lo, 1e-6);
}

TEST(VertexFace, a_vertex_that_falls_through_the_face_hits_it_on_the_way) {
  const auto impact = impact_vertex_face(still_face({0.25, 0.5, 1}, {0.25, 0.5, -3}));
  expect_toi(impact, 0.25);
  EXPECT_NEAR(impact->weights[0], 1.0, 0.0);
  EXPECT_NEAR(impact->weights[1], 0.25, 1e-9);
  EXPECT_NEAR(impact->weights[2], 0.25, 1e-9);
  EXPECT_NEAR(impact->weights[3], 0.5, 1e-9);
  EXPECT_EQ(impact->side, 1);
  EXPECT_NEAR(impact->normal.z, 1.0, 1e-12);
}

TEST(VertexFace, the_normal_and_the_side_follow_the_vertex_from_below) {
  const auto impact = impact_vertex_face(still_face({0.25, 0.5, -1}, {0.25, 0.5, 3}));
  expect_toi(impact, 0.25);
  EXPECT_EQ(impact->side, -1);
  EXPECT_NEAR(impact->normal.z, -1.0, 1e-12);
}

TEST(VertexFace, boundary_contacts_count_and_misses_by_one_ulp_do_not) {
  const double below = std::nextafter(0.0, -1.0);
  const double above_half = std::nextafter(0.5, 1.0);
  expect_toi(impact_vertex_face(still_face({0, 0, 1}, {0, 0, -1})), 0.5);          // corner
  expect_toi(impact_vertex_face(still_face({0.5, 0, 1}, {0.5, 0, -1})), 0.5);      // edge
  expect_toi(impact_vertex_face(still_face({0.5, 0.5, 1}, {0.5, 0.5, -1})), 0.5);  // diagonal
  EXPECT_FALSE(impact_vertex_face(still_face({0.5, below, 1}, {0.5, below, -1})));
  EXPECT_FALSE(impact_vertex_face(still_face({above_half, 0.5, 1}, {above_half, 0.5, -1})));
}

TEST(VertexFace, contact_at_the_very_start_or_end_counts) {
  expect_toi(impact_vertex_face(still_face({0.25, 0.25, 0}, {0.25, 0.25, 1})), 0.0);
  expect_toi(impact_vertex_face(still_face({0.25, 0.25, 1}, {0.25, 0.25, 0})), 1.0);
  EXPECT_EQ(impact_vertex_face(still_face({0.25, 0.25, 0}, {0.25, 0.25, 1}))->side, 0);
  EXPECT_FALSE(impact_vertex_face(still_face({0.25, 0.25, 1}, {0.25, 0.25, 0x1p-1074})));
}

TEST(VertexFace, a_vertex_that_slides_in_the_plane_hits_when_it_reaches_the_face) {
  expect_toi(impact_vertex_face(still_face({-1, 0.25, 0}, {1, 0.25, 0})), 0.5);
  expect_toi(impact_vertex_face(still_face({-1, 0, 0}, {1, 0, 0})), 0.5);  // along the line of an edge
  EXPECT_FALSE(impact_vertex_face(still_face({-1, 0.25, 0}, {-0.125, 0.25, 0})));
  EXPECT_FALSE(impact_vertex_face(still_face({-1, -1, 0}, {2, -1, 0})));
  EXPECT_EQ(impact_vertex_face(still_face({-1, 0.25, 0}, {1, 0.25, 0}))->side, 0);
}

TEST(VertexFace, nothing_moves) {
  expect_toi(impact_vertex_face(still_face({0.25, 0.25, 0}, {0.25, 0.25, 0})), 0.0);
  expect_toi(impact_vertex_face(still_face({1, 0, 0}, {1, 0, 0})), 0.0);
  EXPECT_FALSE(impact_vertex_face(still_face({0.25, 0.25, 0x1p-1000}, {0.25, 0.25, 0x1p-1000})));
  EXPECT_FALSE(impact_vertex_face(still_face({2, 2, 0}, {2, 2, 0})));
}

TEST(VertexFace, faces_without_area_are_segments_and_points) {
  const Vec3 a{0, 0, 0};
  const Vec3 b{1, 1, 0};
  const Vec3 m{0.5, 0.5, 0};
  const auto against = [](const Vec3& f0, const Vec3& f1, const Vec3& f2, const Vec3& v_t0, const Vec3& v_t1) {
    return impact_vertex_face({{v_t0, f0, f1, f2}, {v_t1, f0, f1, f2}});
  };
  expect_toi(against(a, b, m, {0.25, 0.25, 1}, {0.25, 0.25, -1}), 0.5);
  expect_toi(against(a, m, b, {0.75, 0.75, 1}, {0.75, 0.75, -1}), 0.5);
  EXPECT_FALSE(against(a, b, m, {0.25, 0.5, 1}, {0.25, 0.5, -1}));
  EXPECT_FALSE(against(a, b, m, {1.25, 1.25, 1}, {1.25, 1.25, -1}));
  expect_toi(against(a, a, b, {0.25, 0.25, 1}, {0.25, 0.25, -1}), 0.5);
  expect_toi(against(a, a, a, {0, 0, 1}, {0, 0, -3}), 0.25);
  EXPECT_FALSE(against(a, a, a, {0, 0x1p-1074, 1}, {0, 0x1p-1074, -3}));
}

TEST(VertexFace, a_face_that_vanishes_at_the_instant_of_contact_is_hit_where_it_is_then) {
  // The face shrinks to the segment from (0,0,0) to (1,0,0) at t = 1/2 and opens again on the other side.
  const PairStep on{{Vec3{0.5, 0, 1}, kF0, kF1, {0, 1, 0}}, {Vec3{0.5, 0, -1}, kF0, kF1, {0, -1, 0}}};
  expect_toi(impact_vertex_face(on), 0.5);
  const PairStep off{{Vec3{0.25, 0.25, 1}, kF0, kF1, {0, 1, 0}}, {Vec3{0.25, 0.25, -1}, kF0, kF1, {0, -1, 0}}};
  EXPECT_FALSE(impact_vertex_face(off));
}

TEST(VertexFace, a_double_root_touches_and_leaves) {
  // f2 is at (1, 0, h) with h = 4(1-t), and v is at x = t: the plane through f0, f1 and f2 has height 4t(1-t) = 1 -
  // (1-2t)^2 at v, which reaches v's height 1 at t = 1/2 only.
  const auto at_height = [](double z) {
    return impact_vertex_face({{Vec3{0, 0, z}, {0, -1, 0}, {0, 1, 0}, {1, 0, 4}},  //
                               {Vec3{1, 0, z}, {0, -1, 0}, {0, 1, 0}, {1, 0, 0}}});
  };
  expect_toi(at_height(1.0), 0.5);
  EXPECT_FALSE(at_height(std::nextafter(1.0, 2.0)));
  const auto crossing = at_height(std::nextafter(1.0, 0.0));
  ASSERT_TRUE(crossing);
  EXPECT_LT(crossing->toi_lo, 0.5);
  EXPECT_EQ(at_height(1.0)->side, crossing->side);
}

TEST(EdgeEdge, crossing_edges_hit_at_their_crossing) {
  const PairStep pair{{Vec3{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 3, 0}},
                      {Vec3{-1, 0, -1}, {1, 0, -1}, {0, -1, 0}, {0, 3, 0}}};
  const auto impact = impact_edge_edge(pair);
  expect_toi(impact, 0.5);
  EXPECT_NEAR(impact->weights[0], 0.5, 1e-6);
  EXPECT_NEAR(impact->weights[1], 0.5, 1e-6);
  EXPECT_NEAR(impact->weights[2], 0.75, 1e-6);
  EXPECT_NEAR(impact->weights[3], 0.25, 1e-6);
  EXPECT_EQ(impact->side, 1);  // (2,0,0)x(0,4,0) points up, to where edge a came from
  EXPECT_NEAR(impact->normal.z, 1.0, 1e-12);
}

TEST(EdgeEdge, endpoints_count_and_misses_by_one_ulp_do_not) {
  const auto cross_at = [](double x) {
    return impact_edge_edge(
        {{Vec3{0, 0, 1}, {1, 0, 1}, {x, -1, 0}, {x, 1, 0}}, {Vec3{0, 0, -1}, {1, 0, -1}, {x, -1, 0}, {x, 1, 0}}});
  };
  expect_toi(cross_at(0.0), 0.5);
  expect_toi(cross_at(1.0), 0.5);
  EXPECT_FALSE(cross_at(std::nextafter(0.0, -1.0)));
  EXPECT_FALSE(cross_at(std::nextafter(1.0, 2.0)));
}

TEST(EdgeEdge, parallel_collinear_and_pointlike_edges) {
  const auto still_b = [](const Four& a_t0_t1, const Vec3& b0, const Vec3& b1) {
    return impact_edge_edge({{a_t0_t1[0], a_t0_t1[1], b0, b1}, {a_t0_t1[2], a_t0_t1[3], b0, b1}});
  };
  // Parallel edges, one falling onto the other: overlap, touch at one end, miss.
  expect_toi(still_b({Vec3{0, 0, 1}, {1, 0, 1}, {0, 0, -1}, {1, 0, -1}}, {0.5, 0, 0}, {2, 0, 0}), 0.5);
  expect_toi(still_b({Vec3{0, 0, 1}, {1, 0, 1}, {0, 0, -1}, {1, 0, -1}}, {1, 0, 0}, {2, 0, 0}), 0.5);
  EXPECT_FALSE(still_b({Vec3{0, 0, 1}, {1, 0, 1}, {0, 0, -1}, {1, 0, -1}}, {1.5, 0, 0}, {2, 0, 0}));
  // Edges that are collinear for the whole step and slide into each other.
  expect_toi(still_b({Vec3{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, {2, 0, 0}, {4, 0, 0}), 0.5);
  EXPECT_FALSE(still_b({Vec3{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {1.5, 0, 0}}, {2, 0, 0}, {4, 0, 0}));
  // Edges without length.
  expect_toi(still_b({Vec3{1, 0, 1}, {1, 0, 1}, {1, 0, -1}, {1, 0, -1}}, {0, 0, 0}, {4, 0, 0}), 0.5);
  EXPECT_FALSE(still_b({Vec3{1, 0.125, 1}, {1, 0.125, 1}, {1, 0.125, -1}, {1, 0.125, -1}}, {0, 0, 0}, {4, 0, 0}));
  expect_toi(still_b({Vec3{1, 0, 1}, {1, 0, 1}, {1, 0, -3}, {1, 0, -3}}, {1, 0, 0}, {1, 0, 0}), 0.25);
}

TEST(EdgeEdge, coplanar_edges_hit_when_an_end_reaches_the_other_edge) {
  const PairStep pair{{Vec3{-2, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 1, 0}},
                      {Vec3{0, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}};
  expect_toi(impact_edge_edge(pair), 0.5);
}

TEST(Elementary, answers_do_not_change_when_everything_is_scaled_by_a_power_of_two) {
  const PairStep hit = still_face({0.5, 0.5, 1}, {0.5, 0.5, -1});
  const PairStep miss = still_face({std::nextafter(0.5, 1.0), 0.5, 1}, {std::nextafter(0.5, 1.0), 0.5, -1});
  for (const int e : {-1000, -900, -301, -299, -10, 10, 299, 301, 900, 1000}) {
    expect_toi(impact_vertex_face(scaled(hit, std::ldexp(1.0, e))), 0.5);
    EXPECT_FALSE(impact_vertex_face(scaled(miss, std::ldexp(1.0, e)))) << e;
  }
}

TEST(Elementary, magnitudes_may_differ_by_six_hundred_decimal_orders) {
  const PairStep hit{{Vec3{1e-300, 1e-300, 1e300}, kF0, {1e300, 0, 0}, {0, 1e300, 0}},
                     {Vec3{1e-300, 1e-300, -1e300}, kF0, {1e300, 0, 0}, {0, 1e300, 0}}};
  expect_toi(impact_vertex_face(hit), 0.5);
  PairStep miss = hit;
  miss.t0[0].x = miss.t1[0].x = -1e-300;
  EXPECT_FALSE(impact_vertex_face(miss));
}

TEST(Elementary, the_tolerance_is_kept_down_to_its_least_value) {
  const PairStep pair = still_face({0.25, 0.25, 1}, {0.25, 0.25, -2});
  for (const double tolerance : {1.0, 1e-3, 1e-9, 0x1p-40}) {
    const auto impact = impact_vertex_face(pair, {.tolerance = tolerance});
    ASSERT_TRUE(impact);
    EXPECT_LE(impact->toi_hi - impact->toi_lo, tolerance);
    EXPECT_LE(3.0 * impact->toi_lo, 1.0);
    EXPECT_GE(std::nextafter(3.0 * impact->toi_hi, 2.0), 1.0);
  }
}

TEST(Elementary, bad_input_is_named) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  try {
    impact_vertex_face(still_face({0, 0, 1}, {0, nan, 1}));
    FAIL() << "expected InputError";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("point 0 at t1"), std::string::npos) << e.what();
  }
  EXPECT_THROW(impact_edge_edge({}, {.tolerance = 0.0}), InputError);
  EXPECT_THROW(impact_edge_edge({}, {.tolerance = 2.0}), InputError);
  EXPECT_THROW(impact_edge_edge({}, {.thickness = -1.0}), InputError);
  EXPECT_THROW(impact_edge_edge({}, {.thickness = nan}), InputError);
}

// Pairs that the interval tier decides have the same answer in the exact tier, with overlapping intervals.
TEST(Elementary, the_interval_tier_agrees_with_the_exact_tier) {
  std::mt19937_64 random(1);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1.0; };
  int contacts = 0;
  int decided = 0;
  for (int i = 0; i < 20000; ++i) {
    PairStep pair;
    for (auto* end : {&pair.t0, &pair.t1}) {
      for (Vec3& x : *end) x = {uniform(), uniform(), uniform()};
    }
    const bool vf = i % 2 == 0;
    const auto b = vf ? narrow::interval_vertex_face(pair, 1e-6) : narrow::interval_edge_edge(pair, 1e-6);
    const auto c = vf ? narrow::exact_vertex_face(pair, 1e-6) : narrow::exact_edge_edge(pair, 1e-6);
    if (b.outcome == narrow::IntervalOutcome::Undecided) continue;
    ++decided;
    ASSERT_EQ(b.outcome == narrow::IntervalOutcome::Contact, c.has_value()) << i;
    if (!c) continue;
    ++contacts;
    EXPECT_LE(b.toi_lo, c->toi_hi);
    EXPECT_LE(c->toi_lo, b.toi_hi);
    EXPECT_EQ(b.cubic_sign_before, c->cubic_sign_before);
  }
  EXPECT_GT(decided, 19900);
  EXPECT_GT(contacts, 1000);
}

}  // namespace
}  // namespace graze
