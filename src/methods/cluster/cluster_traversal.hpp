// The pairs of clusters whose bounds, linear in time, meet: a tree with itself (cluster_tree.hpp).
//
// Iterative. Two nodes meet at once: each child of the one against the sixteen of the other in SIMD lanes. First
// the front, some thousands of pairs of nodes at most, level by level; then each is walked down by itself, on any
// thread. Pairs come in an order that does not depend on threads or instruction set; nothing holds all of them.
// Cost: tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "methods/cluster/cluster.hpp"
#include "methods/cluster/cluster_tree.hpp"

namespace graze::methods {

/// Two nodes of one level; a <= b, the same for one with itself.
struct NodePair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

class ClusterTraversal {
 public:
  /// Features that come within `gap` (in the frame of the clusters, rounded up) are in clusters that meet. Refers
  /// to the tree.
  ClusterTraversal(const ClusterTree& tree, float gap);

  [[nodiscard]] std::span<const NodePair> front() const { return front_; }
  /// Tests that the front took.
  [[nodiscard]] std::uint64_t front_tests() const { return front_tests_; }

  /// Calls sink(std::span<const ClusterPair>) for all pairs of clusters below a pair of the front, in chunks;
  /// returns the number of tests.
  template <typename Sink>
  std::uint64_t run(const NodePair& from, Sink&& sink) const {
    using Plain = std::remove_reference_t<Sink>;
    return run_erased(
        from,
        [](void* context, const ClusterPair* pairs, std::size_t count) {
          (*static_cast<Plain*>(context))(std::span<const ClusterPair>(pairs, count));
        },
        const_cast<void*>(static_cast<const void*>(std::addressof(sink))));
  }

 private:
  using Call = void (*)(void* context, const ClusterPair* pairs, std::size_t count);
  std::uint64_t run_erased(const NodePair& from, Call call, void* context) const;

  const ClusterTree* tree_;
  float gap_;
  std::size_t level_ = 0;  // of the front
  std::vector<NodePair> front_;
  std::uint64_t front_tests_ = 0;
};

}  // namespace graze::methods
