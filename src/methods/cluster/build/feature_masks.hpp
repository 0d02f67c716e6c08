// Which features each triangle of a soup represents, as one byte per triangle: the greedy assignment of
// representatives (mesh/representatives.hpp) without ids of edges and without a copy of the triangles, which method
// `auto` does not need.
//
// In the order of triangles, each takes those of its features that no earlier triangle has. So a feature is new
// exactly if a table of the features so far does not have it. Triangles are partitioned by the ids of their
// vertices (core/partition_plan.hpp), into each partition that one of their vertices is in; a partition decides
// about its vertices, about the edges whose lower vertex it has, and about the faces whose lowest vertex it has,
// and its tables fit into a cache. An entry of the table of edges is a triangle that has the edge. The second
// triangle of an edge is compared with the first one, which finds duplicates of a face, and the two are neighbours;
// a partition that has an edge with more triangles, one of which may be a duplicate, sorts its faces. Cost:
// O(vertices + triangles) expected, O(n log n) where an edge has many triangles; 5 to 13 bytes of work space per
// triangle; all passes are parallel, and the result is the same for any number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <graze/types.hpp>

#include "core/uninitialized_vector.hpp"

namespace graze::methods {

/// Features that a triangle represents, by its face, whose vertices ascend: bit k for vertex k, bits 3 to 5 for the
/// edges of kFaceEdges. A triangle that represents a face has kRepresentsFace; others have no bit.
using FeatureMask = std::uint8_t;

inline constexpr unsigned kFirstEdgeBit = 3;
inline constexpr FeatureMask kVertexBits = 7U;
inline constexpr FeatureMask kEdgeBits = 7U << kFirstEdgeBit;
inline constexpr FeatureMask kRepresentsFace = 1U << 6U;

/// Places, in a face, of the ends of its edges.
inline constexpr unsigned kFaceEdges[3][2] = {{0, 1}, {0, 2}, {1, 2}};  // NOLINT(modernize-avoid-c-arrays)

/// The triangles across the edges of a face, in the order of kFaceEdges; kNoNeighbour where there is none.
using Neighbours = std::array<std::uint32_t, 3>;
inline constexpr std::uint32_t kNoNeighbour = std::numeric_limits<std::uint32_t>::max();

struct FeatureMasks {
  core::UninitializedVector<FeatureMask> masks;  ///< by triangle
  /// By triangle. The triangles of an edge are neighbours two and two, in ascending order, less duplicates.
  core::UninitializedVector<Neighbours> neighbours;
  bool all_faces = true;  ///< whether every triangle represents a face
};

/// Makes the masks. Removed triangles (kRemovedTriangle) have no features. Preconditions: every other id <
/// vertex_count. Throws InputError above kMaxRepresentatives triangles.
FeatureMasks make_feature_masks(std::span<const Triangle> triangles, std::size_t vertex_count);

}  // namespace graze::methods
