// Representative triangles: deduplication of feature pairs (R-TRI, Curtis et al. 2008, sections 4 and 5.1). Every
// vertex and edge of a soup is assigned to exactly one of its triangles, and every face to one of its duplicates. A
// method that tests, for each pair of triangles, only the features that they represent tests every feature pair
// exactly once.
//
// Four bits of a triangle's id give the number of features that it represents; the order of its features gives
// which ones: represented features come first. This order is stored here only; the caller's triangles are not
// reordered. Unlike in the paper, an edge may have any number of triangles, triangles may repeat (one represents
// the face, the others nothing), and vertex ids may repeat within a triangle. Cost: O(triangles); 28 bytes per
// triangle and 8 per edge.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <graze/types.hpp>

#include "mesh/features.hpp"
#include "mesh/topology.hpp"

namespace graze::mesh {

/// A triangle and the number of features it represents: vertices in bits 0-1, edges in bits 2-3, its index in bits
/// 4-31. Ids ascend with the index. 32 bits, because the leaves of every hierarchy store them.
using RepresentativeId = std::uint32_t;

/// Id of a triangle that represents no face: a duplicate of another one, or removed. Never dispatch it.
inline constexpr RepresentativeId kRepresentsNothing = std::numeric_limits<RepresentativeId>::max();

/// 28 bits, minus the index that kRepresentsNothing would have.
inline constexpr std::size_t kMaxRepresentatives = (std::size_t{1} << 28U) - 1;

constexpr RepresentativeId make_representative_id(std::uint32_t triangle, std::uint32_t vertices,
                                                  std::uint32_t edges) {
  return triangle << 4U | edges << 2U | vertices;
}
constexpr std::uint32_t triangle_of(RepresentativeId id) {
  return id >> 4U;
}
constexpr std::uint32_t represented_vertex_count(RepresentativeId id) {
  return id & 3U;
}
constexpr std::uint32_t represented_edge_count(RepresentativeId id) {
  return id >> 2U & 3U;
}

/// Returns whether the pair has any elementary test to dispatch (HasCompatible): at least one represents a vertex,
/// or both represent an edge. Precondition: neither is kRepresentsNothing.
constexpr bool has_compatible(RepresentativeId a, RepresentativeId b) {
  return ((a | b) & 3U) != 0 || ((a & 12U) != 0 && (b & 12U) != 0);
}
/// Returns HasCompatible for discrete queries, whose elementary test is edge-face: at least one represents an edge.
constexpr bool has_compatible_edge_face(RepresentativeId a, RepresentativeId b) {
  return ((a | b) & 12U) != 0;
}

struct Representatives {
  /// Features of a triangle; in each list the represented ones come first. `vertices` are its three ids in some
  /// order; `edges` are edge ids without duplicates, and kNoEdge where repeated vertex ids leave fewer than three
  /// edges.
  struct Entry {
    std::array<VertexId, 3> vertices{};
    std::array<std::uint32_t, 3> edges{kNoEdge, kNoEdge, kNoEdge};
  };

  std::vector<RepresentativeId> ids;  ///< by triangle
  std::vector<Entry> entries;         ///< by triangle
  std::vector<Edge> edges;            ///< by edge id: the edges of the topology, in its order

  /// Features that a triangle represents. Precondition of these functions: id is not kRepresentsNothing.
  [[nodiscard]] std::span<const VertexId> vertices_of(RepresentativeId id) const {
    return {entries[triangle_of(id)].vertices.data(), represented_vertex_count(id)};
  }
  [[nodiscard]] std::span<const std::uint32_t> edges_of(RepresentativeId id) const {
    return {entries[triangle_of(id)].edges.data(), represented_edge_count(id)};
  }
  [[nodiscard]] Face face(RepresentativeId id) const { return face_of(entries[triangle_of(id)].vertices); }

  /// Returns the ids that represent a face, ascending: the triangles that a hierarchy must contain.
  [[nodiscard]] std::vector<RepresentativeId> active() const;
  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Throws InputError if there are more triangles than ids can number.
void require_representable(std::size_t triangle_count);

/// Greedy assignment: in the order of triangles, each takes its features that no earlier triangle has taken.
/// Parallel; the result is the same with any number of threads. Precondition: `topology` is that of `triangles`.
/// Throws InputError above kMaxRepresentatives triangles.
Representatives make_representatives(std::span<const Triangle> triangles, const Topology& topology);
/// Builds the representatives and moves the edge list out of `topology`.
Representatives make_representatives(std::span<const Triangle> triangles, Topology&& topology);

/// Checks properties I to III of the paper (every feature is represented, at most once, by an incident triangle),
/// the corresponding properties of faces, and the order of features. Returns an empty string if all hold, else one
/// line on the first violation. `alive`, if given, is 0 for removed triangles; kRemovedTriangle is removed in any
/// case. Linear, from scratch: for tests.
std::string validate(const Representatives& representatives, std::span<const Triangle> triangles,
                     std::span<const std::uint8_t> alive = {});

}  // namespace graze::mesh
