// Rays and segments against worlds: every triangle of every object in rational arithmetic (rigid/ray_oracle.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/rigid_world.hpp>

#include "geometry/vec.hpp"
#include "rigid/ray_oracle.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using oracle::Rational;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Placed {
  ObjectId id;
  const Soup* soup;
  Pose pose;
  std::uint32_t groups;
};

struct Expected {
  Rational t;
  ObjectId object;
  TriangleId triangle;
};

/// Objects in a world, and the list of them.
class RayWorld {
 public:
  void add(const Soup& soup, const Pose& pose, const WorldObjectOptions& options = {}) {
    const RigidObject object(soup.positions, soup.triangles);
    placed_.push_back({world.add(object, pose, options), &soup, pose, options.groups});
  }

  template <typename Line>
  std::vector<Expected> all(const Line& line, std::uint32_t groups = 0xffffffffU) const {
    std::vector<Expected> hits;
    for (const Placed& object : placed_) {
      if ((object.groups & groups) == 0) continue;
      for (TriangleId i = 0; i < object.soup->triangles.size(); ++i) {
        if (const auto t = first_parameter(line, posed_triangle(*object.soup, object.pose, i)))
          hits.push_back({*t, object.id, i});
      }
    }
    std::sort(hits.begin(), hits.end(), [](const Expected& a, const Expected& b) {
      if (a.t != b.t) return a.t < b.t;
      return a.object != b.object ? a.object < b.object : a.triangle < b.triangle;
    });
    return hits;
  }

  RigidWorld world;

 private:
  std::vector<Placed> placed_;
};

/// Within one unit in the last place.
bool close(double t, const Rational& exact) {
  if (std::isinf(t)) return exact >= oracle::to_rational(std::numeric_limits<double>::max());
  const double above = std::nextafter(t, kInfinity);
  return oracle::to_rational(std::nextafter(t, -kInfinity)) <= exact &&
         (std::isinf(above) || exact <= oracle::to_rational(above));
}

std::string compare(const RayHits& found, const RayFirstHit& first, const std::vector<Expected>& expected) {
  if (found.hits.size() != expected.size())
    return std::to_string(found.hits.size()) + " hits, not " + std::to_string(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found.hits[i].object != expected[i].object || found.hits[i].triangle != expected[i].triangle)
      return "hit " + std::to_string(i) + " is another triangle";
    if (!close(found.hits[i].t, expected[i].t)) return "the parameter of hit " + std::to_string(i) + " is wrong";
  }
  if (first.hit() == expected.empty()) return "the first hit is missing, or not one";
  if (first.hit() && *first.first != found.hits.front()) return "the first hit is not the first of all";
  return {};
}

std::string check(const RayWorld& placed, const Ray& ray) {
  return compare(placed.world.ray_hits(ray), placed.world.ray_first_hit(ray), placed.all(ray));
}
std::string check(const RayWorld& placed, const Segment& segment) {
  return compare(placed.world.segment_hits(segment), placed.world.segment_first_hit(segment), placed.all(segment));
}

Vec3 lattice_point(Random& random, int size) {
  return {0.5 * random.between(-size, size), 0.5 * random.between(-size, size), 0.5 * random.between(-size, size)};
}

TEST(RigidWorldRays, RandomRaysHitWhatTheOracleSays) {
  Random random = seeded(5300);
  const std::vector<Soup> gallery = soup_gallery(random, 10);
  RayWorld placed;
  for (std::size_t i = 0; i < gallery.size(); ++i) {
    Pose pose = random_rotation(random);
    if (i % 4 == 3) pose = distorted(pose, 9e-7, random);
    pose.translation = 3.0 * random_vec(random);
    placed.add(gallery[i], pose, {.motion = i % 3 == 0 ? Motion::Static : Motion::Rigid});
  }
  std::size_t hits = 0;
  for (int i = 0; i < (kIsSlow ? 3 : 40); ++i) {
    const Vec3 from = 5.0 * random_vec(random);
    const Vec3 to = 2.0 * random_vec(random);
    const Ray ray{from, to - from, i % 3 == 0 ? kInfinity : 2.0 * random.unit()};
    ASSERT_EQ(check(placed, ray), "") << i;
    ASSERT_EQ(check(placed, Segment{from, to}), "") << i;
    hits += placed.world.ray_hits(ray).hits.size();
  }
  EXPECT_GT(hits, 0U);
}

TEST(RigidWorldRays, RaysThroughCornersEdgesAndPlanes) {
  // All coordinates are multiples of one half and exact in every pose, so that most hits are degenerate.
  Random random = seeded(5310);
  std::vector<Soup> soups;
  for (int k = 0; k < 4; ++k) {
    Soup& soup = soups.emplace_back();
    soup.name = "lattice";
    for (int i = 0; i < 6; ++i)
      soup.add(lattice_point(random, 2), lattice_point(random, 2),
               i == 5 ? soup.positions[0] : lattice_point(random, 2));
    const Vec3 p = lattice_point(random, 2);
    soup.add(p, p, p);
  }
  soups.push_back(unit_cube());
  const std::vector<Pose> turns = axis_permutations();
  RayWorld placed;
  for (std::size_t i = 0; i < 2 * soups.size(); ++i) {
    Pose pose = turns[random.below(48)];
    pose.translation = lattice_point(random, 3);
    placed.add(soups[i % soups.size()], pose);
  }
  std::size_t hits = 0;
  for (int i = 0; i < (kIsSlow ? 6 : 120); ++i) {
    const Vec3 from = lattice_point(random, 4);
    const Vec3 to = lattice_point(random, 4);
    ASSERT_EQ(check(placed, Segment{from, to}), "") << i;
    ASSERT_EQ(check(placed, Segment{from, from}), "") << i;
    if (from == to) continue;
    const Ray ray{from, to - from, i % 2 == 0 ? kInfinity : 0.5 * random.between(0, 3)};
    ASSERT_EQ(check(placed, ray), "") << i;
    hits += placed.world.ray_hits(ray).hits.size();
  }
  EXPECT_GT(hits, kIsSlow ? 0U : 50U);
}

TEST(RigidWorldRays, AreExactAtAllSizesAndFarAway) {
  for (const int exponent : {-980, -500, 0, 500, 980}) {
    Random random = seeded(5320);
    const double size = std::ldexp(1.0, exponent);
    const Soup soup = scaled(random_soup(random, 12, 0.8), exponent);
    const Soup cube = scaled(unit_cube(), exponent);
    RayWorld placed;
    placed.add(soup, random_rotation(random));
    placed.add(cube, {.translation = {size, 0, 0}});
    for (int i = 0; i < (kIsSlow ? 1 : 8); ++i) {
      const Vec3 from = (3.0 * size) * random_vec(random);
      const Vec3 to = (0.7 * size) * random_vec(random);
      ASSERT_EQ(check(placed, Segment{from, to}), "") << exponent;
      ASSERT_EQ(check(placed, Ray{from, to - from}), "") << exponent;
      // A direction of another size: parameters leave the range of doubles where it is too different.
      ASSERT_EQ(check(placed, Ray{from, std::ldexp(1.0, -exponent / 2) * (to - from)}), "") << exponent;
    }
  }
  for (const double far : {1e6, 1e17, 1e150, 1e300}) {
    Random random = seeded(5330);
    const Soup soup = random_soup(random, 12, 0.8);
    const Soup cube = unit_cube();
    RayWorld placed;
    placed.add(soup, {.translation = {far, 0, 0}});
    placed.add(cube, {.translation = {-far, 0, far}});
    placed.add(cube, {});
    for (int i = 0; i < (kIsSlow ? 1 : 8); ++i) {
      const Vec3 target = random.coin() ? Vec3{far, 0, 0} : Vec3{-far, 0.5, far};
      const Vec3 near = target + 0.5 * random_vec(random);
      ASSERT_EQ(check(placed, Segment{random_vec(random), near}), "") << far;
      ASSERT_EQ(check(placed, Segment{near + random_vec(random), near}), "") << far;
      ASSERT_EQ(check(placed, Ray{near + random_vec(random), random_vec(random)}), "") << far;
      ASSERT_EQ(check(placed, Ray{{0.25, 0.25, -far}, {0, 0, 1}}), "") << far;
    }
  }
}

TEST(RigidWorldRays, ManyRaysAnswerAsOneByOneAtAnyNumberOfThreads) {
  Random random = seeded(5340);
  const std::vector<Soup> some = solids(60);
  RayWorld placed;
  for (int i = 0; i < 30; ++i) {
    Pose pose = random_rotation(random);
    pose.translation = 8.0 * random_vec(random);
    placed.add(some[static_cast<std::size_t>(i) % some.size()], pose, {.groups = i % 2 == 0 ? 1U : 2U});
  }
  std::vector<Ray> rays;
  for (int i = 0; i < (kIsSlow ? 40 : 300); ++i) {
    const Vec3 from = 10.0 * random_vec(random);
    rays.push_back({from, 6.0 * random_vec(random) - from});
  }
  std::size_t hits = 0;
  for (const unsigned threads : {1U, 2U, 7U}) {
    const std::vector<RayFirstHit> first = placed.world.ray_first_hits(rays, {.groups_b = 2, .threads = threads});
    ASSERT_EQ(first.size(), rays.size());
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const RayFirstHit one = placed.world.ray_first_hit(rays[i], {.groups_b = 2});
      ASSERT_EQ(first[i].first, one.first);
      ASSERT_EQ(first[i].stats.narrow.triangle_tests, one.stats.narrow.triangle_tests);
      ASSERT_EQ(first[i].stats.box_tests, one.stats.box_tests);
      if (threads == 1 && i % 30 == 0) {
        const std::vector<Expected> expected = placed.all(rays[i], 2);
        ASSERT_EQ(one.hit(), !expected.empty());
        if (one.hit()) {
          ASSERT_EQ(one.first->object, expected[0].object);
          ASSERT_EQ(one.first->triangle, expected[0].triangle);
          ++hits;
        }
      }
    }
  }
  EXPECT_GT(hits, 0U);
}

TEST(RigidWorldRays, FollowEdits) {
  const Soup cube = unit_cube();
  RigidWorld world;
  const Ray ray{{-10, 0.25, 0.5}, {1, 0, 0}};
  EXPECT_FALSE(world.ray_first_hit(ray).hit());
  const RigidObject object(cube.positions, cube.triangles);
  const ObjectId far = world.add(object, {.translation = {5, 0, 0}}, {.motion = Motion::Static});
  const ObjectId near = world.add(object, {});
  EXPECT_EQ(world.ray_first_hit(ray).first->object, near);
  EXPECT_EQ(world.ray_first_hit(ray).first->t, 10.0);
  world.move(near, {.translation = {0, 3, 0}});
  EXPECT_EQ(world.ray_first_hit(ray).first->object, far);
  EXPECT_EQ(world.ray_first_hit(ray).first->t, 15.0);
  EXPECT_FALSE(world.ray_first_hit({{-10, 0.25, 0.5}, {1, 0, 0}, 14.5}).hit());
  EXPECT_TRUE(world.ray_first_hit({{-10, 0.25, 0.5}, {1, 0, 0}, 15.0}).hit());
  EXPECT_FALSE(world.segment_first_hit({{0, 0, 0}, {std::nextafter(5.0, 0.0), 0.5, 0.5}}).hit());
  EXPECT_TRUE(world.segment_first_hit({{5, 0.5, 0.5}, {5, 0.5, 0.5}}).hit());
  world.remove(far);
  EXPECT_FALSE(world.ray_first_hit(ray).hit());
}

}  // namespace
}  // namespace graze::testing
