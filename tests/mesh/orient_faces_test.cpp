// One orientation per connected piece: for any winding of the input, neighbours agree after orienting if they can.
#include "mesh/orient_faces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "mesh/topology.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

/// Number of edges between two faces that traverse the edge in the same direction after orienting.
std::size_t disagreements(std::vector<Triangle> faces, std::size_t vertex_count, std::vector<Triangle>* oriented) {
  const Topology topology = build_topology(faces, vertex_count);
  orient_faces(faces, topology.triangle_edges, RowPool(topology.edge_triangles), topology.features.edges);
  std::size_t count = 0;
  for (std::size_t e = 0; e < topology.edge_triangles.size(); ++e) {
    const auto both = topology.edge_triangles[e];
    if (both.size() != 2) continue;
    const Edge& edge = topology.features.edges[e];
    count += runs_forward(faces[both[0]], edge) == runs_forward(faces[both[1]], edge) ? 1U : 0U;
  }
  if (oriented != nullptr) *oriented = std::move(faces);
  return count;
}

std::vector<Triangle> grid(VertexId n) {
  std::vector<Triangle> triangles;
  for (VertexId j = 0; j < n; ++j) {
    for (VertexId i = 0; i < n; ++i) {
      const VertexId a = j * (n + 1) + i;
      triangles.push_back({a, a + 1, a + n + 2});
      triangles.push_back({a, a + n + 2, a + n + 1});
    }
  }
  return triangles;
}

/// A Moebius strip of n cells.
std::vector<Triangle> moebius(VertexId n) {
  std::vector<Triangle> triangles;
  for (VertexId i = 0; i < n; ++i) {
    const bool last = i + 1 == n;
    const VertexId a = 2 * i;
    const VertexId b = 2 * i + 1;
    const VertexId c = last ? 1 : 2 * i + 2;
    const VertexId d = last ? 0 : 2 * i + 3;
    triangles.push_back({a, b, c});
    triangles.push_back({b, d, c});
  }
  return triangles;
}

TEST(OrientFaces, NeighboursAgreeHoweverTheyWereWound) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<Triangle> triangles = grid(6);
    const std::vector<Triangle> second = grid(4);
    for (Triangle t : second) {
      for (VertexId& v : t) v += 49;
      triangles.push_back(t);
    }
    std::shuffle(triangles.begin(), triangles.end(), random);
    for (Triangle& t : triangles) {
      if (random() % 2 == 0) std::swap(t[0], t[2]);
    }
    std::vector<Triangle> oriented;
    EXPECT_EQ(disagreements(triangles, 49 + 25, &oriented), 0U);
    for (std::size_t i = 0; i < triangles.size(); ++i) EXPECT_EQ(face_of(oriented[i]), face_of(triangles[i]));
    EXPECT_EQ(oriented[0], triangles[0]) << "the first face of a piece stays as it is";
  }
}

TEST(OrientFaces, AMoebiusStripDisagreesSomewhere) {
  EXPECT_EQ(disagreements(moebius(7), 14, nullptr), 1U);
}

TEST(OrientFaces, EdgesOfThreeFacesAndRepeatedIdsSayNothing) {
  std::vector<Triangle> oriented;
  EXPECT_EQ(disagreements({{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {5, 5, 6}}, 7, &oriented), 0U);
  EXPECT_EQ(oriented, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {5, 5, 6}}));
}

}  // namespace
}  // namespace graze
