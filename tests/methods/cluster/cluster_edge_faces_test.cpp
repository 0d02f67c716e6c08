// Edge-face pairs from pairs of clusters: all that intersect, each once, only such as proved, and the same with
// every instruction set.
#include "methods/cluster/cluster_edge_faces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

#include <graze/elementary.hpp>

#include "core/simd/targets.hpp"
#include "methods/cluster/cluster_samples.hpp"
#include "methods/cluster/cluster_table.hpp"
#include "methods/cluster/cluster_traversal.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace query;
using namespace methods;
namespace {

using namespace cluster_samples;

/// The pairs of a sample at the start of its step.
EdgeFaceBuffer collect(const Sample& sample, const Clustered& clustered, ClusterCounts& counts) {
  std::vector<Cluster> clusters(clustered.made.clusters.begin(), clustered.made.clusters.end());
  for (Cluster& cluster : clusters) fill_table(clustered.local_frame, sample.x_t0, sample.x_t0, cluster);
  ClusterTree tree;
  tree.order(clusters);
  tree.refit(clusters);
  const ClusterTraversal traversal(tree, 0.0);
  EdgeFaceBuffer all;
  for (std::size_t block = 0; block < traversal.block_count(); ++block) {
    traversal.run(block, [&](std::span<const ClusterPair> pairs) {
      collect_edge_faces(clusters, pairs, all, counts, [] {});
    });
  }
  return all;
}

struct Checked {
  std::size_t intersecting = 0;
  std::size_t proved = 0;
  std::size_t undecided = 0;
};

/// Compares the pairs of a sample with the exact test of all pairs.
Checked expect_right(const Sample& sample) {
  const Clustered clustered(sample);
  ClusterCounts counts;
  const EdgeFaceBuffer found = collect(sample, clustered, counts);
  const std::set<EdgeFaceVertices> proved(found.proved.begin(), found.proved.end());
  const std::set<EdgeFaceVertices> undecided(found.undecided.begin(), found.undecided.end());
  EXPECT_EQ(proved.size(), found.proved.size()) << "a pair came twice";
  EXPECT_EQ(undecided.size(), found.undecided.size()) << "a pair came twice";
  Checked checked{0, proved.size(), undecided.size()};
  std::set<EdgeFaceVertices> known;
  for (const Edge& e : clustered.mesh->edges()) {
    for (const Leaf& leaf : clustered.mesh->leaves()) {
      const Face f = leaf.face();
      if (incident(e[0], f) || incident(e[1], f)) continue;
      const EdgeFaceVertices v{e[0], e[1], f[0], f[1], f[2]};
      known.insert(v);
      const auto& x = sample.x_t0;
      const bool intersects = intersect_edge_face({x[v[0]], x[v[1]], x[v[2]], x[v[3]], x[v[4]]});
      checked.intersecting += intersects ? 1 : 0;
      EXPECT_TRUE(!intersects || proved.count(v) + undecided.count(v) == 1) << "an intersecting pair is missing";
      EXPECT_TRUE(intersects || proved.count(v) == 0) << "a pair that does not intersect counts as proved";
    }
  }
  for (const EdgeFaceVertices& v : proved) EXPECT_EQ(known.count(v), 1U) << "not an edge and a face apart from it";
  for (const EdgeFaceVertices& v : undecided)
    EXPECT_EQ(known.count(v), 1U) << "not an edge and a face apart from it";
  return checked;
}

TEST(ClusterEdgeFaces, OfShakenSheetsAreAllThereAndNearlyAllProved) {
  Checked sum;
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Checked some = expect_right(two_sheets(9, 0.3, 0.4, 0.0, seed));
    sum.intersecting += some.intersecting;
    sum.proved += some.proved;
    sum.undecided += some.undecided;
  }
  EXPECT_GT(sum.intersecting, 500U);
  EXPECT_GT(sum.proved, sum.intersecting - sum.intersecting / 100);
  EXPECT_LT(sum.undecided, sum.intersecting / 50);
}

TEST(ClusterEdgeFaces, OfDisconnectedTrianglesAndFansAreAllThere) {
  std::size_t intersecting = 0;
  for (unsigned seed = 0; seed < 3; ++seed) {
    intersecting += expect_right(disconnected(150, 0.4, seed)).intersecting;
    intersecting += expect_right(fans(60, seed)).intersecting;
  }
  EXPECT_GT(intersecting, 500U);
}

TEST(ClusterEdgeFaces, OfCoplanarSheetsAreUndecidedAndAllThere) {
  Sample sample = two_sheets(6, 0.0, 0.0, 0.0, 1);
  for (std::size_t v = sample.x_t0.size() / 2; v < sample.x_t0.size(); ++v) sample.x_t0[v].x += 0.5;
  const Checked checked = expect_right(sample);
  EXPECT_GT(checked.intersecting, 300U);
  EXPECT_EQ(checked.proved, 0U);
}

TEST(ClusterEdgeFaces, AreRightWhereEdgesEndAHairBesideAFaceOrPassAHairBesideItsSide) {
  // A needle through a sheet whose tip ends on it, or short of or beyond it by some of the last bits; near its
  // middle, near a side, and near a corner of a face. The sheet is far from the origin of the local frame.
  std::size_t intersecting = 0;
  for (const double off : {0.0, 0x1p-52, -0x1p-52, 0x1p-26, -0x1p-26, 0x1p-24, -0x1p-24, 0x1p-22, -0x1p-22, 0x1p-20,
                           -0x1p-20, 0x1p-16, -0x1p-16}) {
    for (const Vec3 at : {Vec3{2.25, 2.25, 1.0}, Vec3{2.5, 2.0, 1.0}, Vec3{2.5, 2.5, 1.0}, Vec3{2.0, 2.0, 1.0},
                          Vec3{0.0, 3.5, 1.0}}) {
      for (const Vec3 shift : {Vec3{0, 0, off}, Vec3{off, 0, -0.5}, Vec3{off, off, -0.5}, Vec3{0, off, -0.5}}) {
        Sample sample;
        add_sheet(sample, 5, 1.0);
        const auto first = static_cast<VertexId>(sample.x_t0.size());
        const Vec3 tip{at.x + shift.x, at.y + shift.y, at.z + shift.z};
        sample.x_t0.push_back(tip);
        sample.x_t0.push_back({tip.x, tip.y, tip.z + 2.0});
        sample.x_t0.push_back({tip.x + 0.1, tip.y, tip.z + 2.0});
        sample.triangles.push_back({first, first + 1, first + 2});
        intersecting += expect_right(sample).intersecting;
      }
    }
  }
  EXPECT_GT(intersecting, 500U);
}

TEST(ClusterEdgeFaces, AreRightOfAnySizeAndAnywhere) {
  std::size_t intersecting = 0;
  for (const double size : {1e-300, 1e-30, 1e-6, 1.0, 1e6, 1e30, 1e150}) {
    for (const double off : {0.0, 1e3, 1e9, -1e15}) {
      Sample sample = disconnected(60, 0.5, 7);
      for (Vec3& p : sample.x_t0) p = {size * (p.x + off), size * (p.y + off), size * p.z};
      intersecting += expect_right(sample).intersecting;
    }
  }
  EXPECT_GT(intersecting, 1000U);
}

TEST(ClusterEdgeFaces, AreTheSameOnEveryInstructionSet) {
  ASSERT_FALSE(simd_targets().empty());
  for (const Sample& sample : {two_sheets(20, 0.3, 0.3, 0.0, 3), disconnected(500, 0.2, 4), fans(100, 5)}) {
    const Clustered clustered(sample);
    ClusterCounts counts;
    const EdgeFaceBuffer best = collect(sample, clustered, counts);
    EXPECT_GT(best.proved.size(), 50U);
    for (const std::string& target : simd_targets()) {
      use_simd_target(target);
      ClusterCounts others;
      const EdgeFaceBuffer other = collect(sample, clustered, others);
      EXPECT_TRUE(other.proved == best.proved && other.undecided == best.undecided) << target;
      EXPECT_EQ(others.feature_pairs, counts.feature_pairs) << target;
    }
    use_simd_target("");
  }
}

}  // namespace
}  // namespace graze
