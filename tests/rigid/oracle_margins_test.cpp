// Contacts that float rounding must not lose: triangles that touch in one point, to the bit, each at the end of its
// box along one of the 15 directions of the overlap tests, so that the intervals in real numbers touch in one point
// only. A margin that is too small loses about half of them. Then gaps and overlaps of every size down to the last
// place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "geometry/vec.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

std::array<Vec3, 3> columns(const Pose& pose) {
  const auto& r = pose.rotation;
  return {Vec3{r[0].x, r[1].x, r[2].x}, Vec3{r[0].y, r[1].y, r[2].y}, Vec3{r[0].z, r[1].z, r[2].z}};
}

/// The vector in the object's coordinates whose image is approximately v.
Vec3 pulled_back(const Pose& pose, const Vec3& v) {
  const auto c = columns(pose);
  return {dot(c[0], v), dot(c[1], v), dot(c[2], v)};
}

/// Finds a point whose posed position is `target`, to the bit; false if none was found.
bool find_preimage(const Pose& pose, const Vec3& target, Vec3& x, Random& random) {
  x = pulled_back(pose, target - pose.translation);
  for (int i = 0; i < 60; ++i) {
    const Vec3 there = posed_twin(pose, x);
    if (there == target) return true;
    x = x + pulled_back(pose, target - there);
    if (i % 2 == 1) x = x + 0x1p-53 * max_abs(x) * random_vec(random);
  }
  return false;
}

double sign_of(double value) {
  return value < 0.0 ? -1.0 : 1.0;
}

/// A vector with random components up to `size` along the axes, each with the sign of the axis . s.
Vec3 along(const std::array<Vec3, 3>& axes, const Vec3& s, double size, Random& random) {
  const double x = random.unit();
  const double y = random.unit();
  const double z = random.unit();
  return {size * x * sign_of(dot(axes[0], s)), size * y * sign_of(dot(axes[1], s)),
          size * z * sign_of(dot(axes[2], s))};
}

struct Setting {
  std::size_t count = 1;
  PosePair poses = {};  ///< the translation of b is arbitrary
  Vec3 where = {};      ///< centre of a in its own coordinates
  double spread = 1.0;  ///< spread of the touching points around `where`
  double size_a = 0.1;  ///< size of the triangles; 0: points
  double size_b = 0.1;
  int nested = 0;  ///< spread and sizes of triangle i shrink by 2^-(nested i)
};

struct Touching {
  Soup a;
  Soup b;
  std::vector<TrianglePair> made;  ///< pairs that touch by construction
};

/// Triangle i of b touches triangle i of a in one point.
Touching make_touching(const Setting& setting, Random& random) {
  Touching result;
  result.a.name = "a, touched";
  result.b.name = "b, touching";
  const auto axes_a = columns(setting.poses.a);
  const auto axes_b = columns(setting.poses.b);
  for (std::size_t i = 0; i < setting.count; ++i) {
    const double shrink = std::ldexp(1.0, -setting.nested * static_cast<int>(i));
    const std::size_t k = random.below(15);
    const Vec3 s = k < 3 ? axes_a[k] : k < 6 ? axes_b[k - 3] : cross(axes_a[(k - 6) / 3], axes_b[(k - 6) % 3]);
    const double side = random.coin() ? 1.0 : -1.0;
    const Vec3 p = setting.where + shrink * setting.spread * random_vec(random);
    const double size_a = random.below(3) == 0 ? 0.0 : shrink * setting.size_a;
    const double size_b = random.below(3) == 0 ? 0.0 : shrink * setting.size_b;
    Vec3 y;
    if (!find_preimage(setting.poses.b, posed_twin(setting.poses.a, p), y, random)) continue;
    const auto at = static_cast<TriangleId>(result.a.triangles.size());
    result.a.add(p, p + along(axes_a, -side * s, size_a, random), p + along(axes_a, -side * s, size_a, random));
    result.b.add(y, y + along(axes_b, side * s, size_b, random), y + along(axes_b, side * s, size_b, random));
    result.made.push_back({at, at});
  }
  return result;
}

/// Checks the answers of all choices and that they contain the constructed touches. Returns the number of touches.
std::size_t expect_found(const Setting& setting, std::span<const Choice> choices, Random& random) {
  const Touching touching = make_touching(setting, random);
  const auto expected = intersecting_pairs(touching.a, setting.poses.a, touching.b, setting.poses.b);
  EXPECT_TRUE(std::includes(expected.begin(), expected.end(), touching.made.begin(), touching.made.end()));
  EXPECT_EQ(Pairing(touching.a, touching.b, choices).check(setting.poses.a, setting.poses.b, expected), "");
  return touching.made.size();
}

Pose any_rotation(Random& random) {
  static const std::vector<Pose> kTurns = axis_permutations();
  switch (random.below(4)) {
    case 0:
      return {};
    case 1:
      return kTurns[random.below(48)];
    default:
      return random_rotation(random);
  }
}

std::size_t any_count(Random& random) {
  constexpr std::array<std::size_t, 6> kCounts{1, 1, 2, 5, 20, kIsSlow ? 20 : 80};
  return kCounts[random.below(6)];
}

constexpr int kRounds = kIsSlow ? 60 : 150;

/// Checks that there were enough touches for the test to be meaningful.
void expect_many(std::size_t touches) {
  EXPECT_GT(touches, static_cast<std::size_t>(kRounds) * 3);
}

TEST(RigidMargins, TouchesNearTheOriginAreFound) {
  Random random = seeded(921);
  const std::vector<Choice> choices = few_choices();
  std::size_t touches = 0;
  for (int i = 0; i < kRounds; ++i) {
    Setting setting{.count = any_count(random), .poses = {any_rotation(random), any_rotation(random)}};
    if (random.coin()) setting.poses.a.translation = random_vec(random);
    if (random.coin()) setting.poses.b.translation = 4.0 * random_vec(random);
    setting.size_a = std::ldexp(1.0, -random.between(0, 12));
    setting.size_b = std::ldexp(1.0, -random.between(0, 12));
    touches += expect_found(setting, choices, random);
    if (HasFailure()) return;
  }
  expect_many(touches);
}

TEST(RigidMargins, TouchesAfterALongTranslationAreFound) {
  Random random = seeded(922);
  const std::vector<Choice> choices = few_choices();
  std::size_t touches = 0;
  for (int i = 0; i < kRounds; ++i) {
    Setting setting{.count = any_count(random), .poses = {any_rotation(random), any_rotation(random)}};
    const Vec3 far = std::ldexp(1.0, random.between(20, 60)) * random_vec(random);
    // Places one of the objects, the other, or both far away.
    setting.poses.a.translation = far;
    if (random.coin()) setting.poses.b.translation = far + random_vec(random);
    if (random.below(3) == 0) {
      setting.poses.a.translation = {};
      setting.where = pulled_back(setting.poses.a, far);
      setting.poses.b.translation = far;
    }
    touches += expect_found(setting, choices, random);
    if (HasFailure()) return;
  }
  expect_many(touches);
}

TEST(RigidMargins, TouchesOfObjectsMadeFarFromTheirOriginAreFound) {
  Random random = seeded(923);
  const std::vector<Choice> choices = few_choices();
  std::size_t touches = 0;
  for (int i = 0; i < kRounds; ++i) {
    Setting setting{.count = any_count(random), .poses = {random_rotation(random), any_rotation(random)}};
    setting.where = std::ldexp(1.0, random.between(20, 60)) * random_vec(random);
    setting.poses.a.translation = -posed_twin(setting.poses.a, setting.where);
    touches += expect_found(setting, choices, random);
    if (HasFailure()) return;
  }
  expect_many(touches);
}

TEST(RigidMargins, DirectionsThatNearlyVanishSeparateNothingThatTouches) {
  Random random = seeded(924);
  const std::vector<Choice> choices = few_choices();
  std::size_t touches = 0;
  for (int i = 0; i < kRounds; ++i) {
    Setting setting{.count = any_count(random), .poses = {any_rotation(random), {}}};
    // b is rotated by an angle that floats, or even doubles, can hardly represent: cross products of axes of a and
    // b are as small.
    const double angle = std::ldexp(1.0 + random.unit(), -random.between(20, 170));
    Pose turn = pose_from_axis_angle(random_vec(random), angle);
    for (std::size_t r = 0; r < 3; ++r) turn.rotation[r] = turn.rotation[r] + 0x1p-130 * random_vec(random);
    setting.poses.b = random.coin() ? compose(turn, setting.poses.a) : turn;
    if (random.coin()) std::swap(setting.poses.a, setting.poses.b);
    setting.size_a = std::ldexp(1.0, -random.between(0, 12));
    setting.size_b = std::ldexp(1.0, -random.between(0, 12));
    touches += expect_found(setting, choices, random);
    if (HasFailure()) return;
  }
  expect_many(touches);
}

TEST(RigidMargins, TouchesOfTheSmallWithTheLargeAreFound) {
  Random random = seeded(925);
  const std::vector<Choice> choices = few_choices();
  std::size_t touches = 0;
  for (int i = 0; i < kRounds; ++i) {
    Setting setting{.count = any_count(random), .poses = {any_rotation(random), any_rotation(random)}};
    setting.where = random_vec(random);
    setting.spread = std::ldexp(1.0, -random.between(0, 50));
    setting.size_a = setting.spread;
    setting.size_b = random.coin() ? 1.0 : std::ldexp(1.0, -random.between(0, 60));
    if (random.coin()) std::swap(setting.size_a, setting.size_b);
    touches += expect_found(setting, choices, random);
    if (HasFailure()) return;
  }
  expect_many(touches);
}

TEST(RigidMargins, TouchesInDeepTreesAreFound) {
  Random random = seeded(926);
  std::vector<Choice> choices = few_choices();
  choices.push_back({RigidTree::Boxtree, BoxtreeSplit::Volume, {}});
  choices.push_back({RigidTree::Boxtree, BoxtreeSplit::Longest, {}});
  std::size_t touches = 0;
  for (int i = 0; i < kRounds / 4; ++i) {
    Setting setting{.count = kIsSlow ? 20U : 100U, .poses = {any_rotation(random), any_rotation(random)}};
    setting.nested = random.between(1, 3);
    setting.where = random.coin() ? Vec3{} : random_vec(random);
    setting.size_a = 0.5;
    setting.size_b = 0.5;
    touches += expect_found(setting, choices, random);
    if (HasFailure()) return;
  }
  expect_many(touches);
}

TEST(RigidMargins, TouchesAtTheEndsOfTheRangeOfDoublesAreFound) {
  Random random = seeded(927);
  const std::vector<Choice> choices = few_choices();
  std::size_t touches = 0;
  for (int i = 0; i < kRounds; ++i) {
    Setting setting{.count = any_count(random), .poses = {any_rotation(random), any_rotation(random)}};
    const double scale = std::ldexp(1.0, random.coin() ? random.between(900, 1020) : random.between(-1068, -900));
    setting.spread = scale;
    setting.size_a = scale;
    setting.size_b = 0.5 * scale;
    if (random.coin()) setting.poses.a.translation = scale * random_vec(random);
    touches += expect_found(setting, choices, random);
    if (HasFailure()) return;
  }
  expect_many(touches);
}

/// Solids moved so that two vertices coincide, then apart or together by a small share of their distance.
TEST(RigidMargins, GapsAndOverlapsOfEverySizeAreDistinguished) {
  Random random = seeded(928);
  const std::vector<Choice> choices = few_choices();
  const std::vector<Soup> shapes = solids(kIsSlow ? 12 : 32);
  std::size_t hits = 0;
  std::size_t misses = 0;
  for (const Soup& a : shapes) {
    for (const Soup& b : shapes) {
      Pairing pairing(a, b, choices);
      for (int i = 0; i < (kIsSlow ? 10 : 60); ++i) {
        PosePair poses{any_rotation(random), any_rotation(random)};
        // Moves b so that one of its vertices coincides with a vertex of a, then along the line of centres by the
        // gap.
        const Vec3 at_a =
            posed_twin(poses.a, a.positions[random.below(static_cast<std::uint32_t>(a.positions.size()))]);
        const Vec3 at_b =
            posed_twin(poses.b, b.positions[random.below(static_cast<std::uint32_t>(b.positions.size()))]);
        const Vec3 difference = at_a - at_b;
        const double gap = (random.coin() ? 1.0 : -1.0) * std::pow(10.0, -random.between(5, 17));
        poses.b.translation = difference + gap * difference;
        const auto expected = intersecting_pairs(a, poses.a, b, poses.b);
        ++(expected.empty() ? misses : hits);
        ASSERT_EQ(pairing.check(poses.a, poses.b, expected), "");
      }
    }
  }
  EXPECT_GT(hits, 50U);
  EXPECT_GT(misses, kIsSlow ? 5U : 50U);
}

}  // namespace
}  // namespace graze::testing
