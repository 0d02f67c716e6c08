// Leaves and edges of a triangle soup, straight from its triangles: the greedy assignment of representatives
// (mesh/representatives.hpp) without the lists of a topology (mesh/topology.hpp).
//
// Sides of triangles are partitioned by their lower vertex id. A partition then fits into a cache, and
// one task sorts it: by a count of the lower ids, then by the few upper ids of each. A run of equal sides is an
// edge, and begins with the triangle that represents it. Two triangles have the same face exactly if they share the
// side of their two lower ids, and the third id: so the run of that side has all duplicates of a face. Cost:
// O(vertices + triangles), O(n log n) where a vertex has many triangles; 40 bytes of work space per triangle; all
// passes are parallel, and the result is the same for any number of threads.
#pragma once

#include <cstddef>
#include <span>

#include <graze/types.hpp>

#include "core/uninitialized_vector.hpp"
#include "mesh/features.hpp"
#include "mesh/leaf.hpp"
#include "mesh/representatives.hpp"

namespace graze::mesh {

struct MadeLeaves {
  UninitializedVector<Leaf> leaves;  ///< triangles that represent a face, ascending; without boxes
  UninitializedVector<Edge> edges;   ///< by edge id: sorted, each once
};

/// Makes the leaves of the triangles that represent a face. Removed triangles (kRemovedTriangle) have no features.
/// Preconditions: every other id < vertex_count <= 2^32 - 1. Throws InputError above kMaxRepresentatives triangles.
MadeLeaves make_leaves(std::span<const Triangle> triangles, std::size_t vertex_count);

/// Makes the representatives of make_representatives(triangles, build_topology(triangles, vertex_count)).
Representatives make_representatives(std::span<const Triangle> triangles, std::size_t vertex_count);

}  // namespace graze::mesh
