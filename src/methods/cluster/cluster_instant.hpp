// Queries of method `auto` at one instant: intersections and proximities, by pairs of clusters as the continuous
// queries are.
//
// Contacts are kept for the next query (temporal coherence): pairs whose vertices are all where they were are not
// tested again. Memory: 24 bytes per vertex and a copy of what was found, for each kind of query that is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/results.hpp>

#include "methods/cluster/cluster_mesh.hpp"
#include "query/query.hpp"

namespace graze::methods {

/// The answer of the last query of one kind.
template <typename Found>
struct LastAnswer {
  std::vector<Vec3> x;  ///< positions of the query; empty: none is kept
  double d = 0.0;       ///< distance of a proximity query
  std::vector<Found> found;

  [[nodiscard]] std::size_t memory_bytes() const {
    return x.capacity() * sizeof(Vec3) + found.capacity() * sizeof(Found);
  }
};

class ClusterInstant {
 public:
  /// Fills edge_face alone (query/intersections.hpp). `other_bytes`: what the method keeps beside the clusters.
  Intersections intersections(const QueryContext& query, ClusterMesh& mesh, std::size_t other_bytes,
                              std::span<const Vec3> x);
  Proximities proximities(const QueryContext& query, ClusterMesh& mesh, std::size_t other_bytes,
                          std::span<const Vec3> x, double d);

  /// Discards the kept contacts. Call it after every edit of the scene.
  void forget();
  [[nodiscard]] std::size_t memory_bytes() const {
    return intersections_.memory_bytes() + proximities_.memory_bytes();
  }

 private:
  LastAnswer<Intersection> intersections_;
  LastAnswer<Proximity> proximities_;
};

}  // namespace graze::methods
