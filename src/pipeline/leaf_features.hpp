// From pairs of triangles to their feature pairs: what tells the methods of R-TRI apart (Curtis et al. 2008,
// section 5.2 and Algorithm 1). Each hands over candidates that are not incident: sink.vertex_face(v, leaf) and
// sink.edge_edge(e, e) for continuous queries, sink.edge_face(e, leaf) for discrete ones. Where a last argument is
// false the pair is none after all: a sink may well write it down and go back, which costs less than a branch.
//
//   basic     all 15 (discrete: 6) pairs of the two triangles; a feature pair comes once for every pair of
//   triangles
//             that has it
//   no-dupl   those whose features both triangles represent: each once
//   r-tri     the same, less those whose own bounds are apart: the path of a vertex, or an edge at an instant, is a
//             segment against the triangle's box; two edges have boxes
//
// Completeness of the last two: a feature pair is that of exactly one pair of representatives. If the features come
// within the gap, the boxes of those two triangles overlap, so the traversal brings them. (`adj` is
// adj_features.hpp.)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cull/segment_box.hpp"
#include "geometry/path.hpp"
#include "mesh/features.hpp"
#include "pipeline/hierarchy.hpp"

namespace graze {

struct BasicFeatures {
  static constexpr bool kMasked = false;

  const Hierarchy& hierarchy;

  template <typename Sink>
  void continuous(std::span<const LeafPair> pairs, Sink& sink) const {
    for (const LeafPair& pair : pairs) continuous(pair, sink);
  }
  template <typename Sink>
  void edge_face(std::span<const LeafPair> pairs, Sink& sink) const {
    for (const LeafPair& pair : pairs) edge_face(pair, sink);
  }

 private:
  template <typename Sink>
  void continuous(const LeafPair& pair, Sink& sink) const {
    const Leaf& a = hierarchy.leaf(pair.a);
    const Leaf& b = hierarchy.leaf(pair.b);
    const auto vertices_face = [&](const Leaf& from, std::uint32_t to, const Face& face) {
      const auto& v = from.vertices;
      for (std::size_t i = 0; i < 3; ++i) {
        const bool repeated = (i > 0 && v[i] == v[0]) || (i > 1 && v[i] == v[1]);
        if (!repeated && !incident(v[i], face)) sink.vertex_face(v[i], to);
      }
    };
    vertices_face(a, pair.b, b.face);
    vertices_face(b, pair.a, a.face);
    for (const std::uint32_t ea : a.edges) {
      if (ea == kNoEdge) continue;
      for (const std::uint32_t eb : b.edges) {
        if (eb != kNoEdge && !incident(hierarchy.edge(ea), hierarchy.edge(eb))) sink.edge_edge(ea, eb);
      }
    }
  }

  template <typename Sink>
  void edge_face(const LeafPair& pair, Sink& sink) const {
    const auto edges_face = [&](const Leaf& from, std::uint32_t to) {
      for (const std::uint32_t e : from.edges) {
        if (e != kNoEdge && !incident(hierarchy.edge(e), hierarchy.leaf(to).face)) sink.edge_face(e, to);
      }
    };
    edges_face(hierarchy.leaf(pair.a), pair.b);
    edges_face(hierarchy.leaf(pair.b), pair.a);
  }
};

/// The bounds of features: whether they may come within the gap that the hierarchy was updated for.
struct FeatureBounds {
  const Hierarchy& hierarchy;
  std::span<const VertexPath> paths;
  bool thick = false;  ///< boxes are inflated by half a gap each: a bare segment would miss the other half

  [[nodiscard]] bool vertex_face(VertexId v, const Leaf& leaf) const {
    if (thick) return hierarchy.vertex_box(v).overlaps(leaf.box);
    return segment_may_overlap(paths[v].t0, paths[v].t1, leaf.box);
  }
  [[nodiscard]] bool edge_edge(std::uint32_t a, std::uint32_t b) const { return hierarchy.edges_overlap(a, b); }
  /// At one instant: paths stand still.
  [[nodiscard]] bool edge_face(std::uint32_t e, const Leaf& leaf) const {
    const Edge& ends = hierarchy.edge(e);
    return segment_may_overlap(paths[ends[0]].t0, paths[ends[1]].t0, leaf.box);
  }
};

/// no-dupl, and with bounds of features r-tri. How many features a triangle represents is as good as random, so
/// pairs of leaves are first spread into flat lists, every possible pair written and only the real ones kept, and
/// the lists then tested one after the other: no loop's length is a guess.
template <bool kFeatureBounds>
struct RepresentedFeatures {
  static constexpr bool kMasked = true;

  FeatureBounds bounds;

  template <typename Sink>
  void continuous(std::span<const LeafPair> pairs, Sink& sink) const {
    const Hierarchy& hierarchy = bounds.hierarchy;
    std::array<FeatureLeaf, 6 * kSome + 3> vertex_face;
    std::array<EdgeEdge, 9 * kSome + 1> edge_edge;
    for (; !pairs.empty(); pairs = pairs.subspan(std::min(kSome, pairs.size()))) {
      std::size_t vf_count = 0;
      std::size_t ee_count = 0;
      for (const LeafPair& pair : pairs.first(std::min(kSome, pairs.size()))) {
        const Leaf& a = hierarchy.leaf(pair.a);
        const Leaf& b = hierarchy.leaf(pair.b);
        for (std::size_t i = 0; i < 3; ++i) vertex_face[vf_count + i] = {a.vertices[i], pair.b};
        vf_count += represented_vertex_count(a.id);
        for (std::size_t i = 0; i < 3; ++i) vertex_face[vf_count + i] = {b.vertices[i], pair.a};
        vf_count += represented_vertex_count(b.id);
        const std::uint32_t edges_a = represented_edge_count(a.id);
        const std::uint32_t edges_b = represented_edge_count(b.id);
        for (std::uint32_t i = 0; i < 3; ++i) {
          for (std::uint32_t j = 0; j < 3; ++j) {
            edge_edge[ee_count] = {a.edges[i], b.edges[j]};
            ee_count += static_cast<std::size_t>(i < edges_a) & static_cast<std::size_t>(j < edges_b);
          }
        }
      }
      for (std::size_t i = 0; i < vf_count; ++i) {
        const auto [v, leaf] = vertex_face[i];
        const Leaf& to = hierarchy.leaf(leaf);
        sink.vertex_face(v, leaf, !incident(v, to.face) && (!kFeatureBounds || bounds.vertex_face(v, to)));
      }
      for (std::size_t i = 0; i < ee_count; ++i) {
        const auto [a, b] = edge_edge[i];
        const bool apart = kFeatureBounds && !bounds.edge_edge(a, b);
        sink.edge_edge(a, b, !(apart | incident(hierarchy.edge(a), hierarchy.edge(b))));
      }
    }
  }

  template <typename Sink>
  void edge_face(std::span<const LeafPair> pairs, Sink& sink) const {
    const Hierarchy& hierarchy = bounds.hierarchy;
    const auto edges_face = [&](const Leaf& from, std::uint32_t leaf) {
      const Leaf& to = hierarchy.leaf(leaf);
      for (const std::uint32_t e : from.represented_edges()) {
        if (incident(hierarchy.edge(e), to.face) || (kFeatureBounds && !bounds.edge_face(e, to))) continue;
        sink.edge_face(e, leaf);
      }
    };
    for (const LeafPair& pair : pairs) {
      edges_face(hierarchy.leaf(pair.a), pair.b);
      edges_face(hierarchy.leaf(pair.b), pair.a);
    }
  }

 private:
  static constexpr std::size_t kSome = 128;  ///< pairs of leaves whose lists stay in the first-level cache

  struct FeatureLeaf {
    VertexId vertex;
    std::uint32_t leaf;
  };
  struct EdgeEdge {
    std::uint32_t a;
    std::uint32_t b;
  };
};

}  // namespace graze
