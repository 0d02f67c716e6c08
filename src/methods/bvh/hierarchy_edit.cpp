// Updates a hierarchy after edits of its scene (methods/bvh/hierarchy.hpp; R-TRI, section 4.3.2; ICCD, section
// V-E.1).
//
// Leaves change first (query/leaf/leaf_bounds.hpp), then the adjacency of the mesh. Trees receive both changes and
// the removed adjacencies. Cost: linear in the change and the triangle fans around it; with orphan sets also a
// cheap pass over all orphans.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/assert.hpp"

#include <graze/research.hpp>
#include "methods/bvh/hierarchy.hpp"

namespace graze::methods {

namespace {

/// An edge of a leaf that an edit may remove.
struct Side {
  std::uint32_t edge = 0;
  Edge vertices{};
  std::uint32_t leaf = 0;
};

/// The edges of all leaves that the edit may remove, sorted by edge id. Call before the edit.
std::vector<Side> edges_of_changed_leaves(const MeshEditor& editor, const MeshChange& change) {
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

/// The removed adjacencies: each removed leaf with its former neighbours. Call after the edit. The remaining faces
/// of an edge are still connected by the edge, so if they are many, one of them stands for all; consecutive leaves
/// of the same edge in `sides` are linked as a chain.
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
    if (editor.representatives().edges[side.edge] != side.vertices) continue;  // another edge has the id now
    left.clear();
    editor.for_leaves_of_edge(side.edge, [&](std::uint32_t leaf) {
      if (!contains_sorted(changes.added, leaf)) left.push_back(leaf);
    });
    // The last leaf is the oldest one: the tree already contains it, if it contains any of them.
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
  const std::vector<Side> sides = options_.builder == research::TreeBuilder::Connected
                                      ? edges_of_changed_leaves(*editor(), change)
                                      : std::vector<Side>();
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
  // Each tree receives only edits of its own leaves: the static tree may go without an update for many steps.
  if (followed.touches_moving) moving_.edit(edits, leaves());
  if (followed.touches_static) static_.edit(edits, leaves());
  return std::move(followed.changes);
}

}  // namespace graze::methods
