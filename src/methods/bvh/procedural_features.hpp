// Procedural representatives (ICCD, Tang et al. 2009, section V-B, Algorithms 1 and 2): decide which pair of
// non-adjacent triangles tests a feature pair.
//
// Every vertex and every edge has the list of its faces (mesh/incidence.hpp), of any length and in a fixed order; a
// face's list is the face itself. The triangle pairs of a feature pair, in the order of the lists, the edge with
// the smaller id first, are a fixed sequence: the first triangle pair that is not near tests the feature pair.
//
// Complete: if some triangle pair is not near, there is a first one. If the features come within the gap, the
// bounds of its triangles overlap, so the traversal generates it, unless a patch that contains both triangles is
// proved free of contacts (then their features have no contact). If all triangle pairs are near, the feature pair
// is an orphan and is tested with the orphan set. Unique: a traversal generates a triangle pair once, and the
// sequence does not depend on the triangle pair for which it is evaluated. Both hold for any symmetric relation
// "near" (mesh/near_faces.hpp).
//
// Lists begin with the representative of R-TRI, so the first pair is nearly always the pair of the two
// representatives, for which the flat lists of R-TRI are used (query/leaf/leaf_features.hpp). The rest of the
// sequence matters only if a triangle that represents a feature of one leaf is near the other leaf: `rings` say
// when that is possible. Cost: O(1) per triangle pair beside its features; a ring takes 16 bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cull/patch_mesh.hpp"
#include "mesh/procedural_representatives.hpp"
#include "query/leaf/leaf_features.hpp"

namespace graze::methods {

template <bool kFeatureBounds>
struct ProceduralFeatures {
  static constexpr bool kMasked = false;

  FeatureBounds bounds;
  PatchView mesh;

  template <typename Sink>
  void continuous(std::span<const LeafPair> pairs, Sink& sink) const {
    std::array<LeafPair, kPairsPerBatch> apart;
    std::array<LeafPair, kPairsPerBatch> close;
    for (; !pairs.empty(); pairs = pairs.subspan(std::min(kPairsPerBatch, pairs.size()))) {
      std::size_t apart_count = 0;
      std::size_t close_count = 0;
      for (const LeafPair& pair : pairs.first(std::min(kPairsPerBatch, pairs.size()))) {
        if (mesh.near_faces.near(mesh.vertices(pair.a), mesh.vertices(pair.b))) {
          sink.adjacent(shared_vertex_count(mesh.vertices(pair.a), mesh.vertices(pair.b)));
          continue;
        }
        apart[apart_count++] = pair;
        close[close_count] = pair;
        const bool may_be_close = mesh.rings[pair.a].may_have(mesh.vertices(pair.b)) ||
                                  mesh.rings[pair.b].may_have(mesh.vertices(pair.a));
        close_count += static_cast<std::size_t>(may_be_close);
      }
      RepresentedFeatures<kFeatureBounds>{bounds}.continuous(std::span(apart).first(apart_count), sink);
      for (std::size_t i = 0; i < close_count; ++i) {
        const auto [a, b] = close[i];
        if (near_representative(a, b) || near_representative(b, a)) not_both_represented(close[i], sink);
      }
    }
  }

 private:
  static constexpr std::size_t kPairsPerBatch = 256;

  [[nodiscard]] static unsigned shared_vertex_count(const Triangle& a, const Triangle& b) {
    unsigned count = incident(a[0], b) ? 1 : 0;
    if (a[1] != a[0] && incident(a[1], b)) ++count;
    if (a[2] != a[0] && a[2] != a[1] && incident(a[2], b)) ++count;
    return count;
  }

  /// Whether another triangle that represents a feature of `leaf` is near `other`.
  [[nodiscard]] bool near_representative(std::uint32_t leaf, std::uint32_t other) const {
    const Leaf& from = mesh.leaves[leaf];
    const Triangle& to = mesh.vertices(other);
    for (std::uint32_t k = represented_vertex_count(from.id); k < 3; ++k) {
      if (mesh.near_faces.near(mesh.vertices(mesh.incidence.vertex_leaves[from.vertices[k]].front()), to))
        return true;
    }
    for (std::uint32_t k = represented_edge_count(from.id); k < 3; ++k) {
      if (from.edges[k] == kNoEdge) break;
      if (mesh.near_faces.near(mesh.vertices(mesh.incidence.edge_leaves[from.edges[k]].front()), to)) return true;
    }
    return false;
  }

  /// Pushes the feature pairs that this pair tests although another triangle represents one or both features.
  template <typename Sink>
  void not_both_represented(const LeafPair& pair, Sink& sink) const {
    vertices_face(pair.a, pair.b, sink);
    vertices_face(pair.b, pair.a, sink);
    const Leaf& a = bounds.mesh.leaf(pair.a);
    const Leaf& b = bounds.mesh.leaf(pair.b);
    for (std::uint32_t i = 0; i < 3; ++i) {
      for (std::uint32_t j = 0; j < 3; ++j) {
        if (i < represented_edge_count(a.id) && j < represented_edge_count(b.id)) continue;
        const std::uint32_t ea = a.edges[i];
        const std::uint32_t eb = b.edges[j];
        if (ea == kNoEdge || eb == kNoEdge) continue;
        if (incident(bounds.mesh.edge(ea), bounds.mesh.edge(eb))) continue;
        if (!dispatches_edge_edge(mesh, ea, pair.a, eb, pair.b)) continue;
        if (!kFeatureBounds || bounds.edge_edge(ea, eb)) sink.edge_edge(ea, eb);
      }
    }
  }

  template <typename Sink>
  void vertices_face(std::uint32_t from, std::uint32_t to, Sink& sink) const {
    const Leaf& leaf = bounds.mesh.leaf(from);
    const Leaf& face = bounds.mesh.leaf(to);
    for (std::uint32_t i = represented_vertex_count(leaf.id); i < 3; ++i) {
      const VertexId v = leaf.vertices[i];
      bool repeated = false;  // in a triangle that has a vertex id twice
      for (std::uint32_t k = 0; k < i; ++k) repeated = repeated || leaf.vertices[k] == v;
      if (repeated || incident(v, face.vertices) || !dispatches_vertex_face(mesh, v, from, to)) continue;
      if (!kFeatureBounds || bounds.vertex_face(v, face)) sink.vertex_face(v, to);
    }
  }
};

}  // namespace graze::methods
