// A hierarchy follows edits of its scene (methods/bvh/hierarchy.hpp; R-TRI, section 4.3.2; ICCD, section V-E.1).
//
// Leaves first (query/leaf_bounds.hpp), then the mesh between them; the trees hear of both, and of which links
// between triangles went. Cost: the change and the fans about it; where orphans are kept, a light pass over them.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/assert.hpp"

#include <graze/research.hpp>
#include "methods/bvh/hierarchy.hpp"

namespace graze::methods {

namespace {

/// A leaf that an edit may remove, and an edge that it has.
struct Side {
  std::uint32_t edge = 0;
  Edge vertices{};
  std::uint32_t leaf = 0;
};

/// Before the edit; by edge.
std::vector<Side> outcodes_of(const MeshEditor& editor, const MeshChange& change) {
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

LeafChanges Hierarchy::apply(const MeshChange& change) {
  GRAZE_ASSERT(editor() != nullptr);
  const std::vector<Side> sides =
      options_.builder == research::TreeBuilder::Connected ? outcodes_of(*editor(), change) : std::vector<Side>();
  Followed followed = follow(change);
  const LeafChanges& changes = followed.changes;
  if (changes.empty()) return std::move(followed.changes);
  LeafEdits edits;
  edits.lost = lost_links(*editor(), changes, sides);
  std::set_union(changes.removed.begin(), changes.removed.end(), changes.added.begin(), changes.added.end(),
                 std::back_inserter(edits.touched));
  if (mesh_) {
    edits.turned =
        update_patch_mesh(*mesh_, *editor(), changes, own_leaves(), scene().triangles(), options_.procedural);
  }
  std::set_union(changes.added.begin(), changes.added.end(), changes.touched.begin(), changes.touched.end(),
                 std::back_inserter(edits.changed));
  // Each tree hears of what concerns it, and no more: that of static bodies may not be updated for long.
  if (followed.touches_moving) moving_.edit(edits, leaves());
  if (followed.touches_static) static_.edit(edits, leaves());
  return std::move(followed.changes);
}

}  // namespace graze::methods
