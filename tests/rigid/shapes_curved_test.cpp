// Cylinders and cones: exact touches in integers, dense exact sampling from both sides (points that lie in the
// solid in rational arithmetic, and supporting planes that do not cut it), and configurations that nearly touch,
// where a search in floating point could stall.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <graze/rigid_shapes.hpp>

#include "oracle/random.hpp"
#include "rigid/shapes_cases.hpp"
#include "rigid/shapes_oracle.hpp"

namespace graze::testing {
namespace {

Vec3 plus(const Vec3& a, double s, const Vec3& b) {
  return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
double length_of(const Vec3& a) {
  return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}
Vec3 cross_of(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// The extent E of graze/rigid_shapes.hpp, from above.
double extent_of(const ExactSet& a, const ExactSet& b) {
  const Vec3 origin = a.curved() || a.plane() ? a.centre : a.points.front();
  double extent = 0.0;
  for (const ExactSet* set : {&a, &b}) {
    double size = 0.0;
    const auto include = [&](const Vec3& p) {
      size = std::max({size, std::abs(p.x - origin.x), std::abs(p.y - origin.y), std::abs(p.z - origin.z)});
    };
    for (const Vec3& p : set->points) include(p);
    if (set->curved() || set->plane()) include(set->centre);
    extent += size + set->radius + set->half;
    if (set->plane()) extent += std::abs(set->offset) / length_of(set->axis);
  }
  return extent;
}

/// A point near the end of a random radius, mostly at the surface and just inside; drawn towards `aim` if given.
Vec3 sample(const ExactSet& set, Random& random) {
  const double length = length_of(set.axis);
  Vec3 radial = cross_of(set.axis, random_point(random, false));
  const double norm = length_of(radial);
  const double along = random.coin() ? (random.coin() ? set.half : -set.half) : set.half * random.symmetric();
  double reach = random.coin() ? set.radius : set.radius * random.unit();
  if (set.kind == ShapeKind::Cone && set.half > 0.0) reach *= (set.half - along) / (2.0 * set.half);
  constexpr double kInside = 1.0 - 1e-13;
  Vec3 y = plus(set.centre, kInside * along / length, set.axis);
  if (norm > 0.0) y = plus(y, kInside * reach / norm, radial);
  return y;
}

/// Checks the answers for a pair whose first is curved, by samples. Counts hits that samples prove.
std::string check(const PosedShape& a, const PosedShape& b, Random& random, int& proved_hits, int& proved_misses) {
  const ExactSet in_a = exact_set(a);
  const ExactSet in_b = exact_set(b);
  const ShapeHit hit = shape_hit(a, b);
  const ShapeDistance distance = shape_distance(a, b);
  const double extent = extent_of(in_a, in_b);
  std::string wrong;
  if (hit.margin > 0x1p-40 * extent) wrong += fmt::format("margin {:a}; ", hit.margin);
  if (!hit.hit && hit.margin != 0.0) wrong += "a margin of no hit; ";
  if (!(distance.hi - distance.lo <= 1e-9 * distance.hi + 0x1p-40 * extent))
    wrong += fmt::format("[{:a}, {:a}] is too wide; ", distance.lo, distance.hi);
  if (hit.hit && distance.lo > hit.margin) wrong += "a hit at a distance; ";
  if (!hit.hit && distance.hi == 0.0) wrong += "no hit at distance 0; ";
  // Points of a: no distance of one of them is below lo, and one that lies in b is a hit.
  bool common = false;
  for (int i = 0; i < 12; ++i) {
    const Vec3 y = i == 0 ? distance.on_a : sample(in_a, random);
    if (!contains(in_a, y)) continue;
    if (in_b.curved()) {
      common = common || contains(in_b, y);
      continue;
    }
    ExactSet point;
    point.points = {y};
    const ExactDistance reached = exact_distance(point, in_b);
    common = common || reached.meets();
    if (!(reached.square >= 0) || (distance.lo > 0.0 && !reached.at_least(distance.lo)))
      wrong += fmt::format("lo {:a} is above the distance of a point; ", distance.lo);
  }
  if (in_b.curved()) {
    for (int i = 0; i < 12; ++i) {
      const Vec3 y = sample(in_b, random);
      common = common || (contains(in_b, y) && contains(in_a, y));
    }
  }
  if (common) {
    ++proved_hits;
    if (!hit.hit || distance.lo > 0.0) wrong += "a common point is no hit; ";
  }
  // Supporting planes: the distance is at least their gap.
  double gap = -1.0;
  if (in_b.plane()) {
    // The one plane: a bound of the least n . y over a, from below.
    const Vec3 back{-in_b.axis.x, -in_b.axis.y, -in_b.axis.z};
    const Rational value = -support_bound(in_a, back) - oracle::to_rational(in_b.offset) -
                           (oracle::to_rational(in_b.axis.x) * oracle::to_rational(in_b.centre.x) +
                            oracle::to_rational(in_b.axis.y) * oracle::to_rational(in_b.centre.y) +
                            oracle::to_rational(in_b.axis.z) * oracle::to_rational(in_b.centre.z));
    gap = value.convert_to<double>() / length_of(in_b.axis) * (1.0 - 1e-15);
    if (gap > 0.0 && distance.lo > gap * (1.0 + 1e-14)) wrong += "lo is above the distance; ";
  } else {
    for (int i = 0; i < 12; ++i) {
      const Vec3 n = i == 0 ? plus(distance.on_b, -1.0, distance.on_a) : random_point(random, false);
      if (length_of(n) > 0.0) gap = std::max(gap, distance_bound(in_a, in_b, n));
    }
  }
  if (gap > 0.0 && distance.hi < gap) wrong += fmt::format("hi {:a} is below a gap of {:a}; ", distance.hi, gap);
  if (gap > 0x1p-40 * extent) {
    ++proved_misses;
    if (hit.hit) wrong += fmt::format("a gap of {:a} is a hit; ", gap);
  }
  return wrong.empty() ? wrong : wrong + "\n" + described(a) + "\n" + described(b);
}

TEST(ShapeCurved, AgreeWithDenseExactSamplesFromBothSides) {
  Random random(31);
  int hits = 0;
  int misses = 0;
  int all = 0;
  for (const ShapeKind one : kCurvedKinds) {
    for (const ShapeKind other : all_values<ShapeKind>()) {
      for (int i = 0; i < 60; ++i) {
        const bool lattice = i % 3 == 0;
        const PosedShape a{random_shape(random, one, 1.0, lattice), random_pose(random, 1.2, lattice)};
        const PosedShape b{random_shape(random, other, 1.0, lattice), random_pose(random, 1.2, lattice)};
        ASSERT_EQ(check(a, b, random, hits, misses), "") << i;
        ++all;
      }
    }
  }
  // Samples decide most of the pairs.
  EXPECT_GT(hits, all / 8);
  EXPECT_GT(misses, all / 8);
  EXPECT_GT(hits + misses, all / 2);
}

TEST(ShapeCurved, AgreeWithDenseExactSamplesAtAllScales) {
  Random random(32);
  int hits = 0;
  int misses = 0;
  for (const double scale : {1e-280, 1e-100, 1e-20, 1e20, 1e100, 1e280}) {
    for (const ShapeKind one : kCurvedKinds) {
      for (const ShapeKind other : {ShapeKind::Box, ShapeKind::ConvexHull, ShapeKind::Capsule, ShapeKind::Cone}) {
        const PosedShape a{random_shape(random, one, scale, false), random_pose(random, scale, false)};
        const PosedShape b{random_shape(random, other, scale, false), random_pose(random, scale, false)};
        const ShapeHit hit = shape_hit(a, b);
        const ShapeDistance distance = shape_distance(a, b);
        const double extent = extent_of(exact_set(a), exact_set(b));
        EXPECT_LE(hit.margin, 0x1p-40 * extent);
        EXPECT_LE(distance.hi - distance.lo, 1e-9 * distance.hi + 0x1p-40 * extent);
        (hit.hit ? hits : misses) += 1;
        for (int i = 0; i < 10; ++i) {
          const Vec3 y = sample(exact_set(a), random);
          if (!contains(exact_set(a), y)) continue;
          if (exact_set(b).curved()) {
            if (contains(exact_set(b), y)) {
              EXPECT_TRUE(hit.hit);
            }
            continue;
          }
          ExactSet point;
          point.points = {y};
          const ExactDistance reached = exact_distance(point, exact_set(b));
          if (reached.meets()) {
            EXPECT_TRUE(hit.hit);
          }
          EXPECT_TRUE(reached.at_least(distance.lo));
        }
        const Vec3 n = plus(distance.on_b, -1.0, distance.on_a);
        const Vec3 unit{n.x / extent, n.y / extent, n.z / extent};
        if (length_of(unit) > 0.0) {
          EXPECT_GE(distance.hi, distance_bound(exact_set(a), exact_set(b), unit));
        }
      }
    }
  }
  EXPECT_GT(hits, 5);
  EXPECT_GT(misses, 5);
}

TEST(ShapeCurved, NearlyTouchingPairsKeepTheirMargin) {
  Random random(33);
  int hits = 0;
  int misses = 0;
  for (const ShapeKind one : kCurvedKinds) {
    for (const ShapeKind other : all_values<ShapeKind>()) {
      for (int i = 0; i < 40; ++i) {
        const bool lattice = i % 4 == 0;
        const PosedShape a{random_shape(random, one, 1.0, lattice), random_pose(random, 0.1, lattice)};
        PosedShape b{random_shape(random, other, 1.0, lattice), random_pose(random, 3.0, lattice)};
        const ShapeDistance before = shape_distance(a, b, {.tolerance = 0x1p-40});
        if (before.lo <= 1e-3) continue;
        // Moved along the normal until the pair is about `left` apart.
        const double left = random.coin() ? 0.0 : std::ldexp(random.symmetric(), -random.between(20, 50));
        const Vec3 n = plus(before.on_a, -1.0, before.on_b);
        b.pose.translation = plus(b.pose.translation, (before.hi - left) / length_of(n), n);
        const double extent = extent_of(exact_set(a), exact_set(b));
        const ShapeHit hit = shape_hit(a, b);
        const ShapeDistance distance = shape_distance(a, b);
        const std::string which = described(a) + "\n" + described(b);
        ASSERT_LE(hit.margin, 0x1p-40 * extent) << which;
        ASSERT_LE(distance.hi - distance.lo, 1e-9 * distance.hi + 0x1p-40 * extent) << which;
        // The distance is about `left`: the direction of closest points has half of the digits of the distance.
        ASSERT_NEAR(0.5 * (distance.lo + distance.hi), std::max(0.0, left), 0x1p-20 * (extent + 3.0)) << which;
        // The two answers do not contradict each other.
        ASSERT_TRUE(hit.hit ? distance.lo <= hit.margin : distance.hi > 0.0) << which;
        (hit.hit ? hits : misses) += 1;
      }
    }
  }
  EXPECT_GT(hits, 50);
  EXPECT_GT(misses, 50);
}

bool hits(const RigidShape& shape, const std::array<Vec3, 3>& corners) {
  const RigidObject mesh(corners, std::array<Triangle, 1>{{{0, 1, 2}}});
  return shape_hit({shape, {}}, {&mesh, {}}).hit;
}

std::array<Vec3, 3> moved(std::array<Vec3, 3> corners, const Vec3& by) {
  for (Vec3& p : corners) p = plus(p, 1.0, by);
  return corners;
}

TEST(ShapeCurved, TouchesInIntegersAreHits) {
  const RigidShape cylinder = RigidShape::cylinder(5.0, 2.0);
  const std::array<Vec3, 3> corner{Vec3{3, 4, 1}, Vec3{30, 40, 1}, Vec3{31, 40, 2}};
  const std::array<Vec3, 3> side{Vec3{7, 1, -5}, Vec3{-1, 7, -5}, Vec3{3, 4, 9}};  // in the plane 3 x + 4 y = 25
  const std::array<Vec3, 3> top{Vec3{1, 1, 2}, Vec3{1, 1, 7}, Vec3{2, 9, 7}};
  const std::array<Vec3, 3> rim{Vec3{-3, 4, 2}, Vec3{-30, 40, 5}, Vec3{-30, 41, 5}};
  const std::array<Vec3, 3> lid{Vec3{-30, -30, 2}, Vec3{30, -30, 2}, Vec3{0, 60, 2}};
  const std::vector<std::pair<std::array<Vec3, 3>, Vec3>> touching{
      {corner, {3, 4, 0}}, {side, {3, 4, 0}}, {top, {0, 0, 1}}, {rim, {-3, 4, 0}}, {lid, {0, 0, 1}}};
  for (const auto& [triangle, out] : touching) {
    EXPECT_TRUE(hits(cylinder, triangle));
    EXPECT_FALSE(hits(cylinder, moved(triangle, {1e-9 * out.x, 1e-9 * out.y, 1e-9 * out.z})));
  }
  // Radius 3, from z = -2 to the apex at z = 2: in the plane y = 0 its side is 4 x + 3 z = 6.
  const RigidShape cone = RigidShape::cone(3.0, 2.0);
  const std::array<Vec3, 3> slope{Vec3{0, -9, 2}, Vec3{0, 9, 2}, Vec3{6, 0, -6}};
  const std::array<Vec3, 3> apex{Vec3{0, 0, 2}, Vec3{1, 0, 9}, Vec3{0, 1, 9}};
  const std::array<Vec3, 3> edge{Vec3{3, -9, -2}, Vec3{3, 9, -2}, Vec3{9, 0, -2}};
  const std::array<Vec3, 3> below{Vec3{1, 1, -2}, Vec3{1, 1, -7}, Vec3{2, 9, -7}};
  const std::vector<std::pair<std::array<Vec3, 3>, Vec3>> on_cone{
      {slope, {4, 0, 3}}, {apex, {0, 0, 1}}, {edge, {1, 0, 0}}, {below, {0, 0, -1}}};
  for (const auto& [triangle, out] : on_cone) {
    EXPECT_TRUE(hits(cone, triangle));
    EXPECT_FALSE(hits(cone, moved(triangle, {1e-9 * out.x, 1e-9 * out.y, 1e-9 * out.z})));
  }
}

TEST(ShapeCurved, WithoutRadiusOrLengthAreSegmentsDiscsAndPoints) {
  const std::array<Vec3, 3> across{Vec3{-1, -1, 1}, Vec3{1, -1, 1}, Vec3{0, 1, 1}};
  EXPECT_TRUE(hits(RigidShape::cylinder(0.0, 1.0), across));
  EXPECT_FALSE(hits(RigidShape::cylinder(0.0, 0.99), across));
  EXPECT_TRUE(hits(RigidShape::cone(0.0, 1.0), across));
  const std::array<Vec3, 3> upright{Vec3{0.5, -1, -1}, Vec3{0.5, 1, -1}, Vec3{0.5, 0, 1}};
  EXPECT_TRUE(hits(RigidShape::cylinder(0.5, 0.0), upright));
  EXPECT_FALSE(hits(RigidShape::cylinder(0.499, 0.0), upright));
  EXPECT_TRUE(hits(RigidShape::cone(0.5, 0.0), upright));
  EXPECT_FALSE(hits(RigidShape::cone(0.499, 0.0), upright));
  const std::array<Vec3, 3> through{Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{0, 1, 0}};
  EXPECT_TRUE(hits(RigidShape::cylinder(0.0, 0.0), through));
  EXPECT_FALSE(hits(RigidShape::cone(0.0, 0.0), across));
}

TEST(ShapeCurved, DoNotDegradeFarFromTheOrigin) {
  // Sizes far below the spacing of doubles at the centre: the axis is a direction, not a difference of end points.
  Pose far;
  far.translation = {1e12, -1e12, 1e12};
  const PosedShape disc{RigidShape::cylinder(1e3, 1e-9), far};
  PosedShape point{RigidShape::sphere(0.0), far};
  point.pose.translation.x += 999.0;
  EXPECT_TRUE(shape_hit(disc, point).hit);
  point.pose.translation.z += 0x1p-12;
  EXPECT_FALSE(shape_hit(disc, point).hit);
}

}  // namespace
}  // namespace graze::testing
