// Broad phase of method `auto`: self-traversal of the cluster tree (cluster_tree.hpp) that finds the pairs of
// clusters whose bounds linear in time overlap.
//
// Iterative. Visits two nodes at once: each child of one against the sixteen children of the other in SIMD lanes.
// First expands a front of node pairs level by level, until it has at least 512 pairs and one per four clusters, or
// reaches the lowest nodes; then cuts the front into blocks, each of which any thread can traverse. Where the front
// has reached the lowest nodes, whose children are clusters, it has the overlapping children too, so that a block
// has a given number of pairs of clusters: where many clusters overlap, a pair of nodes is divided among several
// blocks. The blocks and the order of pairs do not depend on threads or instruction set, and the full set of pairs
// is stored as bits, or not at all. Cost: proportional to the bounding volume tests; 40 bytes per pair of the
// front.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/function_ref.hpp"
#include "core/uninitialized_vector.hpp"
#include "methods/cluster/cluster.hpp"
#include "methods/cluster/cluster_tree.hpp"

namespace graze::methods {

/// Two nodes of one level; a <= b, equal for a node with itself.
struct NodePair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

class ClusterTraversal {
 public:
  /// Prepares the front. Features within `gap` of each other lie in clusters that count as overlapping. References
  /// the tree.
  ClusterTraversal(const ClusterTree& tree, double gap);

  [[nodiscard]] std::size_t block_count() const { return begins_.empty() ? 0 : begins_.size() - 1; }
  /// Number of bounding volume tests made for the front.
  [[nodiscard]] std::uint64_t front_tests() const { return front_tests_; }

  /// Calls sink(std::span<const ClusterPair>) for all overlapping pairs of clusters of a block, in chunks; returns
  /// the number of bounding volume tests.
  std::uint64_t run(std::size_t block, FunctionRef<void(std::span<const ClusterPair> pairs)> sink) const;

 private:
  /// The most pairs of clusters in a block, where the front has reached the lowest nodes.
  static constexpr std::size_t kMaxClusterPairs = 1024;

  /// The overlapping children of a pair of nodes: for each child of the first, those of the second, by bit.
  using Rows = std::array<std::uint16_t, ClusterTree::kWidth>;

  /// The first pair of the front in a block, and the first row of it if the front has rows.
  struct Begin {
    std::uint32_t pair = 0;
    std::uint32_t row = 0;
  };

  void expand_front();
  void find_rows();
  void cut_blocks();

  const ClusterTree* tree_;
  double gap_;             // rounded up
  std::size_t level_ = 0;  // of the front
  std::vector<NodePair> front_;
  UninitializedVector<Rows> rows_;            // by pair of the front, if it is at level 0
  UninitializedVector<std::uint16_t> pairs_;  // pairs of clusters, by pair of the front, if it is at level 0
  std::vector<Begin> begins_;                 // of the blocks, and the end of the last one
  std::uint64_t front_tests_ = 0;
};

}  // namespace graze::methods
