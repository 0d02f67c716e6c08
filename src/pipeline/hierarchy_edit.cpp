// A hierarchy follows edits of its scene (pipeline/hierarchy.hpp; R-TRI, section 4.3.2; ICCD, section V-E.1).
//
// Leaves keep their numbers, edges their ids: what stays is not written again. Contacts among static bodies are
// forgotten when one of their triangles is touched. Cost: proportional to the change; what moves and what stands
// still is told apart anew in the next update, which is linear anyway.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/assert.hpp"
#include "mesh/topology.hpp"
#include "pipeline/hierarchy.hpp"

namespace graze {

void Hierarchy::prepare_edit() {
  if (editor_) return;
  // The same as when the leaves were made: nothing has changed since.
  Representatives representatives =
      make_representatives(scene_->triangles(), build_topology(scene_->triangles(), vertex_count_));
  std::vector<std::uint32_t> leaf_triangles(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) leaf_triangles[i] = triangle_of(leaves_[i].id);
  editor_.emplace(std::move(representatives), scene_->triangles(), std::move(leaf_triangles), vertex_count_);
}

bool Hierarchy::is_static(const Leaf& leaf) const {
  if (leaf.id == kRepresentsNothing) return false;
  const BodyId body = scene_->body_of(leaf.vertices[0]);
  return body != kNoBody && scene_->motion(body) == Motion::Static;
}

void Hierarchy::apply(const MeshChange& change) {
  GRAZE_ASSERT(editor_.has_value());
  std::vector<LeafLink> lost;
  for (const TriangleChange& triangle : change.triangles) {
    if (triangle.before == kRemovedTriangle) continue;
    const std::uint32_t leaf = editor_->leaf_of(triangle.triangle);
    if (leaf == kNoLeaf) continue;  // a duplicate
    editor_->for_neighbours(leaf, [&](std::uint32_t other) { lost.push_back({leaf, other}); });
  }
  const LeafChanges changes = editor_->apply(change);
  vertex_count_ = change.vertex_count;
  const bool unsure = std::exchange(shares_stale_, true);
  if (changes.empty()) return;
  std::erase_if(lost, [&](const LeafLink& link) {
    return !std::binary_search(changes.removed.begin(), changes.removed.end(), link.a);
  });

  LeafEdits edits;
  edits.lost = std::move(lost);
  std::set_union(changes.removed.begin(), changes.removed.end(), changes.added.begin(), changes.added.end(),
                 std::back_inserter(edits.touched));
  // Each tree hears of what may concern it, and no more: that of static bodies may not be updated for long. Where
  // leaves were before is known only if the shares were not stale already; then both trees hear of everything.
  bool touches_moving = unsure;
  bool touches_static = unsure && (!static_share_.leaves.empty() || static_.is_built());
  const auto note = [&](bool is_still) { (is_still ? touches_static : touches_moving) = true; };
  const auto look = [&](std::span<const std::uint32_t> numbers) {
    for (const std::uint32_t leaf : numbers) note(contains(static_share_.leaves, leaf));
  };
  look(changes.removed);
  look(changes.touched);
  follow_leaves(changes);
  follow_edges(changes);
  for (const std::uint32_t leaf : changes.added) note(is_static(leaves_[leaf]));
  if (touches_static) {
    static_valid_ = false;
    static_contacts_ = {};
  }
  if (mesh_) {
    edits.turned = update_patch_mesh(*mesh_, *editor_, changes, leaves_, scene_->triangles(), options_.procedural);
  }
  std::set_union(changes.added.begin(), changes.added.end(), changes.touched.begin(), changes.touched.end(),
                 std::back_inserter(edits.changed));
  if (touches_moving) moving_.edit(edits, leaves_);
  if (touches_static) static_.edit(edits, leaves_);
}

void Hierarchy::follow_leaves(const LeafChanges& changes) {
  leaves_.resize(editor_->leaf_triangles().size());
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

void Hierarchy::follow_edges(const LeafChanges& changes) {
  const std::vector<Edge>& edges = editor_->representatives().edges;
  const bool bounded = stored_edges_ && edge_boxes_.size() == edges_.size();
  edges_.resize(edges.size());
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

}  // namespace graze
