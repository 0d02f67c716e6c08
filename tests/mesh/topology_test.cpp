// Mesh topology against a naive reference made of maps and sets, on random soups and on shapes with known numbers.
#include "mesh/topology.hpp"
#include "research/mesh_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

std::vector<std::uint32_t> row(const Rows& rows, std::size_t r) {
  const auto items = rows[r];
  return {items.begin(), items.end()};
}

std::vector<std::uint32_t> listed(const std::set<std::uint32_t>& items) {
  return {items.begin(), items.end()};
}

/// Compares all lists with maps keyed by sorted ids, and adjacency with brute force over triangle pairs.
void expect_equals_naive(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  std::map<Edge, std::set<std::uint32_t>> edges;
  std::map<Face, std::set<std::uint32_t>> faces;
  std::map<VertexId, std::set<std::uint32_t>> fans;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    Face f = triangles[t];
    std::sort(f.begin(), f.end());
    faces[f].insert(t);
    for (std::size_t k = 0; k < 3; ++k) {
      fans[f[k]].insert(t);
      for (std::size_t l = 0; l < 3; ++l) {
        if (f[k] < f[l]) edges[{f[k], f[l]}].insert(t);
      }
    }
  }

  const Topology topology = build_topology(triangles, vertex_count);
  ASSERT_EQ(topology.features.edges.size(), edges.size());
  ASSERT_EQ(topology.edge_triangles.size(), edges.size());
  std::size_t e = 0;
  std::vector<std::uint32_t> boundary;
  std::vector<std::uint32_t> nonmanifold;
  std::map<VertexId, std::set<std::uint32_t>> edges_of;
  for (const auto& [ids, owners] : edges) {
    EXPECT_EQ(topology.features.edges[e], ids);
    EXPECT_EQ(row(topology.edge_triangles, e), listed(owners));
    if (owners.size() == 1) boundary.push_back(static_cast<std::uint32_t>(e));
    if (owners.size() > 2) nonmanifold.push_back(static_cast<std::uint32_t>(e));
    edges_of[ids[0]].insert(static_cast<std::uint32_t>(e));
    edges_of[ids[1]].insert(static_cast<std::uint32_t>(e));
    ++e;
  }
  EXPECT_EQ(papers::boundary_edges(topology), boundary);
  EXPECT_EQ(papers::nonmanifold_edges(topology), nonmanifold);

  ASSERT_EQ(topology.features.faces.size(), faces.size());
  ASSERT_EQ(topology.face_triangles.size(), faces.size());
  std::size_t f = 0;
  for (const auto& [ids, owners] : faces) {
    EXPECT_EQ(topology.features.faces[f], ids);
    EXPECT_EQ(row(topology.face_triangles, f), listed(owners));
    ++f;
  }

  ASSERT_EQ(topology.vertex_triangles.size(), vertex_count);
  ASSERT_EQ(topology.vertex_edges.size(), vertex_count);
  std::vector<VertexId> used;
  for (VertexId v = 0; v < vertex_count; ++v) {
    EXPECT_EQ(row(topology.vertex_triangles, v), listed(fans[v]));
    EXPECT_EQ(row(topology.vertex_edges, v), listed(edges_of[v]));
    if (!fans[v].empty()) used.push_back(v);
  }
  EXPECT_EQ(topology.features.vertices, used);

  ASSERT_EQ(topology.triangle_edges.size(), triangles.size());
  ASSERT_EQ(topology.triangle_faces.size(), triangles.size());
  papers::AdjacentPairs adjacent;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    EXPECT_EQ(topology.features.faces[topology.triangle_faces[t]], face_of(triangles[t]));
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId a = triangles[t][k];
      const VertexId b = triangles[t][(k + 1) % 3];
      const std::uint32_t edge = topology.triangle_edges[t][k];
      if (a == b) {
        EXPECT_EQ(edge, kNoEdge);
      } else {
        ASSERT_LT(edge, edges.size());
        EXPECT_EQ(topology.features.edges[edge], (Edge{std::min(a, b), std::max(a, b)}));
      }
    }
    for (std::size_t other = 0; other < t; ++other) {
      const std::set<VertexId> mine(triangles[t].begin(), triangles[t].end());
      const std::set<VertexId> theirs(triangles[other].begin(), triangles[other].end());
      const auto shared = std::count_if(mine.begin(), mine.end(), [&](VertexId v) { return theirs.contains(v); });
      EXPECT_EQ(share_vertex(triangles[t], triangles[other]), shared > 0);
      if (shared == 1) ++adjacent.vertex;
      if (shared > 1) ++adjacent.edge;
    }
  }
  EXPECT_EQ(papers::count_adjacent_pairs(topology), adjacent);

  // Connected components: propagates labels along shared vertices until nothing changes.
  std::vector<std::uint32_t> label(vertex_count);
  for (VertexId v = 0; v < vertex_count; ++v) label[v] = v;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Triangle& t : triangles) {
      const std::uint32_t least = std::min({label[t[0]], label[t[1]], label[t[2]]});
      for (const VertexId v : t) {
        changed = changed || label[v] != least;
        label[v] = least;
      }
    }
  }
  std::map<std::uint32_t, std::uint32_t> number;
  for (const VertexId v : used) number.try_emplace(label[v], static_cast<std::uint32_t>(number.size()));
  const papers::Components components = papers::connected_components(triangles, vertex_count);
  EXPECT_EQ(components.count, number.size());
  ASSERT_EQ(components.of_triangle.size(), triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    EXPECT_EQ(components.of_triangle[t], number[label[triangles[t][0]]]);
  }
}

TEST(Topology, EqualsItsNaiveTwinOnRandomSoups) {
  std::mt19937 random(20240501);
  for (int round = 0; round < 400; ++round) {
    // Few vertices for many triangles: duplicates, repeated ids and edges with many triangles are common.
    const std::size_t vertex_count = 1 + random() % (round % 2 == 0 ? 6 : 60);
    const std::size_t triangle_count = random() % 50;
    std::vector<Triangle> triangles(triangle_count);
    for (Triangle& t : triangles) {
      for (VertexId& v : t) v = static_cast<VertexId>(random() % vertex_count);
    }
    SCOPED_TRACE(round);
    expect_equals_naive(triangles, vertex_count);
    if (HasFailure()) return;
  }
}

TEST(Topology, OfNothingIsEmpty) {
  expect_equals_naive({}, 0);
  expect_equals_naive({}, 3);
  const Topology topology = build_topology({}, 3);
  EXPECT_TRUE(topology.features.vertices.empty());
  EXPECT_EQ(topology.vertex_triangles.size(), 3U);
}

TEST(Topology, OfATetrahedronIsClosed) {
  const std::vector<Triangle> tetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const Topology topology = build_topology(tetrahedron, 4);
  EXPECT_EQ(topology.features.edges.size(), 6U);
  EXPECT_TRUE(papers::boundary_edges(topology).empty());
  EXPECT_TRUE(papers::nonmanifold_edges(topology).empty());
  EXPECT_EQ(papers::count_adjacent_pairs(topology), (papers::AdjacentPairs{.edge = 6, .vertex = 0}));
  EXPECT_EQ(papers::connected_components(tetrahedron, 4).count, 1U);
}

TEST(Topology, CountsABookOfPagesAsOneNonManifoldEdge) {
  const std::vector<Triangle> book = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {0, 1, 4}};
  const Topology topology = build_topology(book, 6);
  EXPECT_EQ(topology.features.faces.size(), 3U);
  EXPECT_EQ(papers::nonmanifold_edges(topology), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(papers::count_adjacent_pairs(topology), (papers::AdjacentPairs{.edge = 6, .vertex = 0}));
}

TEST(Topology, CountsPairsAtAHubOfAMillionTrianglesWithoutListingThem) {
  std::vector<Triangle> fan;
  constexpr std::uint32_t kCount = 1'000'000;
  for (std::uint32_t i = 0; i < kCount; ++i) fan.push_back({0, 2 * i + 1, 2 * i + 2});
  const Topology topology = build_topology(fan, 2 * kCount + 1);
  const std::uint64_t all = std::uint64_t{kCount} * (kCount - 1) / 2;
  EXPECT_EQ(papers::count_adjacent_pairs(topology), (papers::AdjacentPairs{.edge = 0, .vertex = all}));
}

TEST(Features, PairsAreNamedInCanonicalOrder) {
  EXPECT_EQ(edge_edge_pair({4, 5}, {1, 9}).vertices, (std::array<VertexId, 4>{1, 9, 4, 5}));
  EXPECT_EQ(edge_edge_pair({1, 9}, {4, 5}).vertices, (std::array<VertexId, 4>{1, 9, 4, 5}));
  EXPECT_EQ(vertex_face_pair(7, {1, 2, 2}).vertices, (std::array<VertexId, 4>{7, 1, 2, 2}));
  EXPECT_TRUE(incident(Edge{1, 2}, Edge{0, 1}));
  EXPECT_FALSE(incident(Edge{1, 2}, Edge{0, 3}));
  EXPECT_TRUE(incident(Edge{1, 2}, Face{0, 0, 2}));
  EXPECT_FALSE(incident(3, Face{0, 0, 2}));
}

}  // namespace
}  // namespace graze
