// A partial refit, of the ancestors of some leaves only, gives the same bits as a refit of the whole tree.
#include "bvh/partial_refit.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "bvh/build.hpp"
#include "bvh/soups.hpp"
#include "bvh/two_level.hpp"
#include "bvh/validate.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;
namespace {

using testing::random_soup;
using testing::Soup;

template <typename Volume>
std::vector<Volume> volumes_of(const Soup& soup) {
  std::vector<Volume> vertices;
  make_vertex_volumes<Volume>(soup.x_t0, soup.x_t1, 0.0, vertices);
  std::vector<Volume> leaves;
  for (const Triangle& t : soup.triangles) leaves.push_back(triangle_volume(std::span<const Volume>(vertices), t));
  return leaves;
}

/// Trees of every builder; the last has two levels and components of 1 to 5 leaves.
std::vector<BvhTree> trees_of(const Soup& soup) {
  const std::vector<Aabb> boxes = volumes_of<Aabb>(soup);
  std::vector<BvhTree> trees;
  for (const research::TreeBuilder builder :
       {research::TreeBuilder::Midpoint, research::TreeBuilder::Sah, research::TreeBuilder::Lbvh}) {
    trees.push_back(bvh_build(boxes, {.builder = builder, .piece_leaves = 32}));
  }
  std::vector<LeafLink> links;
  for (std::uint32_t i = 1; i < boxes.size(); ++i) {
    if (i % 11 != 0 && i % 11 != 5 && i % 11 != 6) links.push_back({i - 1, i});
  }
  const std::vector<Vec3> normals(boxes.size(), Vec3{0.0, 0.0, 1.0});
  trees.push_back(bvh_build_two_level(boxes, normals, links).tree);
  return trees;
}

template <typename Volume>
class PartialRefitOf : public ::testing::Test {};
using AllVolumes = ::testing::Types<Aabb, Dop18, Dop26>;
TYPED_TEST_SUITE(PartialRefitOf, AllVolumes);

TYPED_TEST(PartialRefitOf, some_leaves_gives_the_bits_of_a_whole_refit) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {1U, 2U, 3U, 50U, 3000U}) {
    const Soup soup = random_soup(count, 0.1, 0.05, count);
    const std::vector<TypeParam> other = volumes_of<TypeParam>(random_soup(count, 0.2, 0.1, count + 1));
    for (const BvhTree& tree : trees_of(soup)) {
      std::vector<TypeParam> leaves = volumes_of<TypeParam>(soup);
      const auto leaf = [&](std::uint32_t i) { return leaves[i]; };
      BvhVolumes<TypeParam> partial;
      partial.refit(tree, leaf);
      const std::vector<std::uint32_t> slot_of = bvh_leaf_slots(tree, count + 3);
      ASSERT_EQ(slot_of.back(), kNoNode);
      for (const std::size_t some : {std::size_t{0}, std::size_t{1}, count / 50, count / 3, count}) {
        std::vector<std::uint32_t> numbers(count);
        for (std::uint32_t i = 0; i < count; ++i) numbers[i] = i;
        std::shuffle(numbers.begin(), numbers.end(), random);
        numbers.resize(some);
        std::vector<std::uint32_t> slots;
        for (const std::uint32_t i : numbers) {
          leaves[i] = other[(std::size_t{i} * 7 + some) % count];
          slots.push_back(slot_of[i]);
          ASSERT_EQ(tree.words[slot_of[i]], kLeaf | i);
        }
        bvh_refit_leaves(tree, partial, slots, leaf);
        BvhVolumes<TypeParam> whole;
        whole.refit(tree, leaf);
        for (std::size_t i = 0; i < tree.words.size(); ++i) {
          ASSERT_EQ(partial.node(i), whole.node(i)) << count << " leaves, " << some << " moved, node " << i;
        }
        ASSERT_EQ(bvh_validate(tree, partial), "");
      }
    }
  }
}

TEST(PartialRefit, climbs_to_every_block_above_once) {
  const Soup soup = random_soup(2000, 0.1, 0.05, 7);
  const BvhTree tree = trees_of(soup)[1];
  const std::vector<std::uint32_t> slot_of = bvh_leaf_slots(tree, 2000);
  const std::vector<std::uint32_t> slots{slot_of[5], slot_of[6], slot_of[1999]};
  const bvh::detail::BlocksAbove above = bvh::detail::blocks_above(tree, slots);
  ASSERT_TRUE(above.few);
  std::vector<std::uint32_t> expected;
  for (const std::uint32_t slot : slots) {
    for (std::uint32_t node = slot; node != kNoNode; node = tree.parent[node / 2]) expected.push_back(node / 2);
  }
  std::sort(expected.rbegin(), expected.rend());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  EXPECT_EQ(above.blocks, expected);
  EXPECT_FALSE(bvh::detail::blocks_above(tree, slot_of).few);
}

}  // namespace
}  // namespace graze
