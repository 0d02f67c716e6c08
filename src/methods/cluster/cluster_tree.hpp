// A tree over clusters, sixteen children a node, with bounds linear in time (cluster.hpp).
//
// Clusters are put in an order in which each run of 16, 256, 4096, ... lies together; nodes are those runs, so
// there is nothing to store of who is whose child, every node but the last of its level is full, and all leaves are
// equally deep. Bounds stand by row, so that one box meets sixteen children at once. Cost: O(n log n) to put in
// order, O(n) to refit; 2 bytes a triangle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/cluster/cluster.hpp"

namespace graze::methods {

class ClusterTree {
 public:
  static constexpr std::size_t kWidth = 16;

  /// The bounds of up to sixteen children, empty where there are fewer.
  struct alignas(64) Node {
    std::array<std::array<float, kWidth>, 6> lo;
    std::array<std::array<float, kWidth>, 6> hi;
    std::uint32_t kept = 0;  ///< children, by bit, in which all stands still as before, or that are not there
  };

  /// Puts clusters in order by where their bounds are.
  void order(std::span<const Cluster> clusters);
  /// Bounds and marks of all nodes. Precondition: in order since the last change of their number.
  void refit(std::span<const Cluster> clusters);

  /// From the lowest, whose children are clusters, to the root; none of no clusters.
  [[nodiscard]] std::size_t level_count() const { return levels_.size(); }
  [[nodiscard]] const Node& node(std::size_t level, std::size_t i) const { return levels_[level][i]; }
  /// The number of the cluster at this place: child c of node i of the lowest level is at 16 i + c.
  [[nodiscard]] std::uint32_t cluster_at(std::size_t place) const { return order_[place]; }
  [[nodiscard]] std::size_t cluster_count() const { return order_.size(); }
  /// The sides of the boxes of the lowest nodes (of few clusters: theirs) at t0, summed: grows when the order rots.
  [[nodiscard]] double spread() const { return spread_; }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<Node>> levels_;
  double spread_ = 0.0;
};

}  // namespace graze::methods
