// The two-level tree: valid for every kind of mesh, equal to the plain tree where there are no links, and handled
// by traversal, refit and masks like any other tree.
#include "bvh/two_level.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include "bvh/patches.hpp"
#include "bvh/traverse.hpp"
#include "bvh/validate.hpp"
#include "core/tasks.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;
namespace {

using testing::grid;
using testing::leaf_volumes;
using testing::links_of;
using testing::normals_of;
using testing::random_soup;
using testing::Soup;

TwoLevelTree build(const Soup& soup, std::uint32_t piece_leaves = 2048) {
  TwoLevelOptions options;
  options.upper.piece_leaves = piece_leaves;
  return bvh_build_two_level(leaf_volumes<Aabb>(soup), normals_of(soup), links_of(soup), options);
}

/// Bodies of several sizes with single triangles between them; some overlap.
Soup mixture(std::uint64_t seed) {
  std::vector<Soup> parts = {grid(9, 7), random_soup(1, 0.5, 0.0, seed), testing::sphere(9, 5), grid(1, 1)};
  for (std::uint64_t k = 0; k < 20; ++k) {
    parts.push_back(random_soup(1, 0.8, 0.0, seed + k));
    parts.push_back(grid(1 + static_cast<std::uint32_t>(k % 4), 2));
  }
  parts.push_back(testing::torus(10, 6));
  std::mt19937_64 random(seed);
  std::vector<Vec3> places;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto along = [&] { return static_cast<double>(random() % 1000) * 0.004; };
    const double x = along();
    const double y = along();
    places.push_back({x, y, along()});
  }
  Soup all = testing::together("mixture", parts, places, 1.0);
  for (Vec3& x : all.x_t1) x.z += 0.05;
  return all;
}

std::vector<Soup> all_meshes() {
  std::vector<Soup> meshes = testing::degenerate_soups();
  meshes.push_back(random_soup(5'000, 0.02, 0.01, 5));
  meshes.push_back(grid(1, 1));
  meshes.push_back(grid(50, 41));
  meshes.push_back(testing::sphere(30, 20));
  meshes.push_back(mixture(7));
  Soup folded = grid(20, 20);
  folded.name = "grid at one point";
  for (Vec3& x : folded.x_t0) x = {1.0, 1.0, 1.0};
  folded.x_t1 = folded.x_t0;
  meshes.push_back(folded);
  Soup book{.name = "all at one edge", .x_t0 = {}, .x_t1 = {}, .triangles = {}};
  for (std::uint32_t i = 0; i < 500; ++i) {
    book.x_t0.push_back({std::cos(i), std::sin(i), i < 2 ? static_cast<double>(i) : 0.0});
    if (i >= 2) book.triangles.push_back({0, 1, i});
  }
  book.x_t1 = book.x_t0;
  meshes.push_back(book);
  return meshes;
}

template <typename Volume>
class TwoLevelOf : public ::testing::Test {};
using AllVolumes = ::testing::Types<Aabb, Dop18, Dop26>;
TYPED_TEST_SUITE(TwoLevelOf, AllVolumes);

TYPED_TEST(TwoLevelOf, any_mesh_is_valid_and_refitted_alike_at_any_number_of_threads) {
  for (const Soup& mesh : all_meshes()) {
    for (const std::uint32_t piece_leaves : {1U, 30U, 2048U}) {
      SCOPED_TRACE(mesh.name + ", pieces of " + std::to_string(piece_leaves));
      const TwoLevelTree two_level = build(mesh, piece_leaves);
      const std::vector<TypeParam> leaves = leaf_volumes<TypeParam>(mesh);
      BvhVolumes<TypeParam> volumes;
      BvhVolumes<TypeParam> again;
      const auto leaf = [&](std::uint32_t i) { return leaves[i]; };
      with_threads(1, [&] { volumes.refit(two_level.tree, leaf); });
      ASSERT_EQ(bvh_validate(two_level, volumes), "");
      with_threads(7, [&] { again.refit(two_level.tree, leaf); });
      for (std::size_t i = 0; i < two_level.tree.words.size(); ++i) {
        ASSERT_EQ(again.node(i), volumes.node(i));
        const std::uint32_t word = two_level.tree.words[i];
        if (word == kNoNode || (word & kLeaf) == 0) continue;
        ASSERT_EQ(volumes.node(i), leaves[word & ~kLeaf]);
      }
    }
  }
}

TEST(TwoLevel, a_soup_has_the_tree_of_the_plain_builder) {
  for (const research::TreeBuilder builder : {research::TreeBuilder::Sah, research::TreeBuilder::Lbvh}) {
    const std::vector<Aabb> boxes = leaf_volumes<Aabb>(random_soup(9'000, 0.02, 0.01, 9));
    const BvhBuildOptions options{.builder = builder, .piece_leaves = 200};
    const BvhTree plain = bvh_build(boxes, options);
    const TwoLevelTree two_level = bvh_build_two_level(boxes, {}, {}, {.upper = options, .weights = {}});
    EXPECT_EQ(two_level.components.size(), boxes.size());
    EXPECT_EQ(two_level.tree.words, plain.words);
    EXPECT_EQ(two_level.tree.parent, plain.parent);
    EXPECT_EQ(two_level.tree.depth, plain.depth);
    EXPECT_EQ(two_level.tree.top, plain.top);
    EXPECT_EQ(two_level.tree.upper_pieces.size(), plain.pieces.size()) << "refit is as parallel";
    EXPECT_TRUE(two_level.tree.pieces.empty());
  }
}

TEST(TwoLevel, each_component_is_the_subtree_of_its_own_leaves) {
  const Soup mesh = mixture(11);
  const TwoLevelTree two_level = build(mesh);
  ASSERT_EQ(two_level.components.size(), 45U);
  std::vector<std::uint32_t> component_of(mesh.triangles.size(), kNoNode);
  for (std::uint32_t c = 0; c < two_level.components.size(); ++c) {
    const TwoLevelTree::Component& component = two_level.components[c];
    std::vector<std::uint32_t> todo{component.root};
    std::size_t leaves = 0;
    while (!todo.empty()) {
      const std::uint32_t word = todo.back();
      todo.pop_back();
      if ((word & kLeaf) != 0) {
        component_of[word & ~kLeaf] = c;
        ++leaves;
        continue;
      }
      ASSERT_GE(word, component.first_block);
      ASSERT_LT(word, component.first_block + component.block_count);
      todo.push_back(two_level.tree.words[std::size_t{2} * word]);
      todo.push_back(two_level.tree.words[std::size_t{2} * word + 1]);
    }
    EXPECT_EQ(leaves, component.leaf_count);
  }
  for (const LeafLink& link : links_of(mesh)) EXPECT_EQ(component_of[link.a], component_of[link.b]);
  EXPECT_EQ(std::count(component_of.begin(), component_of.end(), kNoNode), 0);
}

TEST(TwoLevel, small_components_share_a_piece_and_large_ones_have_several) {
  std::vector<Soup> parts(64, grid(2, 2));
  parts.push_back(grid(40, 40));
  std::vector<Vec3> places;
  for (std::size_t k = 0; k < parts.size(); ++k) places.push_back({2.0 * static_cast<double>(k), 0.0, 0.0});
  const TwoLevelTree two_level = build(testing::together("many", parts, places, 1.0), 256);
  EXPECT_EQ(bvh_validate(two_level), "");
  const std::uint32_t large = two_level.components.back().first_block;
  const auto before = std::count_if(two_level.tree.pieces.begin(), two_level.tree.pieces.end(),
                                    [&](const BvhTree::Piece& piece) { return piece.begin < large; });
  EXPECT_EQ(before, 2);
  EXPECT_GT(two_level.tree.pieces.size(), 10U);
}

std::vector<LeafPair> pairs_of(const BvhTraversal& traversal, bool self) {
  std::vector<LeafPair> pairs;
  with_threads(1, [&] {
    traversal.run(
        [&](std::size_t, std::span<const LeafPair> more) { pairs.insert(pairs.end(), more.begin(), more.end()); });
  });
  for (LeafPair& pair : pairs) {
    if (self && pair.a > pair.b) std::swap(pair.a, pair.b);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TYPED_TEST(TwoLevelOf, a_mesh_is_traversed_to_exactly_the_overlapping_pairs) {
  const Soup other = mixture(21);
  const std::vector<TypeParam> other_leaves = leaf_volumes<TypeParam>(other);
  const TwoLevelTree other_tree = build(other);
  BvhVolumes<TypeParam> other_volumes;
  other_volumes.refit(other_tree.tree, [&](std::uint32_t i) { return other_leaves[i]; });
  for (const Soup& mesh : all_meshes()) {
    if (mesh.triangles.size() > 1250) continue;
    SCOPED_TRACE(mesh.name);
    const std::vector<TypeParam> leaves = leaf_volumes<TypeParam>(mesh);
    const TwoLevelTree two_level = build(mesh);
    BvhVolumes<TypeParam> volumes;
    volumes.refit(two_level.tree, [&](std::uint32_t i) { return leaves[i]; });
    std::vector<LeafMask> masks(leaves.size());
    for (std::uint32_t i = 0; i < masks.size(); ++i) masks[i] = representative_mask(i % 3 == 0 ? 1 : 0, i % 2);
    const BvhMasks tree_masks(two_level.tree, masks);

    std::vector<LeafPair> self;
    std::vector<LeafPair> masked;
    std::vector<LeafPair> inter;
    for (std::uint32_t a = 0; a < leaves.size(); ++a) {
      for (std::uint32_t b = a + 1; b < leaves.size(); ++b) {
        if (!leaves[a].overlaps(leaves[b])) continue;
        self.push_back({a, b});
        if (compatible(masks[a], masks[b])) masked.push_back({a, b});
      }
      for (std::uint32_t b = 0; b < other_leaves.size(); ++b) {
        if (leaves[a].overlaps(other_leaves[b])) inter.push_back({a, b});
      }
    }
    const BvhView view = bvh_view(two_level.tree, volumes);
    ASSERT_EQ(pairs_of(BvhTraversal(view), true), self);
    ASSERT_EQ(pairs_of(BvhTraversal(bvh_view(two_level.tree, volumes, &tree_masks)), true), masked);
    ASSERT_EQ(pairs_of(BvhTraversal(view, bvh_view(other_tree.tree, other_volumes)), false), inter);
  }
}

TEST(TwoLevel, is_the_same_at_any_number_of_threads) {
  const Soup mesh = mixture(31);
  TwoLevelTree one;
  with_threads(1, [&] { one = build(mesh); });
  for (const unsigned threads : {2U, 7U}) {
    TwoLevelTree many;
    with_threads(threads, [&] { many = build(mesh); });
    EXPECT_EQ(many.tree.words, one.tree.words);
    EXPECT_EQ(many.tree.parent, one.tree.parent);
    EXPECT_EQ(many.components, one.components);
    EXPECT_EQ(many.calibration, one.calibration);
  }
}

TEST(TwoLevel, takes_infinite_boxes) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Soup mesh = mixture(41);
  std::vector<Aabb> boxes = leaf_volumes<Aabb>(mesh);
  for (std::size_t i = 0; i < boxes.size(); i += 5)
    boxes[i] = Aabb({-kInfinity, 0.0F, 0.0F}, {0.0F, kInfinity, 1.0F});
  const TwoLevelTree two_level = bvh_build_two_level(boxes, normals_of(mesh), links_of(mesh));
  BvhVolumes<Aabb> volumes;
  volumes.refit(two_level.tree, [&](std::uint32_t i) { return boxes[i]; });
  EXPECT_EQ(bvh_validate(two_level, volumes), "");
}

TEST(BvhValidate, names_what_is_wrong_with_two_levels) {
  const TwoLevelTree good = build(mixture(51), 16);
  ASSERT_EQ(bvh_validate(good), "");
  ASSERT_FALSE(good.tree.upper_pieces.empty());
  ASSERT_GT(good.tree.pieces.size(), 3U);

  const auto fault_of = [&](const auto& spoil) {
    TwoLevelTree bad = good;
    spoil(bad);
    return bvh_validate(bad);
  };
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { bad.tree.parent[bad.components[0].root] = 0; }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { --bad.tree.upper_blocks; }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { ++bad.tree.upper_blocks; }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { bad.tree.upper_blocks = 0; }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { bad.tree.upper_pieces.pop_back(); }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { --bad.tree.pieces[0].end; }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { ++bad.components[0].leaf_count; }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { bad.components.pop_back(); }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { bad.components[1].root = bad.components[4].root; }), "");
  EXPECT_NE(fault_of([](TwoLevelTree& bad) { ++bad.tree.depth; }), "");
  // Two components exchange places in the upper level, and their records do not change.
  EXPECT_NE(fault_of([](TwoLevelTree& bad) {
              std::swap(bad.tree.words[bad.tree.parent[bad.components[0].root]],
                        bad.tree.words[bad.tree.parent[bad.components[2].root]]);
            }),
            "");
}

}  // namespace
}  // namespace graze
