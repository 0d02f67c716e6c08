// Incidence lists by counting (mesh/incidence.hpp). The first place of each row waits for the representative; the
// other leaves follow as they come, and they come in ascending order.
#include "mesh/incidence.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze {

namespace {

/// Calls visit(item, whether the leaf represents it) for each different item of a leaf; represented ones come first
/// in `items`. kNoEdge is none, and as a vertex id it does not occur.
template <typename Visit>
void each_item(const std::array<std::uint32_t, 3>& items, std::uint32_t represented, const Visit& visit) {
  for (std::uint32_t k = 0; k < 3; ++k) {
    const bool repeated = (k > 0 && items[k] == items[0]) || (k > 1 && items[k] == items[1]);
    if (!repeated && items[k] != kNoEdge) visit(items[k], k < represented);
  }
}

/// each(leaf, visit) calls visit(row, represented) for the rows that a leaf belongs to.
template <typename Each>
Rows make_rows(std::size_t row_count, std::size_t leaf_count, const Each& each) {
  Rows rows;
  rows.offsets.assign(row_count + 1, 0);
  for (std::uint32_t leaf = 0; leaf < leaf_count; ++leaf) {
    each(leaf, [&](std::uint32_t row, bool) { ++rows.offsets[row + std::size_t{1}]; });
  }
  std::inclusive_scan(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.items.assign(rows.offsets.back(), kNoLeaf);
  std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::uint32_t leaf = 0; leaf < leaf_count; ++leaf) {
    each(leaf, [&](std::uint32_t row, bool represented) {
      rows.items[represented ? rows.offsets[row] : ++next[row]] = leaf;
    });
  }
  // Every row that is not empty had one representative.
  GRAZE_ASSERT(std::find(rows.items.begin(), rows.items.end(), kNoLeaf) == rows.items.end());
  return rows;
}

}  // namespace

Incidence make_incidence(const Representatives& representatives, std::span<const std::uint32_t> leaf_of_triangle,
                         std::size_t vertex_count) {
  GRAZE_ASSERT(leaf_of_triangle.size() == representatives.ids.size());
  Incidence incidence;
  std::vector<std::uint32_t>& triangles = incidence.leaf_triangles;
  std::size_t leaf_count = 0;
  for (const std::uint32_t leaf : leaf_of_triangle) {
    if (leaf != kNoLeaf) leaf_count = std::max(leaf_count, std::size_t{leaf} + 1);
  }
  triangles.assign(leaf_count, kNoLeaf);
  for (std::uint32_t t = 0; t < leaf_of_triangle.size(); ++t) {
    const std::uint32_t leaf = leaf_of_triangle[t];
    GRAZE_ASSERT((leaf == kNoLeaf) == (representatives.ids[t] == kRepresentsNothing));
    if (leaf == kNoLeaf) continue;
    GRAZE_ASSERT(triangles[leaf] == kNoLeaf);
    triangles[leaf] = t;
  }
  const auto for_vertices = [&](std::uint32_t leaf, const auto& visit) {
    const std::uint32_t t = triangles[leaf];
    if (t == kNoLeaf) return;
    each_item(representatives.entries[t].vertices, represented_vertex_count(representatives.ids[t]), visit);
  };
  const auto for_edges = [&](std::uint32_t leaf, const auto& visit) {
    const std::uint32_t t = triangles[leaf];
    if (t == kNoLeaf) return;
    each_item(representatives.entries[t].edges, represented_edge_count(representatives.ids[t]), visit);
  };
  parallel_for(0, 2, 1, [&](std::size_t first, std::size_t) {
    if (first == 0) {
      incidence.vertex_leaves = make_rows(vertex_count, leaf_count, for_vertices);
    } else {
      incidence.edge_leaves = make_rows(representatives.edges.size(), leaf_count, for_edges);
    }
  });
  return incidence;
}

std::size_t Incidence::memory_bytes() const {
  return sizeof(std::uint32_t) *
         (vertex_leaves.offsets.capacity() + vertex_leaves.items.capacity() + edge_leaves.offsets.capacity() +
          edge_leaves.items.capacity() + leaf_triangles.capacity());
}

}  // namespace graze
