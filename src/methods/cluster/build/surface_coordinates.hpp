// Surface coordinates of some triangles of a mesh: distances along the surface, from triangle to triangle, to four
// landmarks that are far from each other.
//
// Triangles that are close along the surface have similar coordinates, however the surface is folded: clusters
// split by them are connected patches, and stay compact when the mesh moves. Landmarks are the ends of long
// shortest paths, found by breadth-first searches over triangles that share an edge. The searches stay within a
// part of the mesh that fits into a cache, so that parts are independent of each other: the layers of a fold are
// then components of their own, or far apart on a longer way. Numbers have 16 bits, and a search has no branch that
// depends on the mesh. Neighbours are those of the mesh where these are known (feature_masks.hpp), else they are
// found by a hash table of edges. Cost: O(n), five searches; 50 bytes per triangle of the largest part, for each
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/cluster/build/leaf_view.hpp"

namespace graze::methods {

inline constexpr std::size_t kLandmarks = 4;

/// Position of a leaf between pairs of landmarks, in edges.
using SurfaceCoordinates = std::array<float, kLandmarks / 2>;

/// Work space and results for one part of a mesh after the other.
class SurfaceSearch {
 public:
  static constexpr std::size_t kMaxSize = 65534;

  /// `places` has room for a number per leaf of the mesh if leaves.neighbours is not empty, and is initialized. It
  /// may be shared with other threads that search other leaves.
  SurfaceSearch(const LeafView& leaves, std::span<std::uint16_t> places) : leaves_(leaves), places_(places) {}

  /// Finds the components of some leaves of the mesh: leaves that share an edge are in one. Precondition: at most
  /// kMaxSize leaves.
  void find_components(std::span<const std::uint32_t> numbers);
  [[nodiscard]] std::size_t component_count() const { return begins_.size() - 1; }
  /// Indices of the leaves of a component in `numbers`, by distance from the first of them.
  [[nodiscard]] std::span<const std::uint16_t> component(std::size_t c) const {
    return std::span(order_).subspan(begins_[c], begins_[c + 1] - begins_[c]);
  }
  /// Finds the coordinates of the leaves of a component.
  void find_coordinates(std::size_t c);
  /// Coordinates of numbers[i]; 0 before find_coordinates().
  [[nodiscard]] SurfaceCoordinates coordinates(std::size_t i) const {
    // A leaf halfway between two landmarks gets 0. A way over n edges of a regular mesh passes 2 n triangles.
    constexpr float kScale = 0.25F;
    SurfaceCoordinates result;
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k] = kScale * static_cast<float>(int{distance_[2 * k][i]} - int{distance_[2 * k + 1][i]});
    }
    return result;
  }

 private:
  using Distances = std::vector<std::uint16_t>;

  void take_neighbours(std::span<const std::uint32_t> numbers);
  void link(std::span<const std::uint32_t> numbers);
  [[nodiscard]] std::uint32_t& slot_of(VertexId low, VertexId high);
  void join(std::uint32_t& slot, std::uint32_t side);
  std::size_t search(std::uint16_t from, Distances& distance, std::uint16_t* reached) const;
  std::uint16_t farthest_of_all(const Distances& distance);
  std::uint16_t farthest_of(std::span<const std::uint16_t> reached, const Distances& distance);

  LeafView leaves_;
  std::span<std::uint16_t> places_;   // by leaf of the mesh: its index, if it is one of those to search
  std::vector<Face> faces_;           // by leaf
  std::vector<std::uint32_t> slots_;  // hash table of edges: a side of a leaf that has the edge
  unsigned shift_ = 0;
  std::vector<std::array<std::uint16_t, 3>> neighbours_;  // by leaf; the number of leaves where there is none
  std::array<Distances, kLandmarks> distance_;            // by leaf, from each landmark; and of no leaf
  Distances nearest_;                                     // by leaf: distance to the closest landmark
  std::vector<std::uint16_t> order_;                      // leaves by component
  std::vector<std::uint16_t> reached_;
  std::vector<std::uint32_t> begins_{0};
};

}  // namespace graze::methods
