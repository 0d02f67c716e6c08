// See patch_mesh.hpp.
#include "pipeline/patch_mesh.hpp"

#include "core/tasks.hpp"
#include "mesh/orient_faces.hpp"
#include "mesh/procedural_representatives.hpp"

namespace graze {

namespace {

constexpr std::size_t kGrain = 4096;

std::vector<VertexBits> make_rings(std::span<const Leaf> leaves, const Incidence& incidence) {
  std::vector<VertexBits> rings(leaves.size());
  parallel_for(0, leaves.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Leaf& leaf = leaves[i];
      const auto take = [&](std::uint32_t representative) {
        for (const VertexId v : leaves[representative].vertices) {
          if (!incident(v, leaf.vertices)) rings[i].add(v);
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

/// Whether two orders of the same three ids are rotations of each other. With an id twice it does not matter.
bool same_sense(const Triangle& a, const Triangle& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (a[0] == b[k]) return a[1] == b[(k + 1) % 3];
  }
  return true;
}

}  // namespace

PatchMesh make_patch_mesh(std::span<const Triangle> triangles, const Representatives& representatives,
                          std::span<Leaf> leaves, std::size_t vertex_count, bool procedural) {
  PatchMesh mesh;
  std::vector<std::uint32_t> leaf_of_triangle(triangles.size(), kNoLeaf);
  std::vector<std::array<std::uint32_t, 3>> face_edges(leaves.size());
  std::vector<Triangle> faces(leaves.size());
  for (std::uint32_t i = 0; i < leaves.size(); ++i) {
    leaf_of_triangle[triangle_of(leaves[i].id)] = i;
    faces[i] = triangles[triangle_of(leaves[i].id)];
    face_edges[i] = leaves[i].edges;
  }
  mesh.incidence = make_incidence(representatives, leaf_of_triangle, vertex_count);
  orient_faces(faces, face_edges, mesh.incidence.edge_leaves, representatives.edges);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    // The order of a leaf's vertices says what it represents; of it and the face's, only the sense counts.
    leaves[i].turned = same_sense(leaves[i].vertices, faces[i]) ? 0U : 1U;
  }
  if (!procedural) return mesh;
  mesh.near_faces = NearFaces(mesh.incidence);
  mesh.rings = make_rings(leaves, mesh.incidence);
  mesh.orphans = find_orphans({representatives, mesh.incidence, mesh.near_faces});
  mesh.incidence.leaf_triangles = {};  // leaves say it themselves
  return mesh;
}

std::size_t PatchMesh::memory_bytes() const {
  return incidence.memory_bytes() + near_faces.memory_bytes() + rings.capacity() * sizeof(VertexBits) +
         orphans.memory_bytes();
}

}  // namespace graze
