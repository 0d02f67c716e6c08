// A leaf of a hierarchy over triangles: everything that a pair of leaves needs, in one cache line.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "geometry/packed_box.hpp"
#include "mesh/features.hpp"
#include "mesh/representatives.hpp"

namespace graze::mesh {

/// Its bound, and its features, the represented ones first.
struct alignas(64) Leaf {
  PackedBox box;
  std::array<VertexId, 3> vertices{};
  std::array<std::uint32_t, 3> edges{};
  RepresentativeId id = kRepresentsNothing;
  /// 1 if the rest of its piece of mesh runs the other way round (mesh/orient_faces.hpp).
  std::uint32_t turned = 0;

  [[nodiscard]] Face face() const { return face_of(vertices); }
  /// Its vertices in the orientation of its piece of mesh.
  [[nodiscard]] Triangle oriented() const {
    return turned == 0 ? vertices : Triangle{vertices[0], vertices[2], vertices[1]};
  }
  [[nodiscard]] std::span<const std::uint32_t> represented_edges() const {
    return {edges.data(), represented_edge_count(id)};
  }
};
static_assert(sizeof(Leaf) == 64);

}  // namespace graze::mesh
