// Duplicate-test check: no-dupl and r-tri dispatch every feature pair at most once, and the pairs of no-dupl are
// among those of basic; procedural representatives and orphans dispatch every pair exactly once.
#include "query/leaf/leaf_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "mesh/random_soup.hpp"
#include "methods/bvh/hierarchy.hpp"
#include "methods/bvh/procedural_features.hpp"
#include "oracle/brute_scene.hpp"
#include "oracle/scene_generator.hpp"
#include "query/duplicate_test_check.hpp"
#include "query/leaf/leaf_candidates.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;
namespace {

/// Every feature pair that a features class dispatches for all overlapping pairs of leaves.
template <typename Features>
std::vector<FeaturePair> candidates(Hierarchy& hierarchy, const Features& features) {
  std::vector<FeaturePair> all;
  struct Collector {
    std::vector<FeaturePair>& all;
    Stats counters;

    void push(FeatureKind kind, const PairVertices& vertices, bool keep) {
      if (keep) all.push_back({kind, vertices});
    }
    [[nodiscard]] Stats& stats() { return counters; }
  };
  Collector collector{all, {}};
  FeatureSink<Collector> sink{hierarchy, collector};
  const LeafPairSource source(
      hierarchy.leaf_pairs(Hierarchy::Scope::Moving, PairTests::Continuous, Features::kMasked));
  for (std::size_t block = 0; block < source.block_weights().size(); ++block) {
    source.run(block, sink.stats, [&](std::span<const LeafPair> pairs) { features.continuous(pairs, sink); });
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
      Hierarchy hierarchy(scene, HierarchyChoices{});
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
  EXPECT_GT(duplicates_of_basic, 1000U);  // the scenes must have duplicates
}

TEST(ProceduralFeatures, AndOrphansGiveEveryPairThatIsNotIncidentOnce) {
  // All leaves are at one point, so that all pairs overlap; with and without a vertex that many triangles share.
  std::size_t orphan_count = 0;
  for (unsigned round = 0; round < 120; ++round) {
    std::mt19937 random(round);
    const std::size_t vertex_count = 6 + random() % 30;
    std::vector<Triangle> triangles = random_soup(random, vertex_count, 4 + random() % 60);
    if (round % 4 == 0) {
      triangles.clear();
      for (VertexId v = 1; v + 1 < 90; ++v) triangles.push_back({0, v, v + 1});  // a hub
    }
    if (round % 4 == 1) {
      triangles.clear();
      for (VertexId v = 0; v + 2 < vertex_count; ++v) triangles.push_back({v, v + 1, v + 2});  // a strip
    }
    const std::vector<Vec3> x(round % 4 == 0 ? 90 : vertex_count, Vec3{1, 2, 3});
    Scene scene;
    scene.add_body({.positions = x, .triangles = triangles});
    const Topology topology = build_topology(triangles, x.size());
    Hierarchy hierarchy(scene, hierarchy_choices(Method::Iccd, {}));
    hierarchy.update(x, x, 0.0);
    std::vector<VertexPath> paths;
    make_paths(x, x, paths);
    const FeatureBounds bounds{hierarchy, paths};

    std::vector<FeaturePair> expected;
    for (const VertexId v : topology.features.vertices) {
      for (const Face& f : topology.features.faces) {
        if (!incident(v, f)) expected.push_back(vertex_face_pair(v, f));
      }
    }
    for (std::size_t a = 0; a < topology.features.edges.size(); ++a) {
      for (std::size_t b = a + 1; b < topology.features.edges.size(); ++b) {
        const Edge& first = topology.features.edges[a];
        if (!incident(first, topology.features.edges[b])) {
          expected.push_back(edge_edge_pair(first, topology.features.edges[b]));
        }
      }
    }
    std::sort(expected.begin(), expected.end());

    const PatchView mesh = hierarchy.patch_view();
    CullCounts counts;
    std::vector<FeaturePair> orphans;
    for (const Orphan& orphan : hierarchy.open_orphans(Hierarchy::Scope::Moving, counts)) {
      orphans.push_back(hierarchy.feature_pair(orphan));
    }
    orphan_count += orphans.size();
    ASSERT_EQ(counts.orphans_free, 0U);
    for (const bool with_bounds : {false, true}) {
      std::vector<FeaturePair> actual = with_bounds
                                            ? candidates(hierarchy, ProceduralFeatures<true>{bounds, mesh})
                                            : candidates(hierarchy, ProceduralFeatures<false>{bounds, mesh});
      actual.insert(actual.end(), orphans.begin(), orphans.end());
      std::sort(actual.begin(), actual.end());
      ASSERT_TRUE(actual == expected) << "round " << round << ": " << actual.size() << " pairs of "
                                      << expected.size();
    }
  }
  EXPECT_GT(orphan_count, 1000U);
}

#if defined(GRAZE_ASSERTS)
TEST(OnceCheckDeathTest, StopsAtThePairThatIsTestedTwice) {
  DuplicateTestCheck once(true);
  once.tested(FeatureKind::VertexFace, {1, 2, 3, 4});
  once.tested(FeatureKind::EdgeEdge, {1, 2, 3, 4});
  EXPECT_DEATH(once.tested(FeatureKind::VertexFace, {1, 2, 3, 4}), "assertion failed");
}
#endif

}  // namespace
}  // namespace graze
