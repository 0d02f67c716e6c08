// Bounding volume hierarchy over clusters: sixteen children per node, with bounds linear in time (cluster.hpp). The
// broad phase of method `auto`.
//
// Clusters are ordered so that each run of 16, 256, 4096, ... is compact; the nodes are these runs. So no child
// links are stored, every node except the last of its level is full, and all leaves have the same depth. Bounds are
// stored as structure of arrays, so that one box is tested against sixteen children at once. They are doubles of
// the scene's coordinates, because floats resolve only what is near the origin. Cost: O(n log n) to order, O(n) to
// refit; 4 bytes per triangle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/cluster/cluster_bounds.hpp"

namespace graze::methods {

class ClusterTree {
 public:
  static constexpr std::size_t kWidth = 16;

  /// Bounds of up to sixteen children, empty for missing children.
  struct alignas(64) Node {
    std::array<std::array<double, kWidth>, 6> lo;  ///< rows as in LinearBox
    std::array<std::array<double, kWidth>, 6> hi;
    std::uint32_t present = 0;  ///< bit per child: it is not missing
    std::uint32_t kept = 0;     ///< bit per child: all its vertices are kept (cluster_mesh.hpp), or it is missing
  };

  /// Orders the clusters spatially by the centres of their bounds. Skips free slots.
  void order(std::span<const Cluster> clusters);
  /// Refits bounds and marks of all nodes. Precondition: order() was called since the number of clusters last
  /// changed.
  void refit(std::span<const Cluster> clusters);

  /// Number of levels, from the lowest, whose children are clusters, to the root; 0 without clusters.
  [[nodiscard]] std::size_t level_count() const { return levels_.size(); }
  [[nodiscard]] const Node& node(std::size_t level, std::size_t i) const { return levels_[level][i]; }
  /// Returns the number of the cluster at a place: child c of node i of the lowest level is at place 16 i + c.
  [[nodiscard]] std::uint32_t cluster_at(std::size_t place) const { return order_[place]; }
  [[nodiscard]] std::size_t cluster_count() const { return order_.size(); }
  /// Quality measure: sum of the side lengths at t0 of the boxes of the lowest nodes (of the clusters, if there is
  /// only one level). Grows when the order no longer fits the motion.
  [[nodiscard]] double spread() const { return spread_; }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<Node>> levels_;
  double spread_ = 0.0;
};

}  // namespace graze::methods
