// Builds the incidence lists by counting (mesh/incidence.hpp). The first position of each row is reserved for the
// representative; the other leaves follow in the order of the scan, which is ascending.
#include "mesh/incidence.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze::mesh {

namespace {

/// Calls visit(item, whether the leaf represents it) for each different item of a leaf; represented items come
/// first in `items`. kNoEdge means none; it never occurs as a vertex id.
template <typename Visit>
void each_item(const std::array<std::uint32_t, 3>& items, std::uint32_t represented, const Visit& visit) {
  for (std::uint32_t k = 0; k < 3; ++k) {
    const bool repeated = (k > 0 && items[k] == items[0]) || (k > 1 && items[k] == items[1]);
    if (!repeated && items[k] != kNoEdge) visit(items[k], k < represented);
  }
}

/// Builds the rows. each(leaf, visit) calls visit(row, represented) for each row that contains the leaf.
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
  // Every non-empty row has exactly one representative.
  GRAZE_ASSERT(std::find(rows.items.begin(), rows.items.end(), kNoLeaf) == rows.items.end());
  return rows;
}

}  // namespace

Incidence make_incidence(const Representatives& representatives, std::span<const std::uint32_t> leaf_triangles,
                         std::size_t vertex_count) {
  Incidence incidence;
  const std::size_t leaf_count = leaf_triangles.size();
  const auto for_vertices = [&](std::uint32_t leaf, const auto& visit) {
    const std::uint32_t t = leaf_triangles[leaf];
    if (t == kNoLeaf) return;
    each_item(representatives.entries[t].vertices, represented_vertex_count(representatives.ids[t]), visit);
  };
  const auto for_edges = [&](std::uint32_t leaf, const auto& visit) {
    const std::uint32_t t = leaf_triangles[leaf];
    if (t == kNoLeaf) return;
    each_item(representatives.entries[t].edges, represented_edge_count(representatives.ids[t]), visit);
  };
  parallel_for(0, 2, 1, [&](std::size_t first, std::size_t) {
    if (first == 0) {
      incidence.vertex_leaves = RowPool(make_rows(vertex_count, leaf_count, for_vertices));
    } else {
      incidence.edge_leaves = RowPool(make_rows(representatives.edges.size(), leaf_count, for_edges));
    }
  });
  return incidence;
}

std::size_t Incidence::memory_bytes() const {
  return vertex_leaves.memory_bytes() + edge_leaves.memory_bytes();
}

}  // namespace graze::mesh
