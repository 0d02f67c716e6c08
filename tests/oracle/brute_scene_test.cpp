// The naive reference (all pairs of features) on scenes that can be counted by hand, and the reports of the
// comparison.
#include "oracle/brute_scene.hpp"

#include "oracle/scene_generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace graze::oracle {
namespace {

using Edge = std::array<VertexId, 2>;
using Face = std::array<VertexId, 3>;

TEST(BruteScene, FeaturesAreUniqueSortedAndReferredTo) {
  const std::vector<Triangle> triangles{{5, 1, 2}, {2, 1, 5}, {3, 3, 1}, {7, 7, 7}};
  const Features features = features_of(triangles);
  EXPECT_EQ(features.vertices, (std::vector<VertexId>{1, 2, 3, 5, 7}));
  EXPECT_EQ(features.edges, (std::vector<Edge>{{1, 2}, {1, 3}, {1, 5}, {2, 5}}));
  EXPECT_EQ(features.faces, (std::vector<Face>{{1, 2, 5}, {1, 3, 3}, {7, 7, 7}}));
}

TEST(BruteScene, PairsThatShareAVertexAreLeftOut) {
  const Features one = features_of(std::vector<Triangle>{{0, 1, 2}});
  EXPECT_TRUE(non_incident_pairs(one).empty());
  // Two triangles that share the edge 1-2: vertices 0 and 3 with the other's face, and edges 01|23, 02|13.
  const auto pairs = non_incident_pairs(features_of(std::vector<Triangle>{{0, 1, 2}, {1, 2, 3}}));
  const std::vector<FeaturePair> expected{{FeatureKind::VertexFace, {0, 1, 2, 3}},
                                          {FeatureKind::VertexFace, {3, 0, 1, 2}},
                                          {FeatureKind::EdgeEdge, {0, 1, 2, 3}},
                                          {FeatureKind::EdgeEdge, {0, 2, 1, 3}}};
  EXPECT_EQ(pairs, expected);
}

// A small triangle falls, tip first, through the middle of a large one.
SceneStep dart() {
  SceneStep scene;
  scene.triangles = {{0, 1, 2}, {3, 4, 5}};
  scene.x_t0 = {{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}, {0, 0, 1}, {1, 0, 3}, {-1, 0, 3}};
  scene.x_t1 = scene.x_t0;
  for (std::size_t i = 3; i < 6; ++i) scene.x_t1[i].z -= 2.0;
  return scene;
}

TEST(BruteScene, TheTipHitsAtItsTimeAndNothingElseDoes) {
  const SceneStep scene = dart();
  const auto found = contacts(scene);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].pair, (FeaturePair{FeatureKind::VertexFace, {3, 0, 1, 2}}));
  EXPECT_EQ(found[0].toi.compare(0.5), 0);
}

TEST(BruteScene, TheSameSceneAtItsEndIntersects) {
  const SceneStep scene = dart();
  EXPECT_TRUE(edge_face_intersections(scene.triangles, scene.x_t0).empty());
  EXPECT_TRUE(triangle_intersections(scene.triangles, scene.x_t0).empty());
  const std::vector<Intersection> expected{{{3, 4}, {0, 1, 2}}, {{3, 5}, {0, 1, 2}}};
  EXPECT_EQ(edge_face_intersections(scene.triangles, scene.x_t1), expected);
  EXPECT_EQ(triangle_intersections(scene.triangles, scene.x_t1),
            (std::vector<std::array<std::uint32_t, 2>>{{0, 1}}));
  const auto near = proximities(scene.triangles, scene.x_t0, 1.0);
  EXPECT_EQ(near, (std::vector<FeaturePair>{{FeatureKind::VertexFace, {3, 0, 1, 2}}}));
  EXPECT_TRUE(proximities(scene.triangles, scene.x_t0, 0.999).empty());
}

TEST(BruteScene, TheReportNamesWhatIsMissingExtraRepeatedOrMistimed) {
  const SceneStep scene = dart();
  const auto expected = contacts(scene);
  Impact right;
  right.pair = expected[0].pair;
  right.toi_lo = right.toi_hi = 0.5;
  const auto report = [&](const std::vector<Impact>& actual) {
    return compare_contacts(expected, actual, 1e-6, scene);
  };
  EXPECT_EQ(report({right}), "");
  EXPECT_NE(report({}).find("1 missing:\n  vf 3 | 0 1 2\n    3: Vec3{0.0, 0.0, 1.0} -> Vec3{0.0, 0.0, -1.0}"),
            std::string::npos)
      << report({});
  Impact wrong = right;
  wrong.pair = {FeatureKind::EdgeEdge, {0, 1, 3, 4}};
  EXPECT_NE(report({right, wrong}).find("1 extra:\n  ee 0 1 | 3 4"), std::string::npos);
  EXPECT_NE(report({right, right}).find("repeated"), std::string::npos);
  Impact late = right;
  late.toi_lo = late.toi_hi = 0.75;
  EXPECT_NE(report({late}).find("misses"), std::string::npos);
  Impact wide = right;
  wide.toi_lo = 0.25;
  EXPECT_NE(report({wide}).find("too wide"), std::string::npos);
}

TEST(SceneGenerator, EveryFamilyIsLegalAndRepeatable) {
  for (const SceneFamily& family : scene_families()) {
    for (std::uint64_t i = 0; i < 20; ++i) {
      const SceneStep scene = make_scene(family, 3, i);
      ASSERT_EQ(scene.x_t0.size(), scene.x_t1.size()) << family.name;
      for (const Triangle& triangle : scene.triangles) {
        EXPECT_LT(*std::max_element(triangle.begin(), triangle.end()), scene.x_t0.size()) << family.name;
      }
      EXPECT_LE(scene.triangles.size(), 30U) << family.name;
      const SceneStep again = make_scene(family, 3, i);
      EXPECT_EQ(scene.triangles, again.triangles);
      EXPECT_EQ(scene.x_t1, again.x_t1);
    }
  }
}

TEST(SceneGenerator, FamiliesThatCanTouchDo) {
  for (const SceneFamily& family : scene_families()) {
    std::size_t vf = 0;
    std::size_t ee = 0;
    for (std::uint64_t i = 0; i < 20; ++i) {
      for (const Contact& contact : contacts(make_scene(family, 3, i))) {
        ++(contact.pair.kind == FeatureKind::VertexFace ? vf : ee);
      }
    }
    const bool can = family.name != "one-triangle" && family.name != "no-triangle";
    EXPECT_EQ(vf > 0, can) << family.name;
    EXPECT_EQ(ee > 0, can) << family.name;
  }
}

}  // namespace
}  // namespace graze::oracle
