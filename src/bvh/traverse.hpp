// Dual-tree traversal: every pair of leaves whose volumes overlap, of a tree with itself or of two trees.
//
// Iterative. Two nodes descend together: the four pairs of their children are one test in SIMD lanes (a leaf
// against a node: two pairs). First, breadth-first, the front: some hundreds of node pairs; they depend on the
// trees alone and are cut into groups of equal length. Groups are independent, run on any thread, and hand their
// leaf pairs to the caller in chunks, in an order that is fixed within the group: taken by group number, the output
// is the same at any number of threads and on every instruction set. Nothing holds the whole candidate set. Cost:
// tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "bvh/masks.hpp"
#include "bvh/tree.hpp"
#include "bvh/volumes.hpp"
#include "core/tasks.hpp"
#include "mesh/leaf_pair.hpp"

namespace graze::bvh {

/// A tree with its volumes, and optionally masks and proofs, for the duration of a traversal: all are referred to.
struct BvhView {
  const BvhTree* tree = nullptr;
  const float* rows = nullptr;
  std::size_t row_count = 0;
  const BvhMasks* masks = nullptr;
  /// By block: not 0 if the leaves below it need not be paired with each other. Null: all are.
  const std::uint8_t* self_free = nullptr;
};

template <typename Volume>
BvhView bvh_view(const BvhTree& tree, const BvhVolumes<Volume>& volumes, const BvhMasks* masks = nullptr) {
  GRAZE_ASSERT(volumes.block_count() == tree.block_count());
  return {&tree, volumes.data(), Volume::kRows, masks};
}

namespace detail {

/// Two sibling blocks to be tested against each other: block << 2 | which of its two nodes take part.
struct BlockPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

using LeafPairCall = void (*)(void* context, const LeafPair* pairs, std::size_t count);

/// What a walk reads, and where its leaf pairs go.
struct Walk {
  BvhView a;
  BvhView b;
  bool self = false;
  LeafPairCall call = nullptr;
  void* context = nullptr;
};

/// Walks from each block pair in turn, all the way down; or, if `next` is given, one step only, appending what is
/// to be walked next. Returns the number of bound tests. One dispatch to the best instruction set a call.
std::uint64_t walk_blocks(const Walk& walk, std::span<const BlockPair> from, std::vector<BlockPair>* next);

}  // namespace detail

/// A traversal in progress: the front is made by the constructor. The trees must not change while it lives.
class BvhTraversal {
 public:
  /// Of a tree with itself.
  explicit BvhTraversal(const BvhView& self);
  /// Of two trees with volumes of one kind; masks on both or on none. Pairs are (leaf of a, leaf of b).
  BvhTraversal(const BvhView& a, const BvhView& b);
  /// Of the nodes above these blocks, each with itself: what self_free marks at or below one is left out as ever,
  /// what it marks above makes no difference. Precondition: no block is below another, and none is block 0.
  BvhTraversal(const BvhView& self, std::span<const std::uint32_t> blocks);

  /// Group 0 holds the pairs found while the front was made; the others walk down from it.
  [[nodiscard]] std::size_t group_count() const { return 1 + (front_.size() + kGroup - 1) / kGroup; }

  /// Calls sink(std::span<const LeafPair>) for the pairs of one group, in chunks, and returns its bound tests.
  /// Different groups may run at the same time. Exceptions of the sink pass through.
  template <typename Sink>
  std::uint64_t run_group(std::size_t group, Sink&& sink) const {
    using Plain = std::remove_reference_t<Sink>;
    const auto call = [](void* context, const LeafPair* pairs, std::size_t count) {
      (*static_cast<Plain*>(context))(std::span<const LeafPair>(pairs, count));
    };
    return run_group_erased(group, call, const_cast<void*>(static_cast<const void*>(std::addressof(sink))));
  }

  /// Runs all groups on all threads: sink(group, std::span<const LeafPair>), concurrently for different groups.
  /// Returns the number of bound tests.
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
  static constexpr std::size_t kGroup = 4;  ///< block pairs of the front in a group

  void make_front(std::size_t goal);
  std::uint64_t run_group_erased(std::size_t group, detail::LeafPairCall call, void* context) const;

  detail::Walk walk_;
  std::vector<detail::BlockPair> front_;
  std::vector<LeafPair> found_;  ///< while the front was made
  std::uint64_t front_tests_ = 0;
};

}  // namespace graze::bvh
