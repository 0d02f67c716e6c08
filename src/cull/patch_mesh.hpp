// What a hierarchy knows of the mesh between its leaves, for the methods that use connectivity (ICCD, Tang et al.
// 2009, section V): lists of faces, which are near each other, orphans, and one orientation for each piece of mesh.
//
// Made once from topology; linear. After an edit it is brought up to date at the cost of the fans that changed, and
// one light pass over the orphans. Memory: about 60 bytes a triangle of an ordinary mesh, of which rings take 16;
// more where many triangles meet at a vertex, by orphans.
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
#include "mesh/mesh_editor.hpp"
#include "mesh/near_faces.hpp"
#include "mesh/orphan_set.hpp"
#include "mesh/representatives.hpp"

namespace graze::cull {

/// A set of vertices as 128 bits: that two sets have one in common can be ruled out, not proved.
class VertexBits {
 public:
  void add(VertexId v) { bits_[place(v) >> 6U] |= std::uint64_t{1} << (place(v) & 63U); }
  [[nodiscard]] bool may_have(const Triangle& triangle) const {
    std::uint64_t met = 0;
    for (const VertexId v : triangle) met |= bits_[place(v) >> 6U] >> (place(v) & 63U);
    return (met & 1U) != 0;
  }
  friend bool operator==(const VertexBits&, const VertexBits&) = default;

 private:
  /// Seven bits; the golden ratio spreads neighbours.
  static std::uint32_t place(VertexId v) { return v * 0x9E3779B1U >> 25U; }

  std::array<std::uint64_t, 2> bits_{};
};

struct PatchMesh {
  Incidence incidence;
  // Of method iccd alone:
  NearFaces near_faces;
  /// By leaf: the vertices, not its own, of the triangles that represent its features in its place. Another leaf is
  /// near one of those triangles only if it has one of these vertices.
  std::vector<VertexBits> rings;
  OrphanPairs orphans;

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// The mesh as procedural representatives see it. Refers to its parts.
struct PatchView {
  std::span<const Leaf> leaves;
  const Incidence& incidence;
  const NearFaces& near_faces;
  std::span<const VertexBits> rings;

  [[nodiscard]] const Triangle& vertices(std::uint32_t leaf) const { return leaves[leaf].vertices; }
};

/// By leaf, see PatchMesh.
std::vector<VertexBits> make_rings(std::span<const Leaf> leaves, const Incidence& incidence);

/// Also turns the leaves of each piece of mesh alike. `triangles` are the scene's; a leaf that is free has the id
/// kRepresentsNothing.
PatchMesh make_patch_mesh(std::span<const Triangle> triangles, const Representatives& representatives,
                          std::span<Leaf> leaves, std::size_t vertex_count, bool procedural);

/// Follows an edit: what make_patch_mesh would make, but that pieces of mesh may have the other side up. Everything
/// in `leaves` is as after the edit, but for `turned` of leaves that stayed, which is as before; free ones have the
/// id kRepresentsNothing. Returns the leaves that stayed and have the other side up now, ascending. If memory runs
/// out, all is to be made anew.
std::vector<std::uint32_t> update_patch_mesh(PatchMesh& mesh, const MeshEditor& editor, const LeafChanges& changes,
                                             std::span<Leaf> leaves, std::span<const Triangle> scene_triangles,
                                             bool procedural);

}  // namespace graze::cull
