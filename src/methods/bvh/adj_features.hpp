// The method `adj`, R-TRI's comparison (Curtis et al. 2008, section 5.2): a first stage for pairs of triangles
// without a common vertex, then a second one for adjacent pairs, which skips what the first stage decided. A
// run-time database ensures that every feature pair is tested once.
//
// Why the second stage may skip a pair: let triangles A and B be adjacent and have features f and g that are not
// incident. If some triangles A' of f and B' of g have no common vertex, the first stage decided f and g: if they
// come within the gap, the boxes of A' and B' overlap, so the traversal generated the pair. The second stage tests
// the remaining pairs, which only adjacent triangles have (ICCD calls them orphans). Cost of the look-up: the
// number of triangles of f times the number of triangles of g.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/incidence.hpp"
#include "methods/bvh/pair_database.hpp"
#include "query/leaf/leaf_features.hpp"

namespace graze::methods {

/// Feature pairs generated so far, one database per kind. A key is a vertex or edge, and a leaf or edge.
struct AdjDatabase {
  explicit AdjDatabase(MemoryBudget& budget) : vertex_face(budget), edge_edge(budget), edge_face(budget) {}

  PairDatabase vertex_face;
  PairDatabase edge_edge;
  PairDatabase edge_face;
};

struct AdjFeatures {
  static constexpr bool kMasked = false;
  enum class Stage : std::uint8_t { NonAdjacent, Adjacent };

  FeatureBounds bounds;
  const Incidence& incidence;
  AdjDatabase& database;
  Stage stage = Stage::NonAdjacent;

  /// Whether this pair of leaves is left to the second stage.
  [[nodiscard]] bool defers(const LeafPair& pair) const {
    return share_vertex(bounds.mesh.leaf(pair.a).vertices, bounds.mesh.leaf(pair.b).vertices);
  }

  template <typename Sink>
  void continuous(std::span<const LeafPair> pairs, Sink& sink) const {
    CulledSink<Sink> culled{*this, sink};
    BasicFeatures{bounds.mesh}.continuous(pairs, culled);
  }
  template <typename Sink>
  void edge_face(std::span<const LeafPair> pairs, Sink& sink) const {
    CulledSink<Sink> culled{*this, sink};
    BasicFeatures{bounds.mesh}.edge_face(pairs, culled);
  }

 private:
  template <typename Sink>
  struct CulledSink {
    const AdjFeatures& adj;
    Sink& sink;

    void vertex_face(VertexId v, std::uint32_t leaf) {
      const Leaf& to = adj.bounds.mesh.leaf(leaf);
      if (!adj.bounds.vertex_face(v, to) || adj.decided(adj.incidence.vertex_leaves[v], to.vertices)) return;
      if (adj.database.vertex_face.insert(v, leaf)) sink.vertex_face(v, leaf);
    }
    void edge_edge(std::uint32_t a, std::uint32_t b) {
      if (b < a) std::swap(a, b);
      if (!adj.bounds.edge_edge(a, b) || adj.decided(a, b)) return;
      if (adj.database.edge_edge.insert(a, b)) sink.edge_edge(a, b);
    }
    void edge_face(std::uint32_t e, std::uint32_t leaf) {
      const Leaf& to = adj.bounds.mesh.leaf(leaf);
      if (!adj.bounds.edge_face(e, to) || adj.decided(adj.incidence.edge_leaves[e], to.vertices)) return;
      if (adj.database.edge_face.insert(e, leaf)) sink.edge_face(e, leaf);
    }
  };

  /// Whether the first stage decided the pair: one of the leaves has no vertex in common with the face.
  [[nodiscard]] bool decided(std::span<const std::uint32_t> leaves, const Triangle& face) const {
    if (stage == Stage::NonAdjacent) return false;
    for (const std::uint32_t leaf : leaves) {
      if (!share_vertex(bounds.mesh.leaf(leaf).vertices, face)) return true;
    }
    return false;
  }
  [[nodiscard]] bool decided(std::uint32_t edge_a, std::uint32_t edge_b) const {
    if (stage == Stage::NonAdjacent) return false;
    for (const std::uint32_t leaf : incidence.edge_leaves[edge_b]) {
      if (decided(incidence.edge_leaves[edge_a], bounds.mesh.leaf(leaf).vertices)) return true;
    }
    return false;
  }
};

}  // namespace graze::methods
