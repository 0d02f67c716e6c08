// Worlds through thousands of random edits against all pairs of objects (rigid/world_model.hpp), at several numbers
// of threads, with every kind of tree, and with rational arithmetic as the judge.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "geometry/vec.hpp"
#include "rigid/world_model.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;

namespace {

constexpr std::array<unsigned, 3> kThreads{1, 2, 7};

std::vector<Soup> some_soups(Random& random) {
  std::vector<Soup> soups{random_soup(random, 14, 0.6), unit_cube(), random_soup(random, 6, 1.5),
                          Soup{"empty", {}, {}}};
  soups.push_back(random_soup(random, 1, 1.0));
  return soups;
}

void live(WorldModel& model, Random& random, std::size_t edits, double size, const std::string& name) {
  for (std::size_t i = 0; i < edits; ++i) {
    model.edit(random, size);
    if (i % 9 != 0) continue;
    SCOPED_TRACE(name + ", edit " + std::to_string(i));
    for (const unsigned threads : kThreads) ASSERT_EQ(model.check(threads), "");
    const auto one = random.below(static_cast<std::uint32_t>(model.objects().size()));
    ASSERT_EQ(model.check_one(one, kThreads[i % 3]), "");
  }
  EXPECT_GT(model.expected_hits(), edits) << name;
}

TEST(RigidWorldLives, AgreeWithAllPairs) {
  for (std::uint64_t seed = 0; seed < (kIsSlow ? 2 : 6); ++seed) {
    Random random = seeded(5100 + seed);
    const std::vector<Soup> soups = some_soups(random);
    WorldModel model(soups);
    live(model, random, kIsSlow ? 150 : 600, seed % 2 == 0 ? 3.0 : 1.2, "life " + std::to_string(seed));
  }
}

TEST(RigidWorldLives, AgreeWithEveryKindOfTree) {
  for (const RigidTree tree : all_values<RigidTree>()) {
    Random random = seeded(5120);
    const std::vector<Soup> soups = some_soups(random);
    WorldModel model(soups, tree);
    live(model, random, kIsSlow ? 60 : 90, 1.5, std::string(name_of(tree)));
  }
}

TEST(RigidWorldLives, AgreeWithRationalArithmetic) {
  Random random = seeded(5130);
  const std::vector<Soup> soups{random_soup(random, 5, 0.8), random_soup(random, 3, 1.5), unit_cube()};
  WorldModel model(soups, RigidTree::Boxtree, Judge::Rationals);
  for (std::size_t i = 0; i < 9; ++i) model.add(i % 3, {.translation = 0.7 * random_vec(random)});
  live(model, random, kIsSlow ? 12 : 60, 1.0, "rational");
}

TEST(RigidWorldLives, AgreeOnDegenerateSoups) {
  Random random = seeded(5140);
  const std::vector<Soup> soups = soup_gallery(random, 6);
  WorldModel model(soups);
  for (std::size_t i = 0; i < soups.size(); ++i) model.add(i, {.translation = 0.25 * random_vec(random)});
  live(model, random, kIsSlow ? 12 : 60, 1.0, "gallery");
}

TEST(RigidWorldLives, AgreeFarFromTheOriginAndAtAllSizes) {
  for (const int exponent : {-500, -300, 300, 490}) {
    Random random = seeded(5150);
    std::vector<Soup> soups = some_soups(random);
    for (Soup& soup : soups) soup = scaled(soup, exponent);
    WorldModel model(soups);
    live(model, random, kIsSlow ? 20 : 60, std::ldexp(1.5, exponent), "2^" + std::to_string(exponent));
  }
  for (const double far : {1e9, 1e150, 1e300}) {
    Random random = seeded(5160);
    const std::vector<Soup> soups{unit_cube(), random_soup(random, 8, 0.8)};
    WorldModel model(soups);
    for (int i = 0; i < 12; ++i) {
      Pose pose = random_rotation(random);
      // Corners of a huge cube, with some objects around each.
      pose.translation = {i % 2 == 0 ? far : -far, i % 3 == 0 ? far : 0.0, random.symmetric()};
      model.add(static_cast<std::size_t>(i) % 2, pose, {.motion = i % 4 == 0 ? Motion::Static : Motion::Rigid});
    }
    ASSERT_EQ(model.check(1), "") << far;
    for (std::size_t i = 0; i < 12; ++i) {
      ASSERT_EQ(model.check_one(i, 2), "") << far;
      model.set_pose(i, model.objects()[(i + 5) % 12].pose);
      ASSERT_EQ(model.check(7), "") << far;
    }
  }
}

TEST(RigidWorldLives, CoincidentObjectsAllMeet) {
  const std::vector<Soup> soups{unit_cube()};
  WorldModel model(soups);
  for (int i = 0; i < 12; ++i) model.add(0, {});
  for (const unsigned threads : kThreads) ASSERT_EQ(model.check(threads), "");
  EXPECT_EQ(model.world().hits().hits.size(), 66U);
  // Copies that touch face to face count; one bit farther apart they do not.
  for (std::size_t i = 0; i < 12; ++i) model.set_pose(i, {.translation = {static_cast<double>(i), 0, 0}});
  ASSERT_EQ(model.check(2), "");
  EXPECT_EQ(model.world().hits().hits.size(), 11U);
  model.set_pose(0, {.translation = {-0x1p-50, 0, 0}});
  ASSERT_EQ(model.check(2), "");
  EXPECT_EQ(model.world().hits().hits.size(), 10U);
}

TEST(RigidWorldLives, BatchesThatRebuildTheTree) {
  // More objects leave their boxes at once than single replacements are made for.
  Random random = seeded(5190);
  const Soup soup = random_soup(random, 12, 0.8);
  const RigidObject object(soup.positions, soup.triangles);
  RigidWorld world;
  std::vector<ObjectId> ids;
  for (int i = 0; i < 400; ++i) ids.push_back(world.add(object));
  const std::vector<ObjectId> removed(ids.begin(), ids.begin() + 50);
  for (const ObjectId id : removed) world.remove(id);  // holes in the arrays of nodes
  ids.erase(ids.begin(), ids.begin() + 50);
  Collider collider(object, object);
  std::size_t hits = 0;
  for (int round = 0; round < 4; ++round) {
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      poses.push_back(random_rotation(random));
      poses.back().translation = 9.0 * random_vec(random);
    }
    world.move(ids, poses);
    ASSERT_EQ(world.validate(), "");
    std::vector<ObjectPair> expected;
    for (std::size_t a = 0; a < ids.size(); ++a) {
      for (std::size_t b = a + 1; b < ids.size(); ++b) {
        if (collider.first_hit(poses[a], poses[b]).hit()) expected.push_back({ids[a], ids[b]});
      }
    }
    for (const unsigned threads : kThreads) {
      std::vector<ObjectPair> found;
      for (const WorldHit& hit : world.hits({.threads = threads}).hits) found.push_back({hit.a, hit.b});
      ASSERT_EQ(found, expected);
    }
    ASSERT_EQ(world.validate(), "");
    hits += expected.size();
  }
  EXPECT_GT(hits, 100U);
}

TEST(RigidWorldLives, TheSameEditsGiveTheSameWorkAtAnyNumberOfThreads) {
  std::vector<WorldStats> stats;
  std::vector<std::uint64_t> hashes;
  for (const unsigned threads : kThreads) {
    Random random = seeded(5180);
    const std::vector<Soup> soups = some_soups(random);
    WorldModel model(soups);
    for (int i = 0; i < 40; ++i) model.add(random.below(5), {.translation = 2.0 * random_vec(random)});
    const WorldOptions options{.threads = threads};
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 30; ++i) model.edit(random, 2.0);
      const WorldHits hits = model.world().hits(options);
      const WorldHits pairs = model.world().triangle_pairs(options);
      stats.push_back(hits.stats);
      stats.push_back(pairs.stats);
      stats.push_back(model.world().first_hit(options).stats);
      hashes.push_back(hits.hash());
      hashes.push_back(pairs.hash());
    }
  }
  for (std::size_t i = 9; i < stats.size(); ++i) EXPECT_TRUE(same_work(stats[i], stats[i % 9])) << i;
  for (std::size_t i = 6; i < hashes.size(); ++i) EXPECT_EQ(hashes[i], hashes[i % 6]) << i;
}

}  // namespace
}  // namespace graze::testing
