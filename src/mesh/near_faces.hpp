// Near leaves: the adjacency relation of ICCD (Tang et al. 2009, section V), restricted so that costs stay linear.
//
// The paper calls two triangles adjacent if they share a vertex. If n triangles share one vertex, all n^2 pairs are
// adjacent, and there are n^2 orphans too. So a vertex with more than kMaxFan leaves is a hub and does not count:
// two leaves are near if they share a vertex that is not a hub. The paper's argument holds for any symmetric
// relation in place of adjacency: a feature pair is dispatched by the first pair of leaves, in a fixed order, that
// are not near, and is an orphan if no such pair exists. Without hubs this is the paper's relation. Cost: one bit
// per vertex; nine comparisons per pair, and reads of these bits only for pairs that share a vertex in a mesh with
// hubs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/features.hpp"
#include "mesh/incidence.hpp"

namespace graze::mesh {

/// Maximum number of leaves at a vertex that is not a hub. Large enough for any ordinary mesh, small enough for a
/// mesh made of fans: a vertex has up to 3 * kMaxFan orphans.
inline constexpr std::uint32_t kMaxFan = 24;

class NearFaces {
 public:
  NearFaces() = default;
  explicit NearFaces(const Incidence& incidence);

  /// Returns whether two leaves are near; symmetric. Not called for a leaf and itself: two features of one leaf
  /// always share a vertex.
  [[nodiscard]] bool near(const Triangle& a, const Triangle& b) const {
    return share_vertex(a, b) && (hub_count_ == 0 || share_vertex_of_no_hub(a, b));
  }
  [[nodiscard]] bool is_hub(VertexId v) const { return is_hub_[v]; }
  [[nodiscard]] std::size_t hub_count() const { return hub_count_; }

  /// Updates the hubs after an edit. `touched` are the vertices whose fans may have changed, `after` the updated
  /// lists. Returns the vertices that became hubs or ceased to be hubs. Cost: O(touched), and one bit per new
  /// vertex.
  std::vector<VertexId> update(const Incidence& after, std::span<const VertexId> touched);

  [[nodiscard]] std::size_t memory_bytes() const { return is_hub_.capacity() / 8; }

 private:
  [[nodiscard]] bool share_vertex_of_no_hub(const Triangle& a, const Triangle& b) const {
    const auto shared = [&](VertexId v) { return incident(v, b) && !is_hub_[v]; };
    return shared(a[0]) || shared(a[1]) || shared(a[2]);
  }

  std::vector<bool> is_hub_;  // one bit per vertex
  std::size_t hub_count_ = 0;
};

}  // namespace graze::mesh
