// Features: the vertices, edges and faces of a triangle soup, each listed once in a fixed order, and the incidence
// of two features.
//
// A feature is identified by its vertex ids (graze/types.hpp): an edge has two different ids, a face is a sorted
// triple in which ids may repeat. Every method enumerates candidates from these lists, so all methods name a
// feature pair alike.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::mesh {

using Edge = std::array<VertexId, 2>;  ///< two different ids, ascending
using Face = std::array<VertexId, 3>;  ///< ids ascending, repeats allowed

/// The features of a soup, each list sorted by ids without duplicates. Vertices that no triangle uses are not
/// listed.
struct Features {
  std::vector<VertexId> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;

  friend bool operator==(const Features&, const Features&) = default;
  [[nodiscard]] std::size_t memory_bytes() const {
    return vertices.capacity() * sizeof(VertexId) + edges.capacity() * sizeof(Edge) +
           faces.capacity() * sizeof(Face);
  }
};

/// Returns 1 if the ids are equal, else 0: for tests without branches, where the outcome is unpredictable.
constexpr unsigned same_id(VertexId a, VertexId b) {
  return static_cast<unsigned>(a == b);
}

/// Returns whether two features are incident, that is, share a vertex id. Incident pairs are never tested.
constexpr bool incident(VertexId v, const Face& f) {
  return (same_id(v, f[0]) | same_id(v, f[1]) | same_id(v, f[2])) != 0;
}
constexpr bool incident(const Edge& a, const Edge& b) {
  return (same_id(a[0], b[0]) | same_id(a[0], b[1]) | same_id(a[1], b[0]) | same_id(a[1], b[1])) != 0;
}
constexpr bool incident(const Edge& e, const Face& f) {
  return incident(e[0], f) || incident(e[1], f);
}
constexpr bool share_vertex(const Triangle& a, const Triangle& b) {
  return incident(a[0], b) || incident(a[1], b) || incident(a[2], b);
}

/// Returns the ids of a triangle in ascending order, without branches, whose outcome would be unpredictable.
constexpr Face face_of(const Triangle& t) {
  const VertexId low = t[0] < t[1] ? t[0] : t[1];
  const VertexId high = t[0] < t[1] ? t[1] : t[0];
  const VertexId lowest = low < t[2] ? low : t[2];
  const VertexId highest = high < t[2] ? t[2] : high;
  return {lowest, t[0] ^ t[1] ^ t[2] ^ lowest ^ highest, highest};
}

/// Returns a pair of features in canonical order.
constexpr FeaturePair vertex_face_pair(VertexId v, const Face& f) {
  return {FeatureKind::VertexFace, {v, f[0], f[1], f[2]}};
}
constexpr FeaturePair edge_edge_pair(const Edge& a, const Edge& b) {
  return a < b ? FeaturePair{FeatureKind::EdgeEdge, {a[0], a[1], b[0], b[1]}}
               : FeaturePair{FeatureKind::EdgeEdge, {b[0], b[1], a[0], a[1]}};
}

}  // namespace graze::mesh
