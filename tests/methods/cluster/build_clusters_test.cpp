// Building clusters: every leaf is in one cluster, every feature in the cluster of its representative, and nearly
// all clusters are full.
#include "methods/cluster/build/build_clusters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

#include "core/tasks.hpp"
#include "methods/cluster/cluster_samples.hpp"

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

std::array<VertexId, 3> named(const Cluster& cluster, std::uint32_t word) {
  return {cluster.ids[word & 31U], cluster.ids[word >> 8U & 31U], cluster.ids[word >> 16U & 31U]};
}

void expect_whole(const Sample& sample) {
  const Clustered clustered(sample);
  const Hierarchy& mesh = *clustered.mesh;
  std::set<Face> faces;
  std::set<Edge> edges;
  std::set<VertexId> vertices;
  std::size_t face_count = 0;
  std::size_t edge_count = 0;
  std::size_t vertex_count = 0;
  for (const Cluster& cluster : clustered.made.clusters) {
    ASSERT_GT(cluster.face_count, 0);
    ASSERT_LE(cluster.vertex_count, kClusterVertices);
    face_count += cluster.face_count;
    edge_count += cluster.edge_count;
    vertex_count += cluster.owned_vertices;
    for (std::size_t i = 0; i < cluster.face_count; ++i) {
      const Face face = named(cluster, cluster.faces[i]);
      EXPECT_TRUE(std::is_sorted(face.begin(), face.end()));
      faces.insert(face);
    }
    for (std::size_t i = 0; i < cluster.edge_count; ++i) {
      const auto ends = named(cluster, cluster.edges[i]);
      EXPECT_LT(ends[0], ends[1]);
      edges.insert({ends[0], ends[1]});
    }
    for (std::size_t i = 0; i < cluster.owned_vertices; ++i) vertices.insert(cluster.ids[i]);
    for (std::size_t i = cluster.vertex_count; i < kClusterVertices; ++i) {
      EXPECT_EQ(cluster.ids[i], cluster.ids[cluster.vertex_count - 1U]);
    }
  }
  std::set<VertexId> used;
  for (const Leaf& leaf : mesh.leaves()) used.insert(leaf.vertices.begin(), leaf.vertices.end());
  EXPECT_EQ(face_count, mesh.leaves().size());
  EXPECT_EQ(faces.size(), face_count) << "a face is in two clusters";
  EXPECT_EQ(edge_count, mesh.edges().size());
  EXPECT_EQ(edges.size(), edge_count) << "an edge is owned twice";
  EXPECT_EQ(vertex_count, vertices.size()) << "a vertex is owned twice";
  EXPECT_EQ(vertices, used);
  ASSERT_EQ(clustered.made.leaves.size(), mesh.leaves().size());
  auto leaf = clustered.made.leaves.begin();
  for (const Cluster& cluster : clustered.made.clusters) {
    for (std::size_t i = 0; i < cluster.face_count; ++i, ++leaf) {
      EXPECT_EQ(named(cluster, cluster.faces[i]), clustered.leaves->view().face(*leaf));
    }
  }
}

TEST(Clusters, HaveEveryFeatureOfASheetOnce) {
  for (const std::uint32_t n : {1U, 2U, 4U, 5U, 16U, 23U, 64U}) expect_whole(two_sheets(n, 1.0, 0.1, 0.1, n));
}

TEST(Clusters, HaveEveryFeatureOfDisconnectedTrianglesOnce) {
  for (const std::uint32_t n : {0U, 1U, 10U, 11U, 33U, 1000U}) expect_whole(disconnected(n, 0.1, n));
}

TEST(Clusters, HaveEveryFeatureOfFansOnce) {
  for (const std::uint32_t n : {2U, 31U, 32U, 33U, 64U, 65U, 1000U}) expect_whole(fans(n, n));
}

TEST(Clusters, HaveEveryFeatureWhereAllLiesAtOnePoint) {
  Sample sample = two_sheets(20, 1.0, 0.0, 0.0, 1);
  for (Vec3& p : sample.x_t0) p = {3.0, 3.0, 3.0};
  expect_whole(sample);
}

TEST(Clusters, OfASheetAreNearlyFullAndHangTogether) {
  const Clustered clustered(two_sheets(64, 0.01, 0.0, 0.0, 1));  // layers as close as those of a fold
  const std::size_t faces = clustered.mesh->leaves().size();
  EXPECT_LT(clustered.made.clusters.size(), faces / 29);
  const VertexId half = 65 * 65;
  for (const Cluster& cluster : clustered.made.clusters) {
    const bool first = cluster.ids[0] < half;
    for (const VertexId v : cluster.ids) EXPECT_EQ(v < half, first) << "two layers in one cluster";
  }
}

TEST(Clusters, OfLargeTrianglesAreNotThoseOfSmallOnes) {
  Sample sample = two_sheets(16, 5.0, 0.0, 0.0, 1);
  const auto small = static_cast<VertexId>(sample.x_t0.size());
  for (VertexId i = 0; i < 8; ++i) {
    const double z = 0.5 * i;
    sample.x_t0.insert(sample.x_t0.end(), {{-500.0, -500.0, z}, {900.0, -500.0, z}, {0.0, 900.0, z}});
    sample.triangles.push_back({small + 3 * i, small + 3 * i + 1, small + 3 * i + 2});
  }
  const Clustered clustered(sample);
  for (const Cluster& cluster : clustered.made.clusters) {
    const bool large = cluster.ids[0] >= small;
    for (const VertexId v : cluster.ids) EXPECT_EQ(v >= small, large);
  }
}

TEST(Clusters, OfLargeTrianglesOfALargeMeshAreNotThoseOfSmallOnes) {
  for (const std::size_t count : {1U, 40U, 6000U}) {
    Sample sample = two_sheets(80, 5.0, 0.0, 0.0, 1);
    std::mt19937 random(1);
    for (std::size_t i = 0; i < count; ++i) {  // across one sheet, in its component
      const auto row = static_cast<VertexId>(random() % 81);
      sample.triangles.push_back({81 * row, 81 * row + 60 + static_cast<VertexId>(random() % 20), 81 * 40 + row});
    }
    expect_whole(sample);
    const Clustered clustered(sample);
    for (const Cluster& cluster : clustered.made.clusters) {
      std::size_t large = 0;
      for (std::size_t f = 0; f < cluster.face_count; ++f) {
        const auto ids = named(cluster, cluster.faces[f]);
        const auto [lo, hi] = std::minmax({sample.x_t0[ids[0]].y, sample.x_t0[ids[1]].y, sample.x_t0[ids[2]].y});
        large += hi - lo > 8.0 ? 1U : 0U;
      }
      EXPECT_TRUE(large == 0 || large == cluster.face_count);
    }
  }
}

/// A sheet that is folded many times: its layers are as close as the triangles of a layer.
Sample folded(std::uint32_t n) {
  Sample sample = two_sheets(n, 0.0, 0.0, 0.0, 1);
  sample.triangles.resize(sample.triangles.size() / 2);
  sample.x_t0.resize(sample.x_t0.size() / 2);
  for (Vec3& p : sample.x_t0) {
    constexpr double kFold = 24.0;
    const double layer = std::floor(p.x / kFold);
    const double along = p.x - layer * kFold;
    p = {std::fmod(layer, 2.0) == 0.0 ? along : kFold - along, p.y, 0.3 * layer};
  }
  sample.x_t1 = sample.x_t0;
  return sample;
}

TEST(Clusters, OfALargeFoldedSheetAreWholeAndNearlyFull) {
  const Sample sample = folded(150);  // several parts
  expect_whole(sample);
  const Clustered clustered(sample);
  EXPECT_LT(clustered.made.clusters.size(), sample.triangles.size() / 28);
  std::size_t mixed = 0;
  for (const Cluster& cluster : clustered.made.clusters) {
    const auto [first, last] = std::minmax_element(cluster.ids.begin(), cluster.ids.end());
    mixed += *last - *first > 24 * 151 ? 1U : 0U;  // farther apart than any two vertices of one layer
  }
  EXPECT_LT(mixed, clustered.made.clusters.size() / 50);
}

TEST(Clusters, OfManyTrianglesAtOnePointAreWhole) {
  Sample sample = two_sheets(80, 1.0, 0.0, 0.0, 1);
  for (Vec3& p : sample.x_t0) p = {3.0, 3.0, 3.0};
  expect_whole(sample);
}

TEST(Clusters, OfAPartWithATriangleFarAwayAreAsCompactAsWithout) {
  Sample sample = two_sheets(32, 5.0, 0.0, 0.0, 1);
  const auto far_vertex = static_cast<VertexId>(sample.x_t0.size());
  sample.x_t0.push_back({1e7, 1e7, 1e7});
  sample.triangles.push_back({0, 1, far_vertex});
  const Clustered clustered(sample);
  for (const Cluster& cluster : clustered.made.clusters) {
    double lo = 1e9;
    double hi = -1e9;
    for (const VertexId v : cluster.ids) {
      if (v == far_vertex) continue;
      lo = std::min(lo, sample.x_t0[v].x);
      hi = std::max(hi, sample.x_t0[v].x);
    }
    EXPECT_LE(hi - lo, 12.0);
  }
}

TEST(Clusters, AreTheSameForAnyNumberOfThreads) {
  const Sample sample = folded(150);
  UninitializedVector<std::uint32_t> before;
  for (const unsigned threads : {1U, 2U, 7U}) {
    with_threads(threads, [&] {
      const Clustered clustered(sample);
      if (!before.empty()) {
        EXPECT_EQ(clustered.made.leaves, before);
      }
      before = clustered.made.leaves;
    });
  }
}

}  // namespace
}  // namespace graze
