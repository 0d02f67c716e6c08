// Whether a mesh bounds a solid, and its connected components.
//
// Modulo 2, a mesh without boundary divides space into the points from which a ray crosses it an odd number of
// times, the inside, and the others. It has no boundary if an even number of its triangles meets at every edge.
// Vertices at the same position are one vertex here, and a triangle with two of its corners at one position does
// not count. So four triangles at an edge, or two cones that touch at a point, are fine ("non-manifold"), and
// orientation does not matter. Two triangles with the same three corners cancel each other; solids must not have
// such pairs, because what they touch is no boundary. Cost: O(n log n).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::rigid {

struct SolidTopology {
  std::string fault;  ///< why the mesh bounds no solid, in one line; empty if it does
  /// By triangle: the lowest vertex id of each position, so that equal corners have equal ids.
  std::vector<Triangle> welded;
  /// One triangle of each component that bounds something; triangles that share a position are connected.
  std::vector<TriangleId> components;

  /// Whether a triangle is part of the boundary: its corners have three positions.
  [[nodiscard]] bool bounds(TriangleId t) const {
    return welded[t][0] != welded[t][1] && welded[t][1] != welded[t][2] && welded[t][2] != welded[t][0];
  }

  [[nodiscard]] std::size_t bytes() const {
    return welded.size() * sizeof(Triangle) + components.size() * sizeof(TriangleId);
  }
};

SolidTopology solid_topology(std::span<const Vec3> positions, std::span<const Triangle> triangles);

/// Roots of a union-find over 0 .. count - 1, with path halving; the root of a set is its smallest element.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count);
  std::uint32_t root(std::uint32_t i);
  void unite(std::uint32_t i, std::uint32_t j);

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace graze::rigid
