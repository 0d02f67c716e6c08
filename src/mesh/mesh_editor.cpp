// Leaf numbers under edits (mesh_editor.hpp). The events of an edit are ordered, all removals before all additions,
// so a leaf that is free when the first addition comes stays free unless an addition takes it.
#include "mesh/mesh_editor.hpp"

#include <algorithm>
#include <utility>

#include "core/assert.hpp"
#include "core/sort.hpp"
#include "mesh/incidence.hpp"

namespace graze::mesh {

namespace {

/// A remaining leaf and its vertices before an event.
struct Touch {
  std::uint32_t leaf;
  Triangle before;
};

Representatives without_removed(Representatives representatives, std::span<const Triangle> triangles) {
  GRAZE_ASSERT(representatives.entries.size() == triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (triangles[t] == kRemovedTriangle) representatives.entries[t] = {.vertices = kRemovedTriangle};
  }
  return representatives;
}

}  // namespace

MeshEditor::MeshEditor(Representatives representatives, std::span<const Triangle> triangles,
                       std::vector<std::uint32_t> leaf_triangles, std::size_t vertex_count)
    : updater_(without_removed(std::move(representatives), triangles), vertex_count),
      leaf_triangles_(std::move(leaf_triangles)),
      leaf_of_triangle_(triangles.size(), kNoLeaf) {
  for (auto leaf = static_cast<std::uint32_t>(leaf_triangles_.size()); leaf-- > 0;) {
    if (leaf_triangles_[leaf] == kNoLeaf) {
      free_leaves_.push_back(leaf);  // the lowest number is used first
    } else {
      leaf_of_triangle_[leaf_triangles_[leaf]] = leaf;
    }
  }
}

LeafChanges MeshEditor::apply(const MeshChange& change) {
  using Kind = RepresentativeEvent::Kind;
  const std::vector<RepresentativeEvent> events = updater_.update(change);
  leaf_of_triangle_.resize(change.triangle_count, kNoLeaf);
  LeafChanges changes;
  std::vector<Touch> touches;
  std::size_t next = 0;
  for (; next < events.size() && events[next].kind != Kind::Added; ++next) {
    const RepresentativeEvent& event = events[next];
    const std::uint32_t leaf = leaf_of_triangle_[event.from];
    if (event.kind == Kind::Removed) {
      leaf_of_triangle_[event.triangle] = kNoLeaf;
      leaf_triangles_[leaf] = kNoLeaf;
      changes.removed.push_back(leaf);
      changes.features.add(event.before);
      continue;
    }
    if (event.kind == Kind::Inherited) {
      leaf_of_triangle_[event.from] = kNoLeaf;
      leaf_of_triangle_[event.triangle] = leaf;
      leaf_triangles_[leaf] = event.triangle;
    }
    touches.push_back({leaf, event.before.vertices});
  }
  std::sort(changes.removed.begin(), changes.removed.end());
  free_leaves_.insert(free_leaves_.end(), changes.removed.rbegin(), changes.removed.rend());

  // The state of a leaf before the edit is its state before its first event.
  std::stable_sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) { return a.leaf < b.leaf; });
  for (const Touch& touch : touches) {
    if (leaf_triangles_[touch.leaf] == kNoLeaf) continue;  // removed by a later event
    if (!changes.touched.empty() && changes.touched.back() == touch.leaf) continue;
    changes.touched.push_back(touch.leaf);
    changes.touched_before.push_back(touch.before);
  }

  for (; next < events.size(); ++next) {
    const std::uint32_t t = events[next].triangle;
    std::uint32_t leaf = 0;
    if (free_leaves_.empty()) {
      leaf = static_cast<std::uint32_t>(leaf_triangles_.size());
      leaf_triangles_.push_back(t);
    } else {
      leaf = free_leaves_.back();
      free_leaves_.pop_back();
      leaf_triangles_[leaf] = t;
    }
    leaf_of_triangle_[t] = leaf;
    changes.added.push_back(leaf);
    changes.features.add(representatives().entries[t]);
  }
  std::sort(changes.added.begin(), changes.added.end());
  sort_unique(changes.features.vertices);
  sort_unique(changes.features.edges);
  return changes;
}

std::size_t MeshEditor::memory_bytes() const {
  return updater_.memory_bytes() + sizeof(std::uint32_t) * (leaf_triangles_.capacity() +
                                                            leaf_of_triangle_.capacity() + free_leaves_.capacity());
}

}  // namespace graze::mesh
