// Leaf of a BVH over triangles: all the data that a test of two leaves needs, in one cache line.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "geometry/packed_box.hpp"
#include "mesh/features.hpp"
#include "mesh/representatives.hpp"

namespace graze::mesh {

/// Bounding box and features of a leaf; the represented features come first.
struct alignas(64) Leaf {
  PackedBox box;
  std::array<VertexId, 3> vertices{};
  std::array<std::uint32_t, 3> edges{};
  RepresentativeId id = kRepresentsNothing;
  /// 1 if the winding of the leaf is opposite to the orientation of its connected piece (mesh/orient_faces.hpp).
  std::uint32_t turned = 0;

  [[nodiscard]] Face face() const { return face_of(vertices); }
  /// Returns the vertices of the leaf in the orientation of its connected piece.
  [[nodiscard]] Triangle oriented() const {
    return turned == 0 ? vertices : Triangle{vertices[0], vertices[2], vertices[1]};
  }
  [[nodiscard]] std::span<const std::uint32_t> represented_edges() const {
    return {edges.data(), represented_edge_count(id)};
  }
};
static_assert(sizeof(Leaf) == 64);

}  // namespace graze::mesh
