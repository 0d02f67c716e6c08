// Orphan sets (ICCD section V-D) against their definition: together with procedural representatives they cover
// every pair once; and the figures of ICCD's Table I.
#include "mesh/orphan_set.hpp"

#include <graze/io.hpp>

#include "core/tasks.hpp"
#include "mesh/leaf_soup.hpp"
#include "public_data.hpp"
#include "research/mesh_counts.hpp"
#include "research/orphans.hpp"
#include "research/representative_schemas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

bool has(const Triangle& t, VertexId v) {
  return std::find(t.begin(), t.end(), v) != t.end();
}
bool has(const Triangle& t, const Edge& e) {
  return has(t, e[0]) && has(t, e[1]);
}

/// The definition, applied to all pairs of features and all triangles of both.
OrphanPairs naive_orphans(const std::vector<Triangle>& triangles, const LeafSoup& soup) {
  const NaiveNear near(triangles);
  OrphanPairs orphans;
  for (const VertexId v : soup.topology.features.vertices) {
    for (std::uint32_t leaf = 0; leaf < soup.leaf_triangles.size(); ++leaf) {
      const Triangle& face = soup.mesh().vertices(leaf);
      if (has(face, v)) continue;
      if (std::all_of(triangles.begin(), triangles.end(),
                      [&](const Triangle& t) { return !has(t, v) || near(t, face); })) {
        orphans.vertex_face.push_back({v, leaf});
      }
    }
  }
  const std::vector<Edge>& edges = soup.topology.features.edges;
  std::vector<std::vector<Triangle>> of_edge(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    std::copy_if(triangles.begin(), triangles.end(), std::back_inserter(of_edge[e]),
                 [&](const Triangle& t) { return has(t, edges[e]); });
  }
  for (std::uint32_t a = 0; a < edges.size(); ++a) {
    for (std::uint32_t b = a + 1; b < edges.size(); ++b) {
      if (has({edges[a][0], edges[a][1], edges[a][1]}, edges[b][0]) ||
          has({edges[a][0], edges[a][1], edges[a][1]}, edges[b][1])) {
        continue;
      }
      const bool orphan = std::all_of(of_edge[a].begin(), of_edge[a].end(), [&](const Triangle& s) {
        return std::all_of(of_edge[b].begin(), of_edge[b].end(), [&](const Triangle& t) { return near(s, t); });
      });
      if (orphan) orphans.edge_edge.push_back({a, b});
    }
  }
  return orphans;
}

void expect_definition(const std::vector<Triangle>& triangles, const LeafSoup& soup) {
  const OrphanPairs expected = naive_orphans(triangles, soup);
  for (const unsigned threads : {1U, 7U}) {
    with_threads(threads, [&] {
      const OrphanPairs found = find_orphans(soup.mesh());
      EXPECT_EQ(found.vertex_face, expected.vertex_face);
      EXPECT_EQ(found.edge_edge, expected.edge_edge);
    });
  }
}

/// Checks that every pair of features without a common vertex is either dispatched by exactly one pair of leaves
/// that are not near, or an orphan.
void expect_each_pair_once(const std::vector<Triangle>& triangles, const LeafSoup& soup) {
  const LeafMesh mesh = soup.mesh();
  const NaiveNear near(triangles);
  const std::vector<Edge>& edges = soup.representatives.edges;
  std::map<std::pair<VertexId, std::uint32_t>, int> vertex_face;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edge_edge;
  const auto leaf_count = static_cast<std::uint32_t>(soup.leaf_triangles.size());
  for (std::uint32_t a = 0; a < leaf_count; ++a) {
    for (std::uint32_t b = 0; b < leaf_count; ++b) {
      if (a == b || near(mesh.vertices(a), mesh.vertices(b))) continue;
      for (const VertexId v : std::set<VertexId>(mesh.vertices(a).begin(), mesh.vertices(a).end())) {
        if (!has(mesh.vertices(b), v) && dispatches_vertex_face(mesh, v, a, b)) ++vertex_face[{v, b}];
      }
      for (const std::uint32_t e : mesh.entry(a).edges) {
        for (const std::uint32_t f : mesh.entry(b).edges) {
          if (e == kNoEdge || f == kNoEdge || incident(edges[e], edges[f])) continue;
          const bool dispatched = dispatches_edge_edge(mesh, e, a, f, b);
          EXPECT_EQ(dispatched, dispatches_edge_edge(mesh, f, b, e, a));
          if (a < b && dispatched) ++edge_edge[{std::min(e, f), std::max(e, f)}];
        }
      }
    }
  }
  const OrphanPairs orphans = find_orphans(mesh);
  for (const auto& [v, leaf] : orphans.vertex_face) ++vertex_face[{v, leaf}];
  for (const auto& [a, b] : orphans.edge_edge) ++edge_edge[{a, b}];
  for (const VertexId v : soup.topology.features.vertices) {
    for (std::uint32_t leaf = 0; leaf < leaf_count; ++leaf) {
      const bool counts = !has(mesh.vertices(leaf), v);
      const auto found = vertex_face.find({v, leaf});
      ASSERT_EQ(found == vertex_face.end() ? 0 : found->second, counts ? 1 : 0) << v << " and leaf " << leaf;
    }
  }
  for (std::uint32_t a = 0; a < edges.size(); ++a) {
    for (std::uint32_t b = a + 1; b < edges.size(); ++b) {
      const auto found = edge_edge.find({a, b});
      ASSERT_EQ(found == edge_edge.end() ? 0 : found->second, incident(edges[a], edges[b]) ? 0 : 1)
          << a << ' ' << b;
    }
  }
}

std::vector<Triangle> grid(std::uint32_t columns, std::uint32_t rows) {
  std::vector<Triangle> triangles;
  for (std::uint32_t y = 0; y < rows; ++y) {
    for (std::uint32_t x = 0; x < columns; ++x) {
      const std::uint32_t at = y * (columns + 1) + x;
      triangles.push_back({at, at + 1, at + columns + 2});
      triangles.push_back({at, at + columns + 2, at + columns + 1});
    }
  }
  return triangles;
}

/// Checks the counts, the classes, the definition and that each pair is covered once.
void expect_shape(const std::vector<Triangle>& triangles, std::size_t vertex_count, papers::OrphanCounts counts,
                  OrphanClasses classes) {
  const LeafSoup soup(triangles, vertex_count);
  const OrphanPairs orphans = find_orphans(soup.mesh());
  EXPECT_EQ(orphans.vertex_face.size(), counts.vf);
  EXPECT_EQ(orphans.edge_edge.size(), counts.ee);
  EXPECT_EQ(classify_orphans(orphans, soup.mesh()), classes);
  expect_definition(triangles, soup);
  expect_each_pair_once(triangles, soup);
}

TEST(OrphanSet, OfNoTriangleAndOfOneIsEmpty) {
  expect_shape({}, 0, {0, 0}, {0, 0});
  expect_shape({{0, 1, 2}}, 3, {0, 0}, {0, 0});
}

TEST(OrphanSet, OfATetrahedronIsAllItsPairsInTheInterior) {
  expect_shape({{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}, 4, {4, 3}, {0, 7});
}

TEST(OrphanSet, OfAPyramidIsAllItsPairs) {
  // Base 0 1 2 3 cut along 02, apex 4: 5 vertices times 6 faces, less 18 incidences, leaves 12. Of the 36 pairs of
  // its 9 edges, the sum of d (d - 1) / 2 = 6 + 6 + 6 + 3 + 3 share a vertex, which leaves 12.
  expect_shape({{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}, 5, {12, 12}, {0, 24});
}

TEST(OrphanSet, OfARingOfThreeIsInTheInterior) {
  // A tube made of one winding strip, three triangles around, closed to a torus of 12 vertices: orphans are each
  // edge (i, i + 3) with (i + 1, i + 2), among others.
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < 12; ++i) {
    triangles.push_back({i, (i + 1) % 12, (i + 3) % 12});
    triangles.push_back({i, (i + 3) % 12, (i + 2) % 12});
  }
  expect_shape(triangles, 12, {0, 24}, {0, 24});
}

TEST(OrphanSet, OfABandOfThreeQuadsIsAtTheBoundary) {
  std::vector<Triangle> triangles;
  for (std::uint32_t a = 0; a < 3; ++a) {
    const std::uint32_t b = (a + 1) % 3;
    triangles.push_back({a, b, b + 3});
    triangles.push_back({a, b + 3, a + 3});
  }
  expect_shape(triangles, 6, {0, 6}, {6, 0});
}

TEST(OrphanSet, OfAGridLiesAtItsBoundary) {
  const std::vector<Triangle> triangles = grid(9, 7);
  const LeafSoup soup(triangles, 80);
  const OrphanPairs orphans = find_orphans(soup.mesh());
  const OrphanClasses classes = classify_orphans(orphans, soup.mesh());
  EXPECT_EQ(classes.boundary, orphans.size());
  EXPECT_GT(classes.boundary, 0U);
  // Every edge on the boundary is part of an orphan pair (section V-D.1).
  for (const std::uint32_t e : papers::boundary_edges(soup.topology)) {
    EXPECT_TRUE(std::any_of(orphans.edge_edge.begin(), orphans.edge_edge.end(),
                            [&](const OrphanEdgeEdge& o) { return o.a == e || o.b == e; }));
  }
  expect_definition(triangles, soup);
  expect_each_pair_once(triangles, soup);
}

TEST(OrphanSet, OfAClosedRegularMeshIsEmpty) {
  const papers::RegularTorus torus = papers::make_regular_torus(7, 6);
  expect_shape(torus.triangles, torus.vertex_count(), {0, 0}, {0, 0});
}

TEST(OrphanSet, OfFacesInsideATriangleIsInTheInterior) {
  // A torus with one triangle split in three, as in figure 8 (a).
  const papers::RegularTorus torus = papers::make_regular_torus(7, 6);
  std::vector<Triangle> triangles = torus.triangles;
  const Triangle t = triangles.back();
  triangles.pop_back();
  const auto middle = static_cast<VertexId>(torus.vertex_count());
  for (std::size_t k = 0; k < 3; ++k) triangles.push_back({t[k], t[(k + 1) % 3], middle});
  const LeafSoup soup(triangles, middle + std::size_t{1});
  const OrphanPairs orphans = find_orphans(soup.mesh());
  EXPECT_EQ(orphans.vertex_face.size(), 3U) << "the middle and the three neighbours of the split triangle";
  EXPECT_EQ(classify_orphans(orphans, soup.mesh()).boundary, 0U);
  expect_definition(triangles, soup);
  expect_each_pair_once(triangles, soup);
}

TEST(OrphanSet, EqualsItsDefinitionAndLeavesThePairsThatAreDispatchedOnRandomSoups) {
  std::mt19937 random(11);
  std::size_t orphan_count = 0;
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 3 + random() % 20;
    const auto triangles = random_soup(random, vertex_count, 1 + random() % 30);
    const LeafSoup soup(triangles, vertex_count, &random);
    expect_definition(triangles, soup);
    expect_each_pair_once(triangles, soup);
    if (HasFailure()) return;
    orphan_count += find_orphans(soup.mesh()).size();
    // Without hubs the orphans are those of the paper.
    if (soup.near_faces.hub_count() == 0) {
      const OrphanPairs orphans = find_orphans(soup.mesh());
      EXPECT_EQ(papers::count_orphans(soup.topology),
                (papers::OrphanCounts{orphans.vertex_face.size(), orphans.edge_edge.size()}));
    }
  }
  EXPECT_GT(orphan_count, 1000U);
}

TEST(OrphanSet, EqualsItsDefinitionAndLeavesThePairsThatAreDispatchedAroundHubs) {
  std::mt19937 random(12);
  std::size_t with_hubs = 0;
  std::size_t orphan_count = 0;
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 30 + random() % 40;
    const auto triangles = random_hub_soup(random, vertex_count, 20 + random() % 30);
    const LeafSoup soup(triangles, vertex_count, &random);
    with_hubs += soup.near_faces.hub_count() > 0 ? 1U : 0U;
    expect_definition(triangles, soup);
    expect_each_pair_once(triangles, soup);
    if (HasFailure()) return;
    orphan_count += find_orphans(soup.mesh()).size();
  }
  EXPECT_GT(with_hubs, 3U);
  EXPECT_LT(with_hubs, 12U);
  EXPECT_GT(orphan_count, 100U);
}

TEST(OrphanSet, OfALongFanIsLinear) {
  // With the paper's adjacency, every vertex of the rim would be an orphan with nearly every face.
  constexpr std::uint32_t kCount = 40'000;
  std::vector<Triangle> fan;
  for (std::uint32_t i = 0; i < kCount; ++i) fan.push_back({0, i + 1, i + 2});
  const LeafSoup soup(fan, kCount + 2);
  const OrphanPairs orphans = find_orphans(soup.mesh());
  // Neighbours (0, i, i + 1) and (0, i + 1, i + 2) are near through i + 1 only. All vertices and edges except the
  // two ends of the rim and the spokes to them have a second leaf, which is not near any leaf on the other side of
  // the first.
  EXPECT_EQ(orphans.vertex_face, (std::vector<OrphanVertexFace>{{1, 1}, {kCount + 1, kCount - 2}}));
  const std::vector<Edge>& edges = soup.representatives.edges;
  ASSERT_EQ(orphans.edge_edge.size(), 2U);
  EXPECT_EQ(edges[orphans.edge_edge[0].a], (Edge{0, 1}));
  EXPECT_EQ(edges[orphans.edge_edge[0].b], (Edge{2, 3}));
  EXPECT_EQ(edges[orphans.edge_edge[1].a], (Edge{0, kCount + 1}));
  EXPECT_EQ(edges[orphans.edge_edge[1].b], (Edge{kCount - 1, kCount}));
}

TEST(OrphanSet, OfThePapersClothIsThatOfTableI) {
  GRAZE_SKIP_WITHOUT_DATA();
  const Mesh cloth = read_mesh((testing::public_data() / "frames/cloth-ball/cloth_ball92.ply").string());
  const LeafSoup soup(cloth.triangles, cloth.positions.size());
  EXPECT_EQ(cloth.triangles.size(), 92'230U);
  const papers::AdjacentPairs adjacent = papers::count_adjacent_pairs(soup.topology);
  EXPECT_EQ(adjacent.vertex + adjacent.edge, 563'793U) << "printed: 564K";
  EXPECT_EQ(9 * adjacent.vertex + 4 * adjacent.edge, 4'384'812U) << "printed: 4.4M";
  const OrphanPairs orphans = find_orphans(soup.mesh());
  EXPECT_EQ(orphans.vertex_face.size(), 968U);
  EXPECT_EQ(orphans.edge_edge.size(), 3'833U);
  EXPECT_EQ(orphans.size(), 4'801U) << "printed: 4.8K";
  EXPECT_EQ(papers::count_orphans(soup.topology), (papers::OrphanCounts{968, 3'833}));
}

}  // namespace
}  // namespace graze
