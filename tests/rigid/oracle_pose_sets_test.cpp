// Aligned, shifted and coincident copies of small objects, where nearly every determinant vanishes: the pairs are
// those of rational arithmetic, with every tree, and those of all pairs, with every option.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "geometry/vec.hpp"
#include "rigid/collide.hpp"
#include "rigid/rigid_oracle.hpp"
#include "scenes/pose_sets.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

scenes::Shape shape_of(const Soup& soup) {
  return {soup.positions, soup.triangles};
}

/// The unit cube with faces in its planes, triangles without area, doubled triangles, and corners within an ulp.
Soup cube_with_defects(Random& random) {
  Soup soup = unit_cube();
  soup.name = "cube with defects";
  const auto corner = [&] { return soup.positions[random.below(8)]; };
  for (int i = 0; i < 3; ++i) {
    const Vec3 p = corner();
    const Vec3 q = corner();
    soup.add(p, q, p);              // a segment
    soup.add(p, p, p);              // a point
    soup.add(p, 0.5 * (p + q), q);  // a segment of three points
    soup.add(p, q, corner());       // a face or a cut through the cube
    soup.add(p, q + 0x1p-52 * random_vec(random), corner());
  }
  soup.triangles.push_back(soup.triangles.front());
  return soup;
}

/// A wedge: two faces upright on z, one slanted, none with round coordinates.
Soup wedge() {
  Soup soup;
  soup.name = "wedge";
  const Vec3 a{0.1, 0.3, -0.7};
  const Vec3 b{1.3, 0.3, -0.7};
  const Vec3 c{0.1, 0.9, 0.2};
  const Vec3 up{0.0, 0.0, 1.1};
  soup.positions = {a, b, c, a + up, b + up, c + up};
  soup.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
  return soup;
}

std::vector<Soup> small_objects(Random& random) {
  return {unit_cube(), cube_with_defects(random), wedge(), moved(unit_cube(), {0.1, 1e3 + 0.1, -0.3})};
}

TEST(RigidPoseSets, TreesFindThePairsOfRationals) {
  Random random = seeded(951);
  const std::vector<Choice> choices = few_choices();
  for (const Soup& soup : small_objects(random)) {
    Pairing pairing(soup, soup, choices);
    for (const scenes::PoseSet set : scenes::kPoseSets) {
      std::size_t number = 0;
      for (const PosePair& pair : scenes::pose_set(set, shape_of(soup))) {
        if (number++ % (kIsSlow ? 7 : 2) != 0) continue;
        ASSERT_EQ(pairing.check(pair.a, pair.b, Judge::Rationals), "") << soup.name << ' ' << scenes::name_of(set);
      }
    }
  }
}

TEST(RigidPoseSets, EveryChoiceFindsThePairsOfAllPairs) {
  Random random = seeded(952);
  const std::vector<Choice> choices = all_choices();
  std::vector<Soup> soups = small_objects(random);
  for (const Soup& solid : solids(40)) soups.push_back(solid);
  for (const Soup& soup : soups) {
    Pairing pairing(soup, soup, choices);
    for (const scenes::PoseSet set : scenes::kPoseSets) {
      std::size_t number = 0;
      for (const PosePair& pair : scenes::pose_set(set, shape_of(soup))) {
        if (number++ % (kIsSlow ? 11 : 3) != 0) continue;
        ASSERT_EQ(pairing.check(pair.a, pair.b), "") << soup.name << ' ' << scenes::name_of(set);
      }
    }
  }
}

/// Copies that are turned by right angles keep planes and edges parallel to the axes.
TEST(RigidPoseSets, CopiesInTurnedPosesFindThePairsOfRationals) {
  Random random = seeded(953);
  const std::vector<Choice> choices = few_choices();
  const std::vector<Pose> turns = axis_permutations();
  for (const Soup& soup : small_objects(random)) {
    Pairing pairing(soup, soup, choices);
    for (int i = 0; i < (kIsSlow ? 4 : 16); ++i) {
      const Pose& one = turns[random.below(48)];
      Pose other = turns[random.below(48)];
      const Vec3 touch = posed_twin(one, soup.positions[random.below(6)]);
      other.translation = touch - posed_twin(other, soup.positions[random.below(6)]);
      ASSERT_EQ(pairing.check(one, other, Judge::Rationals), "") << soup.name;
    }
  }
}

TEST(RigidPoseSets, ManyPairsAreSortedAsByComparison) {
  Random random = seeded(954);
  for (const std::size_t count : {0U, 1U, 2047U, 2048U, 5000U, 40000U}) {
    for (const std::uint32_t bits_a : {0U, 1U, 9U, 10U, 11U, 20U, 32U}) {
      for (const std::uint32_t bits_b : {0U, 7U, 20U, 32U}) {
        std::vector<TrianglePair> pairs(count);
        const auto id = [&](std::uint32_t bits) {
          return static_cast<TriangleId>(random.next() & ((std::uint64_t{1} << bits) - 1U));
        };
        for (TrianglePair& pair : pairs) pair = {id(bits_a), id(bits_b)};
        const std::vector<TrianglePair> sorted = rigid::sorted_pairs(pairs);
        std::stable_sort(pairs.begin(), pairs.end(), [](const TrianglePair& one, const TrianglePair& other) {
          return one.a < other.a || (one.a == other.a && one.b < other.b);
        });
        ASSERT_EQ(sorted, pairs) << count << ' ' << bits_a << ' ' << bits_b;
      }
    }
  }
}

}  // namespace
}  // namespace graze::testing
