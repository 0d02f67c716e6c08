// Surface coordinates of some triangles of a mesh: distances along the surface, from triangle to triangle, to four
// landmarks that are far from each other.
//
// Triangles that are close along the surface have similar coordinates, however the surface is folded: clusters
// split by them are connected patches, and stay compact when the mesh moves. Landmarks are the ends of long
// shortest paths, found by breadth-first searches over triangles that share an edge. The searches stay within a
// part of the mesh that fits into a cache, so that parts are independent of each other: the layers of a fold are
// then components of their own, or far apart on a longer way. Cost: O(n), five searches; 50 bytes per triangle of
// the largest part, for each thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/leaf.hpp"

namespace graze::methods {

inline constexpr std::size_t kLandmarks = 4;

/// Position of a leaf between pairs of landmarks, in edges.
using SurfaceCoordinates = std::array<float, kLandmarks / 2>;

/// Work space and results for one part of a mesh after the other.
class SurfaceSearch {
 public:
  /// Finds the components of some leaves of a mesh: leaves that share an edge are in one.
  void find_components(std::span<const Leaf> leaves, std::span<const std::uint32_t> numbers);
  [[nodiscard]] std::size_t component_count() const { return begins_.size() - 1; }
  /// Indices of the leaves of a component in `numbers`, by distance from the first of them.
  [[nodiscard]] std::span<const std::uint32_t> component(std::size_t c) const {
    return std::span(order_).subspan(begins_[c], begins_[c + 1] - begins_[c]);
  }
  /// Sets the coordinates of the leaves of a component: coordinates[i] is that of numbers[i].
  void find_coordinates(std::size_t c, std::span<SurfaceCoordinates> coordinates);

 private:
  using Neighbours = std::array<std::uint32_t, 3>;
  struct Slot {
    std::uint32_t edge;
    std::uint32_t side;  // 3 * leaf + side
  };

  void link(std::span<const Leaf> leaves, std::span<const std::uint32_t> numbers);
  void search(std::uint32_t from, std::vector<std::uint32_t>& reached);

  std::vector<Slot> slots_;              // hash table of edges
  std::vector<Neighbours> neighbours_;   // by leaf
  std::vector<std::uint32_t> distance_;  // by leaf
  std::vector<std::uint32_t> nearest_;   // by leaf: distance to the closest landmark
  std::vector<std::uint32_t> order_;     // leaves by component
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> begins_{0};
};

}  // namespace graze::methods
