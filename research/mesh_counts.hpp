// Counts of a triangle mesh that `graze info`, the report and the papers' tables print: adjacent triangles,
// boundary and non-manifold edges, connected components, orphans.
//
// All counts depend on the triangles alone, not on positions. Nothing is assumed of the mesh: triangles may repeat,
// and any number may share an edge or a vertex. Cost: O(vertices + triangles), and O(n log n) for orphans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/topology.hpp"
#include "research/namespaces.hpp"

namespace graze::papers {

/// Pairs of different triangles (by triangle id) that share two vertex ids or more, or exactly one.
struct AdjacentPairs {
  std::uint64_t edge = 0;
  std::uint64_t vertex = 0;

  friend bool operator==(const AdjacentPairs&, const AdjacentPairs&) = default;
};
/// Counted from row lengths, so linear even where all triangles share one vertex.
AdjacentPairs count_adjacent_pairs(const Topology& topology);

/// Edges with one triangle, and edges with more than two, by ascending edge id. Duplicate triangles count each.
std::vector<std::uint32_t> boundary_edges(const Topology& topology);
std::vector<std::uint32_t> nonmanifold_edges(const Topology& topology);

/// In Components::of_triangle: the triangle was removed.
inline constexpr std::uint32_t kNoComponent = std::numeric_limits<std::uint32_t>::max();

/// Connected components by shared vertices.
struct Components {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> of_triangle;  ///< numbered by the smallest vertex id of the component
};
Components connected_components(std::span<const Triangle> triangles, std::size_t vertex_count);

/// The counts of `graze info`.
struct MeshCounts {
  std::uint64_t edges = 0;
  std::uint64_t components = 0;
  std::uint64_t boundary_edges = 0;
  std::uint64_t nonmanifold_edges = 0;
  AdjacentPairs adjacent_pairs;
  std::uint64_t vf_orphans = 0;  ///< see research/orphans.hpp
  std::uint64_t ee_orphans = 0;
};
/// Precondition: every vertex id is below vertex_count.
MeshCounts count_mesh(std::span<const Triangle> triangles, std::size_t vertex_count);

}  // namespace graze::papers
