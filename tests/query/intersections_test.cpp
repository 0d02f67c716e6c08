// Pairs of triangles from the table of sides that a detector keeps between queries: after edits, with triangles
// that name a vertex twice, on several numbers of threads and within a memory cap, the answers are those of a new
// detector of method brute.
#include "query/intersections.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <graze/graze.hpp>

#include "support/sample_scenes.hpp"

namespace graze::testing {
namespace {

/// Random positions on a coarse grid, so that many features touch.
std::vector<Vec3> grid_positions(std::size_t count, std::mt19937& random) {
  const auto number = [&] { return static_cast<double>(random() % 9) - 4.0; };
  std::vector<Vec3> x(count);
  for (Vec3& p : x) p = {number(), number(), number()};
  return x;
}

/// A triangle of random vertices, which may name a vertex twice or three times.
Triangle random_triangle(std::size_t vertices, std::mt19937& random) {
  const auto id = [&] { return static_cast<VertexId>(random() % vertices); };
  return {id(), id(), id()};
}

void expect_those_of_brute(Detector& detector, std::span<const Vec3> x) {
  Detector brute(detector.scene(), {.method = Method::Brute});
  for (const bool adjacent : {true, false}) {
    const Intersections found = detector.intersections(x, {.adjacent = adjacent});
    const Intersections known = brute.intersections(x, {.adjacent = adjacent});
    EXPECT_EQ(found.edge_face, known.edge_face);
    EXPECT_EQ(found.triangle_pairs, known.triangle_pairs);
    EXPECT_GT(known.triangle_pairs.size(), 0U);
  }
}

TEST(IntersectionsOfADetector, FollowEdits) {
  for (const Method method : {Method::Auto, Method::RTri, Method::Hash}) {
    for (const unsigned threads : {1U, 7U}) {
      std::mt19937 random(7);
      std::vector<Vec3> x = grid_positions(60, random);
      std::vector<Triangle> triangles(80);
      for (Triangle& t : triangles) t = random_triangle(x.size(), random);
      Scene scene;
      const BodyId body = scene.add_body({.positions = x, .triangles = triangles});
      Detector detector(scene, {.method = method, .threads = threads});
      expect_those_of_brute(detector, x);
      for (int round = 0; round < 20; ++round) {
        SceneEdit edit = detector.begin_edit();
        const VertexId added = edit.add_vertex(body, {0, 0, 0});
        edit.add_triangle({added, static_cast<VertexId>(random() % 60), static_cast<VertexId>(random() % 60)});
        std::vector<TriangleId> live;
        for (TriangleId t = 0; t < detector.scene().triangle_count(); ++t) {
          if (detector.scene().has_triangle(t)) live.push_back(t);
        }
        edit.remove_triangle(live[random() % live.size()]);
        edit.set_triangle(live.back(), random_triangle(60, random));
        detector.apply(edit);
        x = grid_positions(detector.scene().vertex_count(), random);
        expect_those_of_brute(detector, x);
      }
    }
  }
}

/// Whether two triangles without a common vertex, or with options.adjacent any two, are a pair by definition is
/// decided from the edge-face pairs of brute, without the table: a triangle that names a vertex twice is its
/// segment.
TEST(IntersectionsOfADetector, AreThoseOfEdgesAndFacesWithTheSameVertices) {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    const std::vector<Vec3> x = grid_positions(14, random);
    std::vector<Triangle> triangles(24);
    for (Triangle& t : triangles) t = random_triangle(x.size(), random);
    Scene scene;
    scene.add_body({.positions = x, .triangles = triangles});
    const Intersections found = Detector(scene).intersections(x);
    std::vector<TrianglePair> expected;
    const auto sorted_ids = [](Triangle t) {
      std::sort(t.begin(), t.end());
      return t;
    };
    const auto has = [](const Triangle& t, VertexId v) { return t[0] == v || t[1] == v || t[2] == v; };
    for (const Intersection& hit : found.edge_face) {
      for (TriangleId a = 0; a < triangles.size(); ++a) {
        if (!has(triangles[a], hit.edge[0]) || !has(triangles[a], hit.edge[1])) continue;
        for (TriangleId b = 0; b < triangles.size(); ++b) {
          if (sorted_ids(triangles[b]) != hit.face) continue;
          const bool share =
              std::any_of(hit.face.begin(), hit.face.end(), [&](VertexId v) { return has(triangles[a], v); });
          if (!share) expected.push_back({std::min(a, b), std::max(a, b)});
        }
      }
    }
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    EXPECT_EQ(found.triangle_pairs, expected);
    for (const TrianglePair& pair : found.triangle_pairs) {
      for (const VertexId v : triangles[pair.a]) EXPECT_FALSE(has(triangles[pair.b], v)) << "they share a vertex";
    }
  }
}

TEST(IntersectionsOfADetector, CountTheTableInTheMemoryUntilAnEdit) {
  const Step step = random_soup(5, 2000, 0.05);
  Detector detector(step.scene, {.method = Method::Brute});  // which keeps nothing from a query
  const std::size_t before = detector.memory_bytes();
  const std::uint64_t first = detector.intersections(step.x_t0, {.adjacent = true}).stats.memory_bytes;
  EXPECT_EQ(detector.intersections(step.x_t0, {.adjacent = true}).stats.memory_bytes, first);
  const std::size_t kept = detector.memory_bytes();
  EXPECT_GE(kept, before + std::size_t{36} * 2000);
  EXPECT_GE(first, std::uint64_t{36} * 2000);
  SceneEdit edit = detector.begin_edit();
  edit.remove_triangle(0);
  detector.apply(edit);
  EXPECT_EQ(detector.memory_bytes(), before);
}

TEST(IntersectionsOfADetector, AreCompleteOrRefusedWithinAMemoryCap) {
  const Step step = random_soup(5, 300, 0.2);
  const Intersections known = Detector(step.scene).intersections(step.x_t0, {.adjacent = true});
  ASSERT_GT(known.triangle_pairs.size(), 100U);
  std::size_t refused = 0;
  std::size_t answered = 0;
  for (const unsigned threads : {1U, 7U}) {
    for (std::uint64_t cap = 50'000; cap < 8 * known.stats.memory_bytes; cap += cap / 8) {
      Detector detector(step.scene, {.threads = threads, .memory_cap = cap});
      bool failed = false;
      bool succeeded = false;
      for (int query = 0; query < 4; ++query) {
        try {
          const Intersections found = detector.intersections(step.x_t0, {.adjacent = true});
          EXPECT_EQ(found.edge_face, known.edge_face);
          EXPECT_EQ(found.triangle_pairs, known.triangle_pairs);
          failed = false;
          succeeded = true;
          ++answered;
        } catch (const ResourceError&) {
          EXPECT_FALSE(succeeded && failed) << "failed twice in a row";
          failed = true;
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 8U);
  EXPECT_GT(answered, 8U);
}

}  // namespace
}  // namespace graze::testing
