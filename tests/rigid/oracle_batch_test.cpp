// Batches of rigid queries: the answers of single queries, in order, at any number of threads; and refused input.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

constexpr std::array<unsigned, 4> kThreads{1, 2, 7, 0};

bool same_work(const RigidStats& a, const RigidStats& b) {
  return a.node_tests == b.node_tests && a.triangle_tests == b.triangle_tests && a.tiers.filter == b.tiers.filter &&
         a.tiers.interval == b.tiers.interval && a.tiers.exact == b.tiers.exact;
}

std::vector<PosePair> some_poses(const Soup& a, const Soup& b, std::size_t count, Random& random) {
  std::vector<PosePair> poses;
  for (std::size_t i = 0; i < count; ++i) {
    // Every second pose is a small step from the pose before.
    if (i % 2 == 1) {
      poses.push_back(poses.back());
      poses.back().b.translation = poses.back().b.translation + 0.02 * random_vec(random);
    } else {
      poses.push_back(near_poses(a, b, 1.2 * random.unit(), {}, random));
    }
  }
  return poses;
}

TEST(RigidBatch, ManyPosesAnswerAsOneByOne) {
  Random random = seeded(941);
  const Soup a = random_soup(random, 40, 0.3);
  const Soup b = solids(60)[2];
  const std::vector<PosePair> poses = some_poses(a, b, kIsSlow ? 20 : 101, random);
  std::vector<std::vector<TrianglePair>> expected;
  expected.reserve(poses.size());
  for (const PosePair& pose : poses) expected.push_back(intersecting_pairs(a, pose.a, b, pose.b));
  for (const Choice& choice : all_choices()) {
    const RigidObject object_a(a.positions, a.triangles, {choice.tree, choice.split, 1});
    const RigidObject object_b(b.positions, b.triangles, {choice.tree, choice.split, 1});
    for (const unsigned threads : kThreads) {
      const BatchOptions options{.collider = choice.options, .threads = threads};
      const auto hits = first_hits(object_a, object_b, poses, options);
      const auto pairs = triangle_pairs(object_a, object_b, poses, options);
      ASSERT_EQ(hits.size(), poses.size());
      ASSERT_EQ(pairs.size(), poses.size());
      for (std::size_t i = 0; i < poses.size(); ++i) {
        SCOPED_TRACE(described(choice) + ", pose " + std::to_string(i) + ", threads " + std::to_string(threads));
        ASSERT_EQ(pairs[i].pairs, expected[i]);
        ASSERT_EQ(hits[i].hit(), !expected[i].empty());
        if (hits[i].hit()) {
          ASSERT_TRUE(std::binary_search(expected[i].begin(), expected[i].end(), *hits[i].pair));
        }
      }
      if (choice.options.coherence) continue;
      // Without coherence even the witness and the work are those of a single query.
      Collider collider(object_a, object_b, choice.options);
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const FirstHit single = collider.first_hit(poses[i].a, poses[i].b);
        ASSERT_EQ(hits[i].pair, single.pair);
        ASSERT_TRUE(same_work(hits[i].stats, single.stats));
        ASSERT_TRUE(same_work(pairs[i].stats, collider.triangle_pairs(poses[i].a, poses[i].b).stats));
      }
    }
  }
}

TEST(RigidBatch, ManyObstaclesAnswerAsOneByOne) {
  Random random = seeded(942);
  const Soup a = random_soup(random, 40, 0.3);
  std::vector<Soup> others = soup_gallery(random, 15);
  for (const Choice& choice : few_choices()) {
    const RigidObject object(a.positions, a.triangles, {choice.tree, choice.split, 1});
    std::vector<RigidObject> objects;
    objects.reserve(others.size() + 1);
    for (const Soup& soup : others)
      objects.emplace_back(soup.positions, soup.triangles, RigidObjectOptions{choice.tree, choice.split, 1});
    objects.push_back(object);
    const Pose pose = random_rotation(random);
    std::vector<PosedObject> obstacles;
    std::vector<std::vector<TrianglePair>> expected;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const Soup& soup = i < others.size() ? others[i] : a;
      Pose at = near_poses(a, soup, 0.4, {}, random).b;
      obstacles.push_back({&objects[i], at});
      expected.push_back(intersecting_pairs(a, pose, soup, at));
    }
    for (const unsigned threads : kThreads) {
      for (const bool coherence : {false, true}) {
        BatchOptions options{.collider = choice.options, .threads = threads};
        options.collider.coherence = coherence;
        const auto hits = first_hits({&object, pose}, obstacles, options);
        const auto pairs = triangle_pairs({&object, pose}, obstacles, options);
        ASSERT_EQ(hits.size(), obstacles.size());
        ASSERT_EQ(pairs.size(), obstacles.size());
        for (std::size_t i = 0; i < obstacles.size(); ++i) {
          ASSERT_EQ(pairs[i].pairs, expected[i]) << described(choice) << " " << i;
          ASSERT_EQ(hits[i].hit(), !expected[i].empty()) << described(choice) << " " << i;
        }
      }
    }
  }
}

TEST(RigidBatch, NoPosesAndNoObstaclesAreNoResults) {
  const Soup cube = unit_cube();
  const RigidObject object(cube.positions, cube.triangles);
  EXPECT_TRUE(first_hits(object, object, std::span<const PosePair>{}).empty());
  EXPECT_TRUE(triangle_pairs(object, object, std::span<const PosePair>{}).empty());
  EXPECT_TRUE(first_hits({&object, {}}, std::span<const PosedObject>{}).empty());
  EXPECT_TRUE(triangle_pairs({&object, {}}, std::span<const PosedObject>{}).empty());
}

TEST(RigidBatch, OneBadPoseRefusesTheBatch) {
  const Soup cube = unit_cube();
  const RigidObject object(cube.positions, cube.triangles);
  std::vector<PosePair> poses(50);
  poses[31].b.translation.y = std::numeric_limits<double>::quiet_NaN();
  std::vector<PosedObject> obstacles(50, PosedObject{&object, {}});
  obstacles[17].pose.rotation[2].x = 0.5;
  for (const unsigned threads : kThreads) {
    EXPECT_THROW((void)first_hits(object, object, poses, {.threads = threads}), InputError);
    EXPECT_THROW((void)triangle_pairs(object, object, poses, {.threads = threads}), InputError);
    EXPECT_THROW((void)first_hits({&object, {}}, obstacles, {.threads = threads}), InputError);
    EXPECT_THROW((void)triangle_pairs({&object, {}}, obstacles, {.threads = threads}), InputError);
  }
}

TEST(RigidBatch, ObstaclesOfAnotherKindOfTreeAreRefused) {
  const Soup cube = unit_cube();
  const RigidObject object(cube.positions, cube.triangles);
  for (const Choice& choice : few_choices()) {
    if (choice.tree == RigidTree::Boxtree) continue;
    const RigidObject other(cube.positions, cube.triangles, {.tree = choice.tree});
    const std::vector<PosedObject> obstacles{{&object, {}}, {&other, {}}};
    EXPECT_THROW((void)first_hits({&object, {}}, obstacles), InputError);
    EXPECT_THROW((void)triangle_pairs({&object, {}}, obstacles), InputError);
  }
}

TEST(RigidBatch, ProgressIsToldAndMayStop) {
  const Soup cube = unit_cube();
  const RigidObject object(cube.positions, cube.triangles);
  const std::vector<PosePair> poses(300);
  for (const unsigned threads : kThreads) {
    std::atomic<int> calls = 0;
    const auto all = first_hits(object, object, poses, {.threads = threads, .progress = [&](double done) {
                                                          EXPECT_GE(done, 0.0);
                                                          EXPECT_LE(done, 1.0);
                                                          ++calls;
                                                          return true;
                                                        }});
    EXPECT_EQ(all.size(), poses.size());
    EXPECT_GT(calls.load(), 0);
    EXPECT_THROW((void)first_hits(object, object, poses,
                                  {.threads = threads, .progress = [](double /*done*/) { return false; }}),
                 Interrupted);
  }
}

}  // namespace
}  // namespace graze::testing
