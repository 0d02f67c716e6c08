// From pairs of triangles to stored pairs: which of their represented feature pairs are near enough to matter, and
// how far apart those are at home (ADAPTIVE, section 4.2).
//
// Some pairs at a time: their feature pairs are spread into lists, measured in SIMD lanes (simd/pair_distance.hpp),
// and gathered by pair. Incident features are none. One a thread. Cost: O(pairs).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "coherence/pair_store.hpp"
#include "geometry/home_point.hpp"
#include "mesh/features.hpp"
#include "pipeline/hierarchy.hpp"
#include "simd/pair_distance.hpp"

namespace graze {

class PairMeasuring {
 public:
  PairMeasuring(const Hierarchy& hierarchy, std::span<const HomePoint> homes)
      : hierarchy_(hierarchy), homes_(homes) {}

  /// Calls keep(pair) for every pair with a feature pair that is no farther than limit(a, b), a float, with those
  /// in its mask, and the least of their distances. Adds the number of distances to `measured`.
  template <typename Limit, typename Keep>
  void run(std::span<const LeafPair> pairs, const Limit& limit, const Keep& keep, std::uint64_t& measured) {
    for (std::size_t begin = 0; begin < pairs.size(); begin += kSome) {
      const auto some = pairs.subspan(begin, std::min(kSome, pairs.size() - begin));
      spread(some);
      measured += vertex_face_.count + edge_edge_.count;
      for (std::size_t i = 0; i < some.size(); ++i) {
        found_[i] = {some[i].a, some[i].b, std::numeric_limits<float>::infinity(), 0, 0};
        limits_[i] = limit(some[i].a, some[i].b);
      }
      gather(FeatureKind::VertexFace, vertex_face_);
      gather(FeatureKind::EdgeEdge, edge_edge_);
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (found_[i].mask != 0) keep(found_[i]);
      }
    }
  }

 private:
  static constexpr std::size_t kSome = 128;  ///< pairs whose lists stay in the second-level cache

  /// Feature pairs, and of each the pair of leaves and the bit of its mask.
  template <std::size_t kMost>
  struct List {
    std::size_t count = 0;
    std::array<PairVertices, kMost> vertices;
    std::array<std::uint16_t, kMost> owners;  ///< pair << 4 | bit

    void push(const PairVertices& pair, std::size_t owner, unsigned bit, bool keep) {
      vertices[count] = pair;
      owners[count] = static_cast<std::uint16_t>(owner << 4U | bit);
      count += keep ? 1 : 0;
    }
  };

  /// Writes every pair that there might be, and moves on past those that there are: how many features a leaf
  /// represents is as good as random, and a branch that is guessed wrong costs more than a write.
  void spread(std::span<const LeafPair> pairs) {
    vertex_face_.count = 0;
    edge_edge_.count = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Leaf& a = hierarchy_.leaf(pairs[i].a);
      const Leaf& b = hierarchy_.leaf(pairs[i].b);
      spread_vertices(a, b, i, vertex_of_a_bit(0));
      spread_vertices(b, a, i, vertex_of_b_bit(0));
      spread_edges(a, b, i);
    }
  }

  void spread_vertices(const Leaf& from, const Leaf& to, std::size_t owner, unsigned bit) {
    const auto& [f0, f1, f2] = to.vertices;
    const std::uint32_t count = represented_vertex_count(from.id);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const VertexId v = from.vertices[k];
      const bool keep = static_cast<bool>(static_cast<unsigned>(k < count) & static_cast<unsigned>(v != f0) &
                                          static_cast<unsigned>(v != f1) & static_cast<unsigned>(v != f2));
      vertex_face_.push({v, f0, f1, f2}, owner, bit + k, keep);
    }
  }

  void spread_edges(const Leaf& a, const Leaf& b, std::size_t owner) {
    const std::uint32_t count_a = represented_edge_count(a.id);
    const std::uint32_t count_b = represented_edge_count(b.id);
    if (count_a == 0 || count_b == 0) return;
    std::array<Edge, 3> others;
    for (std::uint32_t l = 0; l < 3; ++l) others[l] = hierarchy_.edge(b.edges[l < count_b ? l : 0]);
    for (std::uint32_t k = 0; k < count_a; ++k) {
      const auto [a0, a1] = hierarchy_.edge(a.edges[k]);
      for (std::uint32_t l = 0; l < 3; ++l) {
        const auto [b0, b1] = others[l];
        const bool keep = static_cast<bool>(static_cast<unsigned>(l < count_b) & static_cast<unsigned>(a0 != b0) &
                                            static_cast<unsigned>(a0 != b1) & static_cast<unsigned>(a1 != b0) &
                                            static_cast<unsigned>(a1 != b1));
        edge_edge_.push({a0, a1, b0, b1}, owner, edge_edge_bit(k, l), keep);
      }
    }
  }

  template <std::size_t kMost>
  void gather(FeatureKind kind, const List<kMost>& list) {
    pair_distances(kind, homes_, std::span(list.vertices).first(list.count), distances_.data());
    for (std::size_t k = 0; k < list.count; ++k) {
      const std::size_t owner = list.owners[k] >> 4U;
      StoredPair& pair = found_[owner];
      const bool is_near = distances_[k] <= limits_[owner];
      pair.mask = static_cast<std::uint16_t>(pair.mask | (is_near ? 1U : 0U) << (list.owners[k] & 15U));
      const float distance = is_near ? distances_[k] : std::numeric_limits<float>::infinity();
      pair.distance = distance < pair.distance ? distance : pair.distance;
    }
  }

  const Hierarchy& hierarchy_;
  std::span<const HomePoint> homes_;
  List<6 * kSome + 1> vertex_face_;
  List<9 * kSome + 1> edge_edge_;
  std::array<float, 9 * kSome> distances_;
  std::array<StoredPair, kSome> found_;
  std::array<float, kSome> limits_;
};

/// Calls vertex_face(v, leaf) and edge_edge(e, e) of a sink for the feature pairs of a stored pair.
template <typename Sink>
void for_features(const Hierarchy& hierarchy, const StoredPair& pair, Sink& sink) {
  const Leaf& a = hierarchy.leaf(pair.a);
  const Leaf& b = hierarchy.leaf(pair.b);
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

}  // namespace graze
