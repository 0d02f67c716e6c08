// Queries of method `auto` at one instant: intersections and proximities, by pairs of clusters as the continuous
// queries are.
//
// Temporal coherence: if vertices are where they were in the last query, their contacts with each other are kept,
// and are not searched again while the vertices stay there. Memory: 25 bytes per vertex and the kept contacts, for
// each kind of query that is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/results.hpp>

#include "core/uninitialized_vector.hpp"
#include "methods/cluster/cluster_mesh.hpp"
#include "query/query.hpp"

namespace graze::methods {

/// Contacts that are kept from the last query of one kind.
template <typename Found>
struct KeptContacts {
  UninitializedVector<Vec3> x;          ///< positions of the last query; empty: there is none
  double d = 0.0;                       ///< its distance, of a proximity query
  std::vector<std::uint8_t> unchanged;  ///< by vertex: 1 if it was where it had been in the query before
  std::vector<Found> found;             ///< the contacts of unchanged vertices with each other

  [[nodiscard]] std::size_t memory_bytes() const {
    return x.capacity() * sizeof(Vec3) + unchanged.capacity() + found.capacity() * sizeof(Found);
  }
};

class ClusterInstant {
 public:
  /// Fills edge_face alone (query/intersections.hpp). `other_bytes`: what the method keeps beside the clusters.
  Intersections intersections(const QueryContext& query, ClusterMesh& mesh, std::size_t other_bytes,
                              std::span<const Vec3> x);
  Stats proximities(const QueryContext& query, ClusterMesh& mesh, std::size_t other_bytes, std::span<const Vec3> x,
                    double d, MemoryBudget& budget, FoundProximities found);

  /// Discards the kept contacts. Call it after every edit of the scene.
  void forget();
  [[nodiscard]] std::size_t memory_bytes() const {
    return intersections_.memory_bytes() + proximities_.memory_bytes();
  }

 private:
  KeptContacts<Intersection> intersections_;
  KeptContacts<Proximity> proximities_;
};

}  // namespace graze::methods
