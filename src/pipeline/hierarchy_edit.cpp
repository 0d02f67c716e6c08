// A hierarchy follows edits of its scene (pipeline/hierarchy.hpp; R-TRI, section 4.3.2; ICCD, section V-E.1).
//
// Leaves keep their numbers, edges their ids: what stays is not written again. Contacts among static bodies are
// forgotten when one of their triangles is touched. Cost: the change and the fans about it; where orphans are kept,
// a light pass over them. What moves and what stands still is told apart anew in the next update, which is linear
// anyway.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/assert.hpp"
#include "mesh/topology.hpp"
#include "pipeline/hierarchy.hpp"

namespace graze {

namespace {

/// A leaf that an edit may remove, and an edge that it has.
struct Side {
  std::uint32_t edge = 0;
  Edge vertices{};
  std::uint32_t leaf = 0;
};

/// Before the edit; by edge.
std::vector<Side> sides_of(const MeshEditor& editor, const MeshChange& change) {
  std::vector<Side> sides;
  for (const TriangleChange& triangle : change.triangles) {
    if (triangle.before == kRemovedTriangle) continue;
    const std::uint32_t leaf = editor.leaf_of(triangle.triangle);
    if (leaf == kNoLeaf) continue;  // a duplicate
    for (const std::uint32_t e : editor.entry(leaf).edges) {
      if (e != kNoEdge) sides.push_back({e, editor.representatives().edges[e], leaf});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.edge != b.edge ? a.edge < b.edge : a.leaf < b.leaf; });
  return sides;
}

/// Who lost whom, after the edit. The faces that an edge had before and still has hang together by it, so where
/// they are many one of them stands for all; and each of those that went is linked to the next.
std::vector<LeafLink> lost_links(const MeshEditor& editor, const LeafChanges& changes,
                                 std::span<const Side> sides) {
  const auto contains_sorted = [](const std::vector<std::uint32_t>& list, std::uint32_t leaf) {
    return std::binary_search(list.begin(), list.end(), leaf);
  };
  constexpr std::size_t kMany = 32;
  std::vector<LeafLink> lost;
  std::vector<std::uint32_t> left;
  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    if (contains_sorted(changes.removed, a)) {
      lost.push_back({a, b});
    } else if (contains_sorted(changes.removed, b)) {
      lost.push_back({b, a});
    }
  };
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    if (i > 0 && sides[i - 1].edge == side.edge) {
      link(sides[i - 1].leaf, side.leaf);
      continue;
    }
    if (editor.representatives().edges[side.edge] != side.vertices) continue;  // the id is another edge's now
    left.clear();
    editor.for_leaves_of_edge(side.edge, [&](std::uint32_t leaf) {
      if (!contains_sorted(changes.added, leaf)) left.push_back(leaf);
    });
    // The last is the oldest: one that the tree holds already, if there is any.
    if (left.size() > kMany) left.erase(left.begin(), left.end() - 1);
    for (std::size_t k = i; k < sides.size() && sides[k].edge == side.edge; ++k) {
      for (const std::uint32_t leaf : left) link(sides[k].leaf, leaf);
    }
  }
  return lost;
}

}  // namespace

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
  const std::vector<Side> sides =
      options_.builder == TreeBuilder::Connected ? sides_of(*editor_, change) : std::vector<Side>();
  const LeafChanges changes = editor_->apply(change);
  vertex_count_ = change.vertex_count;
  shares_stale_ = true;
  if (changes.empty()) return;
  LeafEdits edits;
  edits.lost = lost_links(*editor_, changes, sides);
  std::set_union(changes.removed.begin(), changes.removed.end(), changes.added.begin(), changes.added.end(),
                 std::back_inserter(edits.touched));
  // Each tree hears of what concerns it, and no more: that of static bodies may not be updated for long.
  bool touches_moving = false;
  bool touches_static = false;
  const auto look = [&](std::span<const std::uint32_t> numbers) {
    for (const std::uint32_t leaf : numbers) (leaf_is_static_[leaf] ? touches_static : touches_moving) = true;
  };
  look(changes.removed);
  look(changes.touched);
  follow_leaves(changes);
  follow_edges(changes);
  leaf_is_static_.resize(leaves_.size());
  for (const std::uint32_t leaf : changes.added) leaf_is_static_[leaf] = is_static(leaves_[leaf]);
  look(changes.added);
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
