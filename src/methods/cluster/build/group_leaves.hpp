// First half of building clusters (build_clusters.hpp): groups the triangles that may share a cluster, by connected
// component and size, and divides large groups into parts that fit into a cache.
//
// A large component is divided in space by a tree of planes, the medians of a sample of its triangles; all threads
// then look up the part of each triangle, and take out those that are too large for it. Cost: O(n), O(n log n) if
// triangles are not ordered by component; parallel; about 12 bytes per triangle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "core/uninitialized_vector.hpp"
#include "methods/cluster/build/build_clusters.hpp"

namespace graze::methods {

/// Range of leaves that may be mixed in clusters.
struct LeafRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_part = false;  ///< whether it is a part of a group, and may have several components

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

struct LeafGroups {
  std::vector<LeafRange> ranges;  ///< consecutive ranges of the sorted leaves
  double unit = 1.0;              ///< typical size of a triangle
};

/// Largest group that is not divided.
inline constexpr std::size_t kLargestPart = 4096;

/// Sorts the leaves into ranges that may be mixed; leaves of a range keep their order.
LeafGroups group_leaves(const ClusterInput& input, UninitializedVector<std::uint32_t>& leaves);

}  // namespace graze::methods
