// The sides of each edge and face against a search of all triangles, at several thread counts.
#include "mesh/side_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/tasks.hpp"
#include "mesh/mesh_change.hpp"

namespace graze {

using namespace mesh;
namespace {

std::vector<TriangleId> triangles_of(std::span<const SideTable::Side> sides) {
  std::vector<TriangleId> triangles;
  for (const SideTable::Side& side : sides) triangles.push_back(side.triangle);
  return triangles;
}

std::vector<TriangleId> sorted(std::vector<TriangleId> triangles) {
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

/// Random triangles, which may name a vertex twice or three times; some are removed. With a hub, half of them have
/// vertex 0.
std::vector<Triangle> random_triangles(unsigned seed, std::size_t count, std::size_t vertices, bool hub) {
  std::mt19937 random(seed);
  std::vector<Triangle> triangles(count);
  for (Triangle& t : triangles) {
    for (VertexId& v : t) v = static_cast<VertexId>(random() % vertices);
    if (hub && random() % 2 == 0) t[random() % 3] = 0;
    if (random() % 8 == 0) t = kRemovedTriangle;
  }
  return triangles;
}

TEST(SideTable, HasTheTrianglesOfEveryEdgeAndFace) {
  for (const bool hub : {false, true}) {
    for (const std::size_t vertices : {1U, 3U, 6U, 20U, 100U}) {
      const std::vector<Triangle> triangles = random_triangles(1, 500, vertices, hub);
      const SideTable table(triangles, vertices);
      ASSERT_EQ(table.size(), vertices);
      EXPECT_TRUE(table.some_repeat_vertex());
      const auto has = [](const Triangle& t, VertexId v) { return t[0] == v || t[1] == v || t[2] == v; };
      for (VertexId a = 0; a < vertices; ++a) {
        for (VertexId b = a + 1; b < vertices; ++b) {
          std::vector<TriangleId> expected;
          for (TriangleId t = 0; t < triangles.size(); ++t) {
            if (has(triangles[t], a) && has(triangles[t], b)) expected.push_back(t);
          }
          const std::span<const SideTable::Side> sides = table.of_edge({a, b});
          ASSERT_EQ(sorted(triangles_of(sides)), expected) << a << ' ' << b;
          for (const SideTable::Side& side : sides) {
            EXPECT_EQ(face_of(triangles[side.triangle]), face_of({a, side.high, side.opposite}));
          }
        }
      }
      for (const Triangle& given : triangles) {
        if (given == kRemovedTriangle) continue;
        std::vector<TriangleId> expected;
        for (TriangleId t = 0; t < triangles.size(); ++t) {
          if (face_of(triangles[t]) == face_of(given)) expected.push_back(t);
        }
        ASSERT_EQ(triangles_of(table.of_face(face_of(given))), expected);
      }
    }
  }
}

TEST(SideTable, IsTheSameOnAnyNumberOfThreads) {
  constexpr std::size_t kVertices = 20'000;
  const std::vector<Triangle> triangles = random_triangles(2, 60'000, kVertices, true);
  const SideTable one = [&] {
    SideTable table;
    core::with_threads(1, [&] { table = SideTable(triangles, kVertices); });
    return table;
  }();
  for (const unsigned threads : {2U, 7U}) {
    core::with_threads(threads, [&] {
      const SideTable many(triangles, kVertices);
      ASSERT_EQ(many.size(), one.size());
      for (VertexId v = 0; v < kVertices; ++v) {
        ASSERT_TRUE(std::equal(one[v].begin(), one[v].end(), many[v].begin(), many[v].end(),
                               [](const SideTable::Side& p, const SideTable::Side& q) {
                                 return p.high == q.high && p.opposite == q.opposite && p.triangle == q.triangle;
                               }))
            << v;
      }
    });
  }
}

TEST(SideTable, CountsItsMemoryWithinItsPlan) {
  constexpr std::size_t kVertices = 1000;
  const std::vector<Triangle> triangles = random_triangles(3, 3000, kVertices, false);
  const SideTable table(triangles, kVertices);
  EXPECT_GE(table.memory_bytes(), (kVertices + 1) * 4 + std::size_t{3} * 2500 * 12);
  EXPECT_LE(table.memory_bytes(), SideTable::planned_bytes(kVertices, triangles.size()));
}

TEST(SideTable, OfNothingIsEmpty) {
  EXPECT_EQ(SideTable().size(), 0U);
  EXPECT_EQ(SideTable({}, 0).size(), 0U);
  const SideTable table({}, 3);
  EXPECT_EQ(table.size(), 3U);
  EXPECT_TRUE(table[1].empty());
  EXPECT_TRUE(table.of_edge({0, 2}).empty());
  EXPECT_TRUE(table.of_face({0, 0, 0}).empty());
  EXPECT_FALSE(table.some_repeat_vertex());
}

}  // namespace
}  // namespace graze
