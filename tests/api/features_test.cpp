// The triangles of features, beside a search of all triangles.
#include <graze/features.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include <graze/edit.hpp>

namespace graze {
namespace {

/// All triangles that exist and contain a feature, by looking at each.
std::vector<TriangleId> search(const Scene& scene, std::span<const VertexId> feature) {
  std::vector<TriangleId> result;
  for (TriangleId t = 0; t < scene.triangle_count(); ++t) {
    std::vector<VertexId> corners(scene.triangles()[t].begin(), scene.triangles()[t].end());
    std::vector<VertexId> wanted(feature.begin(), feature.end());
    for (auto* ids : {&corners, &wanted}) {
      std::sort(ids->begin(), ids->end());
      ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
    }
    const bool has = std::includes(corners.begin(), corners.end(), wanted.begin(), wanted.end());
    if (scene.has_triangle(t) && has && (feature.size() < 3 || corners == wanted)) result.push_back(t);
  }
  return result;
}

TEST(Features, TrianglesAreThoseOfASearchThroughAll) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    std::uniform_int_distribution<VertexId> id(0, 7);  // few ids: repeated and duplicate triangles abound
    std::vector<Triangle> triangles(25);
    for (Triangle& t : triangles) t = {id(random), id(random), id(random)};
    const std::vector<Vec3> x(8);
    Scene scene;
    scene.add_body({.positions = x, .triangles = triangles});
    SceneEdit edit = scene.begin_edit();
    for (const TriangleId t : {3U, 17U}) edit.remove_triangle(t);
    scene.apply(edit);
    const FeatureTriangles features(scene);
    for (int i = 0; i < 100; ++i) {
      const std::vector<VertexId> face = {id(random), id(random), id(random)};
      for (std::size_t size = 1; size <= 3; ++size) {
        const auto feature = std::span(face).first(size);
        EXPECT_EQ(features.all(feature), search(scene, feature));
      }
      const FeaturePair pair{i % 2 == 0 ? FeatureKind::VertexFace : FeatureKind::EdgeEdge,
                             {id(random), face[0], face[1], face[2]}};
      for (std::size_t side = 0; side < 2; ++side) {
        const auto all = search(scene, features_of(pair)[side]);
        EXPECT_EQ(features.of(pair)[side], all.empty() ? kNoVertex : all.front());
      }
    }
  }
}

TEST(Features, BodiesAreThoseOfBothFeatures) {
  const std::vector<Vec3> x(3);
  const std::vector<Triangle> one = {{0, 1, 2}};
  Scene scene;
  for (int body = 0; body < 2; ++body) scene.add_body({.positions = x, .triangles = one});
  using Bodies = std::array<BodyId, 2>;
  EXPECT_EQ(bodies_of(scene, {FeatureKind::VertexFace, {4, 0, 1, 2}}), (Bodies{1, 0}));
  EXPECT_EQ(bodies_of(scene, {FeatureKind::EdgeEdge, {0, 1, 3, 5}}), (Bodies{0, 1}));
}

}  // namespace
}  // namespace graze
