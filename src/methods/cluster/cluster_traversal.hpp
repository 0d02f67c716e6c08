// Broad phase of method `auto`: self-traversal of the cluster tree (cluster_tree.hpp) that finds the pairs of
// clusters whose bounds linear in time overlap.
//
// Iterative. Visits two nodes at once: each child of one against the sixteen children of the other in SIMD lanes.
// First expands a front of node pairs level by level, until it has at least 512 pairs and one per 16 clusters; then
// traverses each pair of the front independently, on any thread. The order of pairs does not depend on threads or
// instruction set, and the full set of pairs is never stored. Cost: proportional to the bounding volume tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/function_ref.hpp"
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

  [[nodiscard]] std::span<const NodePair> front() const { return front_; }
  /// Number of bounding volume tests made for the front.
  [[nodiscard]] std::uint64_t front_tests() const { return front_tests_; }

  /// Calls sink(std::span<const ClusterPair>) for all overlapping pairs of clusters below a pair of the front, in
  /// chunks; returns the number of bounding volume tests.
  std::uint64_t run(const NodePair& from, FunctionRef<void(std::span<const ClusterPair> pairs)> sink) const;

 private:
  const ClusterTree* tree_;
  double gap_;             // rounded up
  std::size_t level_ = 0;  // of the front
  std::vector<NodePair> front_;
  std::uint64_t front_tests_ = 0;
};

}  // namespace graze::methods
