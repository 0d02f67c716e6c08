// What a hierarchy knows of the mesh between its leaves, for the methods that use connectivity (ICCD, Tang et al.
// 2009, section V): lists of faces, which are near each other, orphans, and one orientation for each piece of mesh.
//
// Made once from topology; linear. Memory: about 90 bytes a triangle, of which rings take 36.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "mesh/incidence.hpp"
#include "mesh/leaf.hpp"
#include "mesh/near_faces.hpp"
#include "mesh/orphan_set.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"

namespace graze {

/// For each leaf: the vertices, not its own, of the triangles that represent its features in its place. Another
/// leaf is near one of those triangles only if it has one of these vertices. Filled up with ids that no vertex has.
using LeafRing = std::array<VertexId, 9>;

struct PatchMesh {
  Incidence incidence;
  std::vector<Triangle> faces;  ///< by leaf, oriented alike within a piece
  // Of method iccd alone:
  NearFaces near_faces;
  std::vector<LeafRing> rings;  ///< by leaf
  OrphanPairs orphans;

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// The mesh as procedural representatives see it. Refers to its parts.
struct PatchView {
  std::span<const Leaf> leaves;
  const Incidence& incidence;
  const NearFaces& near_faces;
  std::span<const LeafRing> rings;

  [[nodiscard]] const Triangle& vertices(std::uint32_t leaf) const { return leaves[leaf].vertices; }
};

/// Preconditions: leaves[i] is the triangle leaf_triangles says; `triangles` are the scene's.
PatchMesh make_patch_mesh(std::span<const Triangle> triangles, const Representatives& representatives,
                          std::span<const Leaf> leaves, std::size_t vertex_count, bool procedural);

}  // namespace graze
