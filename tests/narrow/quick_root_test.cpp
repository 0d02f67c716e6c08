// The quick path of the interval tier: known answers, agreement with exact arithmetic over tens of thousands of
// pairs, and with the oracle's roots.
#include "narrow/kernels/roots_scalar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <graze/elementary.hpp>

#include "geometry/vec.hpp"
#include "narrow/exact/exact_tests.hpp"
#include "narrow/kernels/filter_scalar.hpp"
#include "oracle/continuous.hpp"
#include "oracle/query_generator.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

using narrow::IntervalOutcome;

constexpr std::array kKinds = {FeatureKind::VertexFace, FeatureKind::EdgeEdge};

narrow::QuickResult quick(FeatureKind kind, const PairStep& pair, double tolerance = 1e-6) {
  return kind == FeatureKind::VertexFace ? narrow::quick_root_vertex_face(pair, tolerance)
                                         : narrow::quick_root_edge_edge(pair, tolerance);
}

std::optional<narrow::ExactContact> exact(FeatureKind kind, const PairStep& pair, double tolerance) {
  return kind == FeatureKind::VertexFace ? narrow::exact_vertex_face(pair, tolerance)
                                         : narrow::exact_edge_edge(pair, tolerance);
}

int side_of(FeatureKind kind, const narrow::ExactContact& contact) {
  return kind == FeatureKind::VertexFace ? -contact.cubic_sign_before : contact.cubic_sign_before;
}

/// The distance between the two points given by the weights, at toi_hi.
double gap(FeatureKind kind, const PairStep& pair, const ElementaryImpact& impact) {
  Vec3 d{};
  for (std::size_t i = 0; i < 4; ++i) {
    const bool first = kind == FeatureKind::VertexFace ? i == 0 : i < 2;
    const Vec3 x = lerp(pair.t0[i] - pair.t0[0], pair.t1[i] - pair.t1[0], impact.toi_hi);
    d = d + (first ? 1.0 : -1.0) * impact.weights[i] * x;
  }
  return length(d);
}

struct Tally {
  int decided = 0;
  int contacts = 0;
  int sides[2] = {0, 0};
};

/// Compares one pair with exact arithmetic and adds to the tally.
void expect_exact(FeatureKind kind, const PairStep& pair, double tolerance, Tally& tally) {
  const narrow::QuickResult result = quick(kind, pair, tolerance);
  if (result.outcome == IntervalOutcome::Undecided) return;
  ++tally.decided;
  const auto truth = exact(kind, pair, 0x1p-40);
  ASSERT_EQ(result.outcome == IntervalOutcome::Contact, truth.has_value());
  if (!truth) return;
  ++tally.contacts;
  ++tally.sides[result.impact.side > 0 ? 1 : 0];
  EXPECT_LE(0.0, result.impact.toi_lo);
  EXPECT_LE(result.impact.toi_hi, 1.0);
  EXPECT_LE(result.impact.toi_hi - result.impact.toi_lo, tolerance);
  EXPECT_LE(result.impact.toi_lo, truth->toi_hi);
  EXPECT_LE(truth->toi_lo, result.impact.toi_hi);
  EXPECT_EQ(result.impact.side, side_of(kind, *truth));
}

TEST(QuickRoot, agrees_with_exact_arithmetic_on_large_random_motions) {
  std::uint64_t seed = 0;
  const oracle::QueryFamily* random = oracle::find_query_family("random");
  const oracle::QueryFamily* aimed = oracle::find_query_family("aimed");
  ASSERT_TRUE(random != nullptr && aimed != nullptr);
  for (const FeatureKind kind : kKinds) {
    Tally tally;
    constexpr int kCount = 12000;
    for (int i = 0; i < kCount && !HasFatalFailure(); ++i) {
      const auto& family = i % 2 == 0 ? *random : *aimed;
      expect_exact(kind, oracle::make_query(family, kind, ++seed, 0), i % 3 == 0 ? 0x1p-40 : 1e-6, tally);
    }
    EXPECT_GT(tally.decided, kCount * 8 / 10);
    EXPECT_GT(tally.contacts, kCount / 10);
    EXPECT_GT(std::min(tally.sides[0], tally.sides[1]), kCount / 50);
  }
}

TEST(QuickRoot, agrees_with_exact_arithmetic_wherever_it_decides_an_adversarial_pair) {
  for (const FeatureKind kind : kKinds) {
    Tally tally;
    for (const oracle::QueryFamily& family : oracle::query_families()) {
      SCOPED_TRACE(family.name);
      for (std::uint64_t i = 0; i < 250 && !HasFatalFailure(); ++i) {
        expect_exact(kind, oracle::make_query(family, kind, 77, i), 1e-6, tally);
      }
    }
    EXPECT_GT(tally.contacts, 300);
  }
}

TEST(QuickRoot, its_interval_contains_the_exact_first_contact) {
  const oracle::QueryFamily* aimed = oracle::find_query_family("aimed");
  int contacts = 0;
  for (const FeatureKind kind : kKinds) {
    for (std::uint64_t i = 0; i < 600; ++i) {
      const PairStep pair = oracle::make_query(*aimed, kind, 5, i);
      const narrow::QuickResult result = quick(kind, pair);
      if (result.outcome != IntervalOutcome::Contact) continue;
      ++contacts;
      const auto truth = oracle::first_contact(kind, pair);
      ASSERT_TRUE(truth.has_value());
      EXPECT_TRUE(truth->in(result.impact.toi_lo, result.impact.toi_hi));
    }
  }
  EXPECT_GT(contacts, 300);
}

TEST(QuickRoot, describes_the_point_where_the_features_touch) {
  const oracle::QueryFamily* aimed = oracle::find_query_family("aimed");
  int contacts = 0;
  for (const FeatureKind kind : kKinds) {
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const PairStep pair = oracle::make_query(*aimed, kind, 6, i);
      const narrow::QuickResult result = quick(kind, pair);
      if (result.outcome != IntervalOutcome::Contact) continue;
      ++contacts;
      double size = 0.0;
      for (std::size_t k = 1; k < 4; ++k) {
        size = std::max({size, max_abs(pair.t0[k] - pair.t0[0]), max_abs(pair.t1[k] - pair.t1[0])});
      }
      // The features move by at most 2 sizes in the step, and by a part of that after the contact.
      const double moved = 4.0 * size * (result.impact.toi_hi - result.impact.toi_lo);
      EXPECT_LE(gap(kind, pair, result.impact), moved + 1e-9 * size);
      EXPECT_NEAR(length(result.impact.normal), 1.0, 1e-14);
      for (const double weight : result.impact.weights) EXPECT_TRUE(weight >= 0.0 && weight <= 1.0 + 1e-14);
    }
  }
  EXPECT_GT(contacts, 1000);
}

// A vertex that passes through the plane of the face and back. It crosses at t = 1/4, at x = 1/2 or -1/2, and again
// at t = 3/4, at x = -1/2 or 1/2: the face is wide and lies to the right of x = 0.
PairStep there_and_back(bool inside_first) {
  // The height of v above the plane of a face that tilts as v moves is 16 (t - 1/4)(t - 3/4): v has z = 3 - 16 t
  // and y = t, and the plane through the edge f0 f1 on y = 0 has z = -16 t y = -16 t^2 at v.
  const double sign = inside_first ? 1.0 : -1.0;
  PairStep pair;
  pair.t0 = {Vec3{sign, 0, 3}, Vec3{0, 0, 0}, Vec3{8, 0, 0}, Vec3{0, 4, 0}};
  pair.t1 = {Vec3{-sign, 1, -13}, Vec3{0, 0, 0}, Vec3{8, 0, 0}, Vec3{0, 4, -64}};
  return pair;
}

TEST(QuickRoot, takes_the_first_root_that_is_inside) {
  const auto first = quick(FeatureKind::VertexFace, there_and_back(true));
  ASSERT_EQ(first.outcome, IntervalOutcome::Contact);
  EXPECT_LE(first.impact.toi_lo, 0.25);
  EXPECT_GE(first.impact.toi_hi, 0.25);
  EXPECT_EQ(first.impact.side, 1);
  const auto second = quick(FeatureKind::VertexFace, there_and_back(false));
  ASSERT_EQ(second.outcome, IntervalOutcome::Contact);
  EXPECT_LE(second.impact.toi_lo, 0.75);
  EXPECT_GE(second.impact.toi_hi, 0.75);
  EXPECT_EQ(second.impact.side, -1);
}

TEST(QuickRoot, leaves_what_is_not_simple_to_others) {
  PairStep pair;
  pair.t0 = {Vec3{0.25, 0.25, 1}, Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
  pair.t1 = pair.t0;
  pair.t1[0].z = 0.0;  // contact at the end of the step
  EXPECT_EQ(quick(FeatureKind::VertexFace, pair).outcome, IntervalOutcome::Undecided);
  pair.t1[0].z = -1.0;
  EXPECT_EQ(quick(FeatureKind::VertexFace, pair).outcome, IntervalOutcome::Contact);
  pair.t0[0].x = pair.t1[0].x = 0.0;  // on the boundary of the face
  EXPECT_EQ(quick(FeatureKind::VertexFace, pair).outcome, IntervalOutcome::Undecided);
  pair.t0[0].x = pair.t1[0].x = 0.25;
  for (const int e : {-140, 140}) {
    PairStep scaled = pair;
    for (auto* end : {&scaled.t0, &scaled.t1}) {
      for (Vec3& x : *end) x = std::ldexp(1.0, e) * x;
    }
    EXPECT_EQ(quick(FeatureKind::VertexFace, scaled).outcome, IntervalOutcome::Contact) << e;
    for (auto* end : {&scaled.t0, &scaled.t1}) {
      for (Vec3& x : *end) x = std::ldexp(1.0, e / 10) * x;
    }
    EXPECT_EQ(quick(FeatureKind::VertexFace, scaled).outcome, IntervalOutcome::Undecided) << e;
  }
}

}  // namespace
}  // namespace graze
