// See patch_mesh.hpp.
#include "pipeline/patch_mesh.hpp"

#include "core/tasks.hpp"
#include "mesh/orient_faces.hpp"
#include "mesh/procedural_representatives.hpp"

namespace graze {

namespace {

constexpr std::size_t kGrain = 4096;

std::vector<LeafRing> make_rings(std::span<const Leaf> leaves, const Incidence& incidence) {
  std::vector<LeafRing> rings(leaves.size());
  parallel_for(0, leaves.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Leaf& leaf = leaves[i];
      rings[i].fill(kNoLeaf);
      std::size_t count = 0;
      const auto take = [&](std::uint32_t representative) {
        for (const VertexId v : leaves[representative].vertices) {
          if (!incident(v, leaf.vertices)) rings[i][count++] = v;
        }
      };
      for (std::uint32_t k = represented_vertex_count(leaf.id); k < 3; ++k) {
        take(incidence.vertex_leaves[leaf.vertices[k]].front());
      }
      for (std::uint32_t k = represented_edge_count(leaf.id); k < 3; ++k) {
        if (leaf.edges[k] != kNoEdge) take(incidence.edge_leaves[leaf.edges[k]].front());
      }
    }
  });
  return rings;
}

}  // namespace

PatchMesh make_patch_mesh(std::span<const Triangle> triangles, const Representatives& representatives,
                          std::span<const Leaf> leaves, std::size_t vertex_count, bool procedural) {
  PatchMesh mesh;
  std::vector<std::uint32_t> leaf_of_triangle(triangles.size(), kNoLeaf);
  std::vector<std::array<std::uint32_t, 3>> face_edges(leaves.size());
  mesh.faces.resize(leaves.size());
  for (std::uint32_t i = 0; i < leaves.size(); ++i) {
    leaf_of_triangle[triangle_of(leaves[i].id)] = i;
    mesh.faces[i] = triangles[triangle_of(leaves[i].id)];
    face_edges[i] = leaves[i].edges;
  }
  mesh.incidence = make_incidence(representatives, leaf_of_triangle, vertex_count);
  orient_faces(mesh.faces, face_edges, mesh.incidence.edge_leaves, representatives.edges);
  if (!procedural) return mesh;
  mesh.near_faces = NearFaces(mesh.incidence);
  mesh.rings = make_rings(leaves, mesh.incidence);
  mesh.orphans = find_orphans({representatives, mesh.incidence, mesh.near_faces});
  mesh.incidence.leaf_triangles = {};  // leaves say it themselves
  return mesh;
}

std::size_t PatchMesh::memory_bytes() const {
  return incidence.memory_bytes() + faces.capacity() * sizeof(Triangle) + near_faces.memory_bytes() +
         rings.capacity() * sizeof(LeafRing) + orphans.memory_bytes();
}

}  // namespace graze
