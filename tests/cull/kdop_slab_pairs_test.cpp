// The SIMD tests of k-DOP slabs (without the box) against plain ones, for every instruction set that this machine
// supports.
#include "cull/kdop_slab_pairs.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;
namespace {

constexpr std::size_t kCount = 200;

/// Volumes on a coarse grid, so that many just touch; some are infinite, some are points.
template <std::size_t K>
Dop<K> random_volume(std::mt19937_64& random) {
  Dop<K> volume;
  for (std::size_t k = 0; k < K; ++k) {
    volume.lo[k] = static_cast<float>(random() % 16) - 8.0F;
    volume.hi[k] = volume.lo[k] + static_cast<float>(random() % (2 * K));
    if (random() % 80 == 0) volume.hi[k] = std::numeric_limits<float>::infinity();
    if (random() % 80 == 0) volume.lo[k] = -std::numeric_limits<float>::infinity();
  }
  return volume;
}

/// Makes all box slabs equal, which the tests of diagonal slabs ignore.
template <std::size_t K>
Dop<K> without_box(Dop<K> volume) {
  for (std::size_t k = 0; k < 3; ++k) {
    volume.lo[k] = 0.0F;
    volume.hi[k] = 0.0F;
  }
  return volume;
}

template <std::size_t K>
void check_diagonal_slabs() {
  using Volume = Dop<3 + K>;
  std::mt19937_64 random(K);
  std::vector<Volume> volumes(kCount);
  std::vector<KdopSlabs<K>> slabs;
  for (Volume& volume : volumes) {
    volume = without_box(random_volume<3 + K>(random));
    slabs.emplace_back(volume);
  }
  constexpr std::size_t kPairs = 1001;
  std::vector<LeafPair> leaf_pairs(kPairs);
  std::vector<IndexPair> place_pairs;
  std::vector<PairVertices> edge_pairs;
  const auto any = [&] { return static_cast<std::uint32_t>(random() % kCount); };
  for (LeafPair& pair : leaf_pairs) {
    pair = {any(), any()};
    place_pairs.push_back({pair.a, pair.b});
    edge_pairs.push_back({pair.a, any(), pair.b, any()});
  }
  std::vector<LeafPair> expected_leaves;
  std::vector<PairVertices> expected_edges;
  for (std::size_t i = 0; i < leaf_pairs.size(); ++i) {
    const auto [a, b] = leaf_pairs[i];
    EXPECT_EQ(slabs[a].overlaps(slabs[b]), volumes[a].overlaps(volumes[b]));
    if (volumes[a].overlaps(volumes[b])) expected_leaves.push_back(leaf_pairs[i]);
    const PairVertices& v = edge_pairs[i];
    Volume first = volumes[v[0]];
    first.include(volumes[v[1]]);
    Volume second = volumes[v[2]];
    second.include(volumes[v[3]]);
    EXPECT_EQ(union_of(slabs[v[0]], slabs[v[1]]).overlaps(union_of(slabs[v[2]], slabs[v[3]])),
              first.overlaps(second));
    if (first.overlaps(second)) expected_edges.push_back(v);
  }
  ASSERT_GT(expected_leaves.size(), 20U);
  ASSERT_LT(expected_leaves.size(), leaf_pairs.size() - 20);
  ASSERT_GT(expected_edges.size(), expected_leaves.size());
  ASSERT_LT(expected_edges.size(), edge_pairs.size() - 20);

  const std::span<const KdopSlabs<K>> rows = slabs;
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    std::vector<LeafPair> leaves = leaf_pairs;
    leaves.resize(keep_overlapping_leaves(rows, std::span(leaves)));
    EXPECT_EQ(leaves, expected_leaves);
    std::vector<IndexPair> places = place_pairs;
    places.resize(keep_overlapping_vertex_faces(rows, rows, std::span(places)));
    ASSERT_EQ(places.size(), expected_leaves.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ((LeafPair{places[i].a, places[i].b}), expected_leaves[i]);
    }
    std::vector<PairVertices> edges = edge_pairs;
    edges.resize(keep_overlapping_edges(rows, std::span(edges)));
    EXPECT_EQ(edges, expected_edges);
    EXPECT_EQ(keep_overlapping_leaves(rows, std::span<LeafPair>()), 0U);
  }
  use_simd_target("");
}

TEST(KdopSlabPairs, OfEighteenDopsAreKeptOnEveryTargetAsByPlainTests) {
  check_diagonal_slabs<6>();
}

TEST(KdopSlabPairs, OfTwentySixDopsAreKeptOnEveryTargetAsByPlainTests) {
  check_diagonal_slabs<10>();
}

TEST(KdopSlabs, OfTheWholeSpaceOverlapEverything) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(KdopSlabs<10>().overlaps(KdopSlabs<10>(random_volume<13>(random))));
}

}  // namespace
}  // namespace graze
