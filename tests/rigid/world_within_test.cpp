// Pairs of objects and triangles of a world within a distance: all pairs in rational arithmetic, through edits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/rigid_world.hpp>

#include "geometry/vec.hpp"
#include "oracle/discrete.hpp"
#include "refusal.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;

namespace {

struct Placed {
  ObjectId id;
  std::size_t soup;
  Pose pose;
  std::uint32_t groups;
};

/// Two triangles are within d if they intersect, or one of their 9 pairs of edges or 6 pairs of a corner and a face
/// is.
bool near(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double d) {
  if (oracle::intersect_triangle_triangle({a[0], a[1], a[2], b[0], b[1], b[2]})) return true;
  for (std::size_t i = 0; i < 3; ++i) {
    if (oracle::within(FeatureKind::VertexFace, {a[i], b[0], b[1], b[2]}, d)) return true;
    if (oracle::within(FeatureKind::VertexFace, {b[i], a[0], a[1], a[2]}, d)) return true;
    for (std::size_t k = 0; k < 3; ++k) {
      if (oracle::within(FeatureKind::EdgeEdge, {a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]}, d)) return true;
    }
  }
  return false;
}

std::vector<TrianglePair> near_pairs(const Soup& a, const Pose& pose_a, const Soup& b, const Pose& pose_b,
                                     double d) {
  std::vector<TrianglePair> pairs;
  for (TriangleId i = 0; i < a.triangles.size(); ++i) {
    for (TriangleId k = 0; k < b.triangles.size(); ++k) {
      if (near(posed_triangle(a, pose_a, i), posed_triangle(b, pose_b, k), d)) pairs.push_back({i, k});
    }
  }
  return pairs;
}

std::vector<WorldHit> pairs_of(const WorldProximities& found, double d) {
  std::vector<WorldHit> pairs;
  for (const auto& [a, b, proximity] : found.proximities) {
    pairs.push_back({a, b, proximity.pair});
    EXPECT_LE(proximity.lo, proximity.hi);
    EXPECT_LE(proximity.lo, d);
  }
  return pairs;
}

/// One hit of each pair of objects, which must be one of all.
std::string compare_witnesses(const WorldHits& found, const std::vector<WorldHit>& all) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    pairs += i == 0 || all[i].a != all[i - 1].a || all[i].b != all[i - 1].b ? 1U : 0U;
  if (found.hits.size() != pairs) return std::to_string(found.hits.size()) + " of " + std::to_string(pairs);
  if (!std::is_sorted(found.hits.begin(), found.hits.end())) return "not sorted";
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    const WorldHit& hit = found.hits[i];
    if (i > 0 && hit.a == found.hits[i - 1].a && hit.b == found.hits[i - 1].b) return "a pair of objects twice";
    if (!std::binary_search(all.begin(), all.end(), hit)) return "a witness is too far";
  }
  return {};
}

TEST(RigidWorldWithin, AgreesWithAllPairsThroughEdits) {
  std::size_t expected_pairs = 0;
  for (const int exponent : {0, -300, 300}) {
    Random random = seeded(5500);
    const double size = std::ldexp(1.0, exponent);
    std::vector<Soup> soups{random_soup(random, 5, 0.5), random_soup(random, 3, 1.0), unit_cube(),
                            Soup{"empty", {}, {}}};
    std::vector<RigidObject> objects;
    for (Soup& soup : soups) {
      soup = scaled(soup, exponent);
      objects.emplace_back(soup.positions, soup.triangles);
    }
    RigidWorld world;
    std::vector<Placed> placed;
    const auto any_pose = [&] {
      Pose pose = random_rotation(random);
      pose.translation = (1.2 * size) * random_vec(random);
      return pose;
    };
    for (std::size_t i = 0; i < 12; ++i) {
      const Pose pose = any_pose();
      const std::uint32_t groups = i % 3 == 0 ? 2U : 1U;
      placed.push_back({world.add(objects[i % 4], pose,
                                  {.motion = i % 2 == 0 ? Motion::Static : Motion::Rigid, .groups = groups}),
                        i % 4, pose, groups});
    }
    for (int round = 0; round < (kIsSlow ? 1 : 4); ++round) {
      for (int i = 0; i < 4; ++i) {
        Placed& object = placed[random.below(12)];
        object.pose = any_pose();
        world.set_pose(object.id, object.pose);
      }
      const double d = (round == 3 ? 0.0 : 0.3 * (round + 1) * random.unit()) * size;
      std::vector<WorldHit> all;
      std::vector<WorldHit> between;
      std::vector<WorldHit> of_one;
      for (std::size_t i = 0; i < placed.size(); ++i) {
        for (std::size_t k = i + 1; k < placed.size(); ++k) {
          for (const TrianglePair& pair :
               near_pairs(soups[placed[i].soup], placed[i].pose, soups[placed[k].soup], placed[k].pose, d)) {
            all.push_back({placed[i].id, placed[k].id, pair});
            if (placed[i].groups != placed[k].groups) between.push_back(all.back());
            if (i == 0) of_one.push_back(all.back());
          }
        }
      }
      expected_pairs += all.size();
      for (const unsigned threads : {1U, 2U, 7U}) {
        const WorldOptions options{.threads = threads};
        ASSERT_EQ(pairs_of(world.proximities(d, options), d), all) << exponent << " " << d;
        ASSERT_EQ(compare_witnesses(world.within(d, options), all), "");
        const WorldOptions groups{.groups_a = 1, .groups_b = 2, .threads = threads};
        ASSERT_EQ(pairs_of(world.proximities(d, groups), d), between);
        ASSERT_EQ(pairs_of(world.proximities(placed[0].id, d, options), d), of_one);
        ASSERT_EQ(compare_witnesses(world.within(placed[0].id, d, options), of_one), "");
        const WorldProbe probe{.object = &objects[0], .pose = placed[0].pose, .instead_of = placed[0].id};
        std::vector<WorldHit> of_probe = pairs_of(world.proximities(probe, d, options), d);
        for (WorldHit& hit : of_probe) hit.a = placed[0].id;
        ASSERT_EQ(of_probe, of_one);
        ASSERT_EQ(world.within(probe, d, options).hits.size(), world.within(placed[0].id, d, options).hits.size());
      }
    }
  }
  EXPECT_GT(expected_pairs, 50U);
}

TEST(RigidWorldWithin, TiesCountAndOneBitFartherDoesNot) {
  const Soup soup = unit_cube();
  const RigidObject cube(soup.positions, soup.triangles);
  RigidWorld world;
  world.add(cube);
  const ObjectId other = world.add(cube, {.translation = {1.5, 0, 0}});
  EXPECT_TRUE(world.within(std::nextafter(0.5, 0.0)).hits.empty());
  EXPECT_EQ(world.within(0.5).hits.size(), 1U);
  EXPECT_FALSE(world.proximities(other, 0.5).proximities.empty());
  for (const WorldProximity& near : world.proximities(0.5).proximities) EXPECT_LE(near.proximity.lo, 0.5);
  world.set_pose(other, {.translation = {std::nextafter(1.5, 2.0), 0, 0}});
  EXPECT_TRUE(world.within(0.5).hits.empty());
  world.ignore_pair(world.ids()[0], other);
  EXPECT_TRUE(world.within(1.0).hits.empty());
  for (const double d : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(refusal([&] { world.within(d); }).find("is not a finite number >= 0"), std::string::npos);
    EXPECT_NE(refusal([&] { world.proximities(other, d); }).find("proximities: the distance"), std::string::npos);
  }
  EXPECT_EQ(refusal<Interrupted>([&] { world.within(0.5, {.progress = [](double) { return false; }}); }),
            "interrupted");
}

}  // namespace
}  // namespace graze::testing
