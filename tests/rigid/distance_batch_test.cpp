// Batches of distance queries: the answers of single queries, in order, equal at any number of threads.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/rigid_distance.hpp>

#include "rigid/rigid_oracle.hpp"

namespace graze::testing {
namespace {

constexpr std::array<unsigned, 4> kThreads{1, 2, 7, 0};

bool same(const RigidDistance& one, const RigidDistance& other) {
  return one.lo == other.lo && one.hi == other.hi && one.pair == other.pair && one.point_a == other.point_a &&
         one.point_b == other.point_b && one.normal == other.normal &&
         one.stats.node_tests == other.stats.node_tests && one.stats.triangle_tests == other.stats.triangle_tests;
}

RigidObject object_of(const Soup& soup) {
  return {soup.positions, soup.triangles, {.threads = 1}};
}

TEST(RigidDistanceBatch, PosesAnswerAsOneByOneAtAnyNumberOfThreads) {
  Random random = seeded(1211);
  const Soup a = random_soup(random, 80, 0.2);
  const Soup b = solids(150)[2];
  std::vector<PosePair> poses;
  for (std::size_t i = 0; i < (kIsSlow ? 70U : 300U); ++i)
    poses.push_back(near_poses(a, b, 0.5 + random.unit(), {}, random));
  for (const bool coherence : {false, true}) {
    std::vector<RigidDistance> first;
    for (const unsigned threads : kThreads) {
      // New objects, so that the threads build the hierarchies.
      const RigidObject object_a = object_of(a);
      const RigidObject object_b = object_of(b);
      const auto found =
          distances(object_a, object_b, poses, {.query = {.coherence = coherence}, .threads = threads});
      ASSERT_EQ(found.size(), poses.size());
      if (first.empty()) first = found;
      for (std::size_t i = 0; i < poses.size(); ++i) {
        ASSERT_TRUE(same(found[i], first[i])) << i << " " << threads;
        const RigidDistance alone = distance({&object_a, poses[i].a}, {&object_b, poses[i].b});
        if (!coherence) {
          ASSERT_TRUE(same(found[i], alone)) << i;
        }
        ASSERT_LE(found[i].lo, alone.hi);
        ASSERT_LE(alone.lo, found[i].hi);
      }
    }
  }
}

TEST(RigidDistanceBatch, ObstaclesAnswerAsOneByOneAtAnyNumberOfThreads) {
  Random random = seeded(1212);
  const Soup a = random_soup(random, 40, 0.3);
  const std::vector<Soup> others = soup_gallery(random, 20);
  for (const unsigned threads : kThreads) {
    std::vector<RigidObject> objects;
    for (const Soup& soup : others) objects.push_back(object_of(soup));
    const RigidObject object = object_of(a);
    Random placing = seeded(1213);
    const Pose pose = random_rotation(placing);
    std::vector<PosedObject> obstacles;
    for (const RigidObject& obstacle : objects) {
      Pose there = random_rotation(placing);
      there.translation = random_vec(placing);
      obstacles.push_back({&obstacle, there});
    }
    const auto found = distances({&object, pose}, obstacles, {.threads = threads});
    ASSERT_EQ(found.size(), obstacles.size());
    for (std::size_t i = 0; i < obstacles.size(); ++i)
      EXPECT_TRUE(same(found[i], distance({&object, pose}, obstacles[i]))) << others[i].name;
  }
}

TEST(RigidDistanceBatch, OneBadQueryRefusesTheBatchAndProgressMayStopIt) {
  const Soup cube = unit_cube();
  const RigidObject object = object_of(cube);
  std::vector<PosePair> poses(90);
  EXPECT_TRUE(distances(object, object, std::span<const PosePair>{}).empty());
  EXPECT_THROW(
      (void)distances(object, object, poses, {.threads = 2, .progress = [](double /*done*/) { return false; }}),
      Interrupted);
  EXPECT_THROW((void)distances(object, object, poses, {.distance = {.relative = -1.0}}), InputError);
  poses[71].a.rotation[0].x = 0.5;
  EXPECT_THROW((void)distances(object, object, poses), InputError);
  std::vector<PosedObject> obstacles(9, PosedObject{&object, {}});
  obstacles[5].object = nullptr;
  EXPECT_THROW((void)distances({&object, {}}, obstacles), InputError);
  EXPECT_THROW((void)distances({nullptr, {}}, std::span<const PosedObject>{}), InputError);
}

}  // namespace
}  // namespace graze::testing
