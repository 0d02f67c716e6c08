// The continuous queries: known steps, equality with a plain loop over all pairs, and the same answer at any number
// of threads.
#include <graze/detector.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include <graze/elementary.hpp>

#include "support/sample_scenes.hpp"

namespace graze {

namespace {

using testing::crossing_edges;
using testing::falling_tip;
using testing::random_soup;
using testing::Step;

bool same(const Impact& a, const Impact& b) {
  return std::tie(a.pair, a.toi_lo, a.toi_hi, a.weights, a.normal, a.side) ==
         std::tie(b.pair, b.toi_lo, b.toi_hi, b.weights, b.normal, b.side);
}

void expect_same(const std::vector<Impact>& a, const std::vector<Impact>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same(a[i], b[i])) << "impact " << i;
}

/// Impacts of all feature pairs, found with std::set and the public elementary tests.
std::vector<Impact> plain_impacts(const Step& step, const ElementaryOptions& options) {
  std::set<VertexId> vertices;
  std::set<std::array<VertexId, 2>> edges;
  std::set<std::array<VertexId, 3>> faces;
  for (Triangle t : step.scene.triangles()) {
    std::sort(t.begin(), t.end());
    faces.insert(t);
    vertices.insert(t.begin(), t.end());
    for (const auto& [a, b] : {std::array{t[0], t[1]}, std::array{t[0], t[2]}, std::array{t[1], t[2]}}) {
      if (a != b) edges.insert({a, b});
    }
  }
  std::vector<Impact> impacts;
  const auto test = [&](const FeaturePair& pair) {
    PairStep points;
    for (std::size_t i = 0; i < 4; ++i) {
      points.t0[i] = step.x_t0[pair.vertices[i]];
      points.t1[i] = step.x_t1[pair.vertices[i]];
    }
    const auto impact = pair.kind == FeatureKind::VertexFace ? impact_vertex_face(points, options)
                                                             : impact_edge_edge(points, options);
    if (!impact) return;
    impacts.push_back({.pair = pair,
                       .toi_lo = impact->toi_lo,
                       .toi_hi = impact->toi_hi,
                       .weights = impact->weights,
                       .normal = impact->normal,
                       .side = impact->side});
  };
  for (const VertexId v : vertices) {
    for (const auto& f : faces) {
      if (std::count(f.begin(), f.end(), v) == 0) test({FeatureKind::VertexFace, {v, f[0], f[1], f[2]}});
    }
  }
  for (auto a = edges.begin(); a != edges.end(); ++a) {
    for (auto b = std::next(a); b != edges.end(); ++b) {
      const std::set<VertexId> ids = {(*a)[0], (*a)[1], (*b)[0], (*b)[1]};
      if (ids.size() == 4) test({FeatureKind::EdgeEdge, {(*a)[0], (*a)[1], (*b)[0], (*b)[1]}});
    }
  }
  return impacts;
}

TEST(DetectorImpacts, FindsTheTipThatFallsOnAFace) {
  const Step step = falling_tip();
  const Impacts result = Detector(step.scene).impacts(step.x_t0, step.x_t1);
  ASSERT_EQ(result.impacts.size(), 1U);
  EXPECT_EQ(result.impacts[0].pair, (FeaturePair{FeatureKind::VertexFace, {3, 0, 1, 2}}));
  EXPECT_LE(result.impacts[0].toi_lo, 0.5);
  EXPECT_GE(result.impacts[0].toi_hi, 0.5);
  EXPECT_LE(result.impacts[0].toi_hi - result.impacts[0].toi_lo, 1e-6);
  EXPECT_EQ(result.vf_count(), 1U);
  EXPECT_EQ(result.ee_count(), 0U);
}

TEST(DetectorImpacts, FindsTheEdgesThatCross) {
  const Step step = crossing_edges();
  const Impacts result = Detector(step.scene).impacts(step.x_t0, step.x_t1);
  ASSERT_EQ(result.impacts.size(), 1U);
  EXPECT_EQ(result.impacts[0].pair, (FeaturePair{FeatureKind::EdgeEdge, {0, 1, 3, 4}}));
  EXPECT_LE(result.impacts[0].toi_lo, 0.5);
  EXPECT_GE(result.impacts[0].toi_hi, 0.5);
}

TEST(DetectorImpacts, ReportsStaticBodiesThatTouchFromTheStart) {
  Step step;
  step.add({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 0}, {{0, 1, 2}}, Motion::Static);
  step.add({{1, 1, 0}, {1, 1.5, 2}, {1.5, 1, 2}}, {0, 0, 0}, {{0, 1, 2}}, Motion::Static);
  const Impacts result = Detector(step.scene).impacts(step.x_t0, step.x_t1);
  ASSERT_EQ(result.impacts.size(), 1U);
  EXPECT_EQ(result.impacts[0].pair, (FeaturePair{FeatureKind::VertexFace, {3, 0, 1, 2}}));
  EXPECT_EQ(result.impacts[0].toi_lo, 0.0);
}

TEST(DetectorImpacts, ATripleIdFaceIsOneFaceHoweverOftenItIsRepeated) {
  Step step;
  step.add({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 0}, {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}});
  step.add({{1, 1, 1}, {1, 1.5, 3}, {1.5, 1, 3}}, {0, 0, -2}, {{0, 1, 2}, {0, 1, 2}});
  EXPECT_EQ(Detector(step.scene).impacts(step.x_t0, step.x_t1).impacts.size(), 1U);
}

TEST(DetectorImpacts, OfNothingAreNone) {
  EXPECT_TRUE(Detector(Scene{}).impacts({}, {}).impacts.empty());
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 1, 1}};
  Scene scene;
  scene.add_body({.positions = points, .triangles = {}});
  Detector detector(scene);
  EXPECT_TRUE(detector.impacts(points, points).impacts.empty());
  const FirstImpact first = detector.first_impact(points, points);
  EXPECT_EQ(first.toi, 1.0);
  EXPECT_FALSE(first.impact);
}

TEST(DetectorImpacts, EqualAPlainLoopOverAllPairs) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Step step = random_soup(seed, 24, 0.3);
    for (const double thickness : {0.0, 0.01}) {
      const Impacts result =
          Detector(step.scene, {.method = Method::Brute, .thickness = thickness}).impacts(step.x_t0, step.x_t1);
      const std::vector<Impact> plain = plain_impacts(step, {.thickness = thickness});
      ASSERT_FALSE(plain.empty());
      expect_same(result.impacts, plain);
      EXPECT_EQ(result.stats.tiers.filter + result.stats.tiers.interval + result.stats.tiers.exact,
                result.stats.vf_tests + result.stats.ee_tests);
    }
  }
}

TEST(DetectorImpacts, AreTheSameOnAnyNumberOfThreads) {
  const Step step = random_soup(11, 700, 0.08);
  const Impacts one = Detector(step.scene, {.threads = 1}).impacts(step.x_t0, step.x_t1);
  EXPECT_GT(one.impacts.size(), 100U);
  EXPECT_TRUE(std::is_sorted(one.impacts.begin(), one.impacts.end(),
                             [](const Impact& a, const Impact& b) { return a.pair < b.pair; }));
  for (const unsigned threads : {0U, 2U, 7U}) {
    const Impacts more = Detector(step.scene, {.threads = threads}).impacts(step.x_t0, step.x_t1);
    EXPECT_EQ(more.hash(), one.hash());
    EXPECT_EQ(more.toi_hash(), one.toi_hash());
    expect_same(more.impacts, one.impacts);
    EXPECT_EQ(more.stats.bv_tests, one.stats.bv_tests);
    EXPECT_EQ(more.stats.vf_tests, one.stats.vf_tests);
    EXPECT_EQ(more.stats.ee_tests, one.stats.ee_tests);
    EXPECT_EQ(more.stats.tiers.filter, one.stats.tiers.filter);
    EXPECT_EQ(more.stats.tiers.exact, one.stats.tiers.exact);
    EXPECT_EQ(more.stats.memory_bytes, one.stats.memory_bytes);
  }
}

TEST(DetectorFirstImpact, IsTheEarliestOfAllImpactsTiesByPairOrder) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    // The soup of 700 triangles takes several waves: later waves run with boxes truncated at the time of impact
    // found by earlier waves.
    const Step step = seed < 6 ? random_soup(seed, 40, 0.2) : random_soup(seed, 700, 0.08);
    for (const double thickness : {0.0, 0.02}) {
      for (const double tolerance : {1e-6, 0.25}) {
        DetectorOptions options{.thickness = thickness, .tolerance = tolerance, .threads = 1};
        const Impacts all = Detector(step.scene, options).impacts(step.x_t0, step.x_t1);
        ASSERT_FALSE(all.impacts.empty());
        const Impact& earliest =
            *std::min_element(all.impacts.begin(), all.impacts.end(), [](const Impact& a, const Impact& b) {
              return std::tie(a.toi_lo, a.pair) < std::tie(b.toi_lo, b.pair);
            });
        std::uint64_t tests = 0;
        for (const unsigned threads : {1U, 2U, 7U}) {
          options.threads = threads;
          const FirstImpact first = Detector(step.scene, options).first_impact(step.x_t0, step.x_t1);
          ASSERT_TRUE(first.impact);
          EXPECT_TRUE(same(*first.impact, earliest));
          EXPECT_EQ(first.toi, earliest.toi_lo);
          const std::uint64_t now = first.stats.vf_tests + first.stats.ee_tests;
          if (threads == 1) tests = now;
          EXPECT_EQ(now, tests) << threads << " threads";
        }
        // These soups start in contact, so that nearly all later candidates must be rejected.
        if (seed >= 6 && tolerance < 0.1) {
          EXPECT_LT(tests, (all.stats.vf_tests + all.stats.ee_tests) * 3 / 4);
        }
      }
    }
  }
}

TEST(DetectorFirstImpact, OfAStepWithoutImpactIsTheWholeStep) {
  const Step step = falling_tip(2.5);
  const FirstImpact first = Detector(step.scene).first_impact(step.x_t0, step.x_t1);
  EXPECT_EQ(first.toi, 1.0);
  EXPECT_FALSE(first.impact);
}

TEST(DetectorImpacts, ThicknessMakesANearMissCount) {
  const Step step = falling_tip(2.5);  // stops 0.5 above the face
  EXPECT_TRUE(Detector(step.scene).impacts(step.x_t0, step.x_t1).impacts.empty());
  EXPECT_TRUE(Detector(step.scene, {.thickness = 0.4}).impacts(step.x_t0, step.x_t1).impacts.empty());
  const Impacts thick = Detector(step.scene, {.thickness = 0.5}).impacts(step.x_t0, step.x_t1);
  ASSERT_EQ(thick.impacts.size(), 1U);
  EXPECT_EQ(thick.impacts[0].pair, (FeaturePair{FeatureKind::VertexFace, {3, 0, 1, 2}}));
}

TEST(Detector, CanBeMoved) {
  const Step step = falling_tip();
  Detector first(step.scene);
  Detector second = std::move(first);
  first = Detector(Scene{});
  EXPECT_EQ(second.impacts(step.x_t0, step.x_t1).impacts.size(), 1U);
  EXPECT_TRUE(first.impacts({}, {}).impacts.empty());
}

}  // namespace
}  // namespace graze
