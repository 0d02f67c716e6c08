// Clusters by themselves: the tables bound the vertices, the traversal generates every pair of clusters whose
// bounds overlap exactly once, and the candidates contain every touching pair of features, each once, in the same
// order with every instruction set. Compared with plain loops in doubles and with exact contacts.
#include "methods/cluster/cluster_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <graze/detector.hpp>
#include <graze/scene.hpp>

#include "core/simd/targets.hpp"
#include "methods/cluster/cluster_mesh.hpp"
#include "methods/cluster/cluster_traversal.hpp"
#include "oracle/brute_scene.hpp"
#include "oracle/random.hpp"
#include "oracle/scene_generator.hpp"

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

using oracle::Random;

/// A step of a scene divided into clusters.
class Clustered {
 public:
  explicit Clustered(const oracle::SceneStep& step) : step_(step), scene_(scene_of(step)) {
    mesh_.begin_step(step_.x_t0, step_.x_t1);
    mesh_.bound_step(step_.x_t0, step_.x_t1);
  }
  [[nodiscard]] const ClusterMesh& mesh() const { return mesh_; }
  [[nodiscard]] const oracle::SceneStep& step() const { return step_; }
  [[nodiscard]] const Scene& scene() const { return scene_; }

  [[nodiscard]] std::vector<ClusterPair> cluster_pairs(double gap) const {
    std::vector<ClusterPair> all;
    const ClusterTraversal traversal(mesh_.tree(), gap);
    for (std::size_t block = 0; block < traversal.block_count(); ++block) {
      traversal.run(block,
                    [&](std::span<const ClusterPair> some) { all.insert(all.end(), some.begin(), some.end()); });
    }
    return all;
  }
  [[nodiscard]] std::vector<FeaturePair> candidates(const PairRules& rules) const {
    std::vector<FeaturePair> all;
    PairBuffer buffer;
    ClusterCounts counts;
    const auto take = [&] {
      for (const auto& v : buffer.vertex_faces) all.push_back({FeatureKind::VertexFace, v});
      for (const auto& v : buffer.edge_edges) all.push_back({FeatureKind::EdgeEdge, v});
      buffer.vertex_faces.clear();
      buffer.edge_edges.clear();
    };
    collect_pairs(mesh_.clusters(), cluster_pairs(rules.gap), rules, buffer, counts, take);
    return all;
  }

 private:
  static Scene scene_of(const oracle::SceneStep& step) {
    Scene scene;
    scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
    return scene;
  }

  oracle::SceneStep step_;
  Scene scene_;
  ClusterLeaves leaves_{scene_};
  ClusterMesh mesh_{scene_, leaves_};
};

/// Disconnected triangles and fans, some distant or tiny; coordinates are on a lattice, so that many touch exactly.
oracle::SceneStep lattice_soup(std::uint64_t seed, std::size_t triangles, double about, double cells) {
  Random random(seed, 3);
  oracle::SceneStep step;
  const auto on_lattice = [&](double range) { return std::round(cells * range * random.symmetric()) / cells; };
  for (std::size_t t = 0; t < triangles; ++t) {
    const Vec3 at{about + on_lattice(1.0), on_lattice(1.0), about + on_lattice(1.0)};
    const Vec3 displacement{on_lattice(0.25), on_lattice(0.25), on_lattice(0.25)};
    const auto first = static_cast<VertexId>(step.x_t0.size());
    for (int k = 0; k < 3; ++k) {
      const Vec3 p{at.x + on_lattice(0.3), at.y + on_lattice(0.3), at.z + on_lattice(0.3)};
      step.x_t0.push_back(p);
      step.x_t1.push_back(t % 5 == 0 ? p : Vec3{p.x + displacement.x, p.y + displacement.y, p.z + displacement.z});
    }
    step.triangles.push_back({first, first + 1, first + 2});
    if (t % 3 == 1) step.triangles.push_back({first, first - 1, first + 1});
    if (t % 7 == 1) step.triangles.push_back({first, first, first + 1});
  }
  return step;
}

TEST(ClusterBounds, BoundsHoldEveryVertexAtBothEnds) {
  for (const double about : {0.0, 1e6, 1e12}) {
    const Clustered clustered(lattice_soup(1, 300, about, 1e9));
    std::size_t checked = 0;
    for (const Cluster& cluster : clustered.mesh().clusters()) {
      for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
        for (std::size_t end = 0; end < 2; ++end) {
          const auto& x = end == 0 ? clustered.step().x_t0 : clustered.step().x_t1;
          const Vec3& p = x[cluster.ids[i]];
          const ClusterLocalFrame& frame = cluster.frame;
          const Vec3& origin = end == 0 ? frame.origin_t0 : frame.origin_t1;
          const std::array<double, 3> q = {(p.x - origin.x) * frame.scale, (p.y - origin.y) * frame.scale,
                                           (p.z - origin.z) * frame.scale};
          const std::array<double, 10> slabs = {
              q[0] + q[1], q[0] - q[1],        q[1] + q[2],        q[1] - q[2],        q[2] + q[0],
              q[2] - q[0], q[0] + q[1] + q[2], q[0] + q[1] - q[2], q[0] - q[1] + q[2], q[0] - q[1] - q[2]};
          for (std::size_t k = 0; k < 3; ++k) {
            ASSERT_LE(static_cast<double>(cluster.box.lo[3 * end + k]), q[k]);
            ASSERT_GE(static_cast<double>(cluster.box.hi[3 * end + k]), q[k]);
            ASSERT_LE(std::abs(static_cast<double>(cluster.x[3 * end + k][i]) - q[k]),
                      0.25 * static_cast<double>(cluster.error));
          }
          for (std::size_t k = 0; k < slabs.size(); ++k) {
            ASSERT_LE(static_cast<double>(cluster.slabs.lo[end][k]), slabs[k]) << k;
            ASSERT_GE(static_cast<double>(cluster.slabs.hi[end][k]), slabs[k]) << k;
          }
          double along = 0.0;
          double length = 0.0;
          for (std::size_t k = 0; k < 3; ++k) {
            const auto n = static_cast<double>(cluster.normal[k]);
            along += n * q[k];
            length += n * n;
          }
          ASSERT_LE(length, 1.0);
          ASSERT_LE(static_cast<double>(cluster.slab_lo[end]), along);
          ASSERT_GE(static_cast<double>(cluster.slab_hi[end]), along);
          ++checked;
        }
      }
    }
    EXPECT_GT(checked, 1000U);
  }
}

TEST(ClusterCandidates, GenerateEveryOverlappingPairOnceOnEveryTarget) {
  const Clustered clustered(lattice_soup(2, 4000, 0.0, 1e9));
  const auto clusters = clustered.mesh().clusters();
  ASSERT_GT(clustered.mesh().tree().level_count(), 1U);
  for (const double gap : {0.0, 0.01, 10.0}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> overlapping;
    for (std::uint32_t a = 0; a < clusters.size(); ++a) {
      for (std::uint32_t b = a; b < clusters.size(); ++b) {
        bool apart = false;
        for (std::size_t k = 0; k < 3; ++k) {
          const auto above = [&](const Cluster& p, const Cluster& q) {
            const SceneBox high = scene_box(p);
            const SceneBox low = scene_box(q);
            return high.lo[k] > low.hi[k] + gap && high.lo[3 + k] > low.hi[3 + k] + gap;
          };
          apart = apart || above(clusters[a], clusters[b]) || above(clusters[b], clusters[a]);
        }
        if (!apart) overlapping.emplace(a, b);
      }
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> known;
    for (const std::string& target : simd_targets()) {
      SCOPED_TRACE(target);
      use_simd_target(target);
      std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
      for (const ClusterPair& pair : clustered.cluster_pairs(gap)) pairs.push_back(std::minmax(pair.a, pair.b));
      if (known.empty()) known = pairs;
      EXPECT_EQ(pairs, known);
    }
    use_simd_target("");
    const std::set<std::pair<std::uint32_t, std::uint32_t>> generated(known.begin(), known.end());
    EXPECT_EQ(generated.size(), known.size());
    EXPECT_TRUE(std::includes(generated.begin(), generated.end(), overlapping.begin(), overlapping.end()));
    // With a gap, the sum may round.
    EXPECT_LE(generated.size(), overlapping.size() + (gap == 0.0F ? 0U : overlapping.size() / 100));
    EXPECT_GT(overlapping.size(), clusters.size());
  }
}

TEST(ClusterCandidates, HoldEveryPairThatTouchesOnceOnEveryTarget) {
  std::size_t contacts = 0;
  std::size_t candidates = 0;
  for (const double about : {0.0, 3.0e5, 0x1p40}) {
    for (const double cells : {4.0, 16.0, 0x1p9}) {
      const Clustered clustered(lattice_soup(3, 250, about, cells));
      std::vector<FeaturePair> known;
      for (const std::string& target : simd_targets()) {
        SCOPED_TRACE(target);
        use_simd_target(target);
        const std::vector<FeaturePair> pairs = clustered.candidates({.gap = 0.0F, .touching = true});
        if (known.empty()) known = pairs;
        EXPECT_EQ(pairs, known);
      }
      use_simd_target("");
      std::sort(known.begin(), known.end());
      EXPECT_EQ(std::adjacent_find(known.begin(), known.end()), known.end());
      const Impacts all = Detector(clustered.scene(), {.method = Method::Brute, .threads = 1})
                              .impacts(clustered.step().x_t0, clustered.step().x_t1);
      for (const Impact& impact : all.impacts) {
        ASSERT_TRUE(std::binary_search(known.begin(), known.end(), impact.pair)) << oracle::to_string(impact.pair);
      }
      contacts += all.impacts.size();
      candidates += known.size();
    }
  }
  EXPECT_GT(contacts, 5'000U);
  EXPECT_LT(candidates, 20 * contacts);
}

TEST(ClusterCandidates, WithAGapHoldEveryPairThatComesAsNear) {
  std::size_t near = 0;
  for (const double thickness : {0.001, 0.05, 4.0}) {
    const Clustered clustered(lattice_soup(4, 120, 0.0, 1e9));
    std::vector<FeaturePair> known = clustered.candidates({.gap = thickness, .touching = false});
    std::sort(known.begin(), known.end());
    EXPECT_EQ(std::adjacent_find(known.begin(), known.end()), known.end());
    // Distances are known exactly at both ends of the step.
    Detector brute(clustered.scene(), {.method = Method::Brute, .threads = 1});
    for (const auto* x : {&clustered.step().x_t0, &clustered.step().x_t1}) {
      for (const Proximity& proximity : brute.proximities(*x, thickness).proximities) {
        ASSERT_TRUE(std::binary_search(known.begin(), known.end(), proximity.pair));
        ++near;
      }
    }
    if (thickness > 3.0) {  // all pairs
      EXPECT_EQ(known.size(), oracle::non_incident_pairs(oracle::features_of(clustered.step().triangles)).size());
    }
  }
  EXPECT_GT(near, 10'000U);
}

TEST(ClusterCandidates, OfTheOraclesFamiliesHoldEveryContact) {
  std::size_t contacts = 0;
  for (const oracle::SceneFamily& family : oracle::scene_families()) {
    for (std::uint64_t index = 0; index < 12; ++index) {
      const oracle::SceneStep step = oracle::make_scene(family, 5, index);
      const Clustered clustered(step);
      std::vector<FeaturePair> known = clustered.candidates({.gap = 0.0F, .touching = true});
      std::sort(known.begin(), known.end());
      EXPECT_EQ(std::adjacent_find(known.begin(), known.end()), known.end()) << family.name << " " << index;
      for (const oracle::Contact& contact : oracle::contacts(step)) {
        ASSERT_TRUE(std::binary_search(known.begin(), known.end(), contact.pair))
            << family.name << " " << index << ": " << oracle::to_string(contact.pair);
        ++contacts;
      }
    }
  }
  EXPECT_GT(contacts, 500U);
}

}  // namespace
}  // namespace graze
