// Representative triangles (R-TRI, Curtis et al. 2008, sections 4 and 5.1): every vertex and every edge of a soup
// is assigned to exactly one of its triangles, and every face to one of its duplicates. A method that tests, for
// each pair of triangles, only the features that they represent, tests every feature pair exactly once.
//
// How many features a triangle represents stands in four bits of its id; which ones follows from the order of its
// features, the represented ones first. That order is kept here and nowhere else: the caller's triangles stay as
// they are. Unlike the paper, an edge may have any number of triangles, triangles may repeat (one of them stands
// for the face, the others for nothing) and may repeat ids. Cost: O(triangles), 28 bytes a triangle and 8 an edge.
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

/// A triangle and what it represents: bits 0-1 the number of vertices, 2-3 the number of edges, 4-31 its index. Ids
/// ascend with their triangles. 32 bits, because the leaves of every hierarchy hold them.
using RepresentativeId = std::uint32_t;

/// The id of a triangle that stands for no face: a duplicate of another one, or removed. Never dispatch it.
inline constexpr RepresentativeId kRepresentsNothing = std::numeric_limits<RepresentativeId>::max();

/// 28 bits, less the index that kRepresentsNothing would have.
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

/// Whether the pair has any elementary test to dispatch (HasCompatible): one of them represents a vertex, or both
/// an edge. Precondition: neither is kRepresentsNothing.
constexpr bool has_compatible(RepresentativeId a, RepresentativeId b) {
  return ((a | b) & 3U) != 0 || ((a & 12U) != 0 && (b & 12U) != 0);
}
/// The same of discrete queries, whose elementary test is edge-face: one of them represents an edge.
constexpr bool has_compatible_edge_face(RepresentativeId a, RepresentativeId b) {
  return ((a | b) & 12U) != 0;
}

struct Representatives {
  /// A triangle's features, each kind with the represented ones first. The vertices are its three ids in some
  /// order; edges are places in `edges`, each once, kNoEdge where repeated ids leave fewer than three.
  struct Entry {
    std::array<VertexId, 3> vertices{};
    std::array<std::uint32_t, 3> edges{kNoEdge, kNoEdge, kNoEdge};
  };

  std::vector<RepresentativeId> ids;  ///< by triangle
  std::vector<Entry> entries;         ///< by triangle
  std::vector<Edge> edges;            ///< by edge id: those of the topology it was made from, in order

  /// What a triangle represents. Precondition of these: not kRepresentsNothing.
  [[nodiscard]] std::span<const VertexId> vertices_of(RepresentativeId id) const {
    return {entries[triangle_of(id)].vertices.data(), represented_vertex_count(id)};
  }
  [[nodiscard]] std::span<const std::uint32_t> edges_of(RepresentativeId id) const {
    return {entries[triangle_of(id)].edges.data(), represented_edge_count(id)};
  }
  [[nodiscard]] Face face(RepresentativeId id) const { return face_of(entries[triangle_of(id)].vertices); }

  /// The ids that stand for a face, ascending: the triangles that a hierarchy needs to hold.
  [[nodiscard]] std::vector<RepresentativeId> active() const;
  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Throws InputError for more triangles than an id can name.
void require_representable(std::size_t triangle_count);

/// The greedy assignment: scanning the triangles in order, each takes what none took before it. In parallel; same
/// result on any number of threads. Precondition: `topology` is that of `triangles`. InputError above
/// kMaxRepresentatives.
Representatives make_representatives(std::span<const Triangle> triangles, const Topology& topology);
/// The same; takes the edges away.
Representatives make_representatives(std::span<const Triangle> triangles, Topology&& topology);

/// Checks properties I to III of the paper (every feature represented, no more than once, by an incident triangle),
/// the same of faces, and the order of features: empty if they hold, else one line on the first violation. `alive`,
/// if given, is 0 for removed triangles; those without ids (kRemovedTriangle) are so in any case. Linear, from
/// scratch: for tests.
std::string validate(const Representatives& representatives, std::span<const Triangle> triangles,
                     std::span<const std::uint8_t> alive = {});

}  // namespace graze::mesh
