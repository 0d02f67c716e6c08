// Every BVH builder on random and degenerate soups: trees are valid and of bounded depth, a refit equals volumes
// computed anew, bits are equal at any number of threads, and the validator detects faults.
#include "bvh/build.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "bvh/quality.hpp"
#include "bvh/soups.hpp"
#include "bvh/validate.hpp"
#include "core/tasks.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;
namespace {

using testing::degenerate_soups;
using testing::random_soup;
using testing::Soup;

constexpr std::array kBuilders = {research::TreeBuilder::Midpoint, research::TreeBuilder::Sah,
                                  research::TreeBuilder::Lbvh};

template <typename Volume>
std::vector<Volume> vertices_of(const Soup& soup) {
  std::vector<Volume> vertices;
  make_vertex_volumes<Volume>(soup.x_t0, soup.x_t1, 0.0, vertices);
  return vertices;
}

std::vector<Aabb> boxes_of(const Soup& soup) {
  return triangle_boxes(vertices_of<Aabb>(soup), soup.triangles);
}

std::vector<Soup> all_soups() {
  std::vector<Soup> soups = degenerate_soups();
  soups.push_back(random_soup(10'000, 0.02, 0.01, 5));
  soups.push_back(random_soup(3'000, 0.5, 0.0, 6));
  return soups;
}

template <typename Volume>
class BvhOf : public ::testing::Test {};
using AllVolumes = ::testing::Types<Aabb, Dop18, Dop26>;
TYPED_TEST_SUITE(BvhOf, AllVolumes);

TYPED_TEST(BvhOf, any_soup_is_valid_and_its_leaves_hold_their_triangles) {
  for (const Soup& soup : all_soups()) {
    for (const research::TreeBuilder builder : kBuilders) {
      SCOPED_TRACE(soup.name + ", " + std::string(name_of(builder)));
      const BvhTree tree = bvh_build(boxes_of(soup), {.builder = builder, .piece_leaves = 100});
      const std::vector<TypeParam> vertices = vertices_of<TypeParam>(soup);
      BvhVolumes<TypeParam> volumes;
      bvh_refit<TypeParam>(tree, vertices, soup.triangles, volumes);
      ASSERT_EQ(bvh_validate(tree, volumes), "");
      ASSERT_LE(tree.depth, 64 + std::bit_width(soup.triangles.size()));
      TypeParam all;
      for (std::size_t i = 0; i < tree.words.size(); ++i) {
        if (tree.words[i] == kNoNode || (tree.words[i] & kLeaf) == 0) continue;
        const auto leaf =
            triangle_volume(std::span<const TypeParam>(vertices), soup.triangles[tree.words[i] & ~kLeaf]);
        ASSERT_EQ(volumes.node(i), leaf);
        all.include(leaf);
      }
      ASSERT_EQ(volumes.node(0), all);
    }
  }
}

TYPED_TEST(BvhOf, a_moved_soup_is_refitted_to_what_fresh_volumes_would_be) {
  const Soup before = random_soup(5'000, 0.05, 0.02, 8);
  Soup after = before;
  std::mt19937_64 random(9);
  for (Vec3& x : after.x_t1) x.y += static_cast<double>(random() % 1000) * 1e-3;
  const BvhTree tree = bvh_build(boxes_of(before), {.piece_leaves = 64});
  BvhVolumes<TypeParam> refitted;
  BvhVolumes<TypeParam> fresh;
  bvh_refit<TypeParam>(tree, vertices_of<TypeParam>(before), before.triangles, refitted);
  const TypeParam root_before = refitted.node(0);
  with_threads(7, [&] { bvh_refit<TypeParam>(tree, vertices_of<TypeParam>(after), after.triangles, refitted); });
  with_threads(1, [&] { bvh_refit<TypeParam>(tree, vertices_of<TypeParam>(after), after.triangles, fresh); });
  ASSERT_EQ(bvh_validate(tree, refitted), "");
  ASSERT_NE(refitted.node(0), root_before);
  for (std::size_t i = 0; i < tree.words.size(); ++i) ASSERT_EQ(refitted.node(i), fresh.node(i));
}

TEST(BvhBuild, gives_the_same_tree_at_any_number_of_threads) {
  const std::vector<Aabb> boxes = boxes_of(random_soup(40'000, 0.02, 0.01, 10));
  for (const research::TreeBuilder builder : kBuilders) {
    BvhTree one;
    with_threads(1, [&] { one = bvh_build(boxes, {.builder = builder}); });
    for (const unsigned threads : {2U, 7U}) {
      BvhTree many;
      with_threads(threads, [&] { many = bvh_build(boxes, {.builder = builder}); });
      EXPECT_EQ(many.words, one.words) << name_of(builder);
      EXPECT_EQ(many.parent, one.parent) << name_of(builder);
    }
  }
}

TEST(BvhBuild, falls_back_to_medians_where_midpoints_peel_off_one_leaf_each) {
  for (const Soup& soup : degenerate_soups()) {
    if (soup.name.find("powers") == std::string::npos) continue;
    const BvhTree tree = bvh_build(boxes_of(soup), {.builder = research::TreeBuilder::Midpoint});
    EXPECT_GT(tree.depth, 64U) << "the soup was meant to be deep";
    EXPECT_LE(tree.depth, 64U + 11U);
  }
}

TEST(BvhBuild, takes_infinite_boxes) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<Aabb> boxes(300);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    boxes[i].lo = {i % 3 == 0 ? -kInfinity : static_cast<float>(i), -kInfinity, 0.0F};
    boxes[i].hi = {i % 5 == 0 ? kInfinity : static_cast<float>(i), kInfinity, i % 2 == 0 ? kInfinity : 0.0F};
  }
  for (const research::TreeBuilder builder : kBuilders) {
    const BvhTree tree = bvh_build(boxes, {.builder = builder});
    BvhVolumes<Aabb> volumes;
    volumes.refit(tree, [&](std::uint32_t i) { return boxes[i]; });
    EXPECT_EQ(bvh_validate(tree, volumes), "") << name_of(builder);
    EXPECT_EQ(bvh_cost(tree, volumes), 1.0) << "no number can be given";
  }
}

TEST(BvhBuild, of_a_sheet_is_as_shallow_as_it_should_be) {
  const std::vector<Aabb> boxes = boxes_of(random_soup(16'384, 0.01, 0.0, 11));
  for (const research::TreeBuilder builder : kBuilders) {
    EXPECT_LE(bvh_build(boxes, {.builder = builder}).depth, 40U) << name_of(builder);
  }
}

TEST(BvhValidate, names_what_is_wrong) {
  const Soup soup = random_soup(200, 0.1, 0.0, 12);
  const std::vector<Aabb> boxes = boxes_of(soup);
  const BvhTree good = bvh_build(boxes, {.piece_leaves = 16});
  BvhVolumes<Aabb> volumes;
  volumes.refit(good, [&](std::uint32_t i) { return boxes[i]; });
  ASSERT_EQ(bvh_validate(good, volumes), "");

  std::size_t leaf = 2;
  while ((good.words[leaf] & kLeaf) == 0) ++leaf;
  std::size_t other = leaf + 1;
  while ((good.words[other] & kLeaf) == 0) ++other;
  BvhTree bad = good;
  bad.words[leaf] = bad.words[other];
  EXPECT_NE(bvh_validate(bad).find("twice"), std::string::npos);
  bad = good;
  std::swap(bad.words[2], bad.words[3]);
  EXPECT_NE(bvh_validate(bad), "");
  bad = good;
  ++bad.depth;
  EXPECT_NE(bvh_validate(bad).find("depth"), std::string::npos);
  bad = good;
  bad.top.pop_back();
  EXPECT_NE(bvh_validate(bad).find("exactly once"), std::string::npos);
  bad = good;
  bad.pieces.pop_back();
  EXPECT_NE(bvh_validate(bad), "");
  bad = good;
  bad.parent[5] = 0;
  EXPECT_NE(bvh_validate(bad), "");

  // A tree with two leaves exchanged is valid in itself, but does not match the volumes.
  bad = good;
  std::swap(bad.words[leaf], bad.words[other]);
  EXPECT_EQ(bvh_validate(bad), "");
  volumes.refit(bad, [&](std::uint32_t i) { return boxes[i]; });
  EXPECT_EQ(bvh_validate(bad, volumes), "");
  BvhTree smaller = bvh_build(std::span(boxes).first(100));
  EXPECT_NE(bvh_validate(smaller, volumes), "");
}

TEST(BvhQuality, asks_for_a_rebuild_once_the_mesh_is_shuffled_but_not_when_it_is_moved_scaled_or_still) {
  const Soup soup = random_soup(4'000, 0.02, 0.005, 13);
  const BvhTree tree = bvh_build(boxes_of(soup));
  BvhVolumes<Aabb> volumes;
  bvh_refit<Aabb>(tree, vertices_of<Aabb>(soup), soup.triangles, volumes);
  const double built = bvh_cost(tree, volumes);
  EXPECT_GT(built, 0.0);
  EXPECT_FALSE(bvh_should_rebuild(built, built));

  Soup scaled = soup;
  for (auto* x : {&scaled.x_t0, &scaled.x_t1}) {
    for (Vec3& p : *x) p = {4.0 * p.x + 1.0, 4.0 * p.y, 4.0 * p.z};
  }
  bvh_refit<Aabb>(tree, vertices_of<Aabb>(scaled), scaled.triangles, volumes);
  EXPECT_NEAR(bvh_cost(tree, volumes), built, 0.01 * built);
  EXPECT_FALSE(bvh_should_rebuild(built, bvh_cost(tree, volumes)));

  // Each triangle moves to the position of another.
  Soup shuffled = soup;
  std::mt19937_64 random(14);
  std::shuffle(shuffled.triangles.begin(), shuffled.triangles.end(), random);
  bvh_refit<Aabb>(tree, vertices_of<Aabb>(shuffled), shuffled.triangles, volumes);
  EXPECT_TRUE(bvh_should_rebuild(built, bvh_cost(tree, volumes)));

  const BvhTree rebuilt = bvh_build(boxes_of(shuffled));
  bvh_refit<Aabb>(rebuilt, vertices_of<Aabb>(shuffled), shuffled.triangles, volumes);
  EXPECT_NEAR(bvh_cost(rebuilt, volumes), built, 0.05 * built);
}

TEST(BvhQuality, the_surface_area_heuristic_is_no_worse_than_the_others) {
  const Soup soup = random_soup(8'000, 0.02, 0.01, 15);
  std::array<double, 3> cost{};
  for (std::size_t i = 0; i < 3; ++i) {
    const BvhTree tree = bvh_build(boxes_of(soup), {.builder = kBuilders[i]});
    BvhVolumes<Aabb> volumes;
    bvh_refit<Aabb>(tree, vertices_of<Aabb>(soup), soup.triangles, volumes);
    cost[i] = bvh_cost(tree, volumes);
  }
  EXPECT_LE(cost[1], cost[0]);
  EXPECT_LE(cost[1], cost[2]);
}

TEST(BvhQuality, bytes_a_triangle_are_topology_and_volumes) {
  const Soup soup = random_soup(10'000, 0.02, 0.01, 16);
  const BvhTree tree = bvh_build(boxes_of(soup));
  BvhVolumes<Aabb> boxes;
  bvh_refit<Aabb>(tree, vertices_of<Aabb>(soup), soup.triangles, boxes);
  EXPECT_NEAR(bvh_bytes_per_triangle(tree, boxes), 64.0 + 12.0, 0.1);
  BvhVolumes<Dop26> dops;
  bvh_refit<Dop26>(tree, vertices_of<Dop26>(soup), soup.triangles, dops);
  EXPECT_NEAR(bvh_bytes_per_triangle(tree, dops), 224.0 + 12.0, 0.1);
}

}  // namespace
}  // namespace graze
