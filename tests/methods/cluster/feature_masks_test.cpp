// Masks of represented features, against the representatives of a topology, on soups with everything that is legal,
// at several thread counts; and the neighbours that come with them.
#include "methods/cluster/build/feature_masks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "core/tasks.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/random_soup.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"
#include "research/representative_schemas.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace methods;
namespace {

/// The edges of a face by their ends: bit and neighbour k.
Edge edge_of(const Face& face, unsigned k) {
  return {face[kFaceEdges[k][0]], face[kFaceEdges[k][1]]};
}

/// The mask of a triangle with these representatives.
unsigned expected_mask(const Representatives& representatives, std::uint32_t t) {
  const RepresentativeId id = representatives.ids[t];
  if (id == kRepresentsNothing) return 0;
  const Face face = representatives.face(id);
  unsigned mask = kRepresentsFace;
  for (const VertexId v : representatives.vertices_of(id)) {
    mask |= 1U << static_cast<unsigned>(std::find(face.begin(), face.end(), v) - face.begin());
  }
  for (const std::uint32_t e : representatives.edges_of(id)) {
    unsigned k = 0;
    while (edge_of(face, k) != representatives.edges[e]) ++k;
    mask |= 1U << (kFirstEdgeBit + k);
  }
  return mask;
}

void expect_neighbours(const std::vector<Triangle>& triangles, const FeatureMasks& made) {
  std::map<Edge, std::vector<std::uint32_t>> of_edge;  // triangles that represent a face
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    if (made.masks[t] == 0) continue;
    const Face face = face_of(triangles[t]);
    for (unsigned k = 0; k < 3; ++k) {
      const Edge edge = edge_of(face, k);
      std::vector<std::uint32_t>& list = of_edge[edge];
      if (edge[0] != edge[1] && (list.empty() || list.back() != t)) list.push_back(t);
    }
  }
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (unsigned k = 0; k < 3; ++k) {
      const std::uint32_t other = made.neighbours[t][k];
      if (other == kNoNeighbour) continue;
      ASSERT_LT(other, triangles.size());
      ASSERT_NE(other, t);
      const Edge edge = edge_of(face_of(triangles[t]), k);
      unsigned back = 0;
      while (back < 3 && (made.neighbours[other][back] != t || edge_of(face_of(triangles[other]), back) != edge)) {
        ++back;
      }
      ASSERT_LT(back, 3U) << "triangle " << other << " is a neighbour of " << t << ", but not the other way round";
    }
  }
  const bool any_repeats =
      std::any_of(made.masks.begin(), made.masks.end(), [](unsigned mask) { return mask == 0; });
  for (const auto& [edge, list] : of_edge) {
    if (list.size() != 2 || edge[0] == edge[1] || any_repeats) continue;
    for (unsigned k = 0; k < 3; ++k) {
      const Face face = face_of(triangles[list[0]]);
      const bool listed_before = k > 0 && edge_of(face, k - 1) == edge;
      if (edge_of(face, k) == edge && !listed_before) {
        EXPECT_TRUE(made.neighbours[list[0]][k] == list[1] || (k < 2 && edge_of(face, k + 1) == edge));
      }
    }
  }
}

void expect_right(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  const Representatives expected = make_representatives(triangles, build_topology(triangles, vertex_count));
  const FeatureMasks made = make_feature_masks(triangles, vertex_count);
  ASSERT_EQ(made.masks.size(), triangles.size());
  ASSERT_EQ(made.neighbours.size(), triangles.size());
  bool all = true;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    ASSERT_EQ(made.masks[t], expected_mask(expected, t)) << t;
    all = all && made.masks[t] != 0;
  }
  EXPECT_EQ(made.all_faces, all);
  expect_neighbours(triangles, made);
}

TEST(FeatureMasks, AreThoseOfTheRepresentativesOnSmallSoups) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 1 + random() % 30;
    std::vector<Triangle> triangles = random_soup(random, vertex_count, random() % 60);
    for (Triangle& t : triangles) {
      if (round % 3 == 0 && random() % 5 == 0) t = kRemovedTriangle;
    }
    expect_right(triangles, vertex_count + random() % 3);
    if (HasFailure()) return;
  }
}

TEST(FeatureMasks, OfNothingOfOneTriangleAndOfAPoint) {
  expect_right({}, 0);
  expect_right({}, 5);
  expect_right({{0, 1, 2}}, 3);
  expect_right({{2, 2, 2}, {2, 2, 2}, {0, 2, 2}, {2, 0, 2}, {0, 0, 2}, {2, 2, 2}}, 3);
  expect_right({{4'000'000, 1, 70'000}, {1, 4'000'000, 70'000}, {70'000, 1, 2}}, 4'000'001);
}

TEST(FeatureMasks, AreTheSameOnAnyNumberOfThreads) {
  std::mt19937 random(2);
  const papers::RegularTorus torus = papers::make_regular_torus(260, 111);
  std::vector<Triangle> shuffled = torus.triangles;
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  const std::vector<Triangle> soup = random_soup(random, 5000, 40'000);
  for (const unsigned threads : {1U, 2U, 7U}) {
    SCOPED_TRACE(threads);
    with_threads(threads, [&] {
      expect_right(torus.triangles, torus.vertex_count());
      expect_right(shuffled, torus.vertex_count());
      expect_right(soup, 5000);
    });
  }
}

TEST(FeatureMasks, OfEdgesAndVerticesWithThousandsOfTriangles) {
  std::vector<Triangle> book;
  std::vector<Triangle> fan;
  constexpr VertexId kCount = 20'000;
  for (VertexId i = 2; i < kCount; ++i) {
    book.push_back({i, 1, 0});
    fan.push_back({0, i - 1, i});
  }
  for (VertexId i = 2; i < kCount; i += 3) book.push_back({0, i, 1});
  expect_right(book, kCount);
  expect_right(fan, kCount);
}

}  // namespace
}  // namespace graze
