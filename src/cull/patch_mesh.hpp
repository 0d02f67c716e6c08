// Mesh connectivity of a hierarchy's leaves, for the methods that use it (ICCD, Tang et al. 2009, section V): faces
// incident to each feature, near faces, orphan sets, and one orientation per connected component.
//
// Built once from topology in linear time. After an edit it is updated at the cost of the fans that changed, and
// one cheap pass over the orphans. Memory: about 60 bytes per triangle of an ordinary mesh, 16 of them for rings;
// more for orphans where many triangles share a vertex.
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

/// Set of vertices as a 128-bit Bloom filter with one hash: can exclude that a triangle has a vertex of the set,
/// not prove it.
class VertexBits {
 public:
  void add(VertexId v) { bits_[place(v) >> 6U] |= std::uint64_t{1} << (place(v) & 63U); }
  [[nodiscard]] bool may_have(const Triangle& triangle) const {
    std::uint64_t marked = 0;
    for (const VertexId v : triangle) marked |= bits_[place(v) >> 6U] >> (place(v) & 63U);
    return (marked & 1U) != 0;
  }
  friend bool operator==(const VertexBits&, const VertexBits&) = default;

 private:
  /// Hashes to seven bits; the golden ratio spreads consecutive ids.
  static std::uint32_t place(VertexId v) { return v * 0x9E3779B1U >> 25U; }

  std::array<std::uint64_t, 2> bits_{};
};

struct PatchMesh {
  Incidence incidence;
  // The members below are for method iccd only.
  NearFaces near_faces;
  /// By leaf: the vertices of the triangles that represent this leaf's features in its place, without the leaf's
  /// own vertices. A leaf that is not near this one is near such a triangle only if it has one of these vertices.
  std::vector<VertexBits> rings;
  OrphanPairs orphans;

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// View of the mesh for procedural representatives. References its parts, owns nothing.
struct PatchView {
  std::span<const Leaf> leaves;
  const Incidence& incidence;
  const NearFaces& near_faces;
  std::span<const VertexBits> rings;

  [[nodiscard]] const Triangle& vertices(std::uint32_t leaf) const { return leaves[leaf].vertices; }
};

/// Returns PatchMesh::rings, by leaf.
std::vector<VertexBits> make_rings(std::span<const Leaf> leaves, const Incidence& incidence);

/// Builds the connectivity, and sets Leaf::turned so that all leaves of a connected component have one orientation.
/// `triangles` are the scene's. A free leaf has the id kRepresentsNothing. Without `procedural`, only the incidence
/// and the orientation are made.
PatchMesh make_patch_mesh(std::span<const Triangle> triangles, const Representatives& representatives,
                          std::span<Leaf> leaves, std::size_t vertex_count, bool procedural);

/// Updates the connectivity after an edit: equal to make_patch_mesh(), except that components may have the other
/// side up. `leaves` is the state after the edit, except `turned` of remaining leaves, which is as before; free
/// leaves have the id kRepresentsNothing. Returns the remaining leaves that have flipped, ascending. If memory runs
/// out, everything must be built anew.
std::vector<std::uint32_t> update_patch_mesh(PatchMesh& mesh, const MeshEditor& editor, const LeafChanges& changes,
                                             std::span<Leaf> leaves, std::span<const Triangle> scene_triangles,
                                             bool procedural);

}  // namespace graze::cull
