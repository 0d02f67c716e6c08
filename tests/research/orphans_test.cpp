// Orphans against their definition, pair by pair, and on shapes with known numbers.
#include "research/orphans.hpp"

#include "mesh/random_soup.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace graze::papers {
namespace {

bool has(const Triangle& t, VertexId v) {
  return std::find(t.begin(), t.end(), v) != t.end();
}
bool touch(const Triangle& a, const Triangle& b) {
  return has(b, a[0]) || has(b, a[1]) || has(b, a[2]);
}

/// The definition: a non-incident pair of features such that all triangles of the one share a vertex with all
/// triangles of the other.
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
  // Orphans: vertices 0 and 3 with the opposite face; edges 01-23 and 02-13.
  EXPECT_EQ(fast({{0, 1, 2}, {1, 2, 3}}, 4), (OrphanCounts{2, 2}));
}

TEST(Orphans, OfATetrahedronAreAllItsPairs) {
  EXPECT_EQ(fast({{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}, 4), (OrphanCounts{4, 3}));
}

TEST(Orphans, TrianglesApartHaveNone) {
  EXPECT_EQ(fast({{0, 1, 2}, {3, 4, 5}}, 6), (OrphanCounts{0, 0}));
}

void expect_definition(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  ASSERT_EQ(fast(triangles, vertex_count), naive(triangles, vertex_count)) << triangles.size() << " triangles";
}

TEST(Orphans, EqualTheirDefinitionOnRandomSoups) {
  std::mt19937 random(42);
  std::uint64_t most = 0;
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 3 + random() % 14;
    const auto triangles = random_soup(random, vertex_count, 1 + random() % 30);
    expect_definition(triangles, vertex_count);
    if (HasFailure()) return;
    const OrphanCounts counts = fast(triangles, vertex_count);
    most = std::max(most, std::min(counts.vf, counts.ee));
  }
  EXPECT_GT(most, 20U) << "the soups had orphans of both kinds";
}

TEST(Orphans, EqualTheirDefinitionWhereMostTrianglesShareVertices) {
  // Most triangles share one vertex, one of two vertices, or an edge; the others do not.
  std::mt19937 random(43);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 6 + random() % 25;
    auto triangles = random_soup(random, vertex_count, 5 + random() % 25);
    const std::size_t hubs = 1 + random() % 3;
    const std::size_t one_in = 2 + random() % 20;
    for (Triangle& t : triangles) {
      if (random() % one_in == 0) continue;
      t[0] = static_cast<VertexId>(random() % hubs);
      if (hubs == 3) t[1] = static_cast<VertexId>(random() % 2);
    }
    expect_definition(triangles, vertex_count);
    if (HasFailure()) return;
  }
}

TEST(Orphans, EqualTheirDefinitionOnPartsOfSmallComplexes) {
  // A random part of all triangles among five or six vertices: edges with one to four opposite vertices side by
  // side.
  std::mt19937 random(44);
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    const VertexId vertex_count = 5 + static_cast<VertexId>(random() % 2);
    const std::size_t one_in = 2 + random() % 4;
    std::vector<Triangle> triangles;
    for (VertexId a = 0; a < vertex_count; ++a) {
      for (VertexId b = a + 1; b < vertex_count; ++b) {
        for (VertexId c = b + 1; c < vertex_count; ++c) {
          if (random() % one_in == 0) triangles.push_back({b, c, a});
        }
      }
    }
    if (random() % 8 == 0) triangles.push_back({0, 0, 1});
    expect_definition(triangles, vertex_count);
    if (HasFailure()) return;
  }
}

TEST(Orphans, OfTrianglesThatAllShareAVertexAreCountedWithoutBeingVisited) {
  // All pairs without a common vertex are orphans, about 10^10; the same formulas hold for small n.
  for (const std::uint64_t n : {5ULL, 100'000ULL}) {
    const auto count = static_cast<std::uint32_t>(n);
    std::vector<Triangle> fan;
    std::vector<Triangle> windmill;
    std::vector<Triangle> book;
    for (std::uint32_t i = 0; i < count; ++i) {
      fan.push_back({0, i + 1, i + 2});
      windmill.push_back({0, 2 * i + 1, 2 * i + 2});
      book.push_back({0, 1, i + 2});
    }
    EXPECT_EQ(fast(fan, n + 2), (OrphanCounts{n * (n - 1), n * (n - 1) + (n - 1) * (n - 2) / 2}));
    EXPECT_EQ(fast(windmill, 2 * n + 1), (OrphanCounts{2 * n * (n - 1), 2 * n * (n - 1) + n * (n - 1) / 2}));
    EXPECT_EQ(fast(book, n + 2), (OrphanCounts{n * (n - 1), n * (n - 1)}));
    if (n < 10) {
      expect_definition(fan, n + 2);
      expect_definition(windmill, 2 * n + 1);
      expect_definition(book, n + 2);
    }
  }
}

TEST(Orphans, OfEdgesBetweenManyAreCountedWithoutBeingVisited) {
  // A suspension: n edges p q, each with the opposite vertices z and r; and n triangles at the edge z r. Each edge
  // p q is an orphan with the other two edges of each of these triangles.
  for (const std::uint32_t n : {4U, 50'000U}) {
    std::vector<Triangle> triangles;
    for (std::uint32_t i = 0; i < n; ++i) {
      triangles.push_back({2 + 2 * i, 3 + 2 * i, 0});
      triangles.push_back({2 + 2 * i, 3 + 2 * i, 1});
      triangles.push_back({0, 1, 2 + 2 * n + i});
    }
    const std::size_t vertex_count = 2 + 3 * std::size_t{n};
    const OrphanCounts counts = fast(triangles, vertex_count);
    if (n == 4) {
      EXPECT_EQ(counts, naive(triangles, vertex_count));
    } else {
      EXPECT_GE(counts.ee, 2ULL * n * n);
    }
  }
}

}  // namespace
}  // namespace graze::papers
