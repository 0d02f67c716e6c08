// Procedural representatives (PRT; ICCD, Tang et al. 2009, section V-B, algorithms 1 and 2): decide which pair of
// leaves dispatches a pair of features, if only pairs of leaves that are not near are visited.
//
// It is the first pair, in the fixed order of the incidence lists, that is not near. Each visited pair of leaves
// can decide this independently, so every feature pair is dispatched exactly once or is an orphan. Unlike in the
// paper the lists may have any length. Cost: one comparison if the R-TRI representatives are not near, which is
// nearly always so.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "mesh/incidence.hpp"
#include "mesh/near_faces.hpp"
#include "mesh/representatives.hpp"

namespace graze::mesh {

/// A soup by its leaves: the input of procedural representatives and orphans. Holds references. The functions below
/// accept any type with `incidence`, `near_faces` and vertices(leaf).
struct LeafMesh {
  const Representatives& representatives;
  std::span<const std::uint32_t> leaf_triangles;  ///< triangle of each leaf; kNoLeaf for a free number
  const Incidence& incidence;
  const NearFaces& near_faces;

  /// Precondition of the accessors below: the leaf is not free.
  [[nodiscard]] const Representatives::Entry& entry(std::uint32_t leaf) const {
    return representatives.entries[leaf_triangles[leaf]];
  }
  [[nodiscard]] RepresentativeId id(std::uint32_t leaf) const { return representatives.ids[leaf_triangles[leaf]]; }
  [[nodiscard]] const Triangle& vertices(std::uint32_t leaf) const { return entry(leaf).vertices; }
  [[nodiscard]] bool near(std::uint32_t a, std::uint32_t b) const {
    return near_faces.near(vertices(a), vertices(b));
  }
};

/// Returns whether the pair (v, face) is dispatched by `leaf`, which has vertex v, and leaf `face`. Preconditions:
/// v is not a vertex of the face; the two leaves are not near.
template <typename Mesh>
bool dispatches_vertex_face(const Mesh& mesh, VertexId v, std::uint32_t leaf, std::uint32_t face) {
  const Triangle& target = mesh.vertices(face);
  for (const std::uint32_t first : mesh.incidence.vertex_leaves[v]) {
    if (first == leaf) return true;
    if (!mesh.near_faces.near(mesh.vertices(first), target)) return false;
  }
  return false;  // `leaf` does not have v
}

/// Returns whether the pair of edges (a, b) is dispatched by `leaf_a`, which has edge a, and `leaf_b`, which has
/// edge b. Symmetric in the two sides. Preconditions: the edges have no common vertex; the leaves are not near.
template <typename Mesh>
bool dispatches_edge_edge(const Mesh& mesh, std::uint32_t a, std::uint32_t leaf_a, std::uint32_t b,
                          std::uint32_t leaf_b) {
  if (b < a) {
    std::swap(a, b);
    std::swap(leaf_a, leaf_b);
  }
  for (const std::uint32_t first_a : mesh.incidence.edge_leaves[a]) {
    for (const std::uint32_t first_b : mesh.incidence.edge_leaves[b]) {
      if (first_a == leaf_a && first_b == leaf_b) return true;
      if (!mesh.near_faces.near(mesh.vertices(first_a), mesh.vertices(first_b))) return false;
    }
  }
  return false;  // the leaves do not have the edges
}

}  // namespace graze::mesh
