// Feature pairs of triangle pairs: how R-TRI's methods differ (Curtis et al. 2008, section 5.2 and Algorithm 1).
// Each struct passes candidates that are not incident to a sink: sink.vertex_face(v, leaf) and sink.edge_edge(e, e)
// for continuous queries, sink.edge_face(e, leaf) for discrete ones. keep=false: the sink discards the pair without
// branching. sink.edge_edges(pairs) takes many pairs at once, by their vertices.
//
//   basic     all 15 (discrete: 6) pairs of the two triangles; a feature pair repeats with every such triangle pair
//   no-dupl   the pairs whose features the two triangles represent (representative triangles): each pair once
//   r-tri     as no-dupl, minus pairs whose feature bounds do not overlap: the path of a vertex, or an edge at an
//             instant, is a segment against the triangle's box; two edges have boxes
//
// Segments are tested against boxes in given coordinates. While bounds are in mapped ones
// (geometry/coordinate_map.hpp), the box of the triangle is made from the paths of its vertices, in doubles.
//
// Completeness of no-dupl and r-tri: a feature pair belongs to exactly one pair of representatives. If the features
// come within the gap, the boxes of the two representatives overlap, so the traversal generates the pair. (`adj` is
// in methods/bvh/adj_features.hpp.)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cull/box_pairs.hpp"
#include "cull/segment_box.hpp"
#include "geometry/path.hpp"
#include "mesh/features.hpp"
#include "mesh/leaf_pair.hpp"
#include "query/leaf/leaf_bounds.hpp"

namespace graze::query {

struct BasicFeatures {
  static constexpr bool kMasked = false;

  const LeafBounds& mesh;

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
    const Leaf& a = mesh.leaf(pair.a);
    const Leaf& b = mesh.leaf(pair.b);
    const auto vertices_face = [&](const Leaf& from, std::uint32_t to, const Triangle& face) {
      const auto& v = from.vertices;
      for (std::size_t i = 0; i < 3; ++i) {
        const bool repeated = (i > 0 && v[i] == v[0]) || (i > 1 && v[i] == v[1]);
        if (!repeated && !incident(v[i], face)) sink.vertex_face(v[i], to);
      }
    };
    vertices_face(a, pair.b, b.vertices);
    vertices_face(b, pair.a, a.vertices);
    for (const std::uint32_t ea : a.edges) {
      if (ea == kNoEdge) continue;
      for (const std::uint32_t eb : b.edges) {
        if (eb != kNoEdge && !incident(mesh.edge(ea), mesh.edge(eb))) sink.edge_edge(ea, eb);
      }
    }
  }

  template <typename Sink>
  void edge_face(const LeafPair& pair, Sink& sink) const {
    const auto edges_face = [&](const Leaf& from, std::uint32_t to) {
      for (const std::uint32_t e : from.edges) {
        if (e != kNoEdge && !incident(mesh.edge(e), mesh.leaf(to).vertices)) sink.edge_face(e, to);
      }
    };
    edges_face(mesh.leaf(pair.a), pair.b);
    edges_face(mesh.leaf(pair.b), pair.a);
  }
};

/// Overlap tests of feature bounds: whether two features may come within the gap of the boxes.
struct FeatureBounds {
  const LeafBounds& mesh;
  std::span<const VertexPath> paths;
  bool thick = false;  ///< no segment tests: each box is inflated by half the gap, a segment would lack its half

  [[nodiscard]] bool vertex_face(VertexId v, const Leaf& leaf) const {
    return mesh.vertex_boxes()[v].overlaps(leaf.box) && crosses(v, leaf);
  }
  /// Returns what vertex_face() returns. Precondition: the boxes of vertex and leaf overlap.
  [[nodiscard]] bool crosses(VertexId v, const Leaf& leaf) const {
    return thick || segment_overlaps(paths[v].t0, paths[v].t1, leaf);
  }
  [[nodiscard]] bool edge_edge(std::uint32_t a, std::uint32_t b) const {
    return mesh.edge_box(a).overlaps(mesh.edge_box(b));
  }
  /// At one instant: both path ends coincide.
  [[nodiscard]] bool edge_face(std::uint32_t e, const Leaf& leaf) const {
    const Edge& ends = mesh.edge(e);
    return segment_overlaps(paths[ends[0]].t0, paths[ends[1]].t0, leaf);
  }

 private:
  [[nodiscard]] bool segment_overlaps(const Vec3& p0, const Vec3& p1, const Leaf& leaf) const {
    return mesh.maps() == nullptr ? segment_may_overlap(p0, p1, leaf.box.box())
                                  : segment_may_overlap(p0, p1, box_of_paths(leaf));
  }
  /// The box of a leaf in given coordinates, inflated by half the gap of its bounds: a gap covers the rounding of
  /// the end of a step prefix. A rounded sum errs by at most 2^-53 of itself, which the last term exceeds.
  [[nodiscard]] DoubleBox box_of_paths(const Leaf& leaf) const {
    constexpr std::array kAxes{&Vec3::x, &Vec3::y, &Vec3::z};
    const double half = 0.5 * mesh.gap();
    DoubleBox box;
    for (std::size_t k = 0; k < 3; ++k) {
      double lo = paths[leaf.vertices[0]].t0.*kAxes[k];
      double hi = lo;
      for (const VertexId v : leaf.vertices) {
        const auto [a, b] = std::minmax(paths[v].t0.*kAxes[k], paths[v].t1.*kAxes[k]);
        lo = std::min(lo, a);
        hi = std::max(hi, b);
      }
      if (half > 0.0) {
        lo -= half;
        lo -= 0x1p-51 * std::abs(lo);
        hi += half;
        hi += 0x1p-51 * std::abs(hi);
      }
      box.lo[k] = lo;
      box.hi[k] = hi;
    }
    return box;
  }
};

/// no-dupl; with feature bounds r-tri. The number of features that a triangle represents is unpredictable. So leaf
/// pairs are first expanded into flat lists without branches (every possible pair is written, only represented ones
/// are kept), and then the lists are tested: no loop has an unpredictable length.
template <bool kFeatureBounds>
struct RepresentedFeatures {
  static constexpr bool kMasked = true;

  FeatureBounds bounds;

  template <typename Sink>
  void continuous(std::span<const LeafPair> pairs, Sink& sink) const {
    std::array<IndexPair, 6 * kPairsPerBatch + 3> vertex_face;
    std::array<IndexPair, 9 * kPairsPerBatch + 1> edge_edge;
    for (; !pairs.empty(); pairs = pairs.subspan(std::min(kPairsPerBatch, pairs.size()))) {
      const auto [vf_count, ee_count] =
          spread(pairs.first(std::min(kPairsPerBatch, pairs.size())), vertex_face.data(), edge_edge.data());
      test_vertex_face(std::span(vertex_face).first(vf_count), sink);
      test_edge_edge(std::span(edge_edge).first(ee_count), sink);
    }
  }

  template <typename Sink>
  void edge_face(std::span<const LeafPair> pairs, Sink& sink) const {
    const LeafBounds& mesh = bounds.mesh;
    const auto edges_face = [&](const Leaf& from, std::uint32_t leaf) {
      const Leaf& to = mesh.leaf(leaf);
      for (const std::uint32_t e : from.represented_edges()) {
        if (incident(mesh.edge(e), to.vertices) || (kFeatureBounds && !bounds.edge_face(e, to))) continue;
        sink.edge_face(e, leaf);
      }
    };
    for (const LeafPair& pair : pairs) {
      edges_face(mesh.leaf(pair.a), pair.b);
      edges_face(mesh.leaf(pair.b), pair.a);
    }
  }

 private:
  static constexpr std::size_t kPairsPerBatch = 128;  ///< leaf pairs whose flat lists fit the first-level cache

  struct Counts {
    std::size_t vertex_face = 0;
    std::size_t edge_edge = 0;
  };
  Counts spread(std::span<const LeafPair> pairs, IndexPair* vertex_face, IndexPair* edge_edge) const {
    Counts n;
    for (const LeafPair& pair : pairs) {
      const Leaf& a = bounds.mesh.leaf(pair.a);
      const Leaf& b = bounds.mesh.leaf(pair.b);
      for (std::size_t i = 0; i < 3; ++i) vertex_face[n.vertex_face + i] = {a.vertices[i], pair.b};
      n.vertex_face += represented_vertex_count(a.id);
      for (std::size_t i = 0; i < 3; ++i) vertex_face[n.vertex_face + i] = {b.vertices[i], pair.a};
      n.vertex_face += represented_vertex_count(b.id);
      const std::uint32_t edges_a = represented_edge_count(a.id);
      const std::uint32_t edges_b = represented_edge_count(b.id);
      for (std::uint32_t i = 0; i < 3; ++i) {
        for (std::uint32_t j = 0; j < 3; ++j) {
          edge_edge[n.edge_edge] = {a.edges[i], b.edges[j]};
          n.edge_edge += static_cast<std::size_t>(i < edges_a) & static_cast<std::size_t>(j < edges_b);
        }
      }
    }
    return n;
  }

  template <typename Sink>
  void test_vertex_face(std::span<const IndexPair> pairs, Sink& sink) const {
    const LeafBounds& mesh = bounds.mesh;
    if constexpr (kFeatureBounds) {
      std::array<IndexPair, 6 * kPairsPerBatch + 1> kept;
      const std::size_t count = overlapping_vertex_faces(mesh.vertex_boxes(), mesh.leaves(), pairs, kept.data());
      for (std::size_t i = 0; i < count; ++i) {
        const auto [v, leaf] = kept[i];
        sink.vertex_face(v, leaf, bounds.crosses(v, mesh.leaf(leaf)));
      }
    } else {
      for (const auto& [v, leaf] : pairs) {
        sink.vertex_face(v, leaf, !incident(v, mesh.leaf(leaf).vertices));
      }
    }
  }

  template <typename Sink>
  void test_edge_edge(std::span<const IndexPair> pairs, Sink& sink) const {
    const LeafBounds& mesh = bounds.mesh;
    if (kFeatureBounds && !mesh.edge_boxes().empty()) {
      std::array<PairVertices, 9 * kPairsPerBatch + 1> kept;
      const std::size_t count = overlapping_edges(mesh.edge_boxes(), pairs, kept.data());
      sink.edge_edges(std::span<const PairVertices>(kept).first(count));
      return;
    }
    for (const auto& [a, b] : pairs) {
      const bool apart = kFeatureBounds && !bounds.edge_edge(a, b);
      sink.edge_edge(a, b, !apart && !incident(mesh.edge(a), mesh.edge(b)));
    }
  }
};

}  // namespace graze::query
