// Feature pairs of pairs of leaves, culled by 26-DOPs of vertices and edges (HASH, section 4.3, element level).
//
// The bounds of an edge are the union of the bounds of its ends, computed for each test as in the paper. The
// classes here wrap the feature enumeration of another method (query/leaf/leaf_features.hpp): the represented
// feature pairs, or all 15 of each triangle pair. Cost: linear in the feature pairs whose boxes overlap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "cull/kdop_slab_pairs.hpp"
#include "methods/hash/hashed_leaves.hpp"
#include "query/leaf/leaf_features.hpp"

namespace graze::methods {

/// Collects feature pairs whose boxes overlap, and passes on those that the diagonal slabs do not separate. Call
/// finish() at the end.
template <typename Rows, typename Sink>
class SlabSink {
 public:
  SlabSink(const FeatureBounds& bounds, const Rows& rows, Sink& sink) : bounds_(bounds), rows_(rows), sink_(sink) {}

  void vertex_face(VertexId v, std::uint32_t leaf, bool keep = true) {
    vertex_faces_[vertex_face_count_] = {v, leaf};
    vertex_face_count_ += static_cast<std::size_t>(keep);
    if (vertex_face_count_ == kPairsPerBatch) test_vertex_faces();
  }
  void edge_edge(std::uint32_t a, std::uint32_t b, bool keep = true) {
    const auto [first, second] = std::minmax(bounds_.mesh.edge(a), bounds_.mesh.edge(b));
    edges_[edge_count_] = {first[0], first[1], second[0], second[1]};
    edge_count_ += static_cast<std::size_t>(keep);
    if (edge_count_ == kPairsPerBatch) test_edges();
  }
  void edge_edges(std::span<const PairVertices> pairs) {
    while (!pairs.empty()) {
      const auto some = pairs.first(std::min(kPairsPerBatch - edge_count_, pairs.size()));
      std::copy(some.begin(), some.end(), edges_.begin() + static_cast<std::ptrdiff_t>(edge_count_));
      edge_count_ += some.size();
      pairs = pairs.subspan(some.size());
      if (edge_count_ == kPairsPerBatch) test_edges();
    }
  }
  void edge_face(std::uint32_t e, std::uint32_t leaf) {
    const Edge& ends = bounds_.mesh.edge(e);
    if (union_of(rows_.vertices[ends[0]], rows_.vertices[ends[1]]).overlaps(rows_.leaves[leaf])) {
      sink_.edge_face(e, leaf);
    }
  }
  void finish() {
    test_vertex_faces();
    test_edges();
  }

 private:
  static constexpr std::size_t kPairsPerBatch = 256;

  void test_vertex_faces() {
    const auto pairs = std::span(vertex_faces_).first(std::exchange(vertex_face_count_, 0));
    const std::size_t kept =
        keep_overlapping_vertex_faces(std::span(rows_.vertices), std::span(rows_.leaves), pairs);
    for (const auto& [v, leaf] : pairs.first(kept)) {
      sink_.vertex_face(v, leaf, bounds_.crosses(v, bounds_.mesh.leaf(leaf)));
    }
  }
  void test_edges() {
    const auto pairs = std::span(edges_).first(std::exchange(edge_count_, 0));
    const std::size_t kept = keep_overlapping_edges(std::span(rows_.vertices), pairs);
    sink_.edge_edges(std::span<const PairVertices>(pairs.first(kept)));
  }

  const FeatureBounds& bounds_;
  const Rows& rows_;
  Sink& sink_;
  std::array<IndexPair, kPairsPerBatch> vertex_faces_;
  std::size_t vertex_face_count_ = 0;
  std::array<PairVertices, kPairsPerBatch> edges_;
  std::size_t edge_count_ = 0;
};

/// All feature pairs whose boxes overlap.
struct BoxedFeatures {
  FeatureBounds bounds;

  template <typename Sink>
  void continuous(std::span<const LeafPair> pairs, Sink& sink) const {
    BoxedSink<Sink> boxed{bounds, sink};
    BasicFeatures{bounds.mesh}.continuous(pairs, boxed);
  }
  template <typename Sink>
  void edge_face(std::span<const LeafPair> pairs, Sink& sink) const {
    BoxedSink<Sink> boxed{bounds, sink};
    BasicFeatures{bounds.mesh}.edge_face(pairs, boxed);
  }

 private:
  template <typename Sink>
  struct BoxedSink {
    const FeatureBounds& bounds;
    Sink& sink;

    void vertex_face(VertexId v, std::uint32_t leaf) {
      if (bounds.vertex_face(v, bounds.mesh.leaf(leaf))) sink.vertex_face(v, leaf);
    }
    void edge_edge(std::uint32_t a, std::uint32_t b) {
      if (bounds.edge_edge(a, b)) sink.edge_edge(a, b);
    }
    void edge_face(std::uint32_t e, std::uint32_t leaf) {
      if (bounds.edge_face(e, bounds.mesh.leaf(leaf))) sink.edge_face(e, leaf);
    }
  };
};

/// Culls the feature pairs of Inner. Rows is KdopSlabRows, or std::monostate if there are only boxes.
template <typename Inner, typename Rows>
struct HashFeatures {
  Inner inner;
  const HashedLeaves& leaves;
  const Rows& rows;
  FeatureBounds bounds;

  template <typename Sink>
  void continuous(std::span<const LeafPair> pairs, Sink& sink) const {
    sink.stats.hash.element_pairs += element_pairs(pairs);
    if constexpr (std::is_same_v<Rows, std::monostate>) {
      inner.continuous(pairs, sink);
    } else {
      SlabSink<Rows, Sink> slab_sink(bounds, rows, sink);
      inner.continuous(pairs, slab_sink);
      slab_sink.finish();
    }
  }
  template <typename Sink>
  void edge_face(std::span<const LeafPair> pairs, Sink& sink) const {
    if constexpr (std::is_same_v<Rows, std::monostate>) {
      inner.edge_face(pairs, sink);
    } else {
      SlabSink<Rows, Sink> slab_sink(bounds, rows, sink);
      inner.edge_face(pairs, slab_sink);
    }
  }

 private:
  /// Number of feature pairs before culling: 15 for each triangle pair, or the pairs of represented features.
  [[nodiscard]] std::uint64_t element_pairs(std::span<const LeafPair> pairs) const {
    constexpr std::uint64_t kAll = 15;
    if (!leaves.choices().hash.representatives) return kAll * pairs.size();
    std::uint64_t count = 0;
    for (const LeafPair& pair : pairs) {
      const RepresentativeId a = leaves.leaf(pair.a).id;
      const RepresentativeId b = leaves.leaf(pair.b).id;
      count += represented_vertex_count(a) + represented_vertex_count(b) +
               std::uint64_t{represented_edge_count(a)} * represented_edge_count(b);
    }
    return count;
  }
};

}  // namespace graze::methods
