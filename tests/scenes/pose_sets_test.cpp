// Sets of poses with common corners, edges and planes: the second object is where the set says, to the bit.
#include "scenes/pose_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>

namespace graze::scenes {
namespace {

/// The box [-1, 1] x [-0.5, 0.5] x [-0.125, 0.125], and a vertex that no triangle uses.
Shape slab() {
  return {.positions = {{-1, -0.5, -0.125}, {1, -0.5, -0.125}, {-1, 0.5, -0.125}, {-1, -0.5, 0.125}, {99, 0, 0}},
          .triangles = {{0, 1, 2}, {0, 2, 3}}};
}

TEST(PoseSets, AlignedCopiesAreShiftedAlongOneAxisUntilTheirBoxesTouch) {
  const auto poses = pose_set(PoseSet::Aligned, slab());
  ASSERT_EQ(poses.size(), 48U);
  Vec3 farthest{0, 0, 0};
  for (const PosePair& pair : poses) {
    EXPECT_EQ(pair.a, Pose{});
    EXPECT_EQ(pair.b.rotation, Pose{}.rotation);
    const Vec3& t = pair.b.translation;
    EXPECT_EQ((t.x > 0.0 ? 1 : 0) + (t.y > 0.0 ? 1 : 0) + (t.z > 0.0 ? 1 : 0), 1);
    farthest = {std::max(farthest.x, t.x), std::max(farthest.y, t.y), std::max(farthest.z, t.z)};
  }
  EXPECT_EQ(farthest, (Vec3{2.0, 1.0, 0.25}));
}

TEST(PoseSets, ShiftedCopiesAreAThirdAwayInAllDirections) {
  const auto poses = pose_set(PoseSet::Shifted, slab());
  std::set<std::tuple<double, double, double>> places;
  for (const PosePair& pair : poses) {
    EXPECT_EQ(pair.a, Pose{});
    EXPECT_EQ(pair.b.rotation, Pose{}.rotation);
    const Vec3& t = pair.b.translation;
    places.insert({t.x, t.y, t.z});
    EXPECT_TRUE(t.x == 0.0 || std::abs(t.x) == 2.0 / 3.0) << t.x;
    EXPECT_TRUE(t.y == 0.0 || std::abs(t.y) == 1.0 / 3.0) << t.y;
    EXPECT_TRUE(t.z == 0.0 || std::abs(t.z) == 0.25 / 3.0) << t.z;
  }
  EXPECT_EQ(poses.size(), 26U);
  EXPECT_EQ(places.size(), 26U);
  EXPECT_FALSE(places.contains({0.0, 0.0, 0.0}));
}

TEST(PoseSets, SamePosesAreEqualAndOneIsTheIdentity) {
  const auto poses = pose_set(PoseSet::Same, slab());
  ASSERT_GE(poses.size(), 8U);
  EXPECT_EQ(poses.front().a, Pose{});
  std::size_t turned = 0;
  for (const PosePair& pair : poses) {
    EXPECT_EQ(pair.a, pair.b);
    turned += pair.a.rotation == Pose{}.rotation ? 0U : 1U;
  }
  EXPECT_EQ(turned, 6U);
}

TEST(PoseSets, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const PoseSet set : kPoseSets) names.emplace(name_of(set));
  EXPECT_EQ(names, (std::set<std::string>{"aligned", "shifted", "same"}));
}

TEST(PoseSets, OfNothingHaveFinitePoses) {
  for (const PoseSet set : kPoseSets) {
    for (const PosePair& pair : pose_set(set, {})) {
      EXPECT_EQ(posed(pair.b, {}), posed(pair.b, {}));  // NaN differs from itself
    }
  }
}

}  // namespace
}  // namespace graze::scenes
