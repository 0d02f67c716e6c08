// Merges the boundaries of patches bottom-up and extracts their contours; patch_contours.hpp describes the result.
#include "cull/patch_contours.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

namespace graze::cull {

namespace {

/// Directed boundary edge, stored with its smaller vertex id first, so that opposite edges are neighbours in a
/// sorted list.
struct BoundaryEdge {
  VertexId lo = 0;
  VertexId hi = 0;
  bool forward = true;  ///< directed from lo to hi

  [[nodiscard]] VertexId start() const { return forward ? lo : hi; }
  [[nodiscard]] VertexId end() const { return forward ? hi : lo; }
  [[nodiscard]] bool before(const BoundaryEdge& other) const {
    return lo != other.lo ? lo < other.lo : hi < other.hi;
  }
};
using Boundary = std::vector<BoundaryEdge>;  // sorted by (lo, hi)

/// Returns the boundary of a face; empty if a vertex id repeats, because its directed edges then cancel. So no
/// boundary contains an edge in both directions, and the order of merges does not change which edges cancel.
Boundary boundary_of(const Triangle& face) {
  Boundary edges;
  if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) return edges;
  for (std::size_t k = 0; k < 3; ++k) {
    const VertexId from = face[k];
    const VertexId to = face[(k + 1) % 3];
    edges.push_back({std::min(from, to), std::max(from, to), from < to});
  }
  std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.before(b); });
  return edges;
}

/// Returns the boundary of the union of two patches: edges that the patches have in opposite directions cancel.
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

/// Returns the boundary as one loop of distinct vertices; empty if it is no such loop.
std::vector<VertexId> single_loop(const Boundary& boundary) {
  if (boundary.size() < 3) return {};
  std::vector<std::array<VertexId, 2>> next(boundary.size());
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = {boundary[i].start(), boundary[i].end()};
  std::sort(next.begin(), next.end());
  for (std::size_t i = 1; i < next.size(); ++i) {
    if (next[i][0] == next[i - 1][0]) return {};  // the boundary passes this vertex twice
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
  if (at != loop.front() || loop.size() != next.size()) return {};  // the boundary has several loops
  return loop;
}

/// Boundary as directed edges in any order. Simple: no vertex is the start of two edges.
struct Arcs {
  std::vector<std::array<VertexId, 2>> edges;
  bool simple = true;
};

Arcs arcs_of(const Boundary& boundary) {
  Arcs arcs;
  arcs.edges.reserve(boundary.size());
  std::vector<VertexId> starts;
  for (const BoundaryEdge& edge : boundary) {
    arcs.edges.push_back({edge.start(), edge.end()});
    starts.push_back(edge.start());
  }
  std::sort(starts.begin(), starts.end());
  arcs.simple = std::adjacent_find(starts.begin(), starts.end()) == starts.end();
  return arcs;
}

Boundary boundary_of(const Arcs& arcs) {
  Boundary boundary;
  boundary.reserve(arcs.edges.size());
  for (const auto& [from, to] : arcs.edges) {
    boundary.push_back({std::min(from, to), std::max(from, to), from < to});
  }
  std::sort(boundary.begin(), boundary.end(), [](const auto& a, const auto& b) { return a.before(b); });
  return boundary;
}

/// Merges boundaries when contours follow an edit. Nearly all boundaries are simple, and a lookup table by vertex
/// replaces sorting: linear in the number of edges.
class ArcMerger {
 public:
  explicit ArcMerger(std::size_t vertex_count) : next_(vertex_count) {}

  Arcs merge(const Arcs& a, const Arcs& b) {
    if (!a.simple || !b.simple) return arcs_of(cull::merge(boundary_of(a), boundary_of(b)));
    start(a);
    Arcs both;
    both.edges.reserve(a.edges.size() + b.edges.size());
    for (const auto& [from, to] : b.edges) {
      Next& opposite = next_[to];
      if (opposite.round == round_ && opposite.vertex == from) {
        opposite.vertex = kNoVertex;  // both edges cancel
      } else {
        both.edges.push_back({from, to});
      }
    }
    // The merged boundary is simple only if no remaining edge of b starts where a remaining edge of a starts.
    for (const auto& [from, to] : both.edges) {
      if (next_[from].round == round_ && next_[from].vertex != kNoVertex) both.simple = false;
    }
    for (const auto& [from, to] : a.edges) {
      if (next_[from].vertex != kNoVertex) both.edges.push_back({from, to});
    }
    return both;
  }

  /// Returns the loop that single_loop() returns, with the same first vertex.
  std::vector<VertexId> loop(const Arcs& arcs) {
    if (!arcs.simple || arcs.edges.size() < 3) return {};
    start(arcs);
    const VertexId first = (*std::min_element(arcs.edges.begin(), arcs.edges.end()))[0];
    std::vector<VertexId> loop;
    loop.reserve(arcs.edges.size());
    VertexId at = first;
    do {
      loop.push_back(at);
      if (next_[at].round != round_) return {};
      at = next_[at].vertex;
    } while (at != first && loop.size() < arcs.edges.size());
    if (at != first || loop.size() != arcs.edges.size()) return {};  // the boundary has several loops
    return loop;
  }

 private:
  struct Next {
    std::uint32_t round = 0;  ///< round in which this entry was written
    VertexId vertex = 0;
  };

  void start(const Arcs& arcs) {
    ++round_;
    for (const auto& [from, to] : arcs.edges) next_[from] = {round_, to};
  }

  std::vector<Next> next_;  ///< by start vertex
  std::uint32_t round_ = 0;
};

/// Returns the boundary of an unchanged subtree's patch: from its contour, or merged from its children if it has
/// none.
Arcs arcs_below(const BvhTree& tree, std::span<const Leaf> leaves, const RowPool& loops, std::uint32_t word,
                ArcMerger& merger) {
  if ((word & kLeaf) != 0) return arcs_of(boundary_of(leaves[word & ~kLeaf].oriented()));
  const auto loop = loops[word];
  if (loop.empty()) {
    return merger.merge(arcs_below(tree, leaves, loops, tree.words[std::size_t{2} * word], merger),
                        arcs_below(tree, leaves, loops, tree.words[std::size_t{2} * word + 1], merger));
  }
  Arcs arcs;
  arcs.edges.resize(loop.size());
  for (std::size_t i = 0; i < loop.size(); ++i) arcs.edges[i] = {loop[i], loop[i + 1 == loop.size() ? 0 : i + 1]};
  return arcs;
}

/// Returns, by block, whether the patch has changed.
std::vector<bool> changed_blocks(const BvhTree& tree, std::uint32_t first_block, std::size_t leaf_count,
                                 std::span<const std::uint32_t> old_block, std::span<const std::uint32_t> turned) {
  std::vector<bool> changed(tree.block_count());
  for (std::size_t b = first_block; b < changed.size(); ++b) changed[b] = old_block[b] == kNoNode;
  if (turned.empty()) return changed;
  std::vector<bool> is_turned(leaf_count);
  for (const std::uint32_t leaf : turned) is_turned[leaf] = true;
  for (std::size_t b = changed.size(); b-- > first_block;) {
    for (const std::size_t slot : {2 * b, 2 * b + 1}) {
      const std::uint32_t word = tree.words[slot];
      const bool below = (word & kLeaf) != 0 ? is_turned[word & ~kLeaf] : changed[word];
      changed[b] = changed[b] || below;
    }
  }
  return changed;
}

}  // namespace

PatchContours make_patch_contours(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves) {
  PatchContours contours;
  contours.leaf_counts.assign(tree.block_count(), 0);
  std::vector<std::vector<VertexId>> loops(tree.block_count());
  std::vector<Boundary> open(tree.block_count());  // boundaries that the parent block has not merged yet
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
    if (contours.leaf_counts[block] >= kMinPatchTriangles) loops[block] = single_loop(open[block]);
  };
  for_blocks_bottom_up(tree, make);

  Rows rows;
  rows.offsets.resize(tree.block_count() + 1);
  std::uint64_t total = 0;
  for (std::size_t b = 0; b < loops.size(); ++b) {
    // Patches whose loops no longer fit 32-bit offsets have no contour; this takes hundreds of millions of
    // triangles.
    if (total + loops[b].size() > std::numeric_limits<std::uint32_t>::max()) loops[b].clear();
    total += loops[b].size();
    rows.offsets[b + 1] = static_cast<std::uint32_t>(total);
  }
  rows.items.reserve(total);
  for (std::vector<VertexId>& loop : loops) {
    rows.items.insert(rows.items.end(), loop.begin(), loop.end());
    loop = {};
  }
  contours.loops = RowPool(std::move(rows));
  return contours;
}

void update_patch_contours(PatchContours& contours, const BvhTree& tree, std::uint32_t first_block,
                           std::span<const Leaf> leaves, std::size_t vertex_count,
                           std::span<const std::uint32_t> old_block, std::span<const std::uint32_t> turned) {
  const std::vector<bool> changed = changed_blocks(tree, first_block, leaves.size(), old_block, turned);
  std::vector<std::uint32_t> from(old_block.begin(), old_block.end());
  contours.leaf_counts.assign(tree.block_count(), 0);
  const auto count = [&](std::uint32_t word) { return (word & kLeaf) != 0 ? 1 : contours.leaf_counts[word]; };
  for (auto b = static_cast<std::uint32_t>(tree.block_count()); b-- > first_block;) {
    contours.leaf_counts[b] = count(tree.words[std::size_t{2} * b]) + count(tree.words[std::size_t{2} * b + 1]);
    if (changed[b]) from[b] = kNoNode;
  }
  std::fill_n(from.begin(), first_block, kNoNode);
  contours.loops.permute(from);

  // Children have higher block numbers than their parents, so the loop visits them first.
  ArcMerger merger(vertex_count);
  std::unordered_map<std::uint32_t, Arcs> open;
  for (auto b = static_cast<std::uint32_t>(tree.block_count()); b-- > first_block;) {
    if (!changed[b]) continue;
    const auto take = [&](std::uint32_t word) {
      const auto known = open.find(word);
      if (known == open.end()) return arcs_below(tree, leaves, contours.loops, word, merger);
      Arcs arcs = std::move(known->second);
      open.erase(known);
      return arcs;
    };
    Arcs arcs = merger.merge(take(tree.words[std::size_t{2} * b]), take(tree.words[std::size_t{2} * b + 1]));
    if (contours.leaf_counts[b] >= kMinPatchTriangles) contours.loops.replace(b, merger.loop(arcs));
    const bool is_root = tree.parent[b] == kNoNode || tree.parent[b] / 2 < first_block;
    if (!is_root) open.emplace(b, std::move(arcs));
  }
}

}  // namespace graze::cull
