// Updates leaves after local edits of the scene (query/leaf/leaf_bounds.hpp; R-TRI, section 4.3.2).
//
// Leaves keep their numbers and edges their ids: unchanged leaves are not written. Contacts among static bodies are
// discarded if an edit touches a static triangle. Cost: linear in the change and the triangle fans around it.
// Moving and static leaves are reclassified at the next update, which is linear anyway.
#include <utility>

#include "core/assert.hpp"
#include "mesh/make_leaves.hpp"
#include "query/leaf/leaf_bounds.hpp"

namespace graze::query {

void LeafBounds::prepare_edit() {
  if (editor_) return;
  // Gives the representatives from which the leaves were made: the scene has not changed since.
  Representatives representatives = make_representatives(scene_->triangles(), vertex_count_);
  std::vector<std::uint32_t> leaf_triangles(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) leaf_triangles[i] = triangle_of(leaves_[i].id);
  editor_.emplace(std::move(representatives), scene_->triangles(), std::move(leaf_triangles), vertex_count_);
}

bool LeafBounds::is_static(const Leaf& leaf) const {
  if (leaf.id == kRepresentsNothing) return false;
  const BodyId body = scene_->body_of(leaf.vertices[0]);
  return body != kNoBody && scene_->motion(body) == Motion::Static;
}

LeafBounds::Followed LeafBounds::follow(const MeshChange& change) {
  GRAZE_ASSERT(editor_.has_value());
  Followed followed{.changes = editor_->apply(change)};
  const LeafChanges& changes = followed.changes;
  vertex_count_ = change.vertex_count;
  shares_stale_ = true;
  if (changes.empty()) return followed;
  const auto look = [&](std::span<const std::uint32_t> numbers) {
    for (const std::uint32_t leaf : numbers) {
      (leaf_is_static_[leaf] ? followed.touches_static : followed.touches_moving) = true;
    }
  };
  look(changes.removed);
  look(changes.touched);
  follow_leaves(changes);
  follow_edges(changes);
  leaf_is_static_.resize(leaves_.size());
  for (const std::uint32_t leaf : changes.added) leaf_is_static_[leaf] = is_static(leaves_[leaf]);
  look(changes.added);
  if (followed.touches_static) {
    static_valid_ = false;
    static_contacts_ = {};
  }
  return followed;
}

void LeafBounds::follow_leaves(const LeafChanges& changes) {
  leaves_.resize(editor_->leaf_triangles().size(), Leaf{});
  for (const std::uint32_t leaf : changes.removed) leaves_[leaf] = {};
  const auto take = [&](std::uint32_t number) {
    Leaf& leaf = leaves_[number];
    const Representatives::Entry& entry = editor_->entry(number);
    leaf.id = editor_->id(number);
    leaf.vertices = entry.vertices;
    leaf.edges = entry.edges;
  };
  for (const std::uint32_t leaf : changes.added) take(leaf);
  for (const std::uint32_t leaf : changes.touched) take(leaf);
}

void LeafBounds::follow_edges(const LeafChanges& changes) {
  const std::vector<Edge>& edges = editor_->representatives().edges;
  const bool bounded = stored_edges_ && edge_boxes_.size() == edges_.size();
  edges_.resize(edges.size(), Edge{});
  if (bounded) edge_boxes_.resize(edges.size());
  for (const std::uint32_t leaf : changes.added) {
    for (const std::uint32_t e : leaves_[leaf].edges) {
      if (e == kNoEdge) continue;
      edges_[e] = edges[e];
      if (!bounded) continue;
      edge_boxes_[e].first = edges[e][0];
      edge_boxes_[e].second = edges[e][1];
    }
  }
}

}  // namespace graze::query
