// Intersections and proximities: known shapes, and equality with plain loops over all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <graze/detector.hpp>
#include <graze/elementary.hpp>
#include <graze/methods.hpp>

#include "support/sample_scenes.hpp"

namespace graze {

namespace {

using testing::random_soup;
using testing::Step;

struct Features {
  std::set<VertexId> vertices;
  std::set<std::array<VertexId, 2>> edges;
  std::set<std::array<VertexId, 3>> faces;
};

Features features_of(std::span<const Triangle> triangles) {
  Features features;
  for (Triangle t : triangles) {
    std::sort(t.begin(), t.end());
    features.faces.insert(t);
    features.vertices.insert(t.begin(), t.end());
    for (const auto& [a, b] : {std::array{t[0], t[1]}, std::array{t[0], t[2]}, std::array{t[1], t[2]}}) {
      if (a != b) features.edges.insert({a, b});
    }
  }
  return features;
}

template <typename A, typename B>
bool disjoint(const A& a, const B& b) {
  return std::none_of(a.begin(), a.end(), [&](VertexId v) { return std::count(b.begin(), b.end(), v) > 0; });
}

TEST(DetectorIntersections, OfTwoTrianglesThatPierceEachOther) {
  Step step;
  step.add({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 0}, {{0, 1, 2}});
  step.add({{1, 1, -1}, {1, 1, 1}, {9, 9, 0.5}}, {0, 0, 0}, {{0, 1, 2}});
  const Intersections result = Detector(step.scene).intersections(step.x_t0);
  // Edge 3 4 and edge 1 2 each pierce the other triangle; edge 3 5 passes beyond.
  ASSERT_EQ(result.edge_face.size(), 2U);
  EXPECT_EQ(result.edge_face[0], (Intersection{{1, 2}, {3, 4, 5}}));
  EXPECT_EQ(result.edge_face[1], (Intersection{{3, 4}, {0, 1, 2}}));
  EXPECT_EQ(result.triangle_pairs, (std::vector<TrianglePair>{{0, 1}}));
}

TEST(DetectorIntersections, EqualAPlainLoopOverAllPairsOnAnyNumberOfThreads) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Step step = seed < 3 ? random_soup(seed, 40, 0.3) : random_soup(seed, 400, 0.1);
    const std::span<const Triangle> triangles = step.scene.triangles();
    const std::vector<Vec3>& x = step.x_t0;
    const Features features = features_of(triangles);
    std::vector<Intersection> edge_face;
    for (const auto& e : features.edges) {
      for (const auto& f : features.faces) {
        if (disjoint(e, f) && intersect_edge_face({x[e[0]], x[e[1]], x[f[0]], x[f[1]], x[f[2]]})) {
          edge_face.push_back({e, f});
        }
      }
    }
    const std::set<Intersection> found(edge_face.begin(), edge_face.end());
    const auto has_edge_through = [&](const Triangle& t, Triangle face) {
      std::sort(face.begin(), face.end());
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b] = std::minmax(t[k], t[(k + 1) % 3]);
        if (found.contains({{a, b}, face})) return true;
      }
      return false;
    };
    std::vector<TrianglePair> pairs;
    for (std::uint32_t a = 0; a < triangles.size(); ++a) {
      for (std::uint32_t b = a + 1; b < triangles.size(); ++b) {
        if (!disjoint(triangles[a], triangles[b])) continue;
        if (has_edge_through(triangles[a], triangles[b]) || has_edge_through(triangles[b], triangles[a])) {
          pairs.push_back({a, b});
        }
      }
    }
    ASSERT_FALSE(pairs.empty());
    for (const unsigned threads : {1U, 2U, 7U}) {
      const Intersections result = Detector(step.scene, {.threads = threads}).intersections(x);
      EXPECT_EQ(result.edge_face, edge_face);
      EXPECT_EQ(result.triangle_pairs, pairs);
    }
  }
}

TEST(DetectorProximities, EqualAPlainLoopOverAllPairsOnAnyNumberOfThreads) {
  const Step step = random_soup(8, 60, 0.2);
  const std::vector<Vec3>& x = step.x_t0;
  const Features features = features_of(step.scene.triangles());
  for (const double d : {0.0, 0.02, 3.0}) {
    std::vector<Proximity> plain;
    for (const VertexId v : features.vertices) {
      for (const auto& f : features.faces) {
        const std::array points = {x[v], x[f[0]], x[f[1]], x[f[2]]};
        if (!disjoint(std::array{v}, f) || !within_vertex_face(points, d)) continue;
        const ElementaryDistance at = distance_vertex_face(points);
        plain.push_back({{FeatureKind::VertexFace, {v, f[0], f[1], f[2]}}, at.distance, at.weights, at.normal});
      }
    }
    for (auto a = features.edges.begin(); a != features.edges.end(); ++a) {
      for (auto b = std::next(a); b != features.edges.end(); ++b) {
        const std::array points = {x[(*a)[0]], x[(*a)[1]], x[(*b)[0]], x[(*b)[1]]};
        if (!disjoint(*a, *b) || !within_edge_edge(points, d)) continue;
        const ElementaryDistance at = distance_edge_edge(points);
        plain.push_back(
            {{FeatureKind::EdgeEdge, {(*a)[0], (*a)[1], (*b)[0], (*b)[1]}}, at.distance, at.weights, at.normal});
      }
    }
    for (const unsigned threads : {1U, 7U}) {
      const Proximities result = Detector(step.scene, {.threads = threads}).proximities(x, d);
      ASSERT_EQ(result.proximities.size(), plain.size());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(result.proximities[i].pair, plain[i].pair);
        EXPECT_EQ(result.proximities[i].distance, plain[i].distance);
        EXPECT_EQ(result.proximities[i].weights, plain[i].weights);
        EXPECT_EQ(result.proximities[i].normal, plain[i].normal);
      }
    }
    EXPECT_EQ(plain.empty(), d == 0.0);
  }
}

/// The pairs that are in contact at the start of a step with this thickness.
std::set<FeaturePair> in_contact_at_start(const Scene& scene, Method method, double thickness,
                                          std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  Detector detector(scene, {.method = method, .thickness = thickness});
  std::set<FeaturePair> pairs;
  for (const Impact& impact : detector.impacts(x_t0, x_t1).impacts) {
    if (impact.toi_lo == 0.0) pairs.insert(impact.pair);
  }
  return pairs;
}

TEST(DetectorProximities, AreThePairsInContactAtTheStartOfAStepWithThatThickness) {
  const Step step = random_soup(9, 120, 0.2);
  for (const Method method : {Method::Auto, Method::RTri, Method::Brute}) {
    for (const double d : {0.01, 0.05}) {
      const Proximities near = Detector(step.scene, {.method = method}).proximities(step.x_t0, d);
      std::set<FeaturePair> pairs;
      for (const Proximity& proximity : near.proximities) pairs.insert(proximity.pair);
      EXPECT_GT(pairs.size(), 50U);
      EXPECT_EQ(in_contact_at_start(step.scene, method, d, step.x_t0, step.x_t0), pairs);
      EXPECT_EQ(in_contact_at_start(step.scene, method, d, step.x_t0, step.x_t1), pairs);
    }
  }
}

TEST(DetectorProximities, AtExactlyTheThicknessAreInContactAtTheStart) {
  // Points of a lattice: many pairs have a distance that is a double, and is the thickness.
  std::mt19937 random(3);
  Step step;
  for (int i = 0; i < 60; ++i) {
    std::vector<Vec3> corners(3);
    for (Vec3& p : corners) {
      p = {static_cast<double>(random() % 6), static_cast<double>(random() % 6), static_cast<double>(random() % 6)};
    }
    step.add(corners, {0, 0, 0}, {{0, 1, 2}});
  }
  for (const double d : {1.0, 2.0}) {
    Detector detector(step.scene);
    std::set<FeaturePair> pairs;
    std::size_t ties = 0;
    for (const Proximity& proximity : detector.proximities(step.x_t0, d).proximities) {
      pairs.insert(proximity.pair);
      ties += proximity.distance == d ? 1 : 0;
    }
    EXPECT_GT(ties, 100U);
    EXPECT_EQ(in_contact_at_start(step.scene, Method::Auto, d, step.x_t0, step.x_t0), pairs);
  }
}

TEST(DetectorProximities, CountTheDistanceItself) {
  Step step;
  step.add({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 0}, {{0, 1, 2}});
  step.add({{1, 1, 0.5}, {1, 1.5, 3}, {1.5, 1, 3}}, {0, 0, 0}, {{0, 1, 2}});
  Detector detector(step.scene);
  EXPECT_TRUE(detector.proximities(step.x_t0, 0.49999999999999994).proximities.empty());
  const Proximities at = detector.proximities(step.x_t0, 0.5);
  ASSERT_EQ(at.proximities.size(), 1U);
  EXPECT_EQ(at.proximities[0].pair, (FeaturePair{FeatureKind::VertexFace, {3, 0, 1, 2}}));
  EXPECT_EQ(at.proximities[0].distance, 0.5);
}

}  // namespace
}  // namespace graze
