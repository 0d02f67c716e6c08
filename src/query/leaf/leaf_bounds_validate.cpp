// Compares kept leaves with fresh ones of their scene (LeafBounds::validate): for tests.
//
// Faces and edges must be equal. Representatives may differ from fresh ones: their properties are checked. Cost:
// more than a build.
#include <algorithm>

#include <fmt/format.h>

#include "mesh/topology.hpp"
#include "query/leaf/leaf_bounds.hpp"

namespace graze::query {

std::vector<std::uint32_t> LeafBounds::leaf_triangles() const {
  std::vector<std::uint32_t> triangles(leaves_.size(), kNoLeaf);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (leaves_[i].id != kRepresentsNothing) triangles[i] = triangle_of(leaves_[i].id);
  }
  return triangles;
}

Representatives LeafBounds::represented() const {
  Representatives representatives;
  representatives.ids.assign(scene_->triangle_count(), kRepresentsNothing);
  representatives.entries.resize(scene_->triangle_count());
  representatives.edges.assign(edges_.begin(), edges_.end());
  for (const Leaf& leaf : leaves_) {
    if (leaf.id == kRepresentsNothing) continue;
    representatives.ids[triangle_of(leaf.id)] = leaf.id;
    representatives.entries[triangle_of(leaf.id)] = {leaf.vertices, leaf.edges};
  }
  return representatives;
}

std::string LeafBounds::validate() const {
  const Topology topology = build_topology(scene_->triangles(), vertex_count_);
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<std::uint8_t> alive(scene_->triangle_count(), 0);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    if (leaf.id == kRepresentsNothing) continue;
    const TriangleId triangle = triangle_of(leaf.id);
    faces.push_back(leaf.face());
    if (!scene_->has_triangle(triangle) || face_of(scene_->triangles()[triangle]) != leaf.face()) {
      return fmt::format("leaf {} represents triangle {}, which has other vertices", i, triangle);
    }
    alive[triangle] = 1;
    for (const std::uint32_t e : leaf.edges) {
      if (e == kNoEdge) continue;
      edges.push_back(edges_[e]);
      if (!incident(edges_[e][0], leaf.vertices) || !incident(edges_[e][1], leaf.vertices)) {
        return fmt::format("leaf {} has edge {}, which is none of its sides", i, e);
      }
      if (!edge_boxes_.empty() && (edge_boxes_[e].first != edges_[e][0] || edge_boxes_[e].second != edges_[e][1])) {
        return fmt::format("the bound of edge {} belongs to another edge", e);
      }
    }
  }
  std::sort(faces.begin(), faces.end());
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (faces != topology.features.faces) return "faces are not those of the scene, each once";
  if (edges != topology.features.edges) return "edges are not those of the scene";
  return mesh::validate(represented(), scene_->triangles(), alive);
}

}  // namespace graze::query
