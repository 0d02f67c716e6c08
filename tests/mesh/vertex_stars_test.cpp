// The triangles of each vertex against a search of all triangles.
#include "mesh/vertex_stars.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "mesh/mesh_change.hpp"

namespace graze {

using namespace mesh;
namespace {

TEST(VertexStars, AreTheTrianglesThatHaveAVertexAscendingEachOnce) {
  std::mt19937 random(1);
  for (const std::size_t vertices : {1U, 3U, 20U, 300U}) {
    std::vector<Triangle> triangles(500);
    for (Triangle& t : triangles) {  // may name a vertex twice or three times
      for (VertexId& v : t) v = static_cast<VertexId>(random() % vertices);
      if (random() % 8 == 0) t = kRemovedTriangle;
    }
    const VertexStars stars(triangles, vertices);
    ASSERT_EQ(stars.size(), vertices);
    for (VertexId v = 0; v < vertices; ++v) {
      std::vector<TriangleId> expected;
      for (TriangleId t = 0; t < triangles.size(); ++t) {
        if (std::count(triangles[t].begin(), triangles[t].end(), v) > 0) expected.push_back(t);
      }
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), stars[v].begin(), stars[v].end())) << v;
    }
  }
}

TEST(VertexStars, OfNothingAreEmpty) {
  EXPECT_EQ(VertexStars({}, 0).size(), 0U);
  EXPECT_TRUE(VertexStars({}, 2)[1].empty());
}

}  // namespace
}  // namespace graze
