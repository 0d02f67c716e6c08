// Turns triangle pairs into stored pairs: finds the represented feature pairs that are near enough to matter, and
// their distance at the reference positions (ADAPTIVE, section 4.2).
//
// Processes pairs in batches: expands the triangle pairs into lists of feature pairs, drops feature pairs whose
// bounds do not overlap, measures the others in SIMD lanes (narrow/kernels/pair_distance.hpp), and reduces the
// distances per triangle pair. Incident features do not count. Not thread-safe: use one object per thread. Cost:
// O(pairs).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cull/box_pairs.hpp"
#include "geometry/reference_point.hpp"
#include "mesh/features.hpp"
#include "mesh/leaf_pair.hpp"
#include "methods/adaptive/pair_store.hpp"
#include "narrow/kernels/pair_distance.hpp"
#include "query/leaf/leaf_bounds.hpp"

namespace graze::methods {

class PairMeasuring {
 public:
  /// With `by_bounds`, feature pairs whose bounds do not overlap are dropped: correct only if the bounds were built
  /// around reference positions, widened by displacement bounds.
  PairMeasuring(const LeafBounds& mesh, std::span<const ReferencePoint> reference_points, bool by_bounds)
      : mesh_(mesh), reference_positions_(reference_points), by_bounds_(by_bounds) {}

  /// Calls keep(pair) for every pair that has a feature pair no farther apart than limit(a, b), a float. Its mask
  /// has these feature pairs, its distance is the smallest of theirs. Adds the number of measured distances to
  /// `measured`.
  template <typename Limit, typename Keep>
  void run(std::span<const LeafPair> pairs, const Limit& limit, const Keep& keep, std::uint64_t& measured) {
    for (std::size_t begin = 0; begin < pairs.size(); begin += kPairsPerBatch) {
      const auto some = pairs.subspan(begin, std::min(kPairsPerBatch, pairs.size() - begin));
      spread(some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        found_[i] = {some[i].a, some[i].b, std::numeric_limits<float>::infinity(), 0};
        limits_[i] = limit(some[i].a, some[i].b);
      }
      measured += measure(FeatureKind::VertexFace, vertex_face_, keep_vertex_faces());
      measured += measure(FeatureKind::EdgeEdge, edge_edge_, keep_edges());
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (found_[i].mask != 0) keep(found_[i]);
      }
    }
  }

 private:
  static constexpr std::size_t kPairsPerBatch = 128;  ///< keeps the lists of a batch in the second-level cache

  /// Feature pairs by index, each with its triangle pair and its mask bit.
  template <std::size_t kCapacity>
  struct List {
    std::size_t count = 0;
    std::array<IndexPair, kCapacity> pairs;
    std::array<std::uint16_t, kCapacity> owners;  ///< triangle pair << 4 | bit

    /// Write position of a list, held in registers while the list grows.
    struct End {
      IndexPair* pairs;
      std::uint16_t* owners;
      std::size_t count = 0;

      /// Writes a pair at the end and advances if it counts. Branch-free: whether a pair counts is nearly random,
      /// and a mispredicted branch costs more than a write.
      void push(const IndexPair& pair, std::size_t owner, unsigned bit, bool counts) {
        pairs[count] = pair;
        owners[count] = static_cast<std::uint16_t>(owner << 4U | bit);
        count += counts ? 1 : 0;
      }
    };
    [[nodiscard]] End begin() { return {pairs.data(), owners.data()}; }
    void finish(const End& end) { count = end.count; }
    [[nodiscard]] std::span<const IndexPair> all() const { return std::span(pairs).first(count); }
  };

  void spread(std::span<const LeafPair> pairs) {
    auto vertex_face = vertex_face_.begin();
    auto edge_edge = edge_edge_.begin();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Leaf& a = mesh_.leaf(pairs[i].a);
      const Leaf& b = mesh_.leaf(pairs[i].b);
      const std::uint32_t vertices_a = represented_vertex_count(a.id);
      const std::uint32_t vertices_b = represented_vertex_count(b.id);
      const std::uint32_t edges_a = represented_edge_count(a.id);
      const std::uint32_t edges_b = represented_edge_count(b.id);
      for (std::uint32_t k = 0; k < 3; ++k) {
        vertex_face.push({a.vertices[k], pairs[i].b}, i, vertex_of_a_bit(k), k < vertices_a);
      }
      for (std::uint32_t k = 0; k < 3; ++k) {
        vertex_face.push({b.vertices[k], pairs[i].a}, i, vertex_of_b_bit(k), k < vertices_b);
      }
      for (std::uint32_t k = 0; k < 3; ++k) {
        for (std::uint32_t l = 0; l < 3; ++l) {
          const unsigned counts = static_cast<unsigned>(k < edges_a) & static_cast<unsigned>(l < edges_b);
          edge_edge.push({a.edges[k], b.edges[l]}, i, edge_edge_bit(k, l), counts != 0);
        }
      }
    }
    vertex_face_.finish(vertex_face);
    edge_edge_.finish(edge_edge);
  }

  /// Writes the pairs that are not incident, and whose bounds overlap if by_bounds_, to vertices_ and places_.
  std::size_t keep_vertex_faces() {
    if (by_bounds_) {
      return overlapping_vertex_faces(mesh_.vertex_boxes(), mesh_.leaves(), vertex_face_.all(), vertices_.data(),
                                      places_.data());
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < vertex_face_.count; ++i) {
      const auto [v, leaf] = vertex_face_.pairs[i];
      const auto& face = mesh_.leaf(leaf).vertices;
      vertices_[count] = {v, face[0], face[1], face[2]};
      places_[count] = static_cast<std::uint16_t>(i);
      count += incident(v, face) ? 0U : 1U;
    }
    return count;
  }
  std::size_t keep_edges() {
    if (by_bounds_ && !mesh_.edge_boxes().empty()) {
      return overlapping_edges(mesh_.edge_boxes(), edge_edge_.all(), vertices_.data(), places_.data());
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < edge_edge_.count; ++i) {
      const Edge& a = mesh_.edge(edge_edge_.pairs[i].a);
      const Edge& b = mesh_.edge(edge_edge_.pairs[i].b);
      vertices_[count] = {a[0], a[1], b[0], b[1]};
      places_[count] = static_cast<std::uint16_t>(i);
      count += incident(a, b) ? 0U : 1U;
    }
    return count;
  }

  /// Measures the first `count` entries of vertices_ and reduces the distances into found_.
  template <std::size_t kCapacity>
  std::size_t measure(FeatureKind kind, const List<kCapacity>& list, std::size_t count) {
    pair_distances(kind, reference_positions_, std::span(vertices_).first(count), distances_.data());
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint16_t tag = list.owners[places_[k]];
      StoredPair& pair = found_[tag >> 4U];
      const bool is_near = distances_[k] <= limits_[tag >> 4U];
      pair.mask = static_cast<std::uint16_t>(pair.mask | (is_near ? 1U : 0U) << (tag & 15U));
      const float distance = is_near ? distances_[k] : std::numeric_limits<float>::infinity();
      pair.distance = distance < pair.distance ? distance : pair.distance;
    }
    return count;
  }

  const LeafBounds& mesh_;
  std::span<const ReferencePoint> reference_positions_;
  bool by_bounds_;
  List<6 * kPairsPerBatch + 1> vertex_face_;
  List<9 * kPairsPerBatch + 1> edge_edge_;
  std::array<PairVertices, 9 * kPairsPerBatch + 1> vertices_;
  std::array<std::uint16_t, 9 * kPairsPerBatch + 1> places_;
  std::array<float, 9 * kPairsPerBatch> distances_;
  std::array<StoredPair, kPairsPerBatch> found_;
  std::array<float, kPairsPerBatch> limits_;
};

/// Calls vertex_face(v, leaf) or edge_edge(e, e) of `sink` for each feature pair of a stored pair.
template <typename Sink>
void for_features(const LeafBounds& mesh, const StoredPair& pair, Sink& sink) {
  const Leaf& a = mesh.leaf(pair.a);
  const Leaf& b = mesh.leaf(pair.b);
  for (unsigned rest = pair.mask; rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(rest));
    if (bit < vertex_of_b_bit(0)) {
      sink.vertex_face(a.vertices[bit], pair.b);
    } else if (bit < edge_edge_bit(0, 0)) {
      sink.vertex_face(b.vertices[bit - vertex_of_b_bit(0)], pair.a);
    } else {
      const unsigned place = bit - edge_edge_bit(0, 0);
      sink.edge_edge(a.edges[place / 3], b.edges[place % 3]);
    }
  }
}

}  // namespace graze::methods
