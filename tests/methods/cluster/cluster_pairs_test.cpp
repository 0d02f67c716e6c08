// Feature pairs from pairs of clusters: all that touch, each once, and the same with every instruction set.
#include "methods/cluster/cluster_pairs.hpp"

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
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;
namespace {

using namespace cluster_samples;

using Pair = std::array<VertexId, 4>;

struct Candidates {
  PairBuffer::List vertex_faces;
  PairBuffer::List edge_edges;
  ClusterCounts counts;

  friend bool operator==(const Candidates& a, const Candidates& b) {
    return a.vertex_faces == b.vertex_faces && a.edge_edges == b.edge_edges &&
           a.counts.feature_pairs == b.counts.feature_pairs && a.counts.pairs == b.counts.pairs;
  }
};

Candidates collect(const Sample& sample, const Clustered& clustered, double gap, double prefix = 1.0) {
  std::vector<Cluster> clusters(clustered.made.clusters.begin(), clustered.made.clusters.end());
  for (Cluster& cluster : clusters) fill_table(clustered.local_frame, sample.x_t0, sample.x_t1, cluster);
  ClusterTree tree;
  tree.order(clusters);
  tree.refit(clusters);
  const PairRules rules{.gap = gap, .touching = gap == 0.0, .prefix = prefix};
  const ClusterTraversal traversal(tree, rules.gap);
  Candidates all;
  PairBuffer buffer;
  for (std::size_t block = 0; block < traversal.block_count(); ++block) {
    traversal.run(block, [&](std::span<const ClusterPair> pairs) {
      collect_pairs(clusters, pairs, rules, buffer, all.counts, [] {});
    });
  }
  all.vertex_faces = buffer.vertex_faces;
  all.edge_edges = buffer.edge_edges;
  return all;
}

PairStep step_of(const Sample& sample, const Pair& v) {
  PairStep step;
  for (std::size_t i = 0; i < 4; ++i) {
    step.t0[i] = sample.x_t0[v[i]];
    step.t1[i] = sample.x_t1[v[i]];
  }
  return step;
}

/// Checks that all pairs reported by the elementary tests in a prefix of the step are among the candidates, and
/// that candidates occur once, in canonical order and are not incident. Returns the number of touching pairs.
std::size_t expect_complete(const Sample& sample, double thickness, double prefix = 1.0) {
  const Clustered clustered(sample);
  const ElementaryOptions options{.thickness = thickness};
  const Candidates found = collect(sample, clustered, thickness * 1.001, prefix);
  const std::set<Pair> vertex_faces(found.vertex_faces.begin(), found.vertex_faces.end());
  const std::set<Pair> edge_edges(found.edge_edges.begin(), found.edge_edges.end());
  EXPECT_EQ(vertex_faces.size(), found.vertex_faces.size()) << "a pair came twice";
  EXPECT_EQ(edge_edges.size(), found.edge_edges.size()) << "a pair came twice";
  for (const Pair& v : vertex_faces) EXPECT_FALSE(incident(v[0], Face{v[1], v[2], v[3]}));
  for (const Pair& v : edge_edges) {
    EXPECT_FALSE(incident(Edge{v[0], v[1]}, Edge{v[2], v[3]}));
    EXPECT_TRUE(v[0] < v[1] && v[2] < v[3] && v[0] < v[2]);
  }
  std::size_t touching = 0;
  std::set<VertexId> used;
  for (const Leaf& leaf : clustered.mesh->leaves()) used.insert(leaf.vertices.begin(), leaf.vertices.end());
  for (const Leaf& leaf : clustered.mesh->leaves()) {
    const Face face = leaf.face();
    for (const VertexId v : used) {
      const Pair pair{v, face[0], face[1], face[2]};
      if (incident(v, face)) continue;
      const auto impact = impact_vertex_face(step_of(sample, pair), options);
      if (!impact || impact->toi_hi > prefix) continue;
      ++touching;
      EXPECT_TRUE(vertex_faces.count(pair) == 1) << "vertex " << v << " touches a face, and is no candidate";
    }
  }
  const auto edges = clustered.mesh->edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i + 1; j < edges.size(); ++j) {
      if (incident(edges[i], edges[j])) continue;
      const auto [a, b] = std::minmax(edges[i], edges[j]);
      const Pair pair{a[0], a[1], b[0], b[1]};
      const auto impact = impact_edge_edge(step_of(sample, pair), options);
      if (!impact || impact->toi_hi > prefix) continue;
      ++touching;
      EXPECT_TRUE(edge_edges.count(pair) == 1) << "two edges touch, and are no candidate";
    }
  }
  return touching;
}

TEST(ClusterPairs, HaveAllThatTouchInShakenSheets) {
  std::size_t touching = 0;
  for (unsigned seed = 0; seed < 4; ++seed) touching += expect_complete(two_sheets(9, 0.3, 0.4, 0.8, seed), 0.0);
  EXPECT_GT(touching, 1000U);
}

TEST(ClusterPairs, HaveAllThatTouchAmongDisconnectedTriangles) {
  std::size_t touching = 0;
  for (unsigned seed = 0; seed < 3; ++seed) touching += expect_complete(disconnected(100, 0.3, seed), 0.0);
  EXPECT_GT(touching, 300U);
}

TEST(ClusterPairs, HaveAllThatTouchInFlatSheetsThatGlideOverEachOther) {
  // Coplanar sheets with exact coordinates, much of them in contact for the whole step.
  Sample sample = two_sheets(6, 0.0, 0.0, 0.0, 1);
  sample.x_t1 = sample.x_t0;
  for (std::size_t v = sample.x_t0.size() / 2; v < sample.x_t0.size(); ++v) {
    sample.x_t0[v].x += 0.5;
    sample.x_t1[v].x += 1.0;
  }
  EXPECT_GT(expect_complete(sample, 0.0), 500U);
}

TEST(ClusterPairs, HaveAllThatTouchWhereFloatsHardlyDistinguishItFromWhatDoesNot) {
  // Sheets that touch or miss by some of the last bits of a float, far from the origin of the local frame.
  for (const double off : {0.0, 0x1p-52, -0x1p-52, 0x1p-24, -0x1p-24, 0x1p-22, -0x1p-22}) {
    Sample sample;
    add_sheet(sample, 6, 1.0);
    add_sheet(sample, 6, 1.5);
    sample.x_t1 = sample.x_t0;
    const std::size_t half = sample.x_t0.size() / 2;
    for (std::size_t v = half; v < sample.x_t0.size(); ++v) {
      sample.x_t0[v].x += 0.25;
      sample.x_t1[v].x += 0.25;
      sample.x_t1[v].z = 1.0 + off;
    }
    const std::size_t touching = expect_complete(sample, 0.0);
    EXPECT_EQ(touching > 0, off <= 0.0) << off;
  }
}

TEST(ClusterPairs, HaveAllWithinAThickness) {
  std::size_t close = 0;
  for (unsigned seed = 0; seed < 2; ++seed) close += expect_complete(two_sheets(7, 0.5, 0.1, 0.2, seed), 0.3);
  EXPECT_GT(close, 300U);
}

TEST(ClusterPairs, HaveAllWithinAThicknessByAHair) {
  // Sheets whose distance at the end of the step is a thickness, or misses it by some of the last bits of a float;
  // tilted, so that boxes and slabs do not decide, and far from the origin of the local frame.
  constexpr double kThickness = 0.25;
  for (const double off : {0.0, 0x1p-50, -0x1p-50, 0x1p-24, -0x1p-24, 0x1p-22, -0x1p-22, 0x1p-18, -0x1p-18}) {
    for (const double from : {kThickness + off, 2.0}) {
      Sample sample;
      add_sheet(sample, 5, 0.0);
      add_sheet(sample, 5, 0.0);
      sample.x_t1 = sample.x_t0;
      const std::size_t half = sample.x_t0.size() / 2;
      for (std::size_t v = 0; v < sample.x_t0.size(); ++v) {
        const auto place = [&](const Vec3& p, double height) {  // in a plane with the unit normal (2, 3, 6) / 7
          const double above = v < half ? 0.0 : height;
          const double x = p.x + (v < half ? 0.0 : 0.375);
          return Vec3{(6 * x - 3 * p.y + 2 * above) / 7 + 3, (2 * x + 6 * p.y + 3 * above) / 7 - 5,
                      (-3 * x - 2 * p.y + 6 * above) / 7 + 1};
        };
        const Vec3 flat = sample.x_t0[v];
        sample.x_t0[v] = place(flat, from);
        sample.x_t1[v] = place(flat, kThickness + off);
      }
      const std::size_t close = expect_complete(sample, kThickness);
      if (off <= -0x1p-24) {
        EXPECT_GT(close, 100U) << off;
      }
      if (off >= 0x1p-18) {  // beyond the slack of the elementary test
        EXPECT_EQ(close, 0U) << off;
      }
    }
  }
}

TEST(ClusterPairs, LeaveOutPairsWhoseNormalsProveThemBeyondTheThickness) {
  const Sample sample = two_sheets(30, 0.5, 0.02, 0.02, 8);
  const Candidates found = collect(sample, Clustered(sample), 0.25);
  EXPECT_GT(found.counts.feature_pairs, 5000U);
  EXPECT_LT(found.vertex_faces.size() + found.edge_edges.size(), found.counts.feature_pairs / 4);
}

/// Number of slow clusters in a step, and number of clusters.
std::array<std::size_t, 2> slow_clusters(const Sample& sample) {
  const Clustered clustered(sample);
  std::size_t slow = 0;
  for (Cluster cluster : clustered.made.clusters) {
    fill_table(clustered.local_frame, sample.x_t0, sample.x_t1, cluster);
    slow += cluster.slow;
  }
  return {slow, clustered.made.clusters.size()};
}

TEST(ClusterPairs, HaveAllThatTouchWhereClustersAreSlowAndWhereTheyAreNot) {
  // The same sheets, crumpled into each other, with motion of all sizes near the limit of `slow` and far from it.
  std::size_t touching = 0;
  std::size_t slow = 0;
  std::size_t fast = 0;
  for (const double displacement : {0.0, 1e-12, 1e-6, 1e-3, 0.05, 0.1, 0.2, 1.0}) {
    for (unsigned seed = 0; seed < 2; ++seed) {
      const Sample sample = two_sheets(7, 0.2, 0.4, displacement, seed);
      const auto [some, all] = slow_clusters(sample);
      if (displacement <= 1e-3) {
        EXPECT_EQ(some, all) << displacement;
      }
      if (displacement >= 1.0) {
        EXPECT_EQ(some, 0U) << displacement;
      }
      slow += some;
      fast += all - some;
      touching += expect_complete(sample, 0.0);
    }
  }
  EXPECT_GT(touching, 500U);
  EXPECT_GT(slow, 10U);
  EXPECT_GT(fast, 10U);
}

TEST(ClusterPairs, HaveAllThatTouchOfSlowAndFastClusters) {
  // A sheet that hardly moves, and one that deforms while it passes through or beyond it.
  std::size_t touching = 0;
  for (const double common : {0.0, 0.5, 8.0}) {
    Sample sample = two_sheets(7, 0.3, 0.2, 1e-4, 9);
    std::mt19937 random(10);
    std::uniform_real_distribution<double> some(-1.0, 1.0);
    for (std::size_t v = sample.x_t0.size() / 2; v < sample.x_t0.size(); ++v) {
      sample.x_t1[v].z -= common;
      sample.x_t1[v].x += 0.3 * some(random);
    }
    const auto [slow, all] = slow_clusters(sample);
    EXPECT_TRUE(slow > 0 && slow < all);
    touching += expect_complete(sample, 0.0);
    touching += expect_complete(sample, 0.1);
  }
  EXPECT_GT(touching, 100U);
}

TEST(ClusterPairs, HaveAllThatTouchOfSlowClustersByAHair) {
  // Sheets nearly at rest that touch at the end of the step, or miss by some of the last bits of a float.
  for (const double off : {0.0, 0x1p-52, -0x1p-52, 0x1p-24, -0x1p-24, 0x1p-22, 0x1p-20}) {
    for (const double at : {1.0, -1.0, 0.0}) {
      Sample sample;
      add_sheet(sample, 6, at);
      add_sheet(sample, 6, at + 0x1p-6);
      sample.x_t1 = sample.x_t0;
      for (std::size_t v = sample.x_t0.size() / 2; v < sample.x_t0.size(); ++v) {
        sample.x_t0[v].x += 0.25;
        sample.x_t1[v].x += 0.25;
        sample.x_t1[v].z = at + off;
      }
      const auto [slow, all] = slow_clusters(sample);
      EXPECT_EQ(slow, all);
      EXPECT_EQ(expect_complete(sample, 0.0) > 0, off <= 0.0) << off;
    }
  }
}

/// Two sheets that fall on each other with random velocities, at a distance that some vertices cross in the share
/// `until` of the step; some touch at its beginning.
Sample falling_sheets(double until, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> some(0.0, 1.0);
  Sample sample;
  add_sheet(sample, 7, 0.0);
  add_sheet(sample, 7, 0.25 * until);
  sample.x_t1 = sample.x_t0;
  for (std::size_t v = 0; v < sample.x_t0.size(); ++v) {
    const bool below = v < sample.x_t0.size() / 2;
    if (below && v % 5 == 0) sample.x_t0[v].z = 0.25 * until;
    sample.x_t0[v].x += below ? 0.0 : 0.25;
    sample.x_t1[v] = sample.x_t0[v];
    sample.x_t1[v].x += 0.1 * some(random);
    sample.x_t1[v].z += (below ? 0.5 : -0.5) * some(random);
  }
  return sample;
}

TEST(ClusterPairs, HaveAllThatTouchInAPrefixOfTheStep) {
  for (const double until : {0.5, 0x1p-6, 0x1p-9, 0x1p-12, 0x1p-20, 0x1p-40}) {
    const Sample sample = falling_sheets(until, 11);
    const Clustered clustered(sample);
    const Candidates all = collect(sample, clustered, 0.0);
    const Candidates few = collect(sample, clustered, 0.0, until / 16.0);
    const std::size_t at_start = expect_complete(sample, 0.0, 0.0);
    EXPECT_GT(at_start, 20U) << until;
    EXPECT_GT(expect_complete(sample, 0.0, until), at_start + 20) << until;
    EXPECT_GT(expect_complete(sample, 0.0, 2.0 * until), at_start + 50) << until;
    EXPECT_GT(expect_complete(sample, 0.125 * until, until), at_start + 50) << until;
    if (until < 0.001 && until > 1e-5) {  // less is within the errors of floats
      // Other vertices than those that touch at the beginning fall for longer than a sixteenth of `until`.
      EXPECT_LT(2 * (few.vertex_faces.size() + few.edge_edges.size()),
                all.vertex_faces.size() + all.edge_edges.size())
          << until;
    }
  }
}

TEST(ClusterPairs, InAPrefixAreTheSameOnEveryInstructionSet) {
  const Sample sample = falling_sheets(0x1p-10, 12);
  const Clustered clustered(sample);
  for (const double gap : {0.0, 0x1p-12}) {
    const Candidates best = collect(sample, clustered, gap, 0x1p-10);
    EXPECT_GT(best.edge_edges.size() + best.vertex_faces.size(), 100U);
    for (const std::string& target : simd_targets()) {
      use_simd_target(target);
      EXPECT_TRUE(collect(sample, clustered, gap, 0x1p-10) == best) << target;
    }
    use_simd_target("");
  }
}

TEST(ClusterPairs, AreTheSameOnEveryInstructionSet) {
  const std::vector<Sample> samples = {two_sheets(20, 0.3, 0.3, 0.5, 3), disconnected(500, 0.2, 4), fans(100, 5),
                                       two_sheets(20, 0.2, 0.3, 1e-3, 7)};
  ASSERT_FALSE(simd_targets().empty());
  for (const Sample& sample : samples) {
    const Clustered clustered(sample);
    const Candidates best = collect(sample, clustered, 0.0);
    const Candidates near = collect(sample, clustered, 0.125);
    EXPECT_GT(near.edge_edges.size(), 100U);
    for (const std::string& target : simd_targets()) {
      use_simd_target(target);
      EXPECT_TRUE(collect(sample, clustered, 0.0) == best) << target;
      EXPECT_TRUE(collect(sample, clustered, 0.125) == near) << target;
    }
    use_simd_target("");
  }
}

TEST(ClusterPairs, AreNoMoreWhereOneVertexIsVeryFarFromAllTheRest) {
  Sample sample = two_sheets(40, 3.0, 0.05, 0.05, 6);
  const ClusterCounts near = collect(sample, Clustered(sample), 0.0).counts;
  for (const double far : {1e5, 1e9, 1e100, 1e300}) {
    Sample more = sample;
    more.x_t0.push_back({far, -far, far});
    more.x_t1.push_back({far, -far, far});
    const ClusterCounts counts = collect(more, Clustered(more), 0.0).counts;
    EXPECT_LE(counts.pairs, near.pairs + near.pairs / 8) << far;
    EXPECT_LE(counts.feature_pairs, near.feature_pairs + near.feature_pairs / 8) << far;
  }
}

TEST(ClusterPairs, LeaveOutMostOfWhatIsFarApart) {
  const Sample sample = two_sheets(40, 3.0, 0.05, 0.05, 6);
  const Clustered clustered(sample);
  const Candidates found = collect(sample, clustered, 0.0);
  EXPECT_LT(found.vertex_faces.size() + found.edge_edges.size(), clustered.mesh->leaves().size() / 4);
}

}  // namespace
}  // namespace graze
