// Incidence lists and the near relation against the soup they were built from.
#include "mesh/incidence.hpp"

#include "mesh/leaf_soup.hpp"
#include "mesh/near_faces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <span>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

bool has(const Triangle& t, VertexId v) {
  return std::find(t.begin(), t.end(), v) != t.end();
}

/// The row must list the leaves whose faces have all these ids: the feature's representative first, then ascending.
template <std::size_t N, typename Represents>
void expect_row(std::span<const std::uint32_t> row, const LeafSoup& soup, const std::array<VertexId, N>& ids,
                const Represents& represents) {
  std::set<std::uint32_t> expected;
  for (std::uint32_t leaf = 0; leaf < soup.leaf_triangles.size(); ++leaf) {
    const Triangle& t = soup.mesh().vertices(leaf);
    if (std::all_of(ids.begin(), ids.end(), [&](VertexId v) { return has(t, v); })) expected.insert(leaf);
  }
  ASSERT_EQ(std::set<std::uint32_t>(row.begin(), row.end()), expected);
  ASSERT_EQ(row.size(), expected.size());
  if (row.empty()) return;
  EXPECT_TRUE(represents(soup.representatives.ids[soup.leaf_triangles[row.front()]]));
  EXPECT_TRUE(std::is_sorted(row.begin() + 1, row.end()));
}

TEST(Incidence, ListsTheLeavesOfEveryFeatureTheRepresentativeFirst) {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 1 + random() % 15;
    const auto triangles = random_soup(random, vertex_count, random() % 30);
    const LeafSoup soup(triangles, vertex_count, &random);
    ASSERT_EQ(soup.incidence.vertex_leaves.size(), vertex_count);
    ASSERT_EQ(soup.incidence.edge_leaves.size(), soup.topology.features.edges.size());
    ASSERT_EQ(soup.leaf_triangles.size(), soup.topology.features.faces.size()) << "duplicates left out";
    for (VertexId v = 0; v < vertex_count; ++v) {
      expect_row(soup.incidence.vertex_leaves[v], soup, std::array{v}, [&](RepresentativeId id) {
        const auto own = soup.representatives.vertices_of(id);
        return std::find(own.begin(), own.end(), v) != own.end();
      });
    }
    for (std::uint32_t e = 0; e < soup.incidence.edge_leaves.size(); ++e) {
      expect_row(soup.incidence.edge_leaves[e], soup, soup.representatives.edges[e], [&](RepresentativeId id) {
        const auto own = soup.representatives.edges_of(id);
        return std::find(own.begin(), own.end(), e) != own.end();
      });
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Incidence, LeavesMayHaveGaps) {
  const std::vector<Triangle> triangles = {{0, 1, 2}, {2, 1, 0}, {1, 2, 3}};
  const Topology topology = build_topology(triangles, 4);
  const Representatives representatives = make_representatives(triangles, topology);
  const Incidence incidence =
      make_incidence(representatives, std::vector<std::uint32_t>{kNoLeaf, kNoLeaf, 2, kNoLeaf, kNoLeaf, 0}, 4);
  const auto fan = incidence.vertex_leaves[1];
  EXPECT_EQ(std::vector<std::uint32_t>(fan.begin(), fan.end()), (std::vector<std::uint32_t>{5, 2}));
  EXPECT_EQ(incidence.vertex_leaves.length(3), 1U);
}

TEST(NearFaces, AreThoseThatShareAVertexThatIsNoHub) {
  std::mt19937 random(6);
  std::size_t with_hubs = 0;
  std::size_t shared_but_not_near = 0;
  for (int round = 0; round < 40; ++round) {
    const auto triangles = random_hub_soup(random, 30, 20 + random() % 40);
    const LeafSoup soup(triangles, 30);
    const NaiveNear naive(triangles);
    with_hubs += soup.near_faces.hub_count() > 0 ? 1U : 0U;
    for (const Triangle& a : triangles) {
      for (const Triangle& b : triangles) {
        ASSERT_EQ(soup.near_faces.near(a, b), naive(a, b));
        ASSERT_EQ(soup.near_faces.near(b, a), naive(a, b));
        if (share_vertex(a, b) && !naive(a, b)) ++shared_but_not_near;
      }
    }
  }
  EXPECT_GT(with_hubs, 5U);
  EXPECT_LT(with_hubs, 40U) << "some soups had none";
  EXPECT_GT(shared_but_not_near, 0U);
}

TEST(NearFaces, AFanOf24IsNearItselfAndAFanOf25IsNot) {
  for (const std::uint32_t count : {24U, 25U}) {
    std::vector<Triangle> fan;
    for (std::uint32_t i = 0; i < count; ++i) fan.push_back({0, 2 * i + 1, 2 * i + 2});
    fan.push_back(fan.back());  // a duplicate face does not count
    const LeafSoup soup(fan, 2 * count + 1);
    EXPECT_EQ(soup.near_faces.is_hub(0), count == 25);
    EXPECT_EQ(soup.near_faces.near(fan[0], fan[7]), count == 24);
  }
}

}  // namespace
}  // namespace graze
