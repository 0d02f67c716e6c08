// Builds a single cluster from given triangles that owns all their features, independently of build_clusters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "methods/cluster/build/cluster_disc.hpp"
#include "methods/cluster/cluster.hpp"

namespace graze::cluster_samples {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;

/// Faces in the given order, vertices in order of first use; nullopt if there are too many. Precondition: faces
/// have different ids.
inline std::optional<Cluster> one_cluster(std::span<const Triangle> triangles) {
  if (triangles.empty() || triangles.size() > kClusterFaces) return std::nullopt;
  Cluster cluster;
  std::vector<VertexId> ids;
  std::set<std::array<VertexId, 2>> edges;
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::find(ids.begin(), ids.end(), t[k]) == ids.end()) ids.push_back(t[k]);
      const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
      if (low != high) edges.insert({low, high});
    }
  }
  if (ids.size() > kClusterVertices || edges.size() > kClusterEdges) return std::nullopt;
  const auto place = [&](VertexId id) {
    return static_cast<std::uint32_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
  };
  cluster.ids.fill(ids.back());
  std::copy(ids.begin(), ids.end(), cluster.ids.begin());
  std::size_t count = 0;
  for (Triangle t : triangles) {
    std::sort(t.begin(), t.end());
    cluster.faces[count++] = place(t[0]) | place(t[1]) << 8U | place(t[2]) << 16U;
  }
  count = 0;
  for (const auto& edge : edges) cluster.edges[count++] = place(edge[0]) | place(edge[1]) << 8U;
  cluster.vertex_count = cluster.owned_vertices = static_cast<std::uint8_t>(ids.size());
  cluster.edge_count = static_cast<std::uint8_t>(edges.size());
  cluster.face_count = static_cast<std::uint8_t>(triangles.size());
  find_contour(cluster);
  return cluster;
}

}  // namespace graze::cluster_samples
