// Worlds: refused input leaves everything as it was, ids of removed objects stay invalid, groups mean what they
// mean in scenes, empty worlds and meshes, and queries that are interrupted.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <graze/detector.hpp>
#include <graze/error.hpp>

#include "refusal.hpp"
#include "rigid/oracle_objects.hpp"
#include "rigid/world_model.hpp"

namespace graze::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RigidObject cube() {
  const Soup soup = unit_cube();
  return {soup.positions, soup.triangles};
}

Pose at(double x, double y = 0.0, double z = 0.0) {
  return {.translation = {x, y, z}};
}

TEST(RigidWorldInput, AnEmptyWorldAnswers) {
  RigidWorld world;
  const RigidObject object = cube();
  EXPECT_EQ(world.size(), 0U);
  EXPECT_TRUE(world.ids().empty());
  EXPECT_FALSE(world.has({}));
  EXPECT_FALSE(world.has({0, 0}));
  EXPECT_FALSE(world.first_hit().hit());
  EXPECT_TRUE(world.hits().hits.empty());
  EXPECT_TRUE(world.triangle_pairs().hits.empty());
  EXPECT_TRUE(world.contacts().contacts.empty());
  EXPECT_TRUE(world.box_pairs().pairs.empty());
  EXPECT_FALSE(world.first_hit({.object = &object}).hit());
  EXPECT_FALSE(world.ray_first_hit({{}, {1, 0, 0}}).hit());
  EXPECT_TRUE(world.segment_hits({{}, {1, 0, 0}}).hits.empty());
  EXPECT_TRUE(world.ray_first_hits({}).empty());
  world.move(std::span<const ObjectId>{}, {});
  EXPECT_EQ(world.validate(), "");
}

TEST(RigidWorldInput, EmptyMeshesHitNothing) {
  RigidWorld world;
  const RigidObject nothing(std::span<const Vec3>{}, {});
  const RigidObject object = cube();
  const ObjectId empty = world.add(nothing);
  const ObjectId other = world.add(object);
  EXPECT_TRUE(world.hits().hits.empty());
  EXPECT_TRUE(world.hits(empty).hits.empty());
  EXPECT_TRUE(world.hits(other).hits.empty());
  EXPECT_TRUE(world.hits({.object = &nothing}).hits.empty());
  EXPECT_EQ(world.hits({.object = &object}).hits.size(), 1U);
  world.move(empty, at(1));
  world.set_pose(empty, at(2));
  world.set_motion(empty, Motion::Static);
  EXPECT_EQ(world.pose(empty), at(2));
  EXPECT_EQ(world.ray_hits({{-1, 0.25, 0.5}, {1, 0, 0}}).hits.size(), 2U);
  EXPECT_EQ(world.validate(), "");
  world.remove(empty);
  EXPECT_EQ(world.validate(), "");
}

TEST(RigidWorldInput, IdsOfRemovedObjectsStayInvalid) {
  RigidWorld world;
  const RigidObject object = cube();
  const ObjectId first = world.add(object);
  const ObjectId second = world.add(object, at(5));
  world.ignore_pair(first, second);
  world.remove(first);
  const ObjectId third = world.add(object);
  EXPECT_EQ(third.slot, first.slot);
  EXPECT_NE(third, first);
  EXPECT_FALSE(world.has(first));
  EXPECT_TRUE(world.has(third));
  EXPECT_TRUE(world.ignored_pairs().empty());
  EXPECT_TRUE(world.tests_pair(third, second));
  const std::string removed = "object 0 was removed";
  EXPECT_EQ(refusal([&] { world.remove(first); }), "remove: " + removed);
  EXPECT_EQ(refusal([&] { world.set_pose(first, {}); }), "set_pose: " + removed);
  EXPECT_EQ(refusal([&] { world.move(first, {}); }), "move: " + removed);
  EXPECT_EQ(refusal([&] { world.set_motion(first, Motion::Static); }), "set_motion: " + removed);
  EXPECT_EQ(refusal([&] { world.set_groups(first, 1, 1); }), "set_groups: " + removed);
  EXPECT_EQ(refusal([&] { world.ignore_pair(second, first); }), "ignore_pair: " + removed);
  EXPECT_EQ(refusal([&] { world.allow_pair(first, second); }), "allow_pair: " + removed);
  EXPECT_EQ(refusal([&] { world.tests_pair(first, second); }), "tests_pair: " + removed);
  EXPECT_EQ(refusal([&] { world.object(first); }), "object: " + removed);
  EXPECT_EQ(refusal([&] { world.pose(first); }), "pose: " + removed);
  EXPECT_EQ(refusal([&] { world.motion(first); }), "motion: " + removed);
  EXPECT_EQ(refusal([&] { world.groups(first); }), "groups: " + removed);
  EXPECT_EQ(refusal([&] { world.meets(first); }), "meets: " + removed);
  EXPECT_EQ(refusal([&] { world.first_hit(first); }), "first_hit: " + removed);
  EXPECT_EQ(refusal([&] { world.hits(first); }), "hits: " + removed);
  EXPECT_EQ(refusal([&] { world.triangle_pairs(first); }), "triangle_pairs: " + removed);
  EXPECT_EQ(refusal([&] { world.contacts(first); }), "contacts: " + removed);
  EXPECT_EQ(refusal([&] { world.pose({7, 0}); }), "pose: there is no object 7, the world has 2 objects");
  EXPECT_EQ(refusal([&] { world.pose(kNoObject); }), "pose: there is no kNoObject, the world has 2 objects");
  EXPECT_EQ(refusal([&] {
              world.pose({0, 9});
            }),
            "pose: there is no object 0 of generation 9, the world has 2 objects");
}

TEST(RigidWorldInput, RefusedInputChangesNothing) {
  RigidWorld world;
  const RigidObject object = cube();
  const Soup soup = unit_cube();
  const RigidObject other_tree(soup.positions, soup.triangles, {.tree = RigidTree::Aabb});
  const ObjectId a = world.add(object);
  const ObjectId b = world.add(object, at(0.5));
  const ObjectId fixed = world.add(object, at(1), {.motion = Motion::Static});
  const std::uint64_t before = world.triangle_pairs().hash();
  const auto expect = [&](const std::string& message, const std::function<void()>& call) {
    EXPECT_EQ(refusal(call), message);
    EXPECT_EQ(world.size(), 3U);
    EXPECT_EQ(world.pose(a), Pose{});
    EXPECT_EQ(world.pose(b), at(0.5));
    EXPECT_EQ(world.validate(), "");
    EXPECT_EQ(world.triangle_pairs().hash(), before);
  };
  const Pose nan = at(kNan);
  Pose skew;
  skew.rotation[0].x = 2.0;
  expect("add: the pose of the object: its translation (nan, 0, 0) is not finite", [&] { world.add(object, nan); });
  expect("add: the motion of the object must be Rigid or Static, not Deforming",
         [&] { world.add(object, {}, {.motion = Motion::Deforming}); });
  expect("add: the object has a tree of kind aabb, the world's objects have trees of kind boxtree",
         [&] { world.add(other_tree); });
  expect("set_pose: the pose of object 1: its rotation is not orthonormal: rows are off by 3, more than 1e-6",
         [&] { world.set_pose(b, skew); });
  expect("move: the pose of object 0: its translation (nan, 0, 0) is not finite", [&] { world.move(a, nan); });
  expect("move: object 2 is static; set_pose places it elsewhere", [&] { world.move(fixed, at(3)); });
  expect("set_motion: the motion of object 0 must be Rigid or Static, not Deforming",
         [&] { world.set_motion(a, Motion::Deforming); });
  expect("ignore_pair: object 0 with itself, which is never tested", [&] { world.ignore_pair(a, a); });
  expect("allow_pair: object 0 with itself, which is never tested", [&] { world.allow_pair(a, a); });
  // A batch moves nothing if any of its moves is refused, and names the first one at any length.
  for (const std::size_t length : {3U, 2000U}) {
    std::vector<ObjectId> ids(length, a);
    std::vector<Pose> poses(length, at(9));
    ids[length / 2] = b;
    poses[length / 2] = nan;
    poses[length - 1] = skew;
    expect("move: the pose of object 1: its translation (nan, 0, 0) is not finite",
           [&] { world.move(ids, poses); });
    ids[length / 2] = fixed;
    expect("move: object 2 is static; set_pose places it elsewhere", [&] { world.move(ids, poses); });
    ids.pop_back();
    expect("move: " + std::to_string(length - 1) + " ids, but " + std::to_string(length) + " poses",
           [&] { world.move(ids, poses); });
  }
  expect("the object of the probe is a null pointer", [&] { world.hits(WorldProbe{}); });
  expect("the probe has a tree of kind aabb, the world's objects have trees of kind boxtree",
         [&] { world.hits({.object = &other_tree}); });
  expect("the pose of the probe: its translation (nan, 0, 0) is not finite",
         [&] { world.first_hit({.object = &object, .pose = nan}); });
  expect("instead_of of the probe: there is no object 8, the world has 3 objects", [&] {
    world.first_hit({.object = &object, .instead_of = {8, 0}});
  });
  expect("ray_first_hit: the direction of the ray is zero", [&] { world.ray_first_hit({}); });
  expect("ray_hits: the origin of the ray (0, nan, 0) is not finite", [&] {
    world.ray_hits({{0, kNan, 0}, {1, 0, 0}});
  });
  expect("ray_hits: max of the ray is -1, not >= 0", [&] { world.ray_hits({{}, {1, 0, 0}, -1.0}); });
  expect("ray_hits: max of the ray is nan, not >= 0", [&] { world.ray_hits({{}, {1, 0, 0}, kNan}); });
  expect("segment_hits: the second end of the segment (inf, 0, 0) is not finite", [&] {
    world.segment_hits({{}, {std::numeric_limits<double>::infinity(), 0, 0}});
  });
  expect("ray_first_hits: ray 1: the direction of the ray is zero", [&] {
    const std::vector<Ray> rays{{{}, {1, 0, 0}}, {}};
    world.ray_first_hits(rays);
  });
}

TEST(RigidWorldInput, AWorldTakesAnotherKindOfTreeOnceItIsEmpty) {
  const Soup soup = unit_cube();
  RigidWorld world;
  const ObjectId a = world.add(cube());
  world.remove(a);
  const RigidObject object(soup.positions, soup.triangles, {.tree = RigidTree::Obb});
  world.add(object);
  world.add(object, at(0.25));
  EXPECT_EQ(world.hits().hits.size(), 1U);
}

TEST(RigidWorldInput, GroupsMeanWhatTheyMeanInAScene) {
  const std::vector<std::uint32_t> masks{0U, 1U, 2U, 3U, 0xffffffffU};
  const Soup soup = unit_cube();
  for (const std::uint32_t groups_a : masks) {
    for (const std::uint32_t meets_a : masks) {
      for (const std::uint32_t groups_b : masks) {
        for (const std::uint32_t meets_b : masks) {
          Scene scene;
          scene.add_body({soup.positions, soup.triangles, Motion::Rigid, groups_a, meets_a});
          scene.add_body({soup.positions, soup.triangles, Motion::Rigid, groups_b, meets_b});
          RigidWorld world;
          const RigidObject object = cube();
          const ObjectId a = world.add(object, {}, {.groups = groups_a, .meets = meets_a});
          const ObjectId b = world.add(object, {}, {.groups = groups_b, .meets = meets_b});
          const bool tested = scene.tests_pair(0, 1);
          ASSERT_EQ(world.tests_pair(a, b), tested);
          ASSERT_EQ(world.hits().hits.size(), tested ? 1U : 0U);
          ASSERT_EQ(world.hits(b).hits.size(), tested ? 1U : 0U);
          ASSERT_EQ(world.hits({.object = &object, .groups = groups_a, .meets = meets_a}).hits.empty(),
                    !tested && !((groups_a & meets_a) != 0));  // the probe also meets its twin
        }
      }
    }
  }
}

TEST(RigidWorldInput, MovingAndPlacingGiveTheSameAnswers) {
  Random random = seeded(5400);
  const RigidObject object = cube();
  RigidWorld moved;
  RigidWorld placed;
  std::vector<ObjectId> ids;
  for (int i = 0; i < 30; ++i) {
    ids.push_back(moved.add(object));
    placed.add(object);
  }
  for (int step = 0; step < 20; ++step) {
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      Pose pose = random_rotation(random);
      pose.translation = {0.1 * step * static_cast<double>(i % 7), 0.1 * step * static_cast<double>(i % 5),
                          0.01 * step};
      poses.push_back(pose);
      placed.set_pose(ids[i], pose);
    }
    moved.move(ids, poses);
    ASSERT_EQ(moved.validate(), "");
    ASSERT_EQ(moved.triangle_pairs().hash(), placed.triangle_pairs().hash());
  }
}

TEST(RigidWorldInput, QueriesCanBeInterruptedAndRepeated) {
  RigidWorld world;
  const RigidObject object = cube();
  for (int i = 0; i < 200; ++i) world.add(object, at(0.4 * (i % 20), 0.4 * (i / 20)));
  const std::uint64_t expected = world.hits().hash();
  std::vector<Ray> rays(100, {{-1, 0.25, 0.5}, {1, 0, 0}});
  for (const unsigned threads : {1U, 2U, 7U}) {
    const WorldOptions stop{.threads = threads, .progress = [](double) { return false; }};
    EXPECT_EQ(refusal<Interrupted>([&] { world.hits(stop); }), "interrupted");
    EXPECT_EQ(refusal<Interrupted>([&] { world.triangle_pairs(stop); }), "interrupted");
    EXPECT_EQ(refusal<Interrupted>([&] { world.contacts(stop); }), "interrupted");
    EXPECT_EQ(refusal<Interrupted>([&] { world.first_hit(stop); }), "interrupted");
    EXPECT_EQ(refusal<Interrupted>([&] { world.box_pairs(stop); }), "interrupted");
    EXPECT_EQ(refusal<Interrupted>([&] { world.ray_first_hits(rays, stop); }), "interrupted");
    EXPECT_EQ(refusal<Interrupted>([&] { world.ray_hits(rays[0], stop); }), "interrupted");
    double last = -1.0;
    const WorldOptions watch{.threads = threads, .progress = [&](double share) {
                               EXPECT_GE(share, last);
                               last = share;
                               return share < 0.5 || share == 1.0;
                             }};
    try {
      EXPECT_EQ(world.hits(watch).hash(), expected);
      EXPECT_EQ(last, 1.0);
    } catch (const Interrupted&) {  // if a call came between the first half and the end
      EXPECT_GE(last, 0.5);
    }
    EXPECT_EQ(world.hits({.threads = threads}).hash(), expected);
  }
}

TEST(RigidWorldInput, SeveralThreadsMayAskAtATime) {
  // Right after edits, so that all of them want the list of pairs, and a tree for rays, that do not exist yet.
  const RigidObject object = cube();
  for (int round = 0; round < 5; ++round) {
    RigidWorld world;
    for (int i = 0; i < 60; ++i) world.add(object, at(0.6 * (i % 10), 0.6 * (i / 10)));
    std::vector<std::uint64_t> hashes(4);
    std::vector<double> parameters(4);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      threads.emplace_back([&, i] {
        parameters[i] = world.ray_first_hit({{-1, 0.25, 0.5}, {1, 0, 0}}).first->t;
        hashes[i] = world.hits({.threads = 2}).hash() + world.hits({.object = &object}).hash();
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      EXPECT_EQ(hashes[i], hashes[0]);
      EXPECT_EQ(parameters[i], 1.0);
    }
  }
}

TEST(RigidWorldInput, AWorldCanBeMovedFrom) {
  RigidWorld world;
  const ObjectId a = world.add(cube());
  RigidWorld taken = std::move(world);
  EXPECT_TRUE(taken.has(a));
  EXPECT_EQ(taken.object(a).triangles().size(), 12U);
  EXPECT_GT(taken.memory_bytes(), 0U);
}

}  // namespace
}  // namespace graze::testing
