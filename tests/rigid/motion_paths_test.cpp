// First contacts of objects on paths through many poses: against dense sampling and against single motions.
#include <gtest/gtest.h>

#include <graze/error.hpp>
#include <graze/rigid_motion.hpp>

#include "rigid/motion_sampling.hpp"

namespace graze {
namespace {

using namespace motions;

const double kPi = std::acos(-1.0);

Pose moved(double x, double y, double z) {
  Pose pose;
  pose.translation = {x, y, z};
  return pose;
}

TEST(RigidPaths, PosesAreThoseOfTheMotionsAndRestOutsideOfTheTimes) {
  Random random(4);
  const std::vector<double> times{-1.0, 0.5, 0.75, 4.0};
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < times.size(); ++i) poses.push_back(random_pose(random, kPi, 2.0));
  const RigidPath path = path_through(times, poses, MotionPath::Screw);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(pose_at(path, times[i]), poses[i]);
  EXPECT_EQ(pose_at(path, -7.0), poses.front());
  EXPECT_EQ(pose_at(path, 1e300), poses.back());
  EXPECT_EQ(pose_at(path, -0.25), pose_at(path.motions[0], 0.5));
  EXPECT_EQ(pose_at(path, 2.375), pose_at(path.motions[2], 0.5));
}

TEST(RigidPaths, ACubeThatGoesRoundACornerHitsOnTheThirdMotion) {
  const RigidObject cube = box({-1, -1, -1}, {1, 1, 1}).object();
  const std::vector<double> times{0, 1, 2, 6};
  const std::vector<Pose> poses{moved(0, 0, 0), moved(5, 0, 0), moved(5, 5, 0), moved(-3, 5, 0)};
  const RigidImpact impact =
      first_contact(cube, path_through(times, poses), cube, resting(moved(-0.5, 5.25, 0.25)));
  ASSERT_TRUE(impact.pair);
  EXPECT_LE(impact.toi, 2.0 + 4.0 * 3.5 / 8.0);
  EXPECT_NEAR(impact.toi, 2.0 + 4.0 * 3.5 / 8.0, 1e-4);
  // At rest until the obstacle arrives, long after the last time.
  const std::vector<double> later{10, 20};
  const std::vector<Pose> coming{moved(-3, 50, 0), moved(-3, 2, 0)};
  const RigidImpact late = first_contact(cube, path_through(times, poses), cube, path_through(later, coming));
  ASSERT_TRUE(late.pair);
  EXPECT_NEAR(late.toi, 10.0 + 10.0 * 43.0 / 48.0, 1e-3);
  const std::vector<Pose> passing{moved(-3, 50, 0), moved(-3, 7.5, 0)};
  const RigidImpact none = first_contact(cube, path_through(times, poses), cube, path_through(later, passing));
  EXPECT_FALSE(none.pair);
  EXPECT_EQ(none.toi, 20.0);
}

TEST(RigidPaths, ATouchAtTheFirstTimeIsAContactThere) {
  const RigidObject cube = box({-1, -1, -1}, {1, 1, 1}).object();
  const std::vector<double> times{3, 4};
  const std::vector<Pose> poses{moved(2, 0, 0), moved(9, 0, 0)};
  const RigidImpact impact = first_contact(cube, path_through(times, poses), cube, resting({}));
  ASSERT_TRUE(impact.pair);
  EXPECT_EQ(impact.toi, 0.0);  // at rest from the first time of the other path on
  EXPECT_EQ(impact.distance, 0.0);
}

TEST(RigidPaths, NothingIntersectsBeforeTheTimeOfContactOfRandomPaths) {
  Random random(9);
  int contacts = 0;
  for (int i = 0; i < 60; ++i) {
    const Soup a = random_soup(random, 8, 0.4);
    const Soup b = random_soup(random, 8, 0.4);
    std::vector<double> times_a{0.0};
    std::vector<double> times_b{i % 3 == 0 ? 0.0 : between(random, -1.0, 1.0)};
    std::vector<Pose> poses_a{random_pose(random, kPi, 0.5)};
    std::vector<Pose> poses_b{random_pose(random, kPi, 0.5)};
    for (int k = 0; k < 4; ++k) {
      times_a.push_back(times_a.back() + between(random, 0.01, 1.0));
      times_b.push_back(i % 3 == 0 ? times_a.back() : times_b.back() + between(random, 0.01, 1.0));
      poses_a.push_back(random_pose(random, kPi, 1.0));
      poses_b.push_back(random_pose(random, kPi, 1.0));
    }
    for (Pose& pose : poses_b) pose.translation.x += 2.3;
    const RigidPath path_a = path_through(times_a, poses_a, i % 2 == 0 ? MotionPath::Straight : MotionPath::Screw);
    const RigidPath path_b = path_through(times_b, poses_b, MotionPath::Straight, random_point(random, 0.5));
    const RigidImpact impact = first_contact(a.object(), path_a, b.object(), path_b);
    contacts += impact.pair ? 1 : 0;
    SCOPED_TRACE(i);
    check_sampled(
        a, b, impact,
        [&](double t) {
          return PosePair{pose_at(path_a, t), pose_at(path_b, t)};
        },
        std::min(times_a.front(), times_b.front()), std::max(times_a.back(), times_b.back()), 1000, 1e-3);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(contacts, 10);
  EXPECT_LT(contacts, 60);
}

TEST(RigidPaths, BadPathsAreRefused) {
  const RigidObject cube = box({0, 0, 0}, {1, 1, 1}).object();
  const RigidPath good = resting(moved(5, 0, 0));
  const auto refused = [&](const RigidPath& path) {
    EXPECT_THROW((void)first_contact(cube, path, cube, good), InputError);
    EXPECT_THROW((void)first_contact(cube, good, cube, path), InputError);
    EXPECT_THROW((void)pose_at(path, 0.5), InputError);
  };
  refused({});
  refused({.times = {0, 1, 2}, .motions = {stationary({})}});
  refused({.times = {0, 0}, .motions = {stationary({})}});
  refused({.times = {1, 0}, .motions = {stationary({})}});
  refused({.times = {0, std::nan("")}, .motions = {stationary({})}});
  refused({.times = {0, 1, 2}, .motions = {stationary({}), stationary(moved(1, 0, 0))}});
  const std::vector<Pose> one{moved(0, 0, 0)};
  const std::vector<double> time{0.0};
  EXPECT_THROW((void)path_through(time, one), InputError);
  EXPECT_THROW((void)pose_at(good, std::nan("")), InputError);
  const RigidObject other({}, {}, {.tree = RigidTree::Aabb});
  EXPECT_THROW((void)first_contact(other, good, cube, good), InputError);
  EXPECT_THROW((void)first_contact(cube, good, cube, good, {.tolerance = 2.0}), InputError);
}

}  // namespace
}  // namespace graze
