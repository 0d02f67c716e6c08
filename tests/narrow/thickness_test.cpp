// Continuous tests with thickness: known times, ties, fly-bys, extreme speeds and magnitudes; and the contract
// checked in rational arithmetic on random steps: beyond delta before toi_lo, within the limit at toi_hi, no pair
// missed.
#include "narrow/thickness.hpp"

#include "random_points.hpp"
#include "rational_twin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

using test::Points;
using test::PointSource;
using test::Rational;

std::optional<ElementaryImpact> thick(std::size_t split, const PairStep& pair, double delta,
                                      double tolerance = 1e-6, TierCounts* tiers = nullptr) {
  TierCounts unused;
  const ElementaryOptions options{.tolerance = tolerance, .thickness = delta};
  TierCounts& counts = tiers != nullptr ? *tiers : unused;
  return split == 1 ? narrow::thickness_vertex_face(pair, options, narrow::Filtered::No, counts)
                    : narrow::thickness_edge_edge(pair, options, narrow::Filtered::No, counts);
}

Rational twin_squared_distance_at(std::size_t split, const PairStep& pair, const Rational& t) {
  std::vector<test::RationalPoint> p;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto from = test::to_rational(pair.t0[i]);
    const auto to = test::to_rational(pair.t1[i]);
    p.push_back(
        {from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), from[2] + t * (to[2] - from[2])});
  }
  const std::span<const test::RationalPoint> all(p);
  return test::twin_squared_distance(all.subspan(0, split), all.subspan(split));
}

/// The slack defined in graze/elementary.hpp.
Rational slack(const PairStep& pair, double delta, double tolerance) {
  Rational size = 0;
  for (const auto* points : {&pair.t0, &pair.t1}) {
    for (const Vec3& p : *points) {
      for (const Vec3& q : *points) {
        const auto a = test::to_rational(p);
        const auto b = test::to_rational(q);
        for (std::size_t k = 0; k < 3; ++k) size = std::max(size, Rational(a[k] - b[k]));
      }
    }
  }
  return std::max(Rational(tolerance) * Rational(std::min(1.0, delta)), size / Rational(std::int64_t{1} << 43));
}

/// Checks one answer against the contract; true if there was an impact.
bool check_contract(std::size_t split, const PairStep& pair, double delta, double tolerance,
                    const std::vector<Rational>& times) {
  const auto impact = thick(split, pair, delta, tolerance);
  const Rational delta2 = Rational(delta) * Rational(delta);
  for (const Rational& t : times) {
    if (!impact || t < Rational(impact->toi_lo)) {
      EXPECT_GT(twin_squared_distance_at(split, pair, t), delta2) << "at " << t;
    }
  }
  if (impact) {
    const Rational limit = Rational(delta) + slack(pair, delta, tolerance);
    EXPECT_LE(twin_squared_distance_at(split, pair, Rational(impact->toi_hi)), limit * limit);
    EXPECT_GE(impact->toi_lo, 0.0);
    EXPECT_LE(impact->toi_lo, impact->toi_hi);
    EXPECT_LE(impact->toi_hi, 1.0);
    EXPECT_LE(impact->toi_hi - impact->toi_lo, tolerance);
    const auto& w = impact->weights;
    EXPECT_NEAR(split == 1 ? w[0] : w[0] + w[1], 1.0, 1e-15);
    EXPECT_NEAR(split == 1 ? w[1] + w[2] + w[3] : w[2] + w[3], 1.0, 1e-15);
  }
  return impact.has_value();
}

constexpr std::array<Vec3, 4> kAbove{{{1, 1, 1}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

PairStep vertex_moves(const Vec3& from, const Vec3& to) {
  PairStep pair{kAbove, kAbove};
  pair.t0[0] = from;
  pair.t1[0] = to;
  return pair;
}

TEST(Thickness, FindsWhenAFallingVertexComesWithinDelta) {
  for (const double tolerance : {1e-2, 1e-6, 1e-12}) {
    const auto impact = thick(1, vertex_moves({1, 2, 1}, {1, 2, -1}), 0.25, tolerance);
    ASSERT_TRUE(impact);
    EXPECT_LE(impact->toi_lo, 0.375);
    EXPECT_GE(impact->toi_hi, 0.375 - 0.25 * tolerance);
    EXPECT_LE(impact->toi_hi - impact->toi_lo, tolerance);
    EXPECT_EQ(impact->normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(impact->side, 1);
    EXPECT_NEAR(impact->weights[1], 0.25, 1e-15);
    EXPECT_NEAR(impact->weights[2], 0.25, 1e-15);
    EXPECT_NEAR(impact->weights[3], 0.5, 1e-15);
  }
  const auto below = thick(1, vertex_moves({1, 2, -1}, {1, 2, 1}), 0.25);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->normal, (Vec3{0, 0, -1}));
  EXPECT_EQ(below->side, -1);
}

TEST(Thickness, FindsWhenCrossingEdgesComeWithinDelta) {
  PairStep pair{{{{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}}}, {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}}};
  const auto impact = thick(2, pair, 0.25);
  ASSERT_TRUE(impact);
  EXPECT_LE(impact->toi_lo, 0.75);
  EXPECT_NEAR(impact->toi_hi, 0.75, 1e-6);
  EXPECT_EQ(impact->weights, (std::array{0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(impact->normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(impact->side, 1);
}

TEST(Thickness, ContactFromTheStartIsAtZero) {
  for (const double height : {0.25, 0.125, 0.0, -0.25}) {
    const auto impact = thick(1, vertex_moves({1, 1, height}, {1, 1, 5}), 0.25);
    ASSERT_TRUE(impact) << height;
    EXPECT_EQ(impact->toi_lo, 0.0);
    EXPECT_EQ(impact->toi_hi, 0.0);
    EXPECT_EQ(impact->side, 0);
    EXPECT_EQ(impact->normal, (Vec3{0, 0, height < 0 ? -1.0 : 1.0}));
  }
}

TEST(Thickness, ContactAtTheVeryEndCounts) {
  const auto impact = thick(1, vertex_moves({1, 1, 2}, {1, 1, 1}), 1.0);
  ASSERT_TRUE(impact);
  EXPECT_LE(impact->toi_lo, 1.0);
  EXPECT_GE(impact->toi_hi, 1.0 - 1e-6);
  EXPECT_FALSE(thick(1, vertex_moves({1, 1, 2}, {1, 1, 1 + 1.01e-6}), 1.0));
}

TEST(Thickness, SlidingAtExactlyDeltaCountsAndBeyondTheToleranceDoesNot) {
  EXPECT_TRUE(thick(1, vertex_moves({-9, 1, 0.5}, {9, 1, 0.5}), 0.5));
  EXPECT_FALSE(thick(1, vertex_moves({-9, 1, 0.5 + 0.51e-6}, {9, 1, 0.5 + 0.51e-6}), 0.5));
  // Past a corner, 3-4-5: touches at one instant.
  EXPECT_TRUE(thick(1, vertex_moves({-3 - 4, -4 + 3, 0}, {-3 + 4, -4 - 3, 0}), 5.0));
  EXPECT_FALSE(thick(1, vertex_moves({-3 - 4 - 1e-4, -4 + 3, 0}, {-3 + 4 - 1e-4, -4 - 3, 0}), 5.0));
  // Parallel edges that slide past each other.
  const PairStep level{{{{0, 0, 1}, {1, 0, 1}, {5, 0, 0}, {6, 0, 0}}},
                       {{{5, 0, 1}, {6, 0, 1}, {0, 0, 0}, {1, 0, 0}}}};
  EXPECT_TRUE(thick(2, level, 1.0));
  EXPECT_FALSE(thick(2, level, 1.0 - 1.01e-6));
}

TEST(Thickness, AnswersForDegenerateShapes) {
  const Vec3 origin{0, 0, 0};
  const std::array<Vec3, 4> apart{{{2, 0, 0}, origin, origin, origin}};
  const std::array<Vec3, 4> near{{{0.5, 0, 0}, origin, origin, origin}};
  for (const std::size_t split : {std::size_t{1}}) {
    const auto impact = thick(split, {apart, near}, 1.0);
    ASSERT_TRUE(impact);
    EXPECT_NEAR(impact->toi_hi, 2.0 / 3.0, 1e-6);
    EXPECT_EQ(impact->normal, (Vec3{1, 0, 0}));
    EXPECT_EQ(impact->side, 0);
  }
  EXPECT_FALSE(thick(1, {apart, apart}, 1.0));
  EXPECT_TRUE(thick(1, {near, near}, 0.5));
  const std::array<Vec3, 4> one_point{{origin, origin, origin, origin}};
  const auto impact = thick(2, {one_point, one_point}, 1e-300);
  ASSERT_TRUE(impact);
  EXPECT_EQ(impact->toi_hi, 0.0);
  EXPECT_EQ(impact->normal, (Vec3{0, 0, 0}));
}

TEST(Thickness, MissesNoContactHoweverBrief) {
  for (const double speed : {1e3, 1e9, 1e15, 1e30, 1e100, 1e300}) {
    for (const double delta : {1e-3, 1e-20, 1e-300}) {
      const auto impact = thick(1, vertex_moves({1, 1, speed}, {1, 1, -2 * speed}), delta);
      ASSERT_TRUE(impact) << speed << ' ' << delta;
      EXPECT_LE(impact->toi_lo, 1.0 / 3.0) << speed << ' ' << delta;
      EXPECT_GE(impact->toi_hi, 1.0 / 3.0 - 1e-6) << speed << ' ' << delta;
      EXPECT_LE(impact->toi_hi - impact->toi_lo, 1e-6) << speed << ' ' << delta;
      EXPECT_EQ(impact->side, 1);
      EXPECT_FALSE(thick(1, vertex_moves({5, 1, speed}, {5, 1, -2 * speed}), delta)) << speed << ' ' << delta;
    }
  }
}

TEST(Thickness, AnswersTheSameAtEveryScale) {
  for (const double s : {1e-318, 1e-300, 1e-100, 1e100, 1e300}) {
    PairStep pair = vertex_moves({1, 1, 3}, {1, 1, 1});
    for (auto* end : {&pair.t0, &pair.t1}) {
      for (Vec3& p : *end) {
        p = {s * p.x, s * p.y, s * p.z};
      }
    }
    const auto impact = thick(1, pair, 2 * s);
    ASSERT_TRUE(impact) << s;
    EXPECT_LE(impact->toi_lo, 0.5 + 1e-4) << s;
    EXPECT_NEAR(impact->toi_hi, 0.5, 1e-4) << s;
    EXPECT_FALSE(thick(1, pair, 0.99 * s)) << s;
  }
}

TEST(Thickness, KeepsItsContractOnRandomSteps) {
  for (const Points kind : {Points::Grid, Points::Real, Points::NearGrid}) {
    PointSource source(29);
    int hits = 0;
    constexpr int kCount = 80;
    for (int i = 0; i < kCount; ++i) {
      const PairStep pair{source.points<4>(kind), source.points<4>(kind)};
      constexpr std::array kDeltas{1.0, 0.5, 0.1, 1e-3, 1e-9, 2.0};
      const double delta = kDeltas[static_cast<std::size_t>(source.integer(0, 5))];
      const double tolerance = i % 2 == 0 ? 1e-6 : 0x1p-40;
      std::vector<Rational> times;
      for (int k = 0; k <= 12; ++k) {
        times.emplace_back(k, 12);
      }
      const std::size_t split = i % 4 < 2 ? 1 : 2;
      // Times just before the answer would reveal an answer that is too late.
      if (const auto impact = thick(split, pair, delta, tolerance); impact && impact->toi_lo > 0) {
        times.emplace_back(Rational(impact->toi_lo) * Rational(999999999, 1000000000));
        times.emplace_back(Rational(impact->toi_lo) * Rational(999, 1000));
      }
      hits += check_contract(split, pair, delta, tolerance, times) ? 1 : 0;
      ASSERT_FALSE(::testing::Test::HasFailure()) << i << " kind " << static_cast<int>(kind);
    }
    EXPECT_GT(hits, kCount / 10);
    EXPECT_LT(hits, kCount - kCount / 10);
  }
}

TEST(Thickness, KeepsItsContractWhereTheDistanceHugsDelta) {
  // Delta is the distance at some time, up to rounding: near misses, grazing contacts and ties.
  for (const Points kind : {Points::Grid, Points::Real}) {
    PointSource source(31);
    TierCounts tiers;
    for (int i = 0; i < 50; ++i) {
      const PairStep pair{source.points<4>(kind), source.points<4>(kind)};
      const std::size_t split = i % 2 == 0 ? 1 : 2;
      Rational least = 1000;
      std::vector<Rational> times;
      for (int k = 0; k <= 16; ++k) {
        times.emplace_back(k, 16);
        least = std::min(least, twin_squared_distance_at(split, pair, times.back()));
      }
      const double delta = std::sqrt(static_cast<double>(least));
      if (delta == 0) {
        continue;
      }
      check_contract(split, pair, delta, 1e-6, times);
      check_contract(split, pair, delta * (1 - 1e-7), 1e-6, times);
      check_contract(split, pair, std::nextafter(delta, 9.0), 1e-6, times);
      EXPECT_TRUE(thick(split, pair, delta * (1 + 1e-15), 1e-6, &tiers));
      ASSERT_FALSE(::testing::Test::HasFailure()) << i << " kind " << static_cast<int>(kind);
    }
    EXPECT_GT(tiers.interval, 10U);
  }
}

}  // namespace
}  // namespace graze
