// Builds and updates the mesh connectivity of a hierarchy; patch_mesh.hpp describes it.
#include "cull/patch_mesh.hpp"

#include "core/assert.hpp"
#include "core/sort.hpp"
#include "core/tasks.hpp"
#include "mesh/incidence_update.hpp"
#include "mesh/orient_faces.hpp"
#include "mesh/orient_update.hpp"
#include "mesh/procedural_representatives.hpp"

namespace graze::cull {

namespace {

constexpr std::size_t kGrain = 4096;

VertexBits make_ring(std::uint32_t of, std::span<const Leaf> leaves, const Incidence& incidence) {
  VertexBits ring;
  const Leaf& leaf = leaves[of];
  const auto take = [&](std::uint32_t representative) {
    for (const VertexId v : leaves[representative].vertices) {
      if (!incident(v, leaf.vertices)) ring.add(v);
    }
  };
  // A free leaf counts as representing three vertices and three edges, so nothing is added.
  for (std::uint32_t k = represented_vertex_count(leaf.id); k < 3; ++k) {
    take(incidence.vertex_leaves[leaf.vertices[k]].front());
  }
  for (std::uint32_t k = represented_edge_count(leaf.id); k < 3; ++k) {
    if (leaf.edges[k] != kNoEdge) take(incidence.edge_leaves[leaf.edges[k]].front());
  }
  return ring;
}

/// Updates rings. A ring changes with its leaf, or with the representative of one of the leaf's features.
void update_rings(std::vector<VertexBits>& rings, std::span<const Leaf> leaves, const Incidence& incidence,
                  const LeafChanges& changes, const NewlyRepresented& represented) {
  rings.resize(leaves.size());
  for (const std::uint32_t leaf : changes.removed) rings[leaf] = {};
  std::vector<std::uint32_t> stale = changes.added;
  stale.insert(stale.end(), changes.touched.begin(), changes.touched.end());
  const auto add_row = [&](std::span<const std::uint32_t> row) {
    stale.insert(stale.end(), row.begin(), row.end());
  };
  for (const VertexId v : represented.vertices) add_row(incidence.vertex_leaves[v]);
  for (const std::uint32_t e : represented.edges) add_row(incidence.edge_leaves[e]);
  sort_unique(stale);
  for (const std::uint32_t leaf : stale) rings[leaf] = make_ring(leaf, leaves, incidence);
}

}  // namespace

std::vector<VertexBits> make_rings(std::span<const Leaf> leaves, const Incidence& incidence) {
  std::vector<VertexBits> rings(leaves.size());
  parallel_for(0, leaves.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      rings[i] = make_ring(static_cast<std::uint32_t>(i), leaves, incidence);
    }
  });
  return rings;
}

PatchMesh make_patch_mesh(std::span<const Triangle> triangles, const Representatives& representatives,
                          std::span<Leaf> leaves, std::size_t vertex_count, bool procedural) {
  PatchMesh mesh;
  std::vector<std::uint32_t> leaf_triangles(leaves.size(), kNoLeaf);
  constexpr std::array kNoEdges = {kNoEdge, kNoEdge, kNoEdge};
  std::vector<std::array<std::uint32_t, 3>> face_edges(leaves.size(), kNoEdges);
  std::vector<Triangle> faces(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].id == kRepresentsNothing) continue;
    leaf_triangles[i] = triangle_of(leaves[i].id);
    faces[i] = triangles[leaf_triangles[i]];
    face_edges[i] = leaves[i].edges;
  }
  mesh.incidence = make_incidence(representatives, leaf_triangles, vertex_count);
  orient_faces(faces, face_edges, mesh.incidence.edge_leaves, representatives.edges);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    // The order of a leaf's vertices encodes what it represents; only its cyclic sense is compared with the face's.
    leaves[i].turned = leaf_triangles[i] == kNoLeaf || same_sense(leaves[i].vertices, faces[i]) ? 0U : 1U;
  }
  if (!procedural) return mesh;
  mesh.near_faces = NearFaces(mesh.incidence);
  mesh.rings = make_rings(leaves, mesh.incidence);
  mesh.orphans = find_orphans({representatives, leaf_triangles, mesh.incidence, mesh.near_faces});
  return mesh;
}

std::vector<std::uint32_t> update_patch_mesh(PatchMesh& mesh, const MeshEditor& editor, const LeafChanges& changes,
                                             std::span<Leaf> leaves, std::span<const Triangle> scene_triangles,
                                             bool procedural) {
  GRAZE_ASSERT(leaves.size() == editor.leaf_triangles().size());
  const NewlyRepresented represented = update_incidence(mesh.incidence, editor, changes);
  std::vector<std::uint32_t> turned = update_orientation(leaves, mesh.incidence, editor, changes, scene_triangles);
  if (!procedural) return turned;
  TouchedFeatures features = changes.features;
  features.hubs = mesh.near_faces.update(mesh.incidence, features.vertices);
  update_rings(mesh.rings, leaves, mesh.incidence, changes, represented);
  update_orphans(mesh.orphans, {editor.representatives(), editor.leaf_triangles(), mesh.incidence, mesh.near_faces},
                 features);
  return turned;
}

std::size_t PatchMesh::memory_bytes() const {
  return incidence.memory_bytes() + near_faces.memory_bytes() + rings.capacity() * sizeof(VertexBits) +
         orphans.memory_bytes();
}

}  // namespace graze::cull
