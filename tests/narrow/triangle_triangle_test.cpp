// The exact intersection test of two triangles against the oracle in rational arithmetic, where determinants
// vanish: corners in the plane of the other triangle, common corners and edges, triangles in one plane, without
// area. The order of triangles and corners must not change an answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "narrow/edge_face.hpp"
#include "oracle/discrete.hpp"
#include "oracle/random.hpp"

namespace graze {

using namespace narrow;
namespace {

using Corners = std::array<Vec3, 3>;
using oracle::Random;

bool intersect(const Corners& a, const Corners& b) {
  bool exact = false;
  return triangles_intersect(a, b, exact);
}

/// Checks a pair in all orders of corners and of the two triangles.
::testing::AssertionResult agrees(const Corners& a, const Corners& b) {
  const bool expected = oracle::intersect_triangle_triangle({a[0], a[1], a[2], b[0], b[1], b[2]});
  std::array<std::size_t, 3> of_a{0, 1, 2};
  do {
    std::array<std::size_t, 3> of_b{0, 1, 2};
    do {
      const Corners one{a[of_a[0]], a[of_a[1]], a[of_a[2]]};
      const Corners other{b[of_b[0]], b[of_b[1]], b[of_b[2]]};
      if (intersect(one, other) != expected || intersect(other, one) != expected)
        return ::testing::AssertionFailure() << "not " << expected << ": a " << of_a[0] << of_a[1] << of_a[2]
                                             << ", b " << of_b[0] << of_b[1] << of_b[2];
    } while (std::next_permutation(of_b.begin(), of_b.end()));
  } while (std::next_permutation(of_a.begin(), of_a.end()));
  return ::testing::AssertionSuccess();
}

struct Count {
  int hits = 0;
  int misses = 0;

  void add(const Corners& a, const Corners& b) { ++(intersect(a, b) ? hits : misses); }
};

Vec3 grid_point(Random& random, int reach) {
  return {static_cast<double>(random.between(-reach, reach)), static_cast<double>(random.between(-reach, reach)),
          static_cast<double>(random.between(-reach, reach))};
}

TEST(TriangleTriangleExact, OfSmallIntegersAgreeWithTheOracle) {
  Random random(31);
  for (const int reach : {1, 2, 4}) {
    Count count;
    for (int i = 0; i < 1500; ++i) {
      Corners a;
      Corners b;
      for (Vec3& p : a) p = grid_point(random, reach);
      for (Vec3& p : b) p = grid_point(random, reach);
      ASSERT_TRUE(agrees(a, b)) << reach << ' ' << i;
      count.add(a, b);
    }
    EXPECT_GT(count.hits, 100) << reach;
    EXPECT_GT(count.misses, 100) << reach;
  }
}

/// Triangles in one plane, parallel to axes or not.
TEST(TriangleTriangleExact, InOnePlaneAgreeWithTheOracle) {
  Random random(32);
  for (int plane = 0; plane < 6; ++plane) {
    Count count;
    for (int i = 0; i < 300; ++i) {
      const auto point = [&] {
        const double u = random.between(-3, 3);
        const double v = random.between(-3, 3);
        switch (plane) {
          case 0:
            return Vec3{u, v, 1.0};
          case 1:
            return Vec3{-2.0, u, v};
          case 2:
            return Vec3{v, 0.5, u};
          case 3:
            return Vec3{u, v, u + v};
          case 4:
            return Vec3{u, v, 2.0 * v};
          default:
            return Vec3{u, 3.0 * u, v};
        }
      };
      const Corners a{point(), point(), point()};
      const Corners b{point(), point(), point()};
      ASSERT_TRUE(agrees(a, b)) << plane << ' ' << i;
      count.add(a, b);
    }
    EXPECT_GT(count.hits, 30) << plane;
    EXPECT_GT(count.misses, 30) << plane;
  }
}

/// One corner, two corners or none are put on the other triangle's corners, edges, plane or inside, then moved by
/// nothing or by some units in the last place.
TEST(TriangleTriangleExact, ThatTouchWithinRoundingAgreeWithTheOracle) {
  Random random(33);
  Count count;
  for (int i = 0; i < 2500; ++i) {
    Corners a;
    Corners b;
    for (Vec3& p : a) p = {random.symmetric(), random.symmetric(), random.symmetric()};
    for (Vec3& p : b) p = {random.symmetric(), random.symmetric(), random.symmetric()};
    for (std::size_t k = 0; k < random.below(4); ++k) {
      const double s = random.below(3) == 0 ? 0.0 : random.unit();
      const double t = random.below(3) == 0 ? 0.0 : random.unit() * (random.coin() ? 1.0 : -1.0);
      const auto along = [&](double Vec3::*c) {
        return a[0].*c + s * (a[1].*c - a[0].*c) + t * (a[2].*c - a[0].*c);
      };
      b[k] = {along(&Vec3::x), along(&Vec3::y), along(&Vec3::z)};
      if (random.coin()) b[k].x = std::nextafter(b[k].x, random.coin() ? 9.0 : -9.0);
      if (random.below(4) == 0) b[k] = a[random.below(3)];
    }
    if (random.below(8) == 0) b[2] = random.coin() ? b[1] : a[0];
    ASSERT_TRUE(agrees(a, b)) << i;
    count.add(a, b);
  }
  EXPECT_GT(count.hits, 500);
  EXPECT_GT(count.misses, 500);
}

TEST(TriangleTriangleExact, WithACornerInCommonNeedNoArithmetic) {
  bool exact = false;
  const Vec3 p{0.1, 0.7, 0.3};
  EXPECT_TRUE(triangles_intersect({Vec3{1.1, 0.2, 0.9}, p, Vec3{0.3, 0.3, 0.35}},
                                  {Vec3{0.5, 0.15, 0.35}, Vec3{0.6, 0.4, 0.8}, p}, exact));
  EXPECT_FALSE(exact);
}

/// Prisms along an axis that are shifted along it: planes and edges that are parallel to the axis, at coordinates
/// that doubles round.
TEST(TriangleTriangleExact, OnPlanesAlongAnAxisNeedNoExactArithmetic) {
  const Vec3 a0{0.1, 0.7, 0.3};
  const Vec3 a1{1.3, 0.7, 0.3};
  const Vec3 a2{0.1, 0.2, 0.9};
  bool exact = false;
  EXPECT_TRUE(
      triangles_intersect({a0, a1, a2}, {Vec3{0.7, 0.7, 0.3}, Vec3{1.9, 0.7, 0.3}, Vec3{0.7, 2.2, 0.6}}, exact));
  EXPECT_TRUE(
      triangles_intersect({a0, a1, a2}, {Vec3{0.6, 0.7, 0.3}, Vec3{0.6, 0.2, 0.9}, Vec3{0.6, 0.4, 2.9}}, exact));
  EXPECT_FALSE(
      triangles_intersect({a0, a1, a2}, {Vec3{1.4, 0.7, 0.3}, Vec3{0.4, 0.2, 0.9}, Vec3{1.4, 0.2, 0.9}}, exact));
}

}  // namespace
}  // namespace graze
