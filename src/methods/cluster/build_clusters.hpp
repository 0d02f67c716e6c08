// Cuts a mesh into clusters of triangles (cluster.hpp).
//
// Triangles of one piece of mesh, and of about one size, are halved along the longest axis of their centres until a
// part fits a cluster; cuts are at multiples of a full cluster, so that nearly all are full. Pieces of mesh are not
// mixed unless they are tiny: they move apart. What is much larger than the rest stays among its like, so that it
// spoils no other cluster's bounds; so do faces of groups that the caller tells apart. Cost: O(n log n), about 0.1
// us a triangle, and work space of 50 bytes; parallel, the same clusters for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/features.hpp"
#include "mesh/leaf.hpp"
#include "methods/cluster/cluster.hpp"
#include "methods/cluster/local_frame.hpp"

namespace graze::methods {

/// What clusters are made of; all is referred to.
struct ClusterInput {
  std::span<const Leaf> leaves;
  std::span<const Edge> edges;
  std::span<const Vec3> x;  ///< positions that tell what lies together
  std::span<const std::uint8_t>
      apart{};  ///< by vertex: triangles whose first ones differ are not mixed; may be empty
};

struct MadeClusters {
  std::vector<Cluster> clusters;      ///< without positions
  std::vector<std::uint32_t> leaves;  ///< those of the first cluster, as many as it has faces, then the next one's
};

/// Clusters of these leaves, none of them free.
MadeClusters build_clusters(const ClusterInput& input, const ClusterLocalFrame& frame,
                            std::vector<std::uint32_t> leaves);

}  // namespace graze::methods
