// Orphans against their definition, checked pair by pair, and on shapes whose numbers are known.
#include "mesh/orphans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace graze {
namespace {

bool has(const Triangle& t, VertexId v) {
  return std::find(t.begin(), t.end(), v) != t.end();
}
bool touch(const Triangle& a, const Triangle& b) {
  return has(b, a[0]) || has(b, a[1]) || has(b, a[2]);
}

/// The definition: a non-incident pair whose triangles all touch each other.
OrphanCounts naive(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  const Features features = build_topology(triangles, vertex_count).features;
  OrphanCounts counts;
  for (const VertexId v : features.vertices) {
    for (const Face& f : features.faces) {
      if (has(f, v)) continue;
      const bool orphan = std::all_of(triangles.begin(), triangles.end(),
                                      [&](const Triangle& t) { return !has(t, v) || touch(t, f); });
      counts.vf += orphan ? 1U : 0U;
    }
  }
  for (const Edge& a : features.edges) {
    for (const Edge& b : features.edges) {
      if (!(a < b) || a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) continue;
      bool orphan = true;
      for (const Triangle& s : triangles) {
        if (!has(s, a[0]) || !has(s, a[1])) continue;
        for (const Triangle& t : triangles) {
          if (has(t, b[0]) && has(t, b[1]) && !touch(s, t)) orphan = false;
        }
      }
      counts.ee += orphan ? 1U : 0U;
    }
  }
  return counts;
}

OrphanCounts fast(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  return count_orphans(build_topology(triangles, vertex_count));
}

TEST(Orphans, OneTriangleAndNoneHaveNone) {
  EXPECT_EQ(fast({}, 0), (OrphanCounts{0, 0}));
  EXPECT_EQ(fast({{0, 1, 2}}, 3), (OrphanCounts{0, 0}));
}

TEST(Orphans, TwoTrianglesWithACommonEdgeAreCoveredByNothing) {
  // Vertices 0 and 3 against the other face; edges 01-23 and 02-13.
  EXPECT_EQ(fast({{0, 1, 2}, {1, 2, 3}}, 4), (OrphanCounts{2, 2}));
}

TEST(Orphans, OfATetrahedronAreAllItsPairs) {
  EXPECT_EQ(fast({{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}, 4), (OrphanCounts{4, 3}));
}

TEST(Orphans, TrianglesApartHaveNone) {
  EXPECT_EQ(fast({{0, 1, 2}, {3, 4, 5}}, 6), (OrphanCounts{0, 0}));
}

TEST(Orphans, EqualTheirDefinitionOnRandomSoups) {
  std::mt19937_64 random(42);
  std::uint64_t most = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t vertex_count = 3 + random() % 14;
    std::vector<Triangle> triangles(1 + random() % 18);
    for (Triangle& t : triangles) {
      for (VertexId& v : t) v = static_cast<VertexId>(random() % vertex_count);
    }
    const OrphanCounts expected = naive(triangles, vertex_count);
    ASSERT_EQ(fast(triangles, vertex_count), expected) << "round " << round;
    most = std::max(most, std::min(expected.vf, expected.ee));
  }
  EXPECT_GT(most, 0U) << "the soups had orphans of both kinds";
}

}  // namespace
}  // namespace graze
