// BVH traversal (dual-tree traversal), the broad phase over BVHs: finds every pair of leaves whose volumes overlap,
// within one tree (self-collision) or between two trees.
//
// Iterative. Two nodes descend together: the four pairs of their children are one test in SIMD lanes (a leaf
// against a node: two pairs). A breadth-first phase first builds the front: some hundreds of node pairs, which
// depend on the trees alone and are divided into groups of equal length. Groups are independent and run on any
// thread. Each group passes its leaf pairs to the caller in chunks, in a fixed order: in the order of groups, the
// output is the same with any number of threads and on every instruction set. The whole candidate set is never
// stored. Cost: the number of bound tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "bvh/masks.hpp"
#include "bvh/tree.hpp"
#include "bvh/volumes.hpp"
#include "core/function_ref.hpp"
#include "core/tasks.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze::bvh {

/// A tree with its volumes, and optionally masks and proofs, for the duration of a traversal. Holds references
/// only.
struct BvhView {
  const BvhTree* tree = nullptr;
  const float* rows = nullptr;
  std::size_t row_count = 0;
  const BvhMasks* masks = nullptr;
  /// For each block, not 0 if pairs among the leaves below it are proved free of contact and need not be generated.
  /// Null: no proofs.
  const std::uint8_t* self_free = nullptr;
};

template <typename Volume>
BvhView bvh_view(const BvhTree& tree, const BvhVolumes<Volume>& volumes, const BvhMasks* masks = nullptr) {
  GRAZE_ASSERT(volumes.block_count() == tree.block_count());
  return {&tree, volumes.data(), Volume::kRows, masks};
}

namespace detail {

/// Two sibling blocks to test against each other; each is block << 2 | bits of the nodes that take part.
struct BlockPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// Receives a chunk of leaf pairs.
using LeafPairCall = FunctionRef<void(std::span<const LeafPair> pairs)>;

/// The two trees of a traversal. With `self`, both are one tree, and each unordered pair of leaves is found once.
struct TreePair {
  BvhView a;
  BvhView b;
  bool self = false;
};

/// Traverses from each block pair in turn, down to the leaves; or, if `next` is given, one step only, and appends
/// the block pairs to visit next. Passes leaf pairs to `call`. Returns the number of bound tests. Each call
/// dispatches once to the best instruction set.
std::uint64_t traverse_blocks(const TreePair& trees, std::span<const BlockPair> from, std::vector<BlockPair>* next,
                              LeafPairCall call);

}  // namespace detail

/// A traversal in progress; the constructor builds the front. The trees must not change during its lifetime.
class BvhTraversal {
 public:
  /// Traverses a tree against itself.
  explicit BvhTraversal(const BvhView& self);
  /// Traverses two trees with volumes of the same type; both have masks or neither has. Pairs are (leaf of a, leaf
  /// of b).
  BvhTraversal(const BvhView& a, const BvhView& b);
  /// Traverses the node above each of these blocks against itself. Subtrees that self_free marks at or below such a
  /// block are skipped; marks above it have no effect. Precondition: no block is below another, and none is block
  /// 0.
  BvhTraversal(const BvhView& self, std::span<const std::uint32_t> blocks);

  /// Group 0 holds the pairs found while the front was built; the other groups traverse down from the front.
  [[nodiscard]] std::size_t group_count() const {
    return 1 + (front_.size() + kBlockPairsPerGroup - 1) / kBlockPairsPerGroup;
  }

  /// Calls sink(std::span<const LeafPair>) for the pairs of one group, in chunks. Returns its number of bound
  /// tests. Different groups may run concurrently. Exceptions of the sink propagate.
  std::uint64_t run_group(std::size_t group, FunctionRef<void(std::span<const LeafPair> pairs)> sink) const;

  /// Runs all groups on all threads: calls sink(group, std::span<const LeafPair>), concurrently for different
  /// groups. Returns the number of bound tests.
  template <typename Sink>
  std::uint64_t run(Sink&& sink) const {
    std::vector<std::uint64_t> tests(group_count());
    parallel_for(0, tests.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t g = first; g < last; ++g) {
        tests[g] = run_group(g, [&](std::span<const LeafPair> pairs) { sink(g, pairs); });
      }
    });
    return std::accumulate(tests.begin(), tests.end(), std::uint64_t{0});
  }

 private:
  static constexpr std::size_t kBlockPairsPerGroup = 4;  ///< block pairs of the front per group

  void make_front(std::size_t goal);

  detail::TreePair trees_;
  std::vector<detail::BlockPair> front_;
  std::vector<LeafPair> found_;  ///< pairs found while the front was built
  std::uint64_t front_tests_ = 0;
};

}  // namespace graze::bvh
