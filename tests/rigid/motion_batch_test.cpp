// Batches of motions, and a moving object among obstacles: equal to single queries, at any number of threads.
#include <gtest/gtest.h>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/rigid_motion.hpp>

#include "rigid/motion_sampling.hpp"

namespace graze {
namespace {

using namespace motions;

const double kPi = std::acos(-1.0);

bool same(const RigidImpact& one, const RigidImpact& other) {
  return one.toi == other.toi && one.pair == other.pair && one.distance == other.distance &&
         one.stats.node_tests == other.stats.node_tests && one.stats.triangle_tests == other.stats.triangle_tests;
}

struct Field {
  std::vector<RigidObject> objects;
  std::vector<ObjectMotion> obstacles;
  RigidObject mover = ball(1.0, 8).object();
  ObjectMotion object;

  explicit Field(std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 3; ++i) objects.push_back(random_soup(random, 20, 0.5).object());
    objects.push_back(RigidObject({}, {}));
    for (std::size_t i = 0; i < 120; ++i) {
      RigidMotion motion = stationary(random_pose(random, kPi, 12.0));
      if (length(motion.start.translation) < 4.0) continue;
      motion.end = motion.start;
      if (i % 3 == 0) motion.end.translation = motion.end.translation + random_point(random, 3.0);
      obstacles.push_back({&objects[i % objects.size()], motion});
    }
    object.object = &mover;
    object.motion.end = random_pose(random, kPi, 15.0);
  }
};

TEST(RigidMotionBatch, AnswersEqualSingleQueriesAtAnyNumberOfThreads) {
  Random random(14);
  const RigidObject a = random_soup(random, 30, 0.4).object();
  const RigidObject b = random_soup(random, 30, 0.4).object();
  std::vector<MotionPair> motions;
  for (int i = 0; i < 50; ++i) {
    MotionPair pair{{random_pose(random, kPi, 0.3), random_pose(random, kPi, 2.0)},
                    {random_pose(random, kPi, 0.3), random_pose(random, kPi, 0.3)}};
    pair.b.start.translation.x += 3.5;
    pair.b.end.translation.x += 3.5;
    motions.push_back(pair);
  }
  Collider collider(a, b);
  for (const unsigned threads : {1U, 2U, 7U}) {
    const std::vector<RigidImpact> all = first_contacts(a, b, motions, {}, {.threads = threads});
    ASSERT_EQ(all.size(), motions.size());
    for (std::size_t i = 0; i < motions.size(); ++i)
      EXPECT_TRUE(same(all[i], collider.first_contact(motions[i].a, motions[i].b))) << i << " " << threads;
  }
  EXPECT_TRUE(first_contacts(a, b, std::span<const MotionPair>{}).empty());
}

TEST(RigidMotionBatch, TheFirstObstacleIsTheEarliestOfAll) {
  int contacts = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Field field(seed);
    const std::vector<RigidImpact> all = first_contacts(field.object, field.obstacles);
    double earliest = 2.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_TRUE(same(all[i], Collider(field.mover, *field.obstacles[i].object)
                                   .first_contact(field.object.motion, field.obstacles[i].motion)));
      if (all[i].pair) earliest = std::min(earliest, all[i].toi);
    }
    const ObstacleImpact first = first_contact(field.object, field.obstacles);
    ASSERT_EQ(first.obstacle.has_value(), earliest <= 1.0) << seed;
    if (first.obstacle) {
      ++contacts;
      EXPECT_NEAR(first.impact.toi, earliest, 1e-5) << seed;
      EXPECT_NEAR(all[*first.obstacle].toi, earliest, 1e-5) << seed;
      EXPECT_TRUE(first.impact.pair);
    } else {
      EXPECT_EQ(first.impact.toi, 1.0);
    }
    for (const unsigned threads : {1U, 2U, 7U}) {
      const ObstacleImpact other = first_contact(field.object, field.obstacles, {}, {.threads = threads});
      EXPECT_EQ(other.obstacle, first.obstacle);
      EXPECT_TRUE(same(other.impact, first.impact)) << threads;
      const std::vector<RigidImpact> each = first_contacts(field.object, field.obstacles, {}, {.threads = threads});
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(same(each[i], all[i])) << i;
    }
  }
  EXPECT_GT(contacts, 3);
}

TEST(RigidMotionBatch, AnObstacleAroundTheStartIsAContactAtTimeZero) {
  const Field field(3);
  std::vector<ObjectMotion> obstacles = field.obstacles;
  const RigidObject cube = box({-0.5, -0.5, -0.5}, {5, 5, 5}).object();
  obstacles.push_back({&cube, stationary({})});
  const ObstacleImpact first = first_contact(field.object, obstacles);
  EXPECT_EQ(first.obstacle, obstacles.size() - 1);
  EXPECT_EQ(first.impact.toi, 0.0);
  EXPECT_FALSE(first_contact(field.object, std::span<const ObjectMotion>{}).obstacle);
}

TEST(RigidMotionBatch, BadInputIsRefusedAndProgressCanStop) {
  const Field field(1);
  std::vector<ObjectMotion> obstacles = field.obstacles;
  EXPECT_THROW((void)first_contacts({nullptr, {}}, obstacles), InputError);
  obstacles[5].object = nullptr;
  EXPECT_THROW((void)first_contacts(field.object, obstacles), InputError);
  EXPECT_THROW((void)first_contact(field.object, obstacles), InputError);
  obstacles[5] = obstacles[4];
  obstacles[5].motion.end.translation.x = std::nan("");
  try {
    (void)first_contact(field.object, obstacles);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("motion of obstacle 5"), std::string::npos) << error.what();
  }
  const BatchOptions stop{.progress = [](double) { return false; }};
  EXPECT_THROW((void)first_contacts(field.object, field.obstacles, {}, stop), Interrupted);
  EXPECT_THROW((void)first_contact(field.object, field.obstacles, {}, stop), Interrupted);
  double last = 0.0;
  const BatchOptions watch{.progress = [&](double share) {
    last = share;
    return true;
  }};
  (void)first_contacts(field.object, field.obstacles, {}, watch);
  EXPECT_EQ(last, 1.0);
}

}  // namespace
}  // namespace graze
