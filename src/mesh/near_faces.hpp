// Which leaves are near each other: ICCD's adjacency (Tang et al. 2009, section V), kept linear.
//
// The paper calls triangles adjacent that share a vertex. Where n of them share one vertex, all n^2 pairs are, and
// the orphans number n^2 as well. So a vertex with more than kMostFan leaves, a hub, makes none of them near: two
// leaves are near when they share a vertex that is no hub. The paper's argument holds for any symmetric relation in
// place of adjacency: a feature pair is dispatched by the first pair of leaves in the fixed order that are not
// near, and is an orphan if there is none. Without hubs this is the paper's relation. Cost: one bit a vertex; nine
// comparisons a pair, and a look at the bits only for a pair that shares a vertex of a mesh that has hubs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/features.hpp"
#include "mesh/incidence.hpp"

namespace graze::mesh {

/// The most leaves that may meet at a vertex and still be near each other. Large enough for any ordinary mesh, and
/// small enough for one that is all fans: a vertex has up to 3 * kMostFan orphans.
inline constexpr std::uint32_t kMaxFan = 24;

class NearFaces {
 public:
  NearFaces() = default;
  explicit NearFaces(const Incidence& incidence);

  /// Symmetric. Not asked of a leaf and itself: no pair of features without a common vertex has both in one leaf.
  [[nodiscard]] bool near(const Triangle& a, const Triangle& b) const {
    return share_vertex(a, b) && (hub_count_ == 0 || share_vertex_of_no_hub(a, b));
  }
  [[nodiscard]] bool is_hub(VertexId v) const { return is_hub_[v]; }
  [[nodiscard]] std::size_t hub_count() const { return hub_count_; }

  /// After an edit: `touched` are the vertices whose fans may have changed, `after` the lists now. Returns those
  /// that became hubs or ceased to be. Cost: O(touched), and one bit for each new vertex.
  std::vector<VertexId> update(const Incidence& after, std::span<const VertexId> touched);

  [[nodiscard]] std::size_t memory_bytes() const { return is_hub_.capacity() / 8; }

 private:
  [[nodiscard]] bool share_vertex_of_no_hub(const Triangle& a, const Triangle& b) const {
    const auto shared = [&](VertexId v) { return incident(v, b) && !is_hub_[v]; };
    return shared(a[0]) || shared(a[1]) || shared(a[2]);
  }

  std::vector<bool> is_hub_;  // by vertex
  std::size_t hub_count_ = 0;
};

}  // namespace graze::mesh
