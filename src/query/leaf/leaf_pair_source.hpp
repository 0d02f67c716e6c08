// Pairs of leaves in blocks: from traversals of bounding volume hierarchies (BVH traversal), or from a list.
//
// Blocks depend on the trees alone and run in waves (query/waves.hpp), so that results and counters do not depend
// on the number of threads. A source of another kind (spatial hash) also has the members of the LeafPairs concept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <graze/stats.hpp>

#include "bvh/traverse.hpp"
#include "mesh/leaf_pair.hpp"
#include "query/leaf/leaf_bounds.hpp"
#include "scene/body_filter.hpp"

namespace graze::query {

/// block_weights() lists the blocks of leaf pairs. run(block, stats, visit) calls visit(std::span<LeafPair>) for
/// the pairs of one block, a chunk at a time, and counts its bounding-volume tests. counted() says whether the
/// pairs are already in the counters.
template <typename Source>
concept LeafPairs = requires(const Source& source) {
  { source.block_weights() } -> std::convertible_to<std::vector<std::uint64_t>>;
  { source.counted() } -> std::convertible_to<bool>;
};

class LeafPairSource {
 public:
  explicit LeafPairSource(std::vector<BvhTraversal> traversals) : traversals_(std::move(traversals)) {
    for (std::size_t t = 0; t < traversals_.size(); ++t) {
      for (std::size_t g = 0; g < traversals_[t].group_count(); ++g) groups_.push_back({t, g});
    }
  }
  /// A list of pairs. `counted`: a traversal generated and counted them before.
  explicit LeafPairSource(std::vector<LeafPair> list, bool counted = true)
      : list_(std::move(list)), counted_(counted) {}

  /// Weight of a traversal group: groups take about the same time, and a wave has 16 to 32 of them.
  static constexpr std::uint64_t kWeight = std::uint64_t{1} << 20U;

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const {
    const std::size_t blocks = groups_.size() + (list_.size() + kPairsPerBlock - 1) / kPairsPerBlock;
    return std::vector<std::uint64_t>(blocks, kWeight);
  }
  [[nodiscard]] bool counted() const { return counted_; }

  template <typename Visit>
  void run(std::size_t block, Stats& stats, const Visit& visit) const {
    std::vector<LeafPair> pairs;
    if (traversals_.empty()) {
      const std::size_t begin = block * kPairsPerBlock;
      const std::size_t end = std::min(begin + kPairsPerBlock, list_.size());
      pairs.assign(list_.begin() + static_cast<std::ptrdiff_t>(begin),
                   list_.begin() + static_cast<std::ptrdiff_t>(end));
      visit(std::span<LeafPair>(pairs));
      return;
    }
    const Group& group = groups_[block];
    stats.bv_tests += traversals_[group.traversal].run_group(group.number, [&](std::span<const LeafPair> chunk) {
      pairs.assign(chunk.begin(), chunk.end());
      visit(std::span<LeafPair>(pairs));
    });
  }

 private:
  static constexpr std::size_t kPairsPerBlock = 4096;
  struct Group {
    std::size_t traversal = 0;
    std::size_t number = 0;
  };

  std::vector<BvhTraversal> traversals_;
  std::vector<Group> groups_;
  std::vector<LeafPair> list_;
  bool counted_ = false;
};

/// Calls visit(std::span<const LeafPair>) for the pairs of a block whose bodies the query tests, and counts them.
template <LeafPairs Source, typename Visit>
void for_tested_pairs(const BodyFilter& filter, const LeafBounds& mesh, const Source& source, std::size_t block,
                      Stats& stats, const Visit& visit) {
  const auto ignored = [&](const LeafPair& pair) {
    return !filter.tests(mesh.leaf(pair.a).vertices[0], mesh.leaf(pair.b).vertices[0]);
  };
  source.run(block, stats, [&](std::span<LeafPair> pairs) {
    if (!filter.tests_all()) {
      pairs = pairs.first(
          static_cast<std::size_t>(std::remove_if(pairs.begin(), pairs.end(), ignored) - pairs.begin()));
    }
    stats.triangle_pairs += source.counted() ? 0 : pairs.size();
    visit(std::span<const LeafPair>(pairs));
  });
}

}  // namespace graze::query
