// Surface coordinates of the triangles of a connected component: distances along the surface, in edges, to four
// landmarks that are far from each other.
//
// Triangles that are close along the surface have similar coordinates, however the surface is folded: clusters
// split by them are connected patches, and stay compact when the mesh moves. Landmarks are the ends of long
// shortest paths, found by breadth-first searches. Cost: O(n), five searches; work space of about 35 bytes per
// triangle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>

#include "mesh/leaf.hpp"

namespace graze::methods {

inline constexpr std::size_t kLandmarks = 4;

/// Some leaves of a mesh. References all data.
struct SurfaceMesh {
  std::span<const Leaf> leaves;
  std::size_t vertex_count = 0;
  std::span<const std::uint32_t> numbers;  ///< numbers of the leaves to use
};

/// A connected component, given by any of its vertices.
using PieceSeed = VertexId;

/// Receives the number of a landmark, the index of a leaf in SurfaceMesh::numbers, and the sum of the distances of
/// its vertices.
using LandmarkSink = std::function<void(std::size_t landmark, std::size_t place, float sum)>;

/// Calls sink for every landmark, in turn, and every leaf of the given components; calls for different leaves run
/// concurrently. Allocates its lists from `memory`.
void for_landmarks(const SurfaceMesh& mesh, std::span<const PieceSeed> pieces, const LandmarkSink& sink,
                   std::pmr::memory_resource& memory);
/// Upper bound of the memory that for_landmarks() allocates, in bytes.
std::size_t landmark_bytes(const SurfaceMesh& mesh);

}  // namespace graze::methods
