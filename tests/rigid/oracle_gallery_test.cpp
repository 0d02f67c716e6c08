// Every option of rigid queries on every family of soups, in poses where they are close: the answers are those of
// all pairs, and of rational arithmetic.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

constexpr std::array<double, 5> kShares{0.0, 0.1, 0.4, 0.7, 1.0};

/// Checks `rounds` random poses at each distance of kShares, as a share of the sum of radii.
void expect_right(const Soup& a, const Soup& b, std::span<const Choice> choices, int rounds, const Vec3& where,
                  Random& random, Judge judge = Judge::Library) {
  Pairing pairing(a, b, choices);
  for (int i = 0; i < rounds; ++i) {
    for (const double share : kShares) {
      const PosePair poses = near_poses(a, b, share, where, random);
      ASSERT_EQ(pairing.check(poses.a, poses.b, judge), "");
    }
  }
}

TEST(RigidGallery, EveryChoiceFindsThePairsOfAllPairs) {
  Random random = seeded(901);
  const std::vector<Choice> choices = all_choices();
  const std::vector<Soup> gallery = soup_gallery(random, kIsSlow ? 6 : 12);
  for (std::size_t i = 0; i < gallery.size(); ++i) {
    for (const std::size_t j : {i, (i + 1) % gallery.size(), (i + 7) % gallery.size()})
      expect_right(gallery[i], gallery[j], choices, 1, {}, random);
  }
}

TEST(RigidGallery, EveryChoiceFindsThePairsOfRationals) {
  Random random = seeded(902);
  const std::vector<Choice> choices = all_choices();
  const std::vector<Soup> gallery = soup_gallery(random, 4);
  for (std::size_t i = 0; i < gallery.size(); ++i) {
    const std::size_t j = (i + 5) % gallery.size();
    if (gallery[i].triangles.size() * gallery[j].triangles.size() > 300) continue;
    Pairing pairing(gallery[i], gallery[j], choices);
    for (const double share : {0.0, 0.5}) {
      const PosePair poses = near_poses(gallery[i], gallery[j], share, {}, random);
      ASSERT_EQ(pairing.check(poses.a, poses.b, Judge::Rationals), "");
    }
  }
}

TEST(RigidGallery, IdenticalCopiesIntersectWhereverTheyIntersectThemselves) {
  Random random = seeded(903);
  const std::vector<Choice> choices = all_choices();
  for (const Soup& soup : soup_gallery(random, kIsSlow ? 6 : 12)) {
    Pairing pairing(soup, soup, choices);
    std::vector<TrianglePair> expected = intersecting_pairs(soup, {}, soup, {});
    ASSERT_GE(expected.size(), soup.triangles.size());
    ASSERT_EQ(pairing.check({}, {}, expected), "");
    // The same pose for both, exact or not, far from the origin or not.
    for (const double far : {0.0, 3.0, 1e9}) {
      Pose pose = random_rotation(random);
      pose.translation = far * random_vec(random);
      ASSERT_EQ(pairing.check(pose, pose), "");
    }
  }
}

TEST(RigidGallery, LargerSoupsAndSolidsAgreeInAllTrees) {
  Random random = seeded(904);
  const std::size_t count = kIsSlow ? 60 : 400;
  const std::vector<Choice> choices = few_choices();
  std::vector<Soup> soups = solids(count);
  soups.push_back(random_soup(random, count, 0.2));
  soups.push_back(random_soup(random, count, 0.05));
  for (std::size_t i = 0; i < soups.size(); ++i) {
    for (std::size_t j = i; j < soups.size(); ++j) expect_right(soups[i], soups[j], choices, 1, {}, random);
  }
}

TEST(RigidGallery, AThousandIdenticalTrianglesAreAThousandPairs) {
  Random random = seeded(905);
  const std::size_t count = kIsSlow ? 100 : 1000;
  for (const Soup& many : soup_gallery(random, count)) {
    if (many.name != "identical" && many.name != "one point" && many.name != "one line" &&
        many.name.find("nested") == std::string::npos && many.name != "staircase")
      continue;
    const Soup few = random_soup(random, 3, 1.0);
    std::vector<Choice> choices = few_choices();
    choices.push_back({RigidTree::Boxtree, BoxtreeSplit::Volume, {}});
    choices.push_back({RigidTree::Boxtree, BoxtreeSplit::Longest, {}});
    expect_right(many, few, choices, 1, {}, random);
  }
}

TEST(RigidGallery, FarFromTheOriginOfTheirCoordinatesNothingIsLost) {
  Random random = seeded(906);
  const std::vector<Choice> choices = few_choices();
  for (const double far : {1e6, 1e9, 1e12, 1e15, 1e17, 1e100}) {
    for (const Soup& soup : {random_soup(random, 10, 0.5), unit_cube()}) {
      const Soup away = moved(soup, far * random_vec(random));
      expect_right(away, soup, choices, 2, {}, random);
      expect_right(soup, away, choices, 2, {}, random);
      expect_right(away, away, choices, 2, {}, random);
      expect_right(away, soup, choices, 2, far * random_vec(random), random);
      expect_right(soup, soup, choices, 2, far * random_vec(random), random);
    }
  }
}

TEST(RigidGallery, TinyAndHugeObjectsAreNotLostInEachOther) {
  Random random = seeded(907);
  const std::vector<Choice> choices = few_choices();
  constexpr std::array<int, 8> kExponents{-1060, -1000, -300, -40, 0, 150, 900, 1018};
  for (const int e_a : kExponents) {
    for (const int e_b : kExponents) {
      const Soup a = scaled(random_soup(random, 6, 0.5), e_a);
      const Soup b = scaled(random_soup(random, 6, 0.5), e_b);
      Pairing pairing(a, b, choices);
      for (const double share : {0.0, 0.5}) {
        const PosePair poses = near_poses(a, b, share, {}, random);
        ASSERT_EQ(pairing.check(poses.a, poses.b), "");
      }
      // The smaller soup at a corner of the larger one, as close as doubles allow.
      for (std::size_t i = 0; i < 4; ++i) {
        PosePair poses{random_rotation(random), random_rotation(random)};
        const Soup& of = e_a > e_b ? a : b;
        Pose& small = e_a > e_b ? poses.b : poses.a;
        const Pose& large = e_a > e_b ? poses.a : poses.b;
        small.translation = posed_twin(large, of.positions[i]);
        ASSERT_EQ(pairing.check(poses.a, poses.b), "");
      }
    }
  }
}

TEST(RigidGallery, APowerOfTwoChangesNoAnswer) {
  Random random = seeded(908);
  const Soup a = random_soup(random, 20, 0.4);
  const Soup b = random_soup(random, 20, 0.4);
  const std::vector<Choice> choices = few_choices();
  PosePair poses = near_poses(a, b, 0.3, {}, random);
  const std::vector<TrianglePair> expected = intersecting_pairs(a, poses.a, b, poses.b);
  ASSERT_FALSE(expected.empty());
  for (const int exponent : {-900, -149, -20, 1, 126, 130, 1000}) {
    const auto times = [&](const Pose& pose) {
      Pose result = pose;
      const Vec3& t = pose.translation;
      result.translation = {std::ldexp(t.x, exponent), std::ldexp(t.y, exponent), std::ldexp(t.z, exponent)};
      return result;
    };
    const Soup large_a = scaled(a, exponent);
    const Soup large_b = scaled(b, exponent);
    ASSERT_EQ(Pairing(large_a, large_b, choices).check(times(poses.a), times(poses.b), expected), "");
  }
}

TEST(RigidGallery, AVertexThatNoTriangleUsesChangesNothing) {
  Random random = seeded(909);
  Soup a = random_soup(random, 20, 0.4);
  const Soup b = random_soup(random, 20, 0.4);
  const PosePair poses = near_poses(a, b, 0.3, {}, random);
  const std::vector<TrianglePair> expected = intersecting_pairs(a, poses.a, b, poses.b);
  const auto tests = [&] {
    const RigidObject object_a(a.positions, a.triangles);
    const RigidObject object_b(b.positions, b.triangles);
    return Collider(object_a, object_b).triangle_pairs(poses.a, poses.b).stats.triangle_tests;
  };
  const std::uint64_t before = tests();
  a.positions.push_back({1e300, -1e300, 1e300});
  const std::vector<Choice> choices = few_choices();
  EXPECT_EQ(Pairing(a, b, choices).check(poses.a, poses.b, expected), "");
  EXPECT_EQ(tests(), before);
}

}  // namespace
}  // namespace graze::testing
