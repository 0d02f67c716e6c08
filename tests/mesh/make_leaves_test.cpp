// Leaves straight from triangles, against the representatives of a topology: bit for bit, on soups with everything
// that is legal, at several thread counts.
#include "mesh/make_leaves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/tasks.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/random_soup.hpp"
#include "mesh/topology.hpp"
#include "research/representative_schemas.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

void expect_equal(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  const Representatives expected = make_representatives(triangles, build_topology(triangles, vertex_count));
  const Representatives made = make_representatives(triangles, vertex_count);
  EXPECT_EQ(made.ids, expected.ids);
  EXPECT_EQ(made.edges, expected.edges);
  ASSERT_EQ(made.entries.size(), expected.entries.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    ASSERT_EQ(made.entries[t].vertices, expected.entries[t].vertices) << t;
    ASSERT_EQ(made.entries[t].edges, expected.entries[t].edges) << t;
  }
  const MadeLeaves leaves = make_leaves(triangles, vertex_count);
  EXPECT_TRUE(std::equal(leaves.edges.begin(), leaves.edges.end(), expected.edges.begin(), expected.edges.end()));
  const std::vector<RepresentativeId> active = expected.active();
  ASSERT_EQ(leaves.leaves.size(), active.size());
  for (std::size_t i = 0; i < active.size(); ++i) {
    const Leaf& leaf = leaves.leaves[i];
    ASSERT_EQ(leaf.id, active[i]);
    ASSERT_EQ(leaf.vertices, expected.entries[triangle_of(leaf.id)].vertices);
    ASSERT_EQ(leaf.edges, expected.entries[triangle_of(leaf.id)].edges);
    ASSERT_EQ(leaf.turned, 0U);
  }
}

TEST(MadeLeaves, AreThoseOfTheTopologyOnSmallSoups) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 1 + random() % 30;
    std::vector<Triangle> triangles = random_soup(random, vertex_count, random() % 60);
    for (Triangle& t : triangles) {
      if (round % 3 == 0 && random() % 5 == 0) t = kRemovedTriangle;
    }
    expect_equal(triangles, vertex_count + random() % 3);
    if (HasFailure()) return;
  }
}

TEST(MadeLeaves, OfNothingOfOneTriangleAndOfAPoint) {
  expect_equal({}, 0);
  expect_equal({}, 5);
  expect_equal({{0, 1, 2}}, 3);
  expect_equal({{2, 2, 2}, {2, 2, 2}, {0, 2, 2}, {2, 0, 2}, {0, 0, 2}}, 3);
  expect_equal({{4'000'000, 1, 70'000}, {1, 4'000'000, 70'000}}, 4'000'001);
}

TEST(MadeLeaves, AreTheSameOnAnyNumberOfThreads) {
  std::mt19937 random(2);
  const papers::RegularTorus torus = papers::make_regular_torus(260, 111);
  std::vector<Triangle> shuffled = torus.triangles;
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  const std::vector<Triangle> soup = random_soup(random, 5000, 40'000);
  for (const unsigned threads : {1U, 2U, 7U}) {
    SCOPED_TRACE(threads);
    with_threads(threads, [&] {
      expect_equal(torus.triangles, torus.vertex_count());
      expect_equal(shuffled, torus.vertex_count());
      expect_equal(soup, 5000);
    });
  }
}

TEST(MadeLeaves, OfEdgesAndVerticesWithThousandsOfTriangles) {
  std::vector<Triangle> book;
  std::vector<Triangle> fan;
  constexpr VertexId kCount = 20'000;
  for (VertexId i = 2; i < kCount; ++i) {
    book.push_back({i, 1, 0});
    fan.push_back({0, i - 1, i});
  }
  for (VertexId i = 2; i < kCount; i += 3) book.push_back({0, i, 1});
  expect_equal(book, kCount);
  expect_equal(fan, kCount);
}

}  // namespace
}  // namespace graze
