// Rebuilds the rows of the features that an edit touched (incidence_update.hpp).
#include "mesh/incidence_update.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace graze::mesh {

namespace {

/// Updates the rows of these features. leaves_of(feature, visit) lists the leaves of a feature, represents(leaf,
/// feature) says whether a leaf represents it. Returns the features whose first leaf changed.
template <typename LeavesOf, typename Represents>
std::vector<std::uint32_t> update_rows(RowPool& rows, std::span<const std::uint32_t> features,
                                       const LeavesOf& leaves_of, const Represents& represents) {
  std::vector<std::uint32_t> changed;
  std::vector<std::uint32_t> row;
  for (const std::uint32_t feature : features) {
    const std::uint32_t first_before = rows.length(feature) == 0 ? kNoLeaf : rows[feature].front();
    row.clear();
    leaves_of(feature, [&](std::uint32_t leaf) { row.push_back(leaf); });
    if (!row.empty()) {
      const auto first =
          std::find_if(row.begin(), row.end(), [&](std::uint32_t leaf) { return represents(leaf, feature); });
      GRAZE_ASSERT(first != row.end());
      std::iter_swap(row.begin(), first);
      std::sort(row.begin() + 1, row.end());
      if (row.front() != first_before) changed.push_back(feature);
    }
    rows.replace(feature, row);
  }
  return changed;
}

/// Returns whether an item is among the first `count` items.
bool among_first(const std::array<std::uint32_t, 3>& items, std::uint32_t count, std::uint32_t item) {
  return std::find(items.begin(), items.begin() + count, item) != items.begin() + count;
}

}  // namespace

NewlyRepresented update_incidence(Incidence& incidence, const MeshEditor& editor, const LeafChanges& changes) {
  incidence.vertex_leaves.grow(editor.vertex_count());
  incidence.edge_leaves.grow(editor.representatives().edges.size());
  NewlyRepresented result;
  result.vertices = update_rows(
      incidence.vertex_leaves, changes.features.vertices,
      [&](VertexId v, const auto& visit) { editor.for_leaves_of_vertex(v, visit); },
      [&](std::uint32_t leaf, VertexId v) {
        return among_first(editor.entry(leaf).vertices, represented_vertex_count(editor.id(leaf)), v);
      });
  result.edges = update_rows(
      incidence.edge_leaves, changes.features.edges,
      [&](std::uint32_t e, const auto& visit) { editor.for_leaves_of_edge(e, visit); },
      [&](std::uint32_t leaf, std::uint32_t e) {
        return among_first(editor.entry(leaf).edges, represented_edge_count(editor.id(leaf)), e);
      });
  return result;
}

}  // namespace graze::mesh
