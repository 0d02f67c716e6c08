// Temporal coherence along long sequences of poses: a collider with coherence keeps earlier results and must answer
// like one without. Small steps, jumps, returns, static poses, refused poses and other queries in between.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

std::vector<Choice> coherent_choices() {
  std::vector<Choice> choices;
  for (const Choice& choice : all_choices()) {
    if (choice.options.coherence) choices.push_back(choice);
  }
  return choices;
}

/// The next pose, mostly near the last.
Pose next_pose(const Pose& pose, const Pose& start, double size, Random& random) {
  switch (random.below(12)) {
    case 0:
      return pose;
    case 1:
      return start;
    case 2: {
      Pose jump = random_rotation(random);
      jump.translation = 1.2 * size * random_vec(random);
      return jump;
    }
    case 3:  // far away
      return {pose.rotation, pose.translation + Vec3{100 * size, 0, 0}};
    case 4: {  // a minimal step
      Pose step = pose;
      step.translation.x += 1e-15 * size;
      return step;
    }
    default: {
      Pose step = compose(pose_from_axis_angle(random_vec(random), 0.05), {pose.rotation, {}});
      step.translation = pose.translation + 0.05 * size * random_vec(random);
      if (length(step.translation) > 2.0 * size) step.translation = 0.5 * step.translation;
      return step;
    }
  }
}

TEST(RigidCoherence, SequencesOfPosesAnswerAsWithoutMemory) {
  Random random = seeded(931);
  const std::vector<Choice> choices = coherent_choices();
  std::vector<Soup> soups = solids(kIsSlow ? 20 : 60);
  soups.push_back(random_soup(random, 25, 0.2));
  soups.push_back(random_soup(random, 1, 1.0));
  std::size_t hits = 0;
  std::size_t misses = 0;
  for (std::size_t i = 0; i < soups.size(); ++i) {
    const Soup& a = soups[i];
    const Soup& b = soups[(i * 3 + 1) % soups.size()];
    Pairing pairing(a, b, choices);
    const double size = 0.6 * (radius_of(a) + radius_of(b));
    const PosePair start = near_poses(a, b, 1.0, {}, random);
    PosePair poses = start;
    for (int step = 0; step < (kIsSlow ? 80 : 150); ++step) {
      // Moves b, a, both or neither.
      if (random.below(3) != 0) poses.b = next_pose(poses.b, start.b, size, random);
      if (random.below(3) == 0) poses.a = next_pose(poses.a, start.a, size, random);
      const auto expected = intersecting_pairs(a, poses.a, b, poses.b);
      ++(expected.empty() ? misses : hits);
      ASSERT_EQ(pairing.check(poses.a, poses.b, expected), "") << "step " << step;
    }
  }
  EXPECT_GT(hits, 20U);
  EXPECT_GT(misses, 20U);
}

TEST(RigidCoherence, FirstHitsAloneNeverForgetAndNeverRemember) {
  Random random = seeded(932);
  const Soup a = solids(kIsSlow ? 30 : 100)[2];
  const Soup b = solids(kIsSlow ? 30 : 100)[1];
  for (const Choice& choice : coherent_choices()) {
    const RigidObject object_a(a.positions, a.triangles, {choice.tree, choice.split, 1});
    const RigidObject object_b(b.positions, b.triangles, {choice.tree, choice.split, 1});
    Collider with(object_a, object_b, choice.options);
    ColliderOptions options = choice.options;
    options.coherence = false;
    Collider without(object_a, object_b, options);
    PosePair poses = near_poses(a, b, 0.6, {}, random);
    const PosePair start = poses;
    for (int step = 0; step < (kIsSlow ? 20 : 200); ++step) {
      poses.b = next_pose(poses.b, start.b, 1.5, random);
      const FirstHit hit = with.first_hit(poses.a, poses.b);
      const FirstHit truth = without.first_hit(poses.a, poses.b);
      ASSERT_EQ(hit.hit(), truth.hit()) << described(choice) << ", step " << step << ", " << described(poses.b);
      if (hit.hit()) {
        const auto p = posed_triangle(a, poses.a, hit.pair->a);
        const auto q = posed_triangle(b, poses.b, hit.pair->b);
        const Soup left{"", {p.begin(), p.end()}, {{0, 1, 2}}};
        const Soup right{"", {q.begin(), q.end()}, {{0, 1, 2}}};
        ASSERT_EQ(intersecting_pairs(left, {}, right, {}).size(), 1U) << described(choice);
      }
      // Other or refused queries in between have no effect.
      if (step % 7 == 0) {
        EXPECT_THROW((void)with.first_hit({.rotation = {}, .translation = {}}, poses.b), InputError);
      }
      if (step % 11 == 0) (void)with.triangle_pairs(start.a, start.b);
      if (step % 50 == 49) {
        Collider other = std::move(with);
        with = std::move(other);
      }
    }
  }
}

TEST(RigidCoherence, TheAnswerOfAPoseDoesNotDependOnTheOneBefore) {
  const Soup cube = unit_cube();
  for (const Choice& choice : coherent_choices()) {
    const RigidObject object(cube.positions, cube.triangles, {choice.tree, choice.split, 1});
    Collider collider(object, object, choice.options);
    // Separated by one unit in the last place, then touching, and again.
    for (int i = 0; i < 10; ++i) {
      EXPECT_FALSE(collider.first_hit({}, {.translation = {std::nextafter(1.0, 2.0), 0, 0}}).hit());
      EXPECT_TRUE(collider.first_hit({}, {.translation = {1.0, 0, 0}}).hit());
      EXPECT_FALSE(collider.first_hit({}, {.translation = {0, -1.5, 0}}).hit());
      EXPECT_TRUE(collider.first_hit({}, {.translation = {0, 0, -1.0}}).hit());
    }
  }
}

/// A needle turns about its fixed centre until its tip has moved slightly farther than the gap found by the
/// collider: the displacement bound must count rotations in full.
TEST(RigidCoherence, ATurnAboutTheMiddleIsAMove) {
  Random random = seeded(934);
  std::size_t hits = 0;
  for (const int exponent : {-500, -3, 0, 3, 40, 500}) {
    const double unit = std::ldexp(1.0, exponent);
    for (int i = 0; i < (kIsSlow ? 2 : 8); ++i) {
      // The needle lies along a diagonal of its local frame, as long as the frame allows.
      const double c = 0.9999 * unit;
      Soup needle;
      needle.add({-c, -c, -c}, {c, c, c}, {c, c, c});
      Soup target;
      const double r = 0.6 * unit;
      target.add({0, -r, -r}, {0, r, -r}, {0, 0, r});
      // The tip moves along d, which is the first axis of the target and perpendicular to the needle.
      const double tip = std::sqrt(3.0);
      const Vec3 along{1 / tip, 1 / tip, 1 / tip};
      Vec3 d = cross(along, random_vec(random));
      d = (1.0 / length(d)) * d;
      const Vec3 axis = cross(along, d);
      const double angle = 0.01 + 0.2 * random.unit();
      const double way = c * tip * std::sin(angle);
      const Vec3 e = cross(d, axis);
      Pose pose_b{.rotation = {Vec3{d.x, axis.x, e.x}, Vec3{d.y, axis.y, e.y}, Vec3{d.z, axis.z, e.z}},
                  .translation = c * tip * std::cos(angle) * along + 0.97 * way * d};
      Pose pose_a = random.coin() ? Pose{} : random_rotation(random);
      pose_b = compose(pose_a, pose_b);
      const Pose turned = compose(pose_a, pose_from_axis_angle(axis, angle));
      ASSERT_TRUE(intersecting_pairs(needle, pose_a, target, pose_b).empty());
      hits += intersecting_pairs(needle, turned, target, pose_b).size();
      Pairing one(needle, target, coherent_choices());
      ASSERT_EQ(one.check(pose_a, pose_b), "");
      ASSERT_EQ(one.check(turned, pose_b), "");
      Pairing other(target, needle, coherent_choices());
      ASSERT_EQ(other.check(pose_b, pose_a), "");
      ASSERT_EQ(other.check(pose_b, turned), "");
    }
  }
  EXPECT_GT(hits, kIsSlow ? 8U : 40U);
}

}  // namespace
}  // namespace graze::testing
