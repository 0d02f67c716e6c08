// Compares every method with the oracle on whole scenes: impacts, first impact, intersections and proximities on
// more than a thousand small scenes of every family, including soups and degenerate meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <graze/graze.hpp>
#include <graze/research.hpp>
#include <string>
#include <vector>

#include "oracle/brute_scene.hpp"
#include "oracle/scene_generator.hpp"

namespace graze {
namespace {

constexpr std::uint64_t kSeed = 7;
// Number of scenes of each family; smaller in the slow builds that check contracts.
#if defined(GRAZE_ASSERTS)
constexpr std::uint64_t kScenes = 6;
#else
constexpr std::uint64_t kScenes = 100;
#endif

Scene scene_of(const oracle::SceneStep& step) {
  Scene scene;
  scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
  return scene;
}

class AgreesWithOracleOnScenes : public ::testing::TestWithParam<const oracle::SceneFamily*> {};

TEST_P(AgreesWithOracleOnScenes, EveryMethodFindsTheSameContacts) {
  for (std::uint64_t index = 0; index < kScenes; ++index) {
    const oracle::SceneStep step = oracle::make_scene(*GetParam(), kSeed, index);
    const Scene scene = scene_of(step);
    const std::vector<oracle::Contact> expected = oracle::contacts(step);
    std::uint64_t toi_hash = 0;
    for (const Method method : research::all_methods()) {
      Detector detector(scene, {.method = method, .threads = 2});
      const Impacts actual = detector.impacts(step.x_t0, step.x_t1);
      ASSERT_EQ(oracle::compare_contacts(expected, actual.impacts, 1e-6, step), "")
          << name_of(method) << ", scene " << index << "\n"
          << oracle::to_source(step);
      if (method == research::all_methods().front()) toi_hash = actual.toi_hash();
      ASSERT_EQ(actual.toi_hash(), toi_hash) << name_of(method) << ", scene " << index;

      const FirstImpact first = detector.first_impact(step.x_t0, step.x_t1);
      ASSERT_EQ(first.impact.has_value(), !expected.empty()) << name_of(method) << ", scene " << index;
      if (expected.empty()) continue;
      const auto least =
          std::min_element(actual.impacts.begin(), actual.impacts.end(), [](const Impact& a, const Impact& b) {
            return std::pair(a.toi_lo, a.pair) < std::pair(b.toi_lo, b.pair);
          });
      ASSERT_EQ(first.toi, least->toi_lo) << name_of(method) << ", scene " << index;
      ASSERT_EQ(first.impact->pair, least->pair) << name_of(method) << ", scene " << index;
    }
  }
}

TEST_P(AgreesWithOracleOnScenes, EveryMethodFindsTheSameContactsWithThickness) {
  for (std::uint64_t index = 0; index < kScenes; ++index) {
    const oracle::SceneStep step = oracle::make_scene(*GetParam(), kSeed, index);
    const Scene scene = scene_of(step);
    for (const double thickness : {0.01, 0.5}) {
      const auto by = [&](Method method) {
        return Detector(scene, {.method = method, .thickness = thickness}).impacts(step.x_t0, step.x_t1);
      };
      const Impacts expected = by(Method::Brute);
      for (const Method method : research::all_methods()) {
        ASSERT_EQ(by(method).toi_hash(), expected.toi_hash())
            << name_of(method) << ", thickness " << thickness << ", scene " << index;
      }
    }
  }
}

TEST_P(AgreesWithOracleOnScenes, EveryMethodFindsTheSameIntersectionsAndProximities) {
  for (std::uint64_t index = 0; index < kScenes; ++index) {
    const oracle::SceneStep step = oracle::make_scene(*GetParam(), kSeed, index);
    const Scene scene = scene_of(step);
    const auto edge_face = oracle::edge_face_intersections(step.triangles, step.x_t0);
    const auto near = oracle::proximities(step.triangles, step.x_t0, 0.25);
    for (const Method method : research::all_methods()) {
      Detector detector(scene, {.method = method});
      const Intersections intersections = detector.intersections(step.x_t0);
      ASSERT_EQ(oracle::compare_intersections(edge_face, intersections.edge_face, step.x_t0), "")
          << name_of(method) << ", scene " << index;
      std::vector<FeaturePair> pairs;
      for (const Proximity& p : detector.proximities(step.x_t0, 0.25).proximities) pairs.push_back(p.pair);
      ASSERT_EQ(oracle::compare_pairs(near, pairs, step), "") << name_of(method) << ", scene " << index;
    }
  }
}

std::vector<const oracle::SceneFamily*> families() {
  std::vector<const oracle::SceneFamily*> all;
  for (const oracle::SceneFamily& family : oracle::scene_families()) all.push_back(&family);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Families, AgreesWithOracleOnScenes, ::testing::ValuesIn(families()), [](const auto& test) {
  std::string name(test.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace graze
