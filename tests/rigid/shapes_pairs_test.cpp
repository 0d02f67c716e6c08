// Pairs of rational shapes, and rational shapes against triangles, beside an oracle in rational arithmetic: at
// random, on lattices where most pairs touch or overlap exactly, degenerate, far from the origin, and at all
// scales.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include <graze/rigid_shapes.hpp>

#include "oracle/random.hpp"
#include "rigid/shapes_cases.hpp"
#include "rigid/shapes_oracle.hpp"

namespace graze::testing {
namespace {

struct Counts {
  int hits = 0;
  int misses = 0;
  TierCounts tiers;
};

std::string check_distance(const ShapeDistance& found, const ExactDistance& expected, double tolerance) {
  if (!expected.at_least(found.lo)) return fmt::format("lo {:a} is too large", found.lo);
  if (!expected.at_most(found.hi)) return fmt::format("hi {:a} is too small", found.hi);
  if (expected.meets() && found.hi != 0.0) return fmt::format("they meet, hi is {:a}", found.hi);
  // The smallest doubles are too coarse for a tolerance.
  if (!(found.hi - found.lo <= tolerance * found.hi + 0x1p-1068))
    return fmt::format("[{:a}, {:a}] is wider than the tolerance", found.lo, found.hi);
  return {};
}

std::string check_pair(const PosedShape& a, const PosedShape& b, Counts& counts) {
  const ExactDistance expected = exact_distance(exact_set(a), exact_set(b));
  ++(expected.meets() ? counts.hits : counts.misses);
  std::string wrong;
  for (const bool swapped : {false, true}) {
    const PosedShape& one = swapped ? b : a;
    const PosedShape& other = swapped ? a : b;
    const ShapeHit hit = shape_hit(one, other);
    counts.tiers += hit.stats.tiers;
    if (hit.hit != expected.meets()) wrong += fmt::format("hit is {}; ", hit.hit);
    if (hit.margin != 0.0) wrong += "the margin of an exact answer is not 0; ";
    for (const double tolerance : {1e-9, 0.5, 0x1p-40}) {
      const ShapeDistance distance = shape_distance(one, other, {.tolerance = tolerance});
      wrong += check_distance(distance, expected, tolerance);
    }
  }
  return wrong.empty() ? wrong : wrong + "\n" + described(a) + "\n" + described(b);
}

std::string check_triangle(const PosedShape& shape, const std::array<Vec3, 3>& corners, const Pose& pose,
                           Counts& counts) {
  const RigidObject mesh(corners, std::array<Triangle, 1>{{{0, 1, 2}}});
  const PosedObject object{&mesh, pose};
  const std::array<Vec3, 3> at{posed(pose, corners[0]), posed(pose, corners[1]), posed(pose, corners[2])};
  const ExactDistance expected = exact_distance(exact_set(shape), exact_set(at));
  ++(expected.meets() ? counts.hits : counts.misses);
  const ShapeHit hit = shape_hit(shape, object);
  counts.tiers += hit.stats.tiers;
  std::string wrong;
  if (hit.hit != expected.meets() || hit.triangle.has_value() != hit.hit)
    wrong = fmt::format("hit is {}; ", hit.hit);
  if (shape_triangles(shape, object).triangles.size() != (expected.meets() ? 1U : 0U))
    wrong += "triangles differ; ";
  wrong += check_distance(shape_distance(shape, object), expected, 1e-9);
  if (wrong.empty()) return wrong;
  wrong += "\n" + described(shape);
  for (const Vec3& p : at) wrong += fmt::format(" ({:a}, {:a}, {:a})", p.x, p.y, p.z);
  return wrong;
}

constexpr int kRounds = 24;

TEST(ShapePairs, AreThoseOfTheOracleForEveryPairOfRationalKinds) {
  Counts counts;
  Random random(11);
  for (const ShapeKind one : kRationalKinds) {
    for (const ShapeKind other : kRationalKinds) {
      for (int i = 0; i < kRounds; ++i) {
        const bool lattice = i % 2 == 0;
        const PosedShape a{random_shape(random, one, 1.0, lattice), random_pose(random, 1.5, lattice)};
        const PosedShape b{random_shape(random, other, 1.0, lattice), random_pose(random, 1.5, lattice)};
        ASSERT_EQ(check_pair(a, b, counts), "") << i;
      }
    }
  }
  // Every outcome and every tier is exercised.
  EXPECT_GT(counts.hits, 100);
  EXPECT_GT(counts.misses, 100);
  EXPECT_GT(counts.tiers.filter, 100U);
  EXPECT_GT(counts.tiers.exact, 20U);
}

TEST(ShapePairs, AreThoseOfTheOracleForTriangles) {
  Counts counts;
  Random random(12);
  for (const ShapeKind kind : kRationalKinds) {
    for (int i = 0; i < 10 * kRounds; ++i) {
      const bool lattice = i % 2 == 0;
      const PosedShape shape{random_shape(random, kind, 1.0, lattice), random_pose(random, 1.0, lattice)};
      std::array<Vec3, 3> corners;
      for (Vec3& p : corners) p = random_point(random, lattice);
      if (i % 7 == 0) corners[2] = corners[1];
      if (i % 11 == 0) corners[1] = corners[0];
      if (i % 13 == 0)
        corners[2] = {2 * corners[1].x - corners[0].x, 2 * corners[1].y - corners[0].y,
                      2 * corners[1].z - corners[0].z};
      ASSERT_EQ(check_triangle(shape, corners, random_pose(random, 0.5, lattice), counts), "") << i;
    }
  }
  EXPECT_GT(counts.hits, 200);
  EXPECT_GT(counts.misses, 200);
}

TEST(ShapePairs, AreThoseOfTheOracleAtAllScales) {
  Counts counts;
  Random random(13);
  for (const double scale : {1e-300, 1e-200, 1e-30, 1e30, 1e200, 1e300, 0x1p-1060}) {
    for (const ShapeKind one : kRationalKinds) {
      for (const ShapeKind other : {ShapeKind::Sphere, ShapeKind::ConvexHull, ShapeKind::HalfSpace}) {
        const bool lattice = random.coin();
        const PosedShape a{random_shape(random, one, scale, lattice), random_pose(random, scale, lattice)};
        const PosedShape b{random_shape(random, other, scale, lattice), random_pose(random, scale, lattice)};
        ASSERT_EQ(check_pair(a, b, counts), "") << scale;
      }
    }
  }
  EXPECT_GT(counts.hits, 10);
  EXPECT_GT(counts.misses, 10);
}

TEST(ShapePairs, AreThoseOfTheOracleBetweenVeryDifferentSizes) {
  Counts counts;
  Random random(14);
  for (const double scale : {1e-300, 1e-100, 1e-12, 1e12, 1e100, 1e300}) {
    for (const ShapeKind one : kRationalKinds) {
      for (const ShapeKind other : {ShapeKind::Capsule, ShapeKind::ConvexHull}) {
        const PosedShape a{random_shape(random, one, scale, false), random_pose(random, 1.0, false)};
        const PosedShape b{random_shape(random, other, 1.0, false), random_pose(random, 1.0, false)};
        ASSERT_EQ(check_pair(a, b, counts), "") << scale;
      }
    }
  }
}

TEST(ShapePairs, AreThoseOfTheOracleFarFromTheOrigin) {
  Counts counts;
  Random random(15);
  for (const double far : {1e6, 1e12, 0x1p52, 1e40}) {
    for (const ShapeKind one : kRationalKinds) {
      for (const ShapeKind other : kRationalKinds) {
        PosedShape a{random_shape(random, one, 1.0, false), random_pose(random, 1.0, false)};
        PosedShape b{random_shape(random, other, 1.0, false), random_pose(random, 1.0, false)};
        a.pose.translation.x += far;
        b.pose.translation.x += far;
        a.pose.translation.y -= far;
        b.pose.translation.y -= far;
        ASSERT_EQ(check_pair(a, b, counts), "") << far;
      }
    }
  }
}

TEST(ShapePairs, AreThoseOfTheOracleWhereHullsAreAUnitInTheLastPlaceApart) {
  // A tetrahedron, and another on the outer side of one of its faces whose corners lie in the plane of that face
  // but for rounding: whether the two meet depends on the last bits.
  Counts counts;
  Random random(16);
  for (int i = 0; i < 400; ++i) {
    std::array<Vec3, 4> a;
    for (Vec3& p : a) p = random_point(random, false);
    std::array<Vec3, 4> b;
    for (std::size_t k = 0; k < 3; ++k) {
      // Affine combinations of the face, away from its border or beyond it.
      const double s = 0.6 * random.unit();
      const double t = 0.6 * random.unit();
      const auto at = [&](double Vec3::*c) { return a[0].*c + s * (a[1].*c - a[0].*c) + t * (a[2].*c - a[0].*c); };
      b[k] = {at(&Vec3::x), at(&Vec3::y), at(&Vec3::z)};
    }
    b[3] = {2 * b[0].x - a[3].x, 2 * b[0].y - a[3].y, 2 * b[0].z - a[3].z};
    ASSERT_EQ(check_pair({RigidShape::convex_hull(a), {}}, {RigidShape::convex_hull(b), {}}, counts), "") << i;
  }
  EXPECT_GT(counts.hits, 50);
  EXPECT_GT(counts.misses, 20);
}

/// The hit of a shape and a triangle, in place.
bool hits(const RigidShape& shape, const Vec3& at, const std::array<Vec3, 3>& corners) {
  const RigidObject mesh(corners, std::array<Triangle, 1>{{{0, 1, 2}}});
  Pose pose;
  pose.translation = at;
  return shape_hit({shape, pose}, {&mesh, {}}).hit;
}

double below(double x) {
  return std::nextafter(x, 0.0);
}

TEST(ShapeTouch, ASphereTouchesTheFaceOfATiltedPlaneInIntegers) {
  // The plane 3 x + 4 y = 25 is 5 from the origin; its foot (3, 4, 0) is inside of the triangle.
  const std::array<Vec3, 3> face{Vec3{7, 1, -5}, Vec3{-1, 7, -5}, Vec3{3, 4, 9}};
  EXPECT_TRUE(hits(RigidShape::sphere(5.0), {}, face));
  EXPECT_FALSE(hits(RigidShape::sphere(below(5.0)), {}, face));
  EXPECT_TRUE(hits(RigidShape::sphere(5.0 * 0x1p300), {},
                   {Vec3{7 * 0x1p300, 1 * 0x1p300, -5 * 0x1p300}, Vec3{-0x1p300, 7 * 0x1p300, -5 * 0x1p300},
                    Vec3{3 * 0x1p300, 4 * 0x1p300, 9 * 0x1p300}}));
}

TEST(ShapeTouch, ASphereTouchesAnEdgeAndACornerInIntegers) {
  const std::array<Vec3, 3> edge{Vec3{3, 4, -1}, Vec3{3, 4, 1}, Vec3{6, 8, 0}};
  EXPECT_TRUE(hits(RigidShape::sphere(5.0), {}, edge));
  EXPECT_FALSE(hits(RigidShape::sphere(below(5.0)), {}, edge));
  const std::array<Vec3, 3> corner{Vec3{2, 3, 6}, Vec3{9, 3, 6}, Vec3{9, 9, 9}};  // 2^2 + 3^2 + 6^2 = 7^2
  EXPECT_TRUE(hits(RigidShape::sphere(7.0), {}, corner));
  EXPECT_FALSE(hits(RigidShape::sphere(below(7.0)), {}, corner));
}

TEST(ShapeTouch, CapsulesTouchSideBySideAndEndToEnd) {
  const PosedShape a{RigidShape::capsule(2.0, 10.0), {}};
  PosedShape b{RigidShape::capsule(3.0, 10.0), {}};
  b.pose.translation = {3, 4, 7};
  EXPECT_TRUE(shape_hit(a, b).hit);
  b.shape = RigidShape::capsule(below(3.0), 10.0);
  EXPECT_FALSE(shape_hit(a, b).hit);
  b.shape = RigidShape::capsule(3.0, 10.0);
  b.pose.translation = {3, 0, 24};  // ends are (3, 0, 4) apart
  EXPECT_TRUE(shape_hit(a, b).hit);
  b.pose.translation = {3, 0, std::nextafter(24.0, 25.0)};
  EXPECT_FALSE(shape_hit(a, b).hit);
}

TEST(ShapeTouch, BoxesShareACornerAnEdgeOrAFace) {
  const PosedShape a{RigidShape::box({1, 2, 3}), {}};
  for (const Vec3& at : {Vec3{2, 4, 6}, Vec3{2, 4, 0.5}, Vec3{2, 0.25, 0.5}, Vec3{-2, -4, -6}}) {
    PosedShape b = a;
    b.pose.translation = at;
    EXPECT_TRUE(shape_hit(a, b).hit);
    EXPECT_EQ(shape_distance(a, b).hi, 0.0);
    b.pose.translation.x = std::nextafter(at.x, 10 * at.x);
    EXPECT_FALSE(shape_hit(a, b).hit);
    EXPECT_GT(shape_distance(a, b).lo, 0.0);
  }
}

TEST(ShapeTouch, AHalfSpaceTouchesASphereInIntegers) {
  const PosedShape plane{RigidShape::half_space({3, 4, 0}, 25.0), {}};
  PosedShape sphere{RigidShape::sphere(5.0), {}};
  sphere.pose.translation = {6, 8, 100};  // 5 beyond the plane
  EXPECT_TRUE(shape_hit(plane, sphere).hit);
  EXPECT_TRUE(shape_hit(sphere, plane).hit);
  sphere.shape = RigidShape::sphere(below(5.0));
  EXPECT_FALSE(shape_hit(plane, sphere).hit);
  sphere.shape = RigidShape::sphere(1.0);
  const ShapeDistance distance = shape_distance(sphere, plane);
  EXPECT_LE(distance.lo, 4.0);
  EXPECT_GE(distance.hi, 4.0);
  EXPECT_NEAR(distance.on_b.x, 3.0, 1e-9);
  EXPECT_NEAR(distance.on_b.y, 4.0, 1e-9);
  EXPECT_NEAR(distance.on_a.x, 6.0 - 0.6, 1e-9);
}

TEST(ShapeTouch, AnOffsetOfFinerBitsThanThePositionsDecides) {
  PosedShape point{RigidShape::sphere(0.0), {}};
  point.pose.translation = {1, 5, 7};
  EXPECT_TRUE(shape_hit(point, {RigidShape::half_space({1, 0, 0}, 1.0), {}}).hit);
  EXPECT_TRUE(shape_hit(point, {RigidShape::half_space({1, 0, 0}, 1.0 + 0x1p-52), {}}).hit);
  EXPECT_FALSE(shape_hit(point, {RigidShape::half_space({1, 0, 0}, below(1.0)), {}}).hit);
  point.shape = RigidShape::box({0.5, 0.5, 0.5});
  EXPECT_TRUE(shape_hit(point, {RigidShape::half_space({1, 0, 0}, 0.5), {}}).hit);
  EXPECT_FALSE(shape_hit(point, {RigidShape::half_space({1, 0, 0}, below(0.5)), {}}).hit);
}

TEST(ShapeTouch, HalfSpacesMeetUnlessTheyFaceEachOther) {
  const PosedShape a{RigidShape::half_space({1, 2, 2}, 9.0), {}};  // up to distance 3
  PosedShape b{RigidShape::half_space({-2, -4, -4}, -18.0), {}};   // from distance 3
  EXPECT_TRUE(shape_hit(a, b).hit);
  b.shape = RigidShape::half_space({-2, -4, -4}, -24.0);  // from distance 4
  EXPECT_FALSE(shape_hit(a, b).hit);
  const ShapeDistance distance = shape_distance(a, b);
  EXPECT_LE(distance.lo, 1.0);
  EXPECT_GE(distance.hi, 1.0);
  EXPECT_NEAR(distance.hi, 1.0, 1e-12);
  b.shape = RigidShape::half_space({-2, -4, -4.0000000001}, -24.0);
  EXPECT_TRUE(shape_hit(a, b).hit);
  b.shape = RigidShape::half_space({2, 4, 4}, -1e6);
  EXPECT_TRUE(shape_hit(a, b).hit);
}

TEST(ShapeTouch, AShapeContainsItsInside) {
  const std::array<Vec3, 3> small{Vec3{0.1, 0, 0}, Vec3{0, 0.1, 0}, Vec3{0, 0, 0.1}};
  EXPECT_TRUE(hits(RigidShape::sphere(1.0), {}, small));
  EXPECT_TRUE(hits(RigidShape::box({1, 1, 1}), {}, small));
  EXPECT_TRUE(hits(RigidShape::capsule(1.0, 1.0), {}, small));
  EXPECT_TRUE(hits(RigidShape::cylinder(1.0, 1.0), {}, small));
  EXPECT_TRUE(hits(RigidShape::cone(1.0, 1.0), {}, small));
  EXPECT_TRUE(hits(RigidShape::half_space({0, 0, 1}, 5.0), {}, small));
  const std::array<Vec3, 5> hull{Vec3{2, 0, -1}, Vec3{-2, 2, -1}, Vec3{-2, -2, -1}, Vec3{0, 0, 3}, Vec3{0, 0, 0}};
  EXPECT_TRUE(hits(RigidShape::convex_hull(hull), {}, small));
}

}  // namespace
}  // namespace graze::testing
