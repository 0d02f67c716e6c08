// Leaves of method `auto` and their edits; cluster_leaves.hpp describes them.
#include "methods/cluster/cluster_leaves.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "mesh/incidence.hpp"
#include "mesh/make_leaves.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"

namespace graze::methods {

namespace {

/// The mask of a triangle with these representatives.
FeatureMask mask_of(const Representatives& representatives, RepresentativeId id) {
  const Face face = representatives.face(id);
  unsigned mask = kRepresentsFace;
  for (const VertexId v : representatives.vertices_of(id)) {
    mask |= 1U << static_cast<unsigned>(std::find(face.begin(), face.end(), v) - face.begin());
  }
  for (const std::uint32_t e : representatives.edges_of(id)) {
    const Edge& ends = representatives.edges[e];
    const unsigned k = ends[0] != face[0] ? 2 : ends[1] != face[1] ? 1 : 0;
    mask |= 1U << (kFirstEdgeBit + k);
  }
  return static_cast<FeatureMask>(mask);
}

}  // namespace

ClusterLeaves::ClusterLeaves(const Scene& scene) : scene_(&scene) {
  FeatureMasks made = make_feature_masks(scene.triangles(), scene.vertex_count());
  masks_ = std::move(made.masks);
  neighbours_ = std::move(made.neighbours);
  may_have_free_ = !made.all_faces;
}

LeafView ClusterLeaves::view() const {
  LeafView view{.triangles = scene_->triangles(), .masks = masks_, .neighbours = neighbours_};
  if (editor_) view.triangle_of = editor_->leaf_triangles();
  return view;
}

void ClusterLeaves::prepare_edit() {
  drop_neighbours();
  if (editor_) return;
  // Gives the representatives from which the masks were made: the scene has not changed since.
  Representatives representatives = make_representatives(scene_->triangles(), scene_->vertex_count());
  std::vector<std::uint32_t> leaf_triangles(masks_.size());
  parallel_for(0, masks_.size(), 8192, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      leaf_triangles[i] = masks_[i] == 0 ? kNoLeaf : static_cast<std::uint32_t>(i);
    }
  });
  editor_.emplace(std::move(representatives), scene_->triangles(), std::move(leaf_triangles),
                  scene_->vertex_count());
}

LeafChanges ClusterLeaves::follow(const MeshChange& change) {
  GRAZE_ASSERT(editor_.has_value());
  LeafChanges changes = editor_->apply(change);
  may_have_free_ = true;
  masks_.resize(editor_->leaf_triangles().size(), FeatureMask{0});
  for (const std::uint32_t leaf : changes.removed) masks_[leaf] = 0;
  const auto take = [&](std::uint32_t leaf) {
    masks_[leaf] = mask_of(editor_->representatives(), editor_->id(leaf));
  };
  for (const std::uint32_t leaf : changes.added) take(leaf);
  for (const std::uint32_t leaf : changes.touched) take(leaf);
  return changes;
}

std::size_t ClusterLeaves::memory_bytes() const {
  return masks_.capacity() * sizeof(FeatureMask) + neighbours_.capacity() * sizeof(Neighbours) +
         (editor_ ? editor_->memory_bytes() : 0);
}

std::string ClusterLeaves::validate() const {
  const LeafView leaves = view();
  const Topology topology = build_topology(scene_->triangles(), scene_->vertex_count());
  const std::vector<Edge>& edges = topology.features.edges;
  Representatives represented;
  represented.ids.assign(scene_->triangle_count(), kRepresentsNothing);
  represented.entries.resize(scene_->triangle_count());
  represented.edges = edges;
  std::vector<std::uint8_t> alive(scene_->triangle_count(), 0);
  std::vector<Face> faces;
  for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf) {
    if (leaves.is_free(leaf)) continue;
    const std::uint32_t triangle = leaves.triangle_of.empty() ? leaf : leaves.triangle_of[leaf];
    if (!scene_->has_triangle(triangle)) return fmt::format("leaf {} represents no triangle", leaf);
    if (alive[triangle] != 0) return fmt::format("two leaves have triangle {}", triangle);
    alive[triangle] = 1;
    const Face face = leaves.face(leaf);
    faces.push_back(face);
    // Lists of represented features, then of the other ones.
    Representatives::Entry& entry = represented.entries[triangle];
    std::uint32_t vertices = 0;
    std::uint32_t edge_count = 0;
    std::uint32_t own_edges = 0;
    std::size_t place = 0;
    for (const bool own : {true, false}) {
      for (unsigned k = 0; k < 3; ++k) {
        if (((leaves.masks[leaf] >> k & 1U) != 0) == own) entry.vertices[place++] = face[k];
        if (((leaves.masks[leaf] >> (kFirstEdgeBit + k) & 1U) != 0) != own) continue;
        const Edge ends{face[kFaceEdges[k][0]], face[kFaceEdges[k][1]]};
        const auto id =
            static_cast<std::uint32_t>(std::lower_bound(edges.begin(), edges.end(), ends) - edges.begin());
        const bool is_edge = ends[0] != ends[1] && id < edges.size() && edges[id] == ends;
        if (own && !is_edge) return fmt::format("leaf {} represents a side that is no edge", leaf);
        const auto listed = entry.edges.begin() + edge_count;
        if (is_edge && std::find(entry.edges.begin(), listed, id) == listed) entry.edges[edge_count++] = id;
      }
      if (own) {
        vertices = static_cast<std::uint32_t>(place);
        own_edges = edge_count;
      }
    }
    represented.ids[triangle] = make_representative_id(triangle, vertices, own_edges);
  }
  std::sort(faces.begin(), faces.end());
  if (faces != topology.features.faces) return "faces are not those of the scene, each once";
  return mesh::validate(represented, scene_->triangles(), alive);
}

}  // namespace graze::methods
