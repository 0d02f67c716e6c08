// Random soups, sizes and poses with all options: GRAZE_RIGID_ROUNDS rounds from GRAZE_RIGID_SEED.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "environment.hpp"
#include "geometry/vec.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

/// A random soup of the gallery, of any size and at any place.
Soup drawn_soup(Random& random) {
  constexpr std::array<std::size_t, 6> kCounts{1, 2, 3, 8, 20, 50};
  std::vector<Soup> gallery = soup_gallery(random, kCounts[random.below(kIsSlow ? 4 : 6)]);
  Soup soup = std::move(gallery[random.below(static_cast<std::uint32_t>(gallery.size()))]);
  if (random.below(4) == 0)
    soup = moved(std::move(soup), std::ldexp(1.0, random.between(0, 60)) * random_vec(random));
  if (random.below(4) == 0) soup = scaled(std::move(soup), random.between(-40, 40));
  if (random.below(12) == 0) soup = scaled(std::move(soup), random.coin() ? 900 : -1040);
  return soup;
}

PosePair drawn_poses(const Soup& a, const Soup& b, Random& random) {
  static const std::vector<Pose> kTurns = axis_permutations();
  const Vec3 where =
      random.below(3) == 0 ? std::ldexp(radius_of(a), random.between(-2, 60)) * random_vec(random) : Vec3{};
  PosePair poses = near_poses(a, b, 1.1 * random.unit() * random.unit(), where, random);
  switch (random.below(6)) {
    case 0:
      return {};
    case 1:
      poses.a.rotation = kTurns[random.below(48)].rotation;
      poses.b.rotation = kTurns[random.below(48)].rotation;
      poses.b.translation = poses.a.translation;
      break;
    case 2:
      poses.b = distorted(poses.b, 9e-7, random);
      break;
    case 3:  // a corner of b at a corner of a, nearly or exactly
      if (!a.positions.empty() && !b.positions.empty()) {
        poses.b.translation = {};
        poses.b.translation =
            posed_twin(poses.a, a.positions[random.below(static_cast<std::uint32_t>(a.positions.size()))]) -
            posed_twin(poses.b, b.positions[random.below(static_cast<std::uint32_t>(b.positions.size()))]);
      }
      break;
    default:
      break;
  }
  return poses;
}

TEST(RigidFuzz, AnySoupsInAnyPosesAgreeWithAllPairs) {
  const std::uint64_t rounds = from_environment("GRAZE_RIGID_ROUNDS", kIsSlow ? 10 : 60);
  const std::uint64_t seed = from_environment("GRAZE_RIGID_SEED", 0);
  const std::vector<Choice> choices = all_choices();
  for (std::uint64_t round = 0; round < rounds; ++round) {
    Random random(seed, round);
    const Soup a = drawn_soup(random);
    const Soup b = random.below(4) == 0 ? a : drawn_soup(random);
    Pairing pairing(a, b, choices);
    for (int i = 0; i < 4; ++i) {
      const PosePair poses = drawn_poses(a, b, random);
      ASSERT_EQ(pairing.check(poses.a, poses.b), "") << "seed " << seed << ", round " << round;
    }
  }
}

}  // namespace
}  // namespace graze::testing
