// Topology of any triangle soup: its features and which triangles each belongs to.
//
// Nothing is assumed of the input: triangles may repeat, repeat ids, share an edge with any number of others, or be
// none; vertices may be unused. All relations are compressed rows (one offset array, one item array), built by
// counting sorts on vertex ids: O(vertices + triangles) whatever the shape, no hashing, no per-element allocation.
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

/// A list of items for each row, stored as one array: row r is items[offsets[r] .. offsets[r + 1]).
struct Rows {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> items;

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::uint32_t length(std::size_t row) const { return offsets[row + 1] - offsets[row]; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
    return {items.data() + offsets[row], length(row)};
  }
};

/// In triangle_edges: the side has one id twice, so it is no edge; or the triangle was removed.
inline constexpr std::uint32_t kNoEdge = std::numeric_limits<std::uint32_t>::max();

/// In triangle_faces, and in the numbers of components: the triangle was removed.
inline constexpr std::uint32_t kNoFace = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t kNoComponent = std::numeric_limits<std::uint32_t>::max();

/// The most triangles a soup may have: corners are numbered in 32 bits.
inline constexpr std::size_t kMaxTriangles = std::numeric_limits<std::uint32_t>::max() / 3;

/// Features and their triangles. Edge and face ids are places in features.edges and features.faces. In every row a
/// triangle appears once, and items ascend.
struct Topology {
  Features features;
  Rows vertex_triangles;                                     ///< by vertex id, unused vertices included: the fans
  Rows vertex_edges;                                         ///< by vertex id
  Rows edge_triangles;                                       ///< one: boundary; two: manifold; any number
  Rows face_triangles;                                       ///< more than one for duplicates
  std::vector<std::array<std::uint32_t, 3>> triangle_edges;  ///< side k joins ids k and (k + 1) % 3; or kNoEdge
  std::vector<std::uint32_t> triangle_faces;

  /// Bytes that the arrays hold.
  [[nodiscard]] std::size_t memory_bytes() const;
};

/// A lower bound on memory_bytes() of any soup with these counts: the arrays by vertex and by triangle.
constexpr std::size_t least_topology_bytes(std::size_t vertex_count, std::size_t triangle_count) {
  return sizeof(std::uint32_t) * (2 * vertex_count + 4 * triangle_count);
}

/// What is built of a topology: everything; or what representatives are made from: edges, and the triangles of
/// vertices, edges and faces, but no lists of vertices and faces, nor edges by vertex. Two thirds of the memory.
enum class TopologyParts : std::uint8_t { All, ForRepresentatives };

/// Removed triangles (kRemovedTriangle) have no features and are in no row. Preconditions: every other id <
/// vertex_count <= 2^32 - 1; at most kMaxTriangles triangles.
Topology build_topology(std::span<const Triangle> triangles, std::size_t vertex_count,
                        TopologyParts wanted = TopologyParts::All);

/// Pairs of different triangles (by triangle id) that share two ids or more, or exactly one.
struct AdjacentPairs {
  std::uint64_t edge = 0;
  std::uint64_t vertex = 0;

  friend bool operator==(const AdjacentPairs&, const AdjacentPairs&) = default;
};
/// Counted from row lengths, so linear even where all triangles meet at one vertex.
AdjacentPairs count_adjacent_pairs(const Topology& topology);

/// Edges with one triangle, and with more than two; ascending edge ids. Duplicate triangles count each.
std::vector<std::uint32_t> boundary_edges(const Topology& topology);
std::vector<std::uint32_t> nonmanifold_edges(const Topology& topology);

/// Connected components by shared vertices.
struct Components {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> of_triangle;  ///< numbered by their smallest vertex id; kNoComponent: removed
};
Components connected_components(std::span<const Triangle> triangles, std::size_t vertex_count);

}  // namespace graze::mesh
