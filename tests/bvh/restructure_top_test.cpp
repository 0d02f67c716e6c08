// Selective restructuring of the upper level after components have moved: as good as a fresh upper level where it
// pays, no change where it does not, and all blocks stay valid.
#include "bvh/restructure_top.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "bvh/patches.hpp"
#include "bvh/validate.hpp"
#include "core/tasks.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;
namespace {

using testing::leaf_volumes;
using testing::Soup;

constexpr RestructureOptions kFull{.rebuild_below = 1'000'000};
constexpr RestructureOptions kSelective{.rebuild_below = 0};

/// Components of one to eight triangles of similar size that can be placed anywhere.
struct Swarm {
  std::vector<Soup> parts;
  std::vector<Vec3> places;
  double scale = 0.02;

  explicit Swarm(std::size_t count, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    const auto along = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
    for (std::size_t k = 0; k < count; ++k) {
      const auto size = static_cast<std::uint32_t>(k % 3);
      parts.push_back(size == 0 ? testing::random_soup(1, 1.0, 0.0, seed + k) : testing::grid(size, 2));
      const double x = along();
      const double y = along();
      places.push_back({x, y, along()});
    }
  }
  [[nodiscard]] Soup mesh() const { return testing::together("swarm", parts, places, scale); }
  [[nodiscard]] TwoLevelTree build() const {
    const Soup soup = mesh();
    return bvh_build_two_level(leaf_volumes<Aabb>(soup), testing::normals_of(soup), testing::links_of(soup));
  }
};

template <typename Volume>
void refit(const Swarm& swarm, const TwoLevelTree& two_level, BvhVolumes<Volume>& volumes) {
  const std::vector<Volume> leaves = leaf_volumes<Volume>(swarm.mesh());
  volumes.refit(two_level.tree, [&](std::uint32_t i) { return leaves[i]; });
}

/// bvh_cost of the upper level: the areas of its inner nodes relative to those of the components and the root.
template <typename Volume>
double upper_cost(const TwoLevelTree& two_level, const BvhVolumes<Volume>& volumes) {
  const auto half_area = [&](std::size_t i) {
    const Volume volume = volumes.node(i);
    std::array<double, 3> e;
    for (std::size_t k = 0; k < 3; ++k)
      e[k] = static_cast<double>(volume.hi[k]) - static_cast<double>(volume.lo[k]);
    return e[0] * (e[1] + e[2]) + e[1] * e[2];
  };
  double inner = 0.0;
  double components = half_area(0);
  for (std::size_t i = 0; i < std::size_t{2} * two_level.tree.upper_blocks; ++i) {
    if (two_level.tree.words[i] == kNoNode) continue;
    (two_level.tree.words[i] < two_level.tree.upper_blocks ? inner : components) += half_area(i);
  }
  return inner / components;
}

/// Checks that the lower level is unchanged and the volumes are those of a fresh refit.
template <typename Volume>
void expect_sound(const Swarm& swarm, const TwoLevelTree& before, const TwoLevelTree& after,
                  const BvhVolumes<Volume>& volumes) {
  ASSERT_EQ(bvh_validate(after, volumes), "");
  ASSERT_EQ(after.components, before.components);
  const std::uint32_t upper = before.tree.upper_blocks;
  ASSERT_TRUE(std::equal(before.tree.words.begin() + std::ptrdiff_t{2} * upper, before.tree.words.end(),
                         after.tree.words.begin() + std::ptrdiff_t{2} * upper));
  for (std::uint32_t b = upper; b < before.tree.block_count(); ++b) {
    if (before.tree.parent[b] < 2 * upper) continue;
    ASSERT_EQ(after.tree.parent[b], before.tree.parent[b]);
  }
  BvhVolumes<Volume> fresh;
  refit(swarm, after, fresh);
  for (std::size_t i = 0; i < after.tree.words.size(); ++i) ASSERT_EQ(volumes.node(i), fresh.node(i));
}

struct Motion {
  std::string name;
  Swarm from;
  Swarm to;
};

std::vector<Motion> motions(std::size_t count) {
  const Swarm spread(count, 3);
  std::mt19937_64 random(17);
  Swarm swapped = spread;
  std::shuffle(swapped.places.begin(), swapped.places.end(), random);
  Swarm few = spread;
  for (std::size_t k = 0; k < count / 10; ++k)
    std::swap(few.places[random() % count], few.places[random() % count]);
  Swarm gathered = spread;
  for (Vec3& x : gathered.places) x = {0.05 * x.y + 0.3, 0.05 * x.z, 0.05 * x.x};
  Swarm one_place = spread;
  for (Vec3& x : one_place.places) x = {0.5, 0.5, 0.5};
  Swarm flat = spread;
  for (Vec3& x : flat.places) x = {x.z, x.x, 0.0};
  return {{"all change places", spread, swapped}, {"some change places", spread, few}, {"gather", spread, gathered},
          {"scatter", gathered, spread},          {"burst", one_place, spread},        {"fall flat", spread, flat}};
}

template <typename Volume>
class RestructureOf : public ::testing::Test {};
using AllVolumes = ::testing::Types<Aabb, Dop18, Dop26>;
TYPED_TEST_SUITE(RestructureOf, AllVolumes);

TYPED_TEST(RestructureOf, components_that_moved_are_grouped_as_a_fresh_build_would) {
  for (const std::size_t count : {40U, 1500U}) {
    for (const Motion& motion : motions(count)) {
      for (const RestructureOptions& options : {kFull, kSelective}) {
        if (options.rebuild_below == 0 && count < 1000) continue;  // too few components to decide
        SCOPED_TRACE(motion.name + ", " + std::to_string(count) +
                     (options.rebuild_below == 0 ? ", selective" : ", full"));
        const TwoLevelTree before = motion.from.build();
        TwoLevelTree after = before;
        BvhVolumes<TypeParam> volumes;
        refit(motion.from, after, volumes);
        ASSERT_EQ(bvh_restructure_top(after, volumes, options), 0U) << "just built";
        refit(motion.to, after, volumes);
        const double rotten = upper_cost(after, volumes);
        const std::size_t regrouped = bvh_restructure_top(after, volumes, options);
        expect_sound(motion.to, before, after, volumes);

        const TwoLevelTree fresh = motion.to.build();
        BvhVolumes<TypeParam> fresh_volumes;
        refit(motion.to, fresh, fresh_volumes);
        const double best = upper_cost(fresh, fresh_volumes);
        EXPECT_LE(upper_cost(after, volumes), 1.2 * best);
        if (count > 1000) {
          EXPECT_GT(rotten, 1.2 * best) << "the motion was meant to spoil the tree";
          EXPECT_GT(regrouped, 0U);
        }
        EXPECT_EQ(bvh_restructure_top(after, volumes, options), 0U) << "what was just rebuilt stays";
      }
    }
  }
}

TEST(Restructure, only_the_region_that_rotted_is_rebuilt) {
  const Swarm swarm(4000, 5);
  const TwoLevelTree before = swarm.build();
  Swarm moved = swarm;
  // The components in one corner exchange their positions.
  std::vector<std::size_t> corner;
  for (std::size_t k = 0; k < swarm.places.size(); ++k) {
    const Vec3& x = swarm.places[k];
    if (x.x < 0.4 && x.y < 0.4 && x.z < 0.4) corner.push_back(k);
  }
  ASSERT_GT(corner.size(), 100U);
  for (std::size_t k = 0; k < corner.size(); ++k) {
    moved.places[corner[k]] = swarm.places[corner[(7 * k + 3) % corner.size()]];
  }
  TwoLevelTree after = before;
  BvhVolumes<Aabb> volumes;
  refit(moved, after, volumes);
  const double rotten = upper_cost(after, volumes);
  const std::size_t regrouped = bvh_restructure_top(after, volumes, kSelective);
  expect_sound(moved, before, after, volumes);
  EXPECT_GT(regrouped, 0U);
  EXPECT_LT(regrouped, 2000U);
  EXPECT_LT(upper_cost(after, volumes), rotten);
  std::size_t changed = 0;
  for (std::uint32_t i = 0; i < 2 * before.tree.upper_blocks; ++i) {
    if (before.tree.words[i] != after.tree.words[i]) ++changed;
  }
  EXPECT_LE(changed, 2 * regrouped);
}

TEST(Restructure, nothing_happens_where_all_are_static_or_move_and_grow_together) {
  for (const RestructureOptions& options : {kFull, kSelective}) {
    Swarm swarm(900, 7);
    TwoLevelTree two_level = swarm.build();
    BvhVolumes<Aabb> volumes;
    refit(swarm, two_level, volumes);
    EXPECT_EQ(bvh_restructure_top(two_level, volumes, options), 0U);
    for (Vec3& x : swarm.places) x = {2.0 * x.x + 1.0, 2.0 * x.y, 2.0 * x.z};
    swarm.scale *= 2.0;
    refit(swarm, two_level, volumes);
    EXPECT_EQ(bvh_restructure_top(two_level, volumes, options), 0U);
  }
}

TEST(Restructure, is_the_same_at_any_number_of_threads) {
  const Motion motion = motions(2000)[1];
  for (const RestructureOptions& options : {kFull, kSelective}) {
    std::vector<TwoLevelTree> trees;
    for (const unsigned threads : {1U, 2U, 7U}) {
      with_threads(threads, [&] {
        trees.push_back(motion.from.build());
        BvhVolumes<Aabb> volumes;
        refit(motion.to, trees.back(), volumes);
        bvh_restructure_top(trees.back(), volumes, options);
      });
      EXPECT_EQ(trees.back().tree.words, trees[0].tree.words);
      EXPECT_EQ(trees.back().tree.parent, trees[0].tree.parent);
      EXPECT_EQ(trees.back().calibration, trees[0].calibration);
    }
  }
}

TEST(Restructure, a_few_components_points_and_infinite_volumes_will_do) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const RestructureOptions& options : {kFull, kSelective}) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 60U}) {
      for (const int kind : {0, 1, 2, 3}) {
        SCOPED_TRACE(std::to_string(count) + " components of kind " + std::to_string(kind));
        const Swarm swarm(count, 9);
        TwoLevelTree two_level = swarm.build();
        const TwoLevelTree before = two_level;
        const auto leaf = [&](std::uint32_t i) {
          const auto x = static_cast<float>(i * 37 % 101);
          if (kind == 0) return Aabb({1.0F, 1.0F, 1.0F}, {1.0F, 1.0F, 1.0F});
          if (kind == 1) return Aabb({x, 0.0F, 0.0F}, {x, 0.0F, 0.0F});
          if (kind == 2) return Aabb({-kInfinity, x, -kInfinity}, {kInfinity, x, kInfinity});
          return i % 2 == 0 ? Aabb({x, x, x}, {x, x, x}) : Aabb({-kInfinity, x, x}, {x, kInfinity, x});
        };
        BvhVolumes<Aabb> volumes;
        volumes.refit(two_level.tree, leaf);
        const std::size_t regrouped = bvh_restructure_top(two_level, volumes, options);
        EXPECT_EQ(bvh_validate(two_level, volumes), "");
        EXPECT_TRUE(regrouped > 0 || two_level.tree.words == before.tree.words);
      }
    }
  }
}

}  // namespace
}  // namespace graze
