// Blocks of the traversal: together they have every overlapping pair of clusters once, in one order on any number
// of threads, whether the front reaches the lowest nodes of the tree or stops above them.
#include "methods/cluster/cluster_traversal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/tasks.hpp"

namespace graze {

using namespace core;
using namespace methods;
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A cluster that is a cube of the given size in the first frame, the same at both ends of the step.
void place(Cluster& cluster, const std::array<float, 3>& corner, float size) {
  cluster.vertex_count = 1;
  for (std::size_t k = 0; k < 6; ++k) {
    cluster.box.lo[k] = corner[k % 3];
    cluster.box.hi[k] = corner[k % 3] + size;
  }
}

std::vector<Cluster> random_cubes(std::size_t count, float size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
  std::vector<Cluster> clusters(count);
  for (Cluster& cluster : clusters) place(cluster, {uniform(random), uniform(random), uniform(random)}, size);
  return clusters;
}

Pairs overlapping_pairs(const std::vector<Cluster>& clusters) {
  Pairs pairs;
  for (std::uint32_t a = 0; a < clusters.size(); ++a) {
    for (std::uint32_t b = a; b < clusters.size(); ++b) {
      bool overlap = true;
      for (std::size_t k = 0; k < 3; ++k) {
        overlap = overlap && clusters[a].box.lo[k] <= clusters[b].box.hi[k] &&
                  clusters[b].box.lo[k] <= clusters[a].box.hi[k];
      }
      if (overlap) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

/// The pairs of all blocks in order; in `sizes` how many each block has.
Pairs traversed(const ClusterTree& tree, std::vector<std::size_t>& sizes) {
  const ClusterTraversal traversal(tree, 0.0);
  Pairs pairs;
  sizes.clear();
  for (std::size_t block = 0; block < traversal.block_count(); ++block) {
    const std::size_t before = pairs.size();
    traversal.run(block, [&](std::span<const ClusterPair> some) {
      for (const ClusterPair& pair : some) pairs.emplace_back(std::minmax(pair.a, pair.b));
    });
    sizes.push_back(pairs.size() - before);
  }
  return pairs;
}

TEST(ClusterTraversal, BlocksHaveEveryOverlappingPairOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 16U, 17U, 300U, 3000U}) {
    for (const float size : {0.0F, 0.05F, 0.2F, 2.0F}) {
      if (count == 3000U && size > 1.0F) continue;
      SCOPED_TRACE(std::to_string(count) + " cubes of size " + std::to_string(size));
      const std::vector<Cluster> clusters = random_cubes(count, size, 1);
      ClusterTree tree;
      tree.order(clusters);
      tree.refit(clusters);
      std::vector<std::size_t> sizes;
      const Pairs in_order = traversed(tree, sizes);
      Pairs sorted = in_order;
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(sorted, overlapping_pairs(clusters));
      for (const unsigned threads : {2U, 7U}) {
        with_threads(threads, [&] { EXPECT_EQ(traversed(tree, sizes), in_order) << threads << " threads"; });
      }
    }
  }
}

TEST(ClusterTraversal, WhereAllOverlapsAPairOfNodesIsDividedAmongBlocks) {
  const std::vector<Cluster> clusters = random_cubes(320, 2.0F, 2);
  ClusterTree tree;
  tree.order(clusters);
  tree.refit(clusters);
  std::vector<std::size_t> sizes;
  EXPECT_EQ(traversed(tree, sizes).size(), 320U * 321U / 2U);
  EXPECT_GT(sizes.size(), 1000U);
  EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), 64U);
}

TEST(ClusterTraversal, AFrontThatStopsAboveTheLowestNodesLosesNothing) {
  // The tree is ordered for clusters on a line. Then they jump to random places: nearly all nodes overlap, so that
  // the front has enough pairs above the lowest level, but the clusters are points that do not.
  constexpr std::size_t kCount = 33'000;
  std::vector<Cluster> clusters(kCount);
  for (std::size_t i = 0; i < kCount; ++i) place(clusters[i], {static_cast<float>(i), 0.0F, 0.0F}, 0.0F);
  ClusterTree tree;
  tree.order(clusters);
  std::mt19937 random(3);
  std::vector<std::uint32_t> places(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) places[i] = i;
  std::shuffle(places.begin(), places.end(), random);
  for (std::size_t i = 0; i < kCount; ++i) place(clusters[i], {static_cast<float>(places[i]), 0.0F, 0.0F}, 0.0F);
  place(clusters[7], {static_cast<float>(places[30'000]), 0.0F, 0.0F}, 0.0F);
  tree.refit(clusters);
  std::vector<std::size_t> sizes;
  Pairs pairs = traversed(tree, sizes);
  std::sort(pairs.begin(), pairs.end());
  Pairs expected;
  for (std::uint32_t i = 0; i < kCount; ++i) expected.emplace_back(i, i);
  expected.emplace_back(7U, 30'000U);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(pairs, expected);
}

}  // namespace
}  // namespace graze
