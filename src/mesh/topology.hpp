// Topology of an arbitrary triangle soup: its features and the triangles of each feature.
//
// The input may be anything: triangles may repeat, repeat ids, share an edge with any number of others; the soup
// may be empty; vertices may be unused. All relations are compressed rows (one offset array, one item array), built
// by counting sorts on vertex ids. Cost: O(vertices + triangles) whatever the shape, without hashing or allocations
// per element.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/features.hpp"

namespace graze::mesh {

/// A list of items per row, in one array: row r is items[offsets[r] .. offsets[r + 1]).
struct Rows {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> items;

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::uint32_t length(std::size_t row) const { return offsets[row + 1] - offsets[row]; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
    return {items.data() + offsets[row], length(row)};
  }
};

/// Entry of triangle_edges for a side with one id twice, which is not an edge, or for a removed triangle.
inline constexpr std::uint32_t kNoEdge = std::numeric_limits<std::uint32_t>::max();

/// Entry of triangle_faces for a removed triangle.
inline constexpr std::uint32_t kNoFace = std::numeric_limits<std::uint32_t>::max();

/// Maximum number of triangles of a soup: corners are numbered in 32 bits.
inline constexpr std::size_t kMaxTriangles = std::numeric_limits<std::uint32_t>::max() / 3;

/// Features and their triangles. Edge and face ids are indices into features.edges and features.faces. In every row
/// items ascend, and a triangle appears once.
struct Topology {
  Features features;
  Rows vertex_triangles;                                     ///< by vertex id, unused vertices included: the fans
  Rows vertex_edges;                                         ///< by vertex id
  Rows edge_triangles;                                       ///< one: boundary; two: manifold; any number is legal
  Rows face_triangles;                                       ///< by face id; more than one triangle for duplicates
  std::vector<std::array<std::uint32_t, 3>> triangle_edges;  ///< side k joins ids k and (k + 1) % 3; or kNoEdge
  std::vector<std::uint32_t> triangle_faces;

  /// Returns the bytes allocated by the arrays.
  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Returns a lower bound on memory_bytes() of any soup with these counts: the arrays by vertex and by triangle.
constexpr std::size_t least_topology_bytes(std::size_t vertex_count, std::size_t triangle_count) {
  return sizeof(std::uint32_t) * (2 * vertex_count + 4 * triangle_count);
}

/// Builds the topology. Removed triangles (kRemovedTriangle) have no features and are in no row. Preconditions:
/// every other id < vertex_count <= 2^32 - 1; at most kMaxTriangles triangles.
Topology build_topology(std::span<const Triangle> triangles, std::size_t vertex_count);

}  // namespace graze::mesh
