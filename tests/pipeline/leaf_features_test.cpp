// Once only: no-dupl and r-tri hand every feature pair on at most once, and no-dupl's pairs are among basic's.
#include "pipeline/leaf_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "oracle/brute_scene.hpp"
#include "oracle/scene_generator.hpp"
#include "pipeline/leaf_pair_source.hpp"
#include "pipeline/once_check.hpp"

namespace graze {
namespace {

/// Every pair that a features class hands over, of all pairs of leaves.
template <typename Features>
std::vector<FeaturePair> candidates(Hierarchy& hierarchy, const Features& features) {
  std::vector<FeaturePair> all;
  const auto push = [&](FeatureKind kind, const PairVertices& vertices, bool keep) {
    if (keep) all.push_back({kind, vertices});
  };
  CullCounts culled;
  NamedPairs<decltype(push)> named{hierarchy, push, culled};
  const LeafPairSource source(
      hierarchy.leaf_pairs(Hierarchy::Scope::Moving, PairTests::Continuous, Features::kMasked));
  for (const LeafPairSource::Block& block : source.blocks()) {
    (void)source.run(block, [&](std::span<const LeafPair> pairs) { features.continuous(pairs, named); });
  }
  return all;
}

TEST(LeafFeatures, EveryFeaturePairComesOnce) {
  std::size_t duplicates_of_basic = 0;
  for (const oracle::SceneFamily& family : oracle::scene_families()) {
    for (std::uint64_t index = 0; index < 20; ++index) {
      const oracle::SceneStep step = oracle::make_scene(family, 11, index);
      Scene scene;
      scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
      const Topology topology = build_topology(step.triangles, step.x_t0.size());
      Hierarchy hierarchy(scene, topology, {});
      hierarchy.update(step.x_t0, step.x_t1, 0.0);
      std::vector<VertexPath> paths;
      make_paths(step.x_t0, step.x_t1, paths);
      const FeatureBounds bounds{hierarchy, paths};
      const auto no_dupl = candidates(hierarchy, RepresentedFeatures<false>{bounds});
      const auto r_tri = candidates(hierarchy, RepresentedFeatures<true>{bounds});
      const auto basic = candidates(hierarchy, BasicFeatures{hierarchy});
      const std::set<FeaturePair> of_no_dupl(no_dupl.begin(), no_dupl.end());
      const std::set<FeaturePair> of_r_tri(r_tri.begin(), r_tri.end());
      const std::set<FeaturePair> of_basic(basic.begin(), basic.end());
      ASSERT_EQ(of_no_dupl.size(), no_dupl.size()) << family.name << " " << index;
      ASSERT_EQ(of_r_tri.size(), r_tri.size()) << family.name << " " << index;
      ASSERT_TRUE(std::includes(of_basic.begin(), of_basic.end(), of_no_dupl.begin(), of_no_dupl.end()));
      ASSERT_TRUE(std::includes(of_no_dupl.begin(), of_no_dupl.end(), of_r_tri.begin(), of_r_tri.end()));
      duplicates_of_basic += basic.size() - of_basic.size();
    }
  }
  EXPECT_GT(duplicates_of_basic, 1000U);  // or the scenes would show nothing
}

#if defined(GRAZE_ASSERTS)
TEST(OnceCheckDeathTest, StopsAtThePairThatIsTestedTwice) {
  OnceCheck once(true);
  once.tested(FeatureKind::VertexFace, {1, 2, 3, 4});
  once.tested(FeatureKind::EdgeEdge, {1, 2, 3, 4});
  EXPECT_DEATH(once.tested(FeatureKind::VertexFace, {1, 2, 3, 4}), "assertion failed");
}
#endif

}  // namespace
}  // namespace graze
