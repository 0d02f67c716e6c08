// Once only: no-dupl and r-tri hand every feature pair on at most once, and no-dupl's pairs are among basic's.
#include "pipeline/leaf_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "oracle/brute_scene.hpp"
#include "oracle/scene_generator.hpp"

namespace graze {
namespace {

template <typename Features>
std::vector<FeaturePair> candidates(const BvhTraversal& traversal, const Features& features) {
  std::vector<FeaturePair> all;
  for (std::size_t g = 0; g < traversal.group_count(); ++g) {
    (void)traversal.run_group(g, [&](std::span<const LeafPair> pairs) {
      for (const LeafPair& pair : pairs) features(pair, [&](const FeaturePair& found) { all.push_back(found); });
    });
  }
  return all;
}

TEST(LeafFeatures, EveryFeaturePairComesOnce) {
  std::size_t duplicates_of_basic = 0;
  for (const oracle::SceneFamily& family : oracle::scene_families()) {
    for (std::uint64_t index = 0; index < 20; ++index) {
      const oracle::SceneStep step = oracle::make_scene(family, 11, index);
      const Topology topology = build_topology(step.triangles, step.x_t0.size());
      Hierarchy hierarchy(step.triangles, topology);
      hierarchy.update(step.x_t0, step.x_t1, 0.0);
      const auto once = hierarchy.representative_leaf_pairs(Hierarchy::Tests::Continuous);
      const auto no_dupl = candidates(once, RepresentedFeatures<false>{hierarchy, step.x_t0, step.x_t1});
      const auto r_tri = candidates(once, RepresentedFeatures<true>{hierarchy, step.x_t0, step.x_t1});
      const auto basic = candidates(hierarchy.all_leaf_pairs(), BasicFeatures{hierarchy});
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

}  // namespace
}  // namespace graze
