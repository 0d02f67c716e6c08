// Partitions a mesh into clusters of triangles (cluster.hpp).
//
// Triangles of one connected component and of similar size are split along the longest axis of their centres until
// a part fits a cluster; splits are at multiples of a full cluster, so that nearly all clusters are full. Connected
// components are not mixed unless they are tiny, because components move apart. Triangles much larger than the rest
// are clustered separately, so that they do not enlarge other clusters' bounds; so are groups that the caller
// separates. Cost: O(n log n), about 0.1 us per triangle, and 25 bytes of work space each; parallel, with the same
// clusters for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "core/uninitialized_vector.hpp"
#include "methods/cluster/build/leaf_view.hpp"
#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// Input of build_clusters(). References all data.
struct ClusterInput {
  LeafView leaves;
  std::span<const Vec3> x;  ///< positions that decide which triangles are close
  /// By vertex: connected components whose lowest vertices differ in this value are not mixed. May be empty.
  std::span<const std::uint8_t> separate_by{};
};

/// Minimum faces of a connected component that is not mixed with others.
inline constexpr std::size_t kOwnPiece = 12;

struct MadeClusters {
  UninitializedVector<Cluster> clusters;  ///< without positions
  std::vector<std::uint32_t> ends;        ///< by cluster: the end of its leaves
  /// Leaves of the first cluster, one per face, then those of the next one.
  UninitializedVector<std::uint32_t> leaves;
};

/// Builds clusters of these leaves. Precondition: no leaf is free.
MadeClusters build_clusters(const ClusterInput& input, UninitializedVector<std::uint32_t> leaves);

}  // namespace graze::methods
