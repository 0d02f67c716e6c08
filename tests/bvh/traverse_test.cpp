// BVH traversal against a naive reference that tests all pairs: exactly the overlapping leaf pairs, each once, in
// the same order at any number of threads and with every instruction set.
#include "bvh/traverse.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bvh/build.hpp"
#include "bvh/soups.hpp"
#include "core/simd/targets.hpp"
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

template <typename Volume>
struct Hierarchy {
  std::vector<Volume> leaves;
  BvhTree tree;
  BvhVolumes<Volume> volumes;

  Hierarchy(const Soup& soup, research::TreeBuilder builder, double thickness = 0.0) {
    std::vector<Aabb> boxes;
    make_vertex_volumes<Aabb>(soup.x_t0, soup.x_t1, thickness, boxes);
    std::vector<Volume> vertices;
    make_vertex_volumes<Volume>(soup.x_t0, soup.x_t1, thickness, vertices);
    for (const Triangle& t : soup.triangles)
      leaves.push_back(triangle_volume(std::span<const Volume>(vertices), t));
    tree = bvh_build(triangle_boxes(boxes, soup.triangles), {.builder = builder});
    volumes.refit(tree, [&](std::uint32_t i) { return leaves[i]; });
  }
  [[nodiscard]] BvhView view(const BvhMasks* masks = nullptr) const { return bvh_view(tree, volumes, masks); }
};

struct Output {
  std::vector<LeafPair> pairs;
  std::uint64_t tests = 0;
};

Output run(const BvhTraversal& traversal) {
  std::vector<std::vector<LeafPair>> groups(traversal.group_count());
  Output output;
  output.tests = traversal.run([&](std::size_t group, std::span<const LeafPair> pairs) {
    groups[group].insert(groups[group].end(), pairs.begin(), pairs.end());
  });
  for (const auto& group : groups) output.pairs.insert(output.pairs.end(), group.begin(), group.end());
  return output;
}

std::vector<LeafPair> sorted(std::vector<LeafPair> pairs, bool self) {
  for (LeafPair& pair : pairs) {
    if (self && pair.a > pair.b) std::swap(pair.a, pair.b);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

template <typename Volume>
std::vector<LeafPair> twin_self(const std::vector<Volume>& leaves) {
  std::vector<LeafPair> pairs;
  for (std::uint32_t a = 0; a < leaves.size(); ++a) {
    for (std::uint32_t b = a + 1; b < leaves.size(); ++b) {
      if (leaves[a].overlaps(leaves[b])) pairs.push_back({a, b});
    }
  }
  return pairs;
}

template <typename Volume>
std::vector<LeafPair> twin_inter(const std::vector<Volume>& leaves_a, const std::vector<Volume>& leaves_b) {
  std::vector<LeafPair> pairs;
  for (std::uint32_t a = 0; a < leaves_a.size(); ++a) {
    for (std::uint32_t b = 0; b < leaves_b.size(); ++b) {
      if (leaves_a[a].overlaps(leaves_b[b])) pairs.push_back({a, b});
    }
  }
  return pairs;
}

constexpr std::array kBuilders = {research::TreeBuilder::Midpoint, research::TreeBuilder::Sah,
                                  research::TreeBuilder::Lbvh};

template <typename Volume>
class TraversalOf : public ::testing::Test {};
using AllVolumes = ::testing::Types<Aabb, Dop18, Dop26>;
TYPED_TEST_SUITE(TraversalOf, AllVolumes);

TYPED_TEST(TraversalOf, a_tree_with_itself_finds_exactly_the_overlapping_pairs) {
  for (const double thickness : {0.0, 0.02}) {
    const Soup soup = random_soup(2'000, 0.1, 0.07, 20);
    for (const research::TreeBuilder builder : kBuilders) {
      const Hierarchy<TypeParam> bvh(soup, builder, thickness);
      const std::vector<LeafPair> expected = twin_self(bvh.leaves);
      ASSERT_GT(expected.size(), 1000U);
      const Output output = run(BvhTraversal(bvh.view()));
      ASSERT_EQ(sorted(output.pairs, true), expected) << name_of(builder);
      EXPECT_LT(output.tests, std::uint64_t{2'000} * 1'000) << "the hierarchy must save tests";
      EXPECT_GT(output.tests, expected.size());
    }
  }
}

TYPED_TEST(TraversalOf, two_trees_finds_exactly_the_overlapping_pairs) {
  const Soup soup_a = random_soup(1'500, 0.15, 0.05, 21);
  const Soup soup_b = random_soup(70, 0.4, 0.05, 22);
  for (const research::TreeBuilder builder : kBuilders) {
    const Hierarchy<TypeParam> a(soup_a, builder);
    const Hierarchy<TypeParam> b(soup_b, builder);
    const std::vector<LeafPair> expected = twin_inter(a.leaves, b.leaves);
    ASSERT_GT(expected.size(), 500U);
    ASSERT_EQ(sorted(run(BvhTraversal(a.view(), b.view())).pairs, false), expected) << name_of(builder);
    ASSERT_EQ(run(BvhTraversal(b.view(), a.view())).pairs.size(), expected.size());
  }
}

TYPED_TEST(TraversalOf, degenerate_trees_finds_exactly_the_overlapping_pairs) {
  std::vector<Hierarchy<TypeParam>> trees;
  for (const Soup& soup : degenerate_soups()) {
    for (const research::TreeBuilder builder : kBuilders) {
      Soup part = soup;
      if (part.triangles.size() > 1200) part.triangles.resize(1200);
      const Hierarchy<TypeParam> bvh(part, builder);
      ASSERT_EQ(sorted(run(BvhTraversal(bvh.view())).pairs, true), twin_self(bvh.leaves)) << soup.name;
      if (part.triangles.size() > 600) continue;
      trees.push_back(bvh);
      for (const auto& other : trees) {
        ASSERT_EQ(sorted(run(BvhTraversal(bvh.view(), other.view())).pairs, false),
                  twin_inter(bvh.leaves, other.leaves))
            << soup.name;
      }
    }
  }
}

TYPED_TEST(TraversalOf, a_tree_gives_the_same_pairs_in_the_same_order_at_any_number_of_threads_and_lanes) {
  const Soup soup = random_soup(20'000, 0.03, 0.02, 23);
  const Hierarchy<TypeParam> bvh(soup, research::TreeBuilder::Sah);
  const Hierarchy<TypeParam> other(random_soup(3'000, 0.05, 0.02, 24), research::TreeBuilder::Lbvh);
  Output self;
  Output inter;
  const auto both = [&](unsigned threads) {
    std::pair<Output, Output> outputs;
    with_threads(threads, [&] {
      outputs = {run(BvhTraversal(bvh.view())), run(BvhTraversal(bvh.view(), other.view()))};
    });
    return outputs;
  };
  std::tie(self, inter) = both(1);
  ASSERT_GT(self.pairs.size(), 5000U);
  ASSERT_GT(inter.pairs.size(), 1000U);
  for (const unsigned threads : {2U, 7U}) {
    const auto [self_again, inter_again] = both(threads);
    EXPECT_EQ(self_again.pairs, self.pairs);
    EXPECT_EQ(self_again.tests, self.tests);
    EXPECT_EQ(inter_again.pairs, inter.pairs);
    EXPECT_EQ(inter_again.tests, inter.tests);
  }
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    const auto [self_again, inter_again] = both(2);
    use_simd_target("");
    EXPECT_EQ(self_again.pairs, self.pairs) << target;
    EXPECT_EQ(inter_again.pairs, inter.pairs) << target;
  }
}

TEST(Traversal, finds_every_pair_where_all_leaves_are_at_one_point) {
  const Soup soup = testing::points("one point", 700, [](std::size_t) { return Vec3{1.0, 1.0, 1.0}; });
  const Hierarchy<Aabb> bvh(soup, research::TreeBuilder::Midpoint);
  EXPECT_EQ(run(BvhTraversal(bvh.view())).pairs.size(), 700U * 699U / 2);
  EXPECT_EQ(run(BvhTraversal(bvh.view(), bvh.view())).pairs.size(), 700U * 700U);
}

TEST(Traversal, passes_over_incompatible_leaves_without_testing_them) {
  const Soup soup_a = random_soup(900, 0.15, 0.05, 25);
  const Soup soup_b = random_soup(600, 0.15, 0.05, 26);
  const Hierarchy<Aabb> a(soup_a, research::TreeBuilder::Sah);
  const Hierarchy<Aabb> b(soup_b, research::TreeBuilder::Sah);
  std::mt19937_64 random(27);
  const auto random_masks = [&](std::size_t count) {
    std::vector<LeafMask> masks(count);
    for (LeafMask& mask : masks) {
      mask = random() % 4 == 0
                 ? LeafMask{static_cast<std::uint8_t>(random() % 16), static_cast<std::uint8_t>(random() % 16)}
                 : representative_mask(static_cast<std::uint32_t>(random() % 2),
                                       static_cast<std::uint32_t>(random() % 2));
    }
    return masks;
  };
  const std::vector<LeafMask> leaves_a = random_masks(900);
  const std::vector<LeafMask> leaves_b = random_masks(600);
  const BvhMasks masks_a(a.tree, leaves_a);
  const BvhMasks masks_b(b.tree, leaves_b);

  std::vector<LeafPair> self = twin_self(a.leaves);
  const std::size_t all = self.size();
  std::erase_if(self, [&](const LeafPair& p) { return !compatible(leaves_a[p.a], leaves_a[p.b]); });
  ASSERT_GT(all, self.size() + 100);
  ASSERT_GT(self.size(), 100U);
  const Output masked = run(BvhTraversal(a.view(&masks_a)));
  EXPECT_EQ(sorted(masked.pairs, true), self);
  EXPECT_LT(masked.tests, run(BvhTraversal(a.view())).tests);

  std::vector<LeafPair> inter = twin_inter(a.leaves, b.leaves);
  std::erase_if(inter, [&](const LeafPair& p) { return !compatible(leaves_a[p.a], leaves_b[p.b]); });
  EXPECT_EQ(sorted(run(BvhTraversal(a.view(&masks_a), b.view(&masks_b))).pairs, false), inter);
}

/// The leaves below a block, ascending.
std::vector<std::uint32_t> leaves_of(const BvhTree& tree, std::uint32_t block) {
  std::vector<std::uint32_t> leaves;
  for (const std::uint32_t word : {tree.words[2 * std::size_t{block}], tree.words[2 * std::size_t{block} + 1]}) {
    const std::vector<std::uint32_t> below =
        (word & kLeaf) != 0 ? std::vector{word & ~kLeaf} : leaves_of(tree, word);
    leaves.insert(leaves.end(), below.begin(), below.end());
  }
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

TEST(Traversal, of_some_blocks_finds_the_overlapping_pairs_within_each_less_those_that_need_not_be_paired) {
  const Soup soup = random_soup(3'000, 0.3, 0.05, 28);
  std::mt19937_64 random(29);
  for (const research::TreeBuilder builder : kBuilders) {
    const Hierarchy<Aabb> bvh(soup, builder);
    const auto block_count = static_cast<std::uint32_t>(bvh.tree.block_count());
    // For each leaf, its ancestor among the chosen blocks and among the self-collision-free blocks; 0 for none.
    std::vector<std::uint32_t> chosen_of(3'000);
    std::vector<std::uint32_t> free_of(3'000);
    std::vector<std::uint32_t> chosen;
    std::vector<std::uint8_t> is_free(block_count);
    for (std::uint32_t b = 1; b < block_count; ++b) {
      const std::vector<std::uint32_t> leaves = leaves_of(bvh.tree, b);
      const bool first = chosen_of[leaves.front()] == 0;
      if (first && leaves.size() < 1'500 && random() % 4 != 0) {
        chosen.push_back(b);
        for (const std::uint32_t leaf : leaves) chosen_of[leaf] = b;
      }
      if (free_of[leaves.front()] == 0 && leaves.size() < 1'000 && random() % 8 == 0) {
        is_free[b] = 1;
        for (const std::uint32_t leaf : leaves) free_of[leaf] = b;
      }
    }
    ASSERT_GT(chosen.size(), 2U);
    std::vector<LeafPair> expected = twin_self(bvh.leaves);
    std::erase_if(expected,
                  [&](const LeafPair& p) { return chosen_of[p.a] == 0 || chosen_of[p.a] != chosen_of[p.b]; });
    ASSERT_GT(expected.size(), 1'000U);
    EXPECT_EQ(sorted(run(BvhTraversal(bvh.view(), chosen)).pairs, true), expected) << name_of(builder);

    // A free block that is an ancestor of a chosen block has no effect.
    std::erase_if(expected, [&](const LeafPair& p) {
      return free_of[p.a] != 0 && free_of[p.a] == free_of[p.b] && free_of[p.a] >= chosen_of[p.a];
    });
    BvhView view = bvh.view();
    view.self_free = is_free.data();
    const Output output = run(BvhTraversal(view, chosen));
    EXPECT_EQ(sorted(output.pairs, true), expected) << name_of(builder);
    with_threads(7, [&] { EXPECT_EQ(run(BvhTraversal(view, chosen)).pairs, output.pairs); });
    EXPECT_EQ(run(BvhTraversal(view, std::span<const std::uint32_t>())).pairs.size(), 0U);
  }
}

TEST(Traversal, a_triangle_with_nothing_but_its_face_is_paired_only_with_those_that_have_a_vertex) {
  EXPECT_FALSE(compatible(representative_mask(0, 0), representative_mask(0, 0)));
  EXPECT_FALSE(compatible(representative_mask(0, 0), representative_mask(0, 3)));
  EXPECT_TRUE(compatible(representative_mask(0, 0), representative_mask(1, 0)));
  EXPECT_TRUE(compatible(representative_mask(2, 0), representative_mask(0, 0)));
  EXPECT_TRUE(compatible(representative_mask(0, 1), representative_mask(0, 2)));
}

TEST(Traversal, lets_an_exception_of_the_sink_through) {
  const Hierarchy<Aabb> bvh(random_soup(3'000, 0.1, 0.0, 28), research::TreeBuilder::Sah);
  const BvhTraversal traversal(bvh.view());
  EXPECT_THROW(traversal.run([](std::size_t, std::span<const LeafPair>) { throw std::runtime_error("stop"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace graze
