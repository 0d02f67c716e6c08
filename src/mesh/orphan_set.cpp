// Finds orphans feature by feature (mesh/orphan_set.hpp). All leaves of an orphan's two features are near each
// other, so the other feature is in a leaf that is near the first leaf of this feature: the search visits at most
// three fans below the hub limit. Nearly every candidate fails at its first leaf, so duplicates are removed from
// the survivors only.
//
// Effect of an edit. Let T be the vertices of removed and added leaves, and H the vertices in T that became hubs or
// ceased to be hubs. Whether two remaining leaves are near changes only if they share a vertex of H.
//  (v, f) changes only if the fan of v changed (v in T), f was added or removed, or a leaf of v and f share a
//  vertex of H. In the last two cases, let L be a leaf of v that is near f, before or after the edit: L shares
//  with f a vertex of T that is not a hub before or after the edit, and L remains (else v is in T). So v is in T
//  or in a leaf at such a vertex.
//  (a, b) changes only if a or b gained or lost a leaf, or both are in leaves at one vertex of H.
// So it suffices to drop and find again all orphans of the vertices in the first set, and of the edges of touched
// leaves and of leaves at H. A vertex that crossed the hub limit has at most kMaxFan leaves plus those of the edit.
#include "mesh/orphan_set.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "core/sort.hpp"
#include "core/tasks.hpp"

namespace graze::mesh {

namespace {

class Finder {
 public:
  explicit Finder(const LeafMesh& mesh) : mesh_(mesh) {}

  /// Appends the orphans of a vertex, sorted.
  void of_vertex(VertexId v, std::vector<OrphanVertexFace>& orphans) const {
    const auto fan = mesh_.incidence.vertex_leaves[v];
    if (fan.empty()) return;
    const std::size_t first = orphans.size();
    for_near(fan.front(), [&](std::uint32_t leaf, const Triangle& face) {
      if (!incident(v, face) && all_near(fan.subspan(1), face)) orphans.push_back({v, leaf});
    });
    std::sort(orphans.begin() + static_cast<std::ptrdiff_t>(first), orphans.end());
  }

  /// Appends, sorted, the orphans of edge e with edges whose id is at least `least`.
  void of_edge(std::uint32_t e, std::uint32_t least, std::vector<OrphanEdgeEdge>& orphans) const {
    const auto leaves = mesh_.incidence.edge_leaves[e];
    if (leaves.empty()) return;
    const std::vector<Edge>& edges = mesh_.representatives.edges;
    const std::size_t first = orphans.size();
    for_near(leaves.front(), [&](std::uint32_t leaf, const Triangle& face) {
      // The first leaf of the other edge is near too and is the one that represents it, so each edge comes up once.
      for (const std::uint32_t other : mesh_.representatives.edges_of(mesh_.id(leaf))) {
        if (other < least || incident(edges[e], edges[other])) continue;
        if (!all_near(leaves.subspan(1), face)) return;
        const auto others = mesh_.incidence.edge_leaves[other].subspan(1);
        const bool orphan = std::all_of(others.begin(), others.end(),
                                        [&](std::uint32_t l) { return all_near(leaves, mesh_.vertices(l)); });
        if (orphan) orphans.push_back({std::min(e, other), std::max(e, other)});
      }
    });
    std::sort(orphans.begin() + static_cast<std::ptrdiff_t>(first), orphans.end());
  }

 private:
  [[nodiscard]] bool all_near(std::span<const std::uint32_t> leaves, const Triangle& face) const {
    return std::all_of(leaves.begin(), leaves.end(),
                       [&](std::uint32_t leaf) { return mesh_.near_faces.near(mesh_.vertices(leaf), face); });
  }

  /// Calls visit(near leaf, its vertices) once for every leaf that is near this leaf, possibly including this leaf.
  template <typename Visit>
  void for_near(std::uint32_t leaf, const Visit& visit) const {
    Triangle seen = {kNoVertex, kNoVertex, kNoVertex};
    const Triangle& corners = mesh_.vertices(leaf);
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId x = corners[k];
      if (mesh_.near_faces.is_hub(x)) continue;
      for (const std::uint32_t near : mesh_.incidence.vertex_leaves[x]) {
        const Triangle& face = mesh_.vertices(near);
        if (!share_vertex(seen, face)) visit(near, face);
      }
      seen[k] = x;
    }
  }

  static constexpr VertexId kNoVertex = std::numeric_limits<VertexId>::max();

  const LeafMesh& mesh_;
};

/// find(i, list) appends the orphans of feature i < count. Returns all of them in the order of features.
template <typename Orphan, typename Find>
std::vector<Orphan> find_each(std::size_t count, const Find& find) {
  constexpr std::size_t kFacesPerTask = 2048;
  std::vector<std::vector<Orphan>> pieces((count + kFacesPerTask - 1) / kFacesPerTask);
  parallel_for(0, pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      for (std::size_t i = p * kFacesPerTask; i < std::min(count, (p + 1) * kFacesPerTask); ++i) find(i, pieces[p]);
    }
  });
  std::size_t size = 0;
  for (const auto& piece : pieces) size += piece.size();
  std::vector<Orphan> orphans;
  orphans.reserve(size);
  for (const auto& piece : pieces) orphans.insert(orphans.end(), piece.begin(), piece.end());
  return orphans;
}

/// Returns the orphans that are not dropped, merged with `found`; all lists are sorted.
template <typename Orphan, typename Dropped>
std::vector<Orphan> replaced(const std::vector<Orphan>& orphans, const std::vector<Orphan>& found,
                             const Dropped& is_dropped) {
  std::vector<Orphan> result;
  result.reserve(orphans.size() + found.size());
  auto next = found.begin();
  for (const Orphan& orphan : orphans) {
    if (is_dropped(orphan)) continue;
    while (next != found.end() && *next < orphan) result.push_back(*next++);
    result.push_back(orphan);
  }
  result.insert(result.end(), next, found.end());
  return result;
}

bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t item) {
  return std::binary_search(sorted.begin(), sorted.end(), item);
}

/// A small set of ids for many lookups: a bit array rejects nearly all ids that are not in the set.
class SmallIdSet {
 public:
  explicit SmallIdSet(const std::vector<std::uint32_t>& sorted) : sorted_(sorted) {
    const std::size_t bits = std::bit_ceil(std::max<std::size_t>(16 * sorted.size(), 64));
    shift_ = 32U - static_cast<std::uint32_t>(std::min(std::countr_zero(bits), 31));
    bits_.assign(std::size_t{1} << (32U - shift_) >> 6U, 0);
    for (const std::uint32_t id : sorted) bits_[place(id) >> 6U] |= std::uint64_t{1} << (place(id) & 63U);
  }
  [[nodiscard]] bool has(std::uint32_t id) const {
    return (bits_[place(id) >> 6U] >> (place(id) & 63U) & 1U) != 0 && contains(sorted_, id);
  }

 private:
  [[nodiscard]] std::uint32_t place(std::uint32_t id) const { return id * 0x9E3779B1U >> shift_; }

  const std::vector<std::uint32_t>& sorted_;
  std::uint32_t shift_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

std::size_t OrphanPairs::memory_bytes() const {
  return vertex_face.capacity() * sizeof(OrphanVertexFace) + edge_edge.capacity() * sizeof(OrphanEdgeEdge);
}

OrphanPairs find_orphans(const LeafMesh& mesh) {
  const Finder finder(mesh);
  OrphanPairs orphans;
  orphans.vertex_face = find_each<OrphanVertexFace>(
      mesh.incidence.vertex_leaves.size(),
      [&](std::size_t v, auto& list) { finder.of_vertex(static_cast<VertexId>(v), list); });
  orphans.edge_edge = find_each<OrphanEdgeEdge>(mesh.incidence.edge_leaves.size(), [&](std::size_t e, auto& list) {
    finder.of_edge(static_cast<std::uint32_t>(e), static_cast<std::uint32_t>(e) + 1, list);
  });
  return orphans;
}

OrphanClasses classify_orphans(const OrphanPairs& orphans, const LeafMesh& mesh) {
  const std::vector<Edge>& edges = mesh.representatives.edges;
  std::vector<bool> at_boundary(mesh.incidence.vertex_leaves.size(), false);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (mesh.incidence.edge_leaves.length(e) != 1) continue;
    for (const VertexId v : edges[e]) at_boundary[v] = true;
  }
  const auto touches = [&](const auto& ids) {
    return std::any_of(ids.begin(), ids.end(), [&](VertexId v) { return at_boundary[v]; });
  };
  OrphanClasses classes;
  for (const OrphanVertexFace& orphan : orphans.vertex_face) {
    ++(at_boundary[orphan.v] || touches(mesh.vertices(orphan.leaf)) ? classes.boundary : classes.interior);
  }
  for (const OrphanEdgeEdge& orphan : orphans.edge_edge) {
    ++(touches(edges[orphan.a]) || touches(edges[orphan.b]) ? classes.boundary : classes.interior);
  }
  return classes;
}

void TouchedFeatures::add(const Representatives::Entry& leaf) {
  vertices.insert(vertices.end(), leaf.vertices.begin(), leaf.vertices.end());
  std::copy_if(leaf.edges.begin(), leaf.edges.end(), std::back_inserter(edges),
               [](std::uint32_t e) { return e != kNoEdge; });
}

void update_orphans(OrphanPairs& orphans, const LeafMesh& after, const TouchedFeatures& touched) {
  if (touched.vertices.empty()) return;
  std::vector<VertexId> hubs = touched.hubs;
  std::vector<VertexId> seeds = touched.vertices;
  sort_unique(hubs);
  sort_unique(seeds);
  // Fans overlap, so most vertices are reached many times.
  std::vector<bool> is_listed(after.incidence.vertex_leaves.size());
  std::vector<VertexId> vertices;
  const auto list_vertex = [&](VertexId v) {
    if (is_listed[v]) return;
    is_listed[v] = true;
    vertices.push_back(v);
  };
  for (const VertexId x : seeds) list_vertex(x);
  std::vector<std::uint32_t> edges = touched.edges;
  for (const VertexId x : seeds) {
    const bool crossed = contains(hubs, x);
    if (after.near_faces.is_hub(x) && !crossed) continue;
    for (const std::uint32_t leaf : after.incidence.vertex_leaves[x]) {
      const Representatives::Entry& entry = after.entry(leaf);
      for (const VertexId v : entry.vertices) list_vertex(v);
      if (!crossed) continue;
      std::copy_if(entry.edges.begin(), entry.edges.end(), std::back_inserter(edges),
                   [](std::uint32_t e) { return e != kNoEdge; });
    }
  }
  std::sort(vertices.begin(), vertices.end());
  sort_unique(edges);

  const Finder finder(after);
  const auto vertex_face = find_each<OrphanVertexFace>(
      vertices.size(), [&](std::size_t i, auto& list) { finder.of_vertex(vertices[i], list); });
  // Searches among all edges, not only greater ids, because the other edge may not be in `edges`.
  auto edge_edge = find_each<OrphanEdgeEdge>(edges.size(),
                                             [&](std::size_t i, auto& list) { finder.of_edge(edges[i], 0, list); });
  sort_unique(edge_edge);
  const SmallIdSet few_edges(edges);
  // Both lists change together, or neither does if memory runs out.
  OrphanPairs result;
  result.vertex_face = replaced(orphans.vertex_face, vertex_face,
                                [&](const OrphanVertexFace& orphan) { return bool{is_listed[orphan.v]}; });
  result.edge_edge = replaced(orphans.edge_edge, edge_edge, [&](const OrphanEdgeEdge& orphan) {
    return few_edges.has(orphan.a) || few_edges.has(orphan.b);
  });
  orphans = std::move(result);
}

}  // namespace graze::mesh
