// From a pair of triangles to its feature pairs: what tells the methods of R-TRI apart (Curtis et al. 2008,
// section 5.2 and Algorithm 1). Each calls sink(pair) for candidates in canonical order that are not incident.
//
//   basic     all 15 pairs of the two triangles; a feature pair comes once for every pair of triangles that has it
//   no-dupl   those whose features both triangles represent: each once
//   r-tri     the same, less those whose own bounds are apart: the path of a vertex, a segment, against the
//   triangle's box,
//             and the boxes of two edges
//
// Completeness of the last two: a feature pair is that of exactly one pair of representatives. If the features come
// within the gap, the boxes of those two triangles overlap, so the traversal brings them.
#pragma once

#include <span>

#include "cull/segment_box.hpp"
#include "mesh/features.hpp"
#include "pipeline/hierarchy.hpp"

namespace graze {

struct BasicFeatures {
  const Hierarchy& hierarchy;

  template <typename Sink>
  void operator()(const LeafPair& leaves, const Sink& sink) const {
    const auto& entries = hierarchy.representatives().entries;
    const auto& a = entries[triangle_of(hierarchy.id(leaves.a))];
    const auto& b = entries[triangle_of(hierarchy.id(leaves.b))];
    const auto vertices_face = [&](const std::array<VertexId, 3>& vertices, const Face& face) {
      for (std::size_t i = 0; i < 3; ++i) {
        const bool repeated = (i > 0 && vertices[i] == vertices[0]) || (i > 1 && vertices[i] == vertices[1]);
        if (!repeated && !incident(vertices[i], face)) sink(vertex_face_pair(vertices[i], face));
      }
    };
    vertices_face(a.vertices, hierarchy.face(leaves.b));
    vertices_face(b.vertices, hierarchy.face(leaves.a));
    const auto& edges = hierarchy.representatives().edges;
    for (const std::uint32_t ea : a.edges) {
      if (ea == kNoEdge) continue;
      for (const std::uint32_t eb : b.edges) {
        if (eb != kNoEdge && !incident(edges[ea], edges[eb])) sink(edge_edge_pair(edges[ea], edges[eb]));
      }
    }
  }
};

/// no-dupl, and with bounds of features r-tri.
template <bool kFeatureBounds>
struct RepresentedFeatures {
  const Hierarchy& hierarchy;
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;
  bool thick = false;  ///< boxes are inflated by half a gap each: a bare segment would miss the other half

  template <typename Sink>
  void operator()(const LeafPair& leaves, const Sink& sink) const {
    const Representatives& representatives = hierarchy.representatives();
    const RepresentativeId a = hierarchy.id(leaves.a);
    const RepresentativeId b = hierarchy.id(leaves.b);
    const auto vertices_face = [&](RepresentativeId id, std::uint32_t leaf) {
      for (const VertexId v : representatives.vertices_of(id)) {
        if (!incident(v, hierarchy.face(leaf)) && may_meet(v, hierarchy.leaf_box(leaf))) {
          sink(vertex_face_pair(v, hierarchy.face(leaf)));
        }
      }
    };
    vertices_face(a, leaves.b);
    vertices_face(b, leaves.a);
    for (const std::uint32_t ea : representatives.edges_of(a)) {
      for (const std::uint32_t eb : representatives.edges_of(b)) {
        if (kFeatureBounds && !hierarchy.edge_box(ea).overlaps(hierarchy.edge_box(eb))) continue;
        const Edge& edge_a = representatives.edges[ea];
        const Edge& edge_b = representatives.edges[eb];
        if (!incident(edge_a, edge_b)) sink(edge_edge_pair(edge_a, edge_b));
      }
    }
  }

  [[nodiscard]] bool may_meet(VertexId v, const Aabb& box) const {
    if constexpr (!kFeatureBounds) return true;
    if (thick) return hierarchy.vertex_box(v).overlaps(box);
    return segment_may_overlap(x_t0[v], x_t1[v], box);
  }
};

}  // namespace graze
