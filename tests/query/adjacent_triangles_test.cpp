// Triangles that share a vertex or an edge and meet beyond it: cases by hand, random integer triangles against a
// naive reference, and the same pairs by every method.
#include "query/adjacent_triangles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <graze/graze.hpp>
#include <graze/research.hpp>
#include <random>
#include <vector>

#include "oracle/brute_scene.hpp"
#include "oracle/discrete.hpp"

namespace graze {
namespace {

using Pairs = std::vector<TrianglePair>;

Pairs overlapping(const std::vector<Vec3>& x, const std::vector<Triangle>& triangles,
                  Method method = Method::Auto) {
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  return Detector(scene, {.method = method}).intersections(x, {.adjacent = true}).triangle_pairs;
}

const Pairs kOne = {{0, 1}};

TEST(AdjacentTriangles, OfAnEdgeOverlapIfTheyAreFoldedFlat) {
  const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 0, 3}};
  const std::vector<Vec3> edge = {{0, 0, 0}, {2, 0, 0}};
  const auto with = [&](const Vec3& c, const Vec3& d) {
    std::vector<Vec3> x = edge;
    x.insert(x.end(), {c, d});
    return overlapping(x, triangles);
  };
  EXPECT_EQ(with({0, 1, 0}, {1, 1, 0}), kOne);             // folded flat
  EXPECT_EQ(with({0, 1, 0}, {0, 1, 0}), kOne);             // equal sets
  EXPECT_EQ(with({0, 1, 0}, {1, -1, 0}), Pairs{});         // open flat
  EXPECT_EQ(with({0, 1, 0}, {1, 1, 0x1p-1000}), Pairs{});  // nearly folded
  EXPECT_EQ(with({0, 1, 0}, {1, 0, 0}), Pairs{});          // one without area, inside the edge
  EXPECT_EQ(with({0, 1, 0}, {3, 0, 0}), Pairs{});          // one without area, beyond the edge
  EXPECT_EQ(with({4, 0, 0}, {3, 0, 0}), kOne);             // both without area, beyond the same end
  EXPECT_EQ(with({-4, 0, 0}, {3, 0, 0}), Pairs{});         // beyond different ends
  EXPECT_EQ(with({1, 0, 0}, {3, 0, 0}), Pairs{});
}

TEST(AdjacentTriangles, OfAnEdgeWithoutLengthAreSegments) {
  const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 0, 3}};
  EXPECT_EQ(overlapping({{1, 1, 1}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, triangles), kOne);
  EXPECT_EQ(overlapping({{1, 1, 1}, {1, 1, 1}, {2, 2, 2}, {0, 0, 0}}, triangles), Pairs{});
  EXPECT_EQ(overlapping({{1, 1, 1}, {1, 1, 1}, {2, 2, 2}, {2, 2, 3}}, triangles), Pairs{});
  EXPECT_EQ(overlapping({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {2, 2, 3}}, triangles), Pairs{});
}

TEST(AdjacentTriangles, OfAVertexOverlapIfOnePassesThroughTheOther) {
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 3, 4}};
  EXPECT_EQ(overlapping({{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {1, 0, -1}, {1, 0, 1}}, triangles), kOne);
  EXPECT_EQ(overlapping({{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {-1, 0, -1}, {-1, 0, 1}}, triangles), Pairs{});
  EXPECT_EQ(overlapping({{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {1, 0, 0}, {1, 0, 1}}, triangles),
            kOne);  // along a side
  EXPECT_EQ(overlapping({{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {2, 0, 0}, {2, 4, 0}}, triangles), kOne);  // coplanar
  EXPECT_EQ(overlapping({{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {2, 1, 0}, {2, 4, 0}}, triangles), kOne);  // along a ray
  EXPECT_EQ(overlapping({{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {2, 1.5, 0}, {2, 4, 0}}, triangles), Pairs{});
  // A triangle without area whose long side passes through the common vertex touches there alone.
  EXPECT_EQ(overlapping({{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {0, 0, -1}, {0, 0, 1}}, triangles), Pairs{});
}

TEST(AdjacentTriangles, ThatNameAVertexTwiceAreSegments) {
  const std::vector<Vec3> x = {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  EXPECT_EQ(overlapping(x, {{0, 1, 2}, {0, 3, 3}}), kOne);     // ends inside the face
  EXPECT_EQ(overlapping(x, {{0, 1, 2}, {0, 4, 4}}), Pairs{});  // stands on it
  EXPECT_EQ(overlapping(x, {{0, 1, 2}, {0, 0, 1}}), Pairs{});  // its side
  EXPECT_EQ(overlapping(x, {{0, 0, 1}, {0, 1, 1}}), Pairs{});  // the same segment
}

TEST(AdjacentTriangles, WithTheSameVerticesOverlap) {
  const std::vector<Vec3> x = {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}};
  EXPECT_EQ(overlapping(x, {{0, 1, 2}, {1, 0, 2}}), kOne);
  EXPECT_EQ(overlapping(x, {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}}), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(AdjacentTriangles, AreLeftOutUnlessAskedForAndWhereTheFilterSaysSo) {
  const std::vector<Vec3> x = {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 0, 2}};
  Scene scene;
  const BodyId body = scene.add_body({.positions = x, .triangles = triangles});
  EXPECT_TRUE(Detector(scene).intersections(x).triangle_pairs.empty());
  scene.ignore_pair(body, body);
  EXPECT_TRUE(Detector(scene).intersections(x, {.adjacent = true}).triangle_pairs.empty());
}

TEST(AdjacentTriangles, HaveTheShapeOfWhatTheyShare) {
  Scene scene;
  const std::vector<Vec3> x = {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {1, 0, -1}, {1, 0, 1}, {2, 1, 2}, {1, 0, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 3, 4}, {2, 1, 6}};
  scene.add_body({.positions = x, .triangles = triangles});
  const Intersections found = Detector(scene).intersections(x, {.adjacent = true, .overlaps = true});
  ASSERT_EQ(found.triangle_pairs, (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(found.overlaps[0], (TriangleOverlap{ContactShape::Segment, {0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(found.overlaps[1].shape, ContactShape::Area);
  EXPECT_EQ(found.overlaps[2], (TriangleOverlap{ContactShape::Point, {1, 0, 0}, {1, 0, 0}}));
}

Vec3 towards(const Vec3& a, const Vec3& b) {
  constexpr double kCut = 0x1p-24;  // far below what coordinates of up to 3 can make
  return {a.x + kCut * (b.x - a.x), a.y + kCut * (b.y - a.y), a.z + kCut * (b.z - a.z)};
}

bool has_area(const std::array<Vec3, 3>& t) {
  const Vec3 p{t[1].x - t[0].x, t[1].y - t[0].y, t[1].z - t[0].z};
  const Vec3 q{t[2].x - t[0].x, t[2].y - t[0].y, t[2].z - t[0].z};
  return p.y * q.z != p.z * q.y || p.z * q.x != p.x * q.z || p.x * q.y != p.y * q.x;  // exact for small integers
}

/// The naive reference for triangles with area: what is left of the first triangle without a thin strip along what
/// they share, against the second, by the oracle.
bool overlap_beyond(const std::vector<Vec3>& x, const Triangle& a, const Triangle& b, std::size_t common) {
  const std::array<Vec3, 3> second = {x[b[0]], x[b[1]], x[b[2]]};
  const auto meets = [&](const Vec3& p, const Vec3& q, const Vec3& r) {
    return oracle::intersect_triangle_triangle({p, q, r, second[0], second[1], second[2]});
  };
  const Vec3 v = x[a[0]];
  if (common == 2) return meets(towards(v, x[a[2]]), towards(x[a[1]], x[a[2]]), x[a[2]]);
  const Vec3 p = towards(v, x[a[1]]);
  const Vec3 q = towards(v, x[a[2]]);
  return meets(p, q, x[a[1]]) || meets(q, x[a[1]], x[a[2]]);
}

TEST(AdjacentTriangles, WithSmallIntegerCoordinatesAgreeWithCutTriangles) {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> coordinate(-3, 3);
  std::size_t overlaps = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<Vec3> x(5);
    for (Vec3& p : x) p = {double(coordinate(random)), double(coordinate(random)), double(coordinate(random))};
    if (i % 3 == 0) {
      for (Vec3& p : x) p.z = 0.0;  // coplanar
    }
    const std::size_t common = i % 2 == 0 ? 1 : 2;
    const Triangle a = {0, 1, 2};
    const Triangle b = common == 1 ? Triangle{0, 3, 4} : Triangle{0, 1, 3};
    if (!has_area({x[0], x[1], x[2]}) || !has_area({x[b[0]], x[b[1]], x[b[2]]})) continue;
    const bool expected = overlap_beyond(x, a, b, common);
    ASSERT_EQ(overlapping(x, {a, b}), expected ? kOne : Pairs{}) << i;
    overlaps += expected ? 1 : 0;
  }
  EXPECT_GT(overlaps, 2000U);
}

TEST(AdjacentTriangles, AreTheSameByEveryMethod) {
  std::mt19937 random(9);
  std::uniform_int_distribution<int> coordinate(-4, 4);
  std::uniform_int_distribution<VertexId> vertex(0, 19);
  for (int i = 0; i < 40; ++i) {
    std::vector<Vec3> x(20);
    for (Vec3& p : x) p = {double(coordinate(random)), double(coordinate(random)), double(coordinate(random))};
    std::vector<Triangle> triangles(30);
    for (Triangle& t : triangles) t = {vertex(random), vertex(random), vertex(random)};
    const Pairs expected = overlapping(x, triangles, Method::Brute);
    EXPECT_GT(expected.size(), 0U);
    for (const Method method : research::all_methods()) {
      ASSERT_EQ(overlapping(x, triangles, method), expected) << name_of(method);
    }
  }
}

}  // namespace
}  // namespace graze
