// See patch_contours.hpp.
#include "pipeline/patch_contours.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace graze {

namespace {

/// A directed edge of a boundary, by its smaller id first so that opposite ones meet in a sorted list.
struct BoundaryEdge {
  VertexId lo = 0;
  VertexId hi = 0;
  bool forward = true;  ///< from lo to hi

  [[nodiscard]] VertexId start() const { return forward ? lo : hi; }
  [[nodiscard]] VertexId end() const { return forward ? hi : lo; }
  [[nodiscard]] bool before(const BoundaryEdge& other) const {
    return lo != other.lo ? lo < other.lo : hi < other.hi;
  }
};
using Boundary = std::vector<BoundaryEdge>;  // sorted by ids

Boundary boundary_of(const Triangle& face) {
  Boundary edges;
  for (std::size_t k = 0; k < 3; ++k) {
    const VertexId from = face[k];
    const VertexId to = face[(k + 1) % 3];
    if (from != to) edges.push_back({std::min(from, to), std::max(from, to), from < to});
  }
  std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.before(b); });
  return edges;
}

/// The boundary of two patches together: what they have in opposite directions cancels.
Boundary merge(const Boundary& a, const Boundary& b) {
  Boundary both;
  both.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const bool same = !a[i].before(b[j]) && !b[j].before(a[i]);
    if (same && a[i].forward != b[j].forward) {
      ++i;
      ++j;
    } else if (same || a[i].before(b[j])) {
      both.push_back(a[i++]);
    } else {
      both.push_back(b[j++]);
    }
  }
  both.insert(both.end(), a.begin() + static_cast<std::ptrdiff_t>(i), a.end());
  both.insert(both.end(), b.begin() + static_cast<std::ptrdiff_t>(j), b.end());
  return both;
}

/// The boundary as one loop of distinct vertices, or nothing.
std::vector<VertexId> single_loop(const Boundary& boundary) {
  if (boundary.size() < 3) return {};
  std::vector<std::array<VertexId, 2>> next(boundary.size());
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = {boundary[i].start(), boundary[i].end()};
  std::sort(next.begin(), next.end());
  for (std::size_t i = 1; i < next.size(); ++i) {
    if (next[i][0] == next[i - 1][0]) return {};  // a vertex that the boundary passes twice
  }
  std::vector<VertexId> loop;
  loop.reserve(next.size());
  VertexId at = next[0][0];
  do {
    loop.push_back(at);
    const auto place =
        std::lower_bound(next.begin(), next.end(), at, [](const auto& edge, VertexId v) { return edge[0] < v; });
    if (place == next.end() || (*place)[0] != at) return {};
    at = (*place)[1];
  } while (at != loop.front() && loop.size() < next.size());
  if (at != loop.front() || loop.size() != next.size()) return {};  // several loops
  return loop;
}

}  // namespace

PatchContours make_patch_contours(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves) {
  PatchContours contours;
  contours.leaf_counts.assign(tree.block_count(), 0);
  std::vector<std::vector<VertexId>> loops(tree.block_count());
  std::vector<Boundary> open(tree.block_count());  // until the block above has taken it
  const auto take = [&](std::uint32_t word) {
    return (word & kLeaf) != 0 ? boundary_of(leaves[word & ~kLeaf].oriented()) : std::exchange(open[word], {});
  };
  const auto count = [&](std::uint32_t word) { return (word & kLeaf) != 0 ? 1 : contours.leaf_counts[word]; };
  const auto make = [&](std::uint32_t block) {
    if (block < first_block) return;
    const std::uint32_t left = tree.words[std::size_t{2} * block];
    const std::uint32_t right = tree.words[std::size_t{2} * block + 1];
    contours.leaf_counts[block] = count(left) + count(right);
    open[block] = merge(take(left), take(right));
    if (contours.leaf_counts[block] >= kLeastPatch) loops[block] = single_loop(open[block]);
  };
  for_blocks_bottom_up(tree, make);

  Rows& rows = contours.loops;
  rows.offsets.resize(tree.block_count() + 1);
  std::uint64_t total = 0;
  for (std::size_t b = 0; b < loops.size(); ++b) {
    // Beyond what 32 bits can name, which takes hundreds of millions of triangles, patches have no contour.
    if (total + loops[b].size() > std::numeric_limits<std::uint32_t>::max()) loops[b].clear();
    total += loops[b].size();
    rows.offsets[b + 1] = static_cast<std::uint32_t>(total);
  }
  rows.items.reserve(total);
  for (std::vector<VertexId>& loop : loops) {
    rows.items.insert(rows.items.end(), loop.begin(), loop.end());
    loop = {};
  }
  return contours;
}

}  // namespace graze
