// Where the triangles of a piece of mesh lie on its surface: distances, in edges, to four landmarks that are far
// from each other.
//
// Triangles that are close along a surface have nearly the same four numbers, whatever the folds: clusters cut by
// them are patches that hang together, and stay so when the mesh moves. Landmarks are the ends of long ways, found
// by breadth-first searches. Cost: O(n), five searches; work space of about 35 bytes a triangle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>

#include "mesh/leaf.hpp"

namespace graze::methods {

inline constexpr std::size_t kLandmarks = 4;

/// Some leaves of a mesh; all is referred to.
struct SurfaceMesh {
  std::span<const Leaf> leaves;
  std::size_t vertex_count = 0;
  std::span<const std::uint32_t> numbers;  ///< of the leaves that count
};

/// A piece of mesh: some vertex of it.
using PieceSeed = VertexId;

/// Takes the number of a landmark, a place in the list of leaves, and the distances of its vertices, summed.
using LandmarkSink = std::function<void(std::size_t landmark, std::size_t place, float sum)>;

/// Calls sink for every landmark, in turn, and every leaf of the list that is in a piece; different leaves at the
/// same time. Takes lists from `memory`.
void for_landmarks(const SurfaceMesh& mesh, std::span<const PieceSeed> pieces, const LandmarkSink& sink,
                   std::pmr::memory_resource& memory);
/// How much that is at most, in bytes.
std::size_t landmark_bytes(const SurfaceMesh& mesh);

}  // namespace graze::methods
