// Counts orphans from row lengths (orphans.hpp). Below, a "face" is a set of ids, and each face counts once.
//
// Vertex-face. f is an orphan of v if v is not in f and f contains a vertex of every triangle of v, that is, if f
// is a vertex cover of the graph whose edges are the other two ids of these triangles. Take a triangle that is not
// covered yet, with ids x and y: either x is in f, or x is not in f and y is. Three ids fill a face, so this
// decision tree has at most eight leaves, and they exclude each other. Each leaf fixes some ids that are in f and
// some that are not; the faces that satisfy it are counted by inclusion and exclusion from the numbers of faces at
// a vertex, at an edge, and with three given ids. Every path of the decision tree visits each triangle once.
//
// Edge-edge. Let X(a) be the third ids of the faces at edge a. A face with a repeated id has no third id and
// disqualifies the edge, as it touches nothing but a. Edges a and b without a common vertex are an orphan if for
// all x in X(a), y in X(b): x is in b, or y is in a, or x = y. With X' = X(a) minus b and Y' = X(b) minus a, there
// are three cases:
//   (1) X' empty, (2) Y' empty, (3) X' = Y' = {z}, which excludes the others.
// For (1), X(a) is {x}: all edges at x but the two that share a vertex with a; or X(a) is {x, y}: the edge xy.
// Pairs with both (1) and (2) are counted twice: if X(a) = {x, y}, a test of xy finds them; if X(a) = {x} and X(b)
// = {y}, then a is in a face (x, y, w) and b in a face (x, y, s), w != s, a = yw and b = xs. For (3), by the sizes
// of X(a) and X(b):
//   1, 1  X(a) = X(b) = {z}: pairs of such edges, minus those that share a vertex
//   2, 1  X(a) = {z, r}: edges b at r with X(b) = {z}; none shares a vertex with a, as (r, p) has q in its X
//   2, 2  X(a) = {z, r}, X(b) = {z, p}: edges b at r with X(b) = {z, p}, except the edge from r to q, where a = pq
//   3, *  X(b) = {z, p, q}: a is the edge pq
// Only counts are needed: `single`, for each vertex z the number of edges a with X(a) = {z}, and `toward`, for each
// z and u the number of these edges that contain u.
#include "research/orphans.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/sort.hpp"
#include "core/tasks.hpp"

namespace graze::papers {
namespace {

/// A list of at most four ids.
struct Ids {
  std::array<VertexId, 4> ids{};
  std::size_t count = 0;

  [[nodiscard]] Ids with(VertexId v) const {
    Ids more = *this;
    more.ids[more.count++] = v;
    return more;
  }
  [[nodiscard]] bool has(VertexId v) const { return std::find(begin(), end(), v) != end(); }
  [[nodiscard]] const VertexId* begin() const { return ids.data(); }
  [[nodiscard]] const VertexId* end() const { return ids.data() + count; }
};

bool has_three_ids(const Face& f) {
  return f[0] != f[1] && f[1] != f[2];
}

Edge edge_of(VertexId a, VertexId b) {
  return a < b ? Edge{a, b} : Edge{b, a};
}

std::uint64_t pairs_of(std::uint64_t n) {
  return n < 2 ? 0 : n * (n - 1) / 2;
}

/// Returns kNoEdge if the edge does not exist.
std::uint32_t find_edge(const std::vector<Edge>& edges, VertexId a, VertexId b) {
  const Edge edge = edge_of(a, b);
  const auto found = std::lower_bound(edges.begin(), edges.end(), edge);
  return found != edges.end() && *found == edge ? static_cast<std::uint32_t>(found - edges.begin()) : kNoEdge;
}

/// Returns the sum of count(i) for i < size, computed in parallel.
template <typename Count>
std::uint64_t sum_of(std::size_t size, const Count& count) {
  constexpr std::size_t kFacesPerTask = 1024;
  std::vector<std::uint64_t> sums((size + kFacesPerTask - 1) / kFacesPerTask, 0);
  parallel_for(0, sums.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      for (std::size_t i = p * kFacesPerTask; i < std::min(size, (p + 1) * kFacesPerTask); ++i) sums[p] += count(i);
    }
  });
  std::uint64_t sum = 0;
  for (const std::uint64_t s : sums) sum += s;
  return sum;
}

class VertexFaceCounter {
 public:
  explicit VertexFaceCounter(const Topology& topology)
      : topology_(topology),
        at_vertex_(topology.vertex_triangles.size(), 0),
        at_edge_(topology.features.edges.size(), 0) {
    for (std::size_t f = 0; f < topology.features.faces.size(); ++f) {
      const Face& face = topology.features.faces[f];
      ++at_vertex_[face[0]];
      if (face[1] != face[0]) ++at_vertex_[face[1]];
      if (face[2] != face[1]) ++at_vertex_[face[2]];
      Ids edges;  // a face with a repeated id has the same edge twice
      for (const std::uint32_t e : topology.triangle_edges[topology.face_triangles[f].front()]) {
        if (e == kNoEdge || edges.has(e)) continue;
        edges = edges.with(e);
        ++at_edge_[e];
      }
    }
  }

  [[nodiscard]] std::uint64_t count() const {
    const std::vector<VertexId>& vertices = topology_.features.vertices;
    return sum_of(vertices.size(), [&](std::size_t i) { return covers(vertices[i], 0, {}, {}); });
  }

 private:
  /// Returns the number of faces without v that cover the triangles of v, contain all ids in `in` and none in
  /// `out`. The triangles before `first` are covered by `in`.
  [[nodiscard]] std::uint64_t covers(VertexId v, std::size_t first, const Ids& in, const Ids& out) const {
    const auto fan = topology_.vertex_triangles[v];
    for (; first < fan.size(); ++first) {
      const Face& t = topology_.features.faces[topology_.triangle_faces[fan[first]]];
      if (in.has(t[0]) || in.has(t[1]) || in.has(t[2])) continue;
      if (in.count == 3) return 0;
      std::uint64_t count = 0;
      Ids skipped = out;
      for (const VertexId x : t) {
        if (x == v || skipped.has(x)) continue;
        count += covers(v, first + 1, in.with(x), skipped);
        skipped = skipped.with(x);
      }
      return count;
    }
    return faces(in, out.with(v));
  }

  /// Returns the number of faces with all of `in`, one to three ids, and none of `out`.
  [[nodiscard]] std::uint64_t faces(const Ids& in, const Ids& out) const {
    std::uint64_t count = faces_with(in);
    if (in.count == 3) return count;
    // One or two more ids fit in the face: a face with two of `out` was subtracted twice.
    for (std::size_t i = 0; i < out.count; ++i) {
      count -= faces_with(in.with(out.ids[i]));
      if (in.count == 2) continue;
      for (std::size_t j = 0; j < i; ++j) count += faces_with(in.with(out.ids[i]).with(out.ids[j]));
    }
    return count;
  }

  [[nodiscard]] std::uint64_t faces_with(const Ids& in) const {
    if (in.count == 1) return at_vertex_[in.ids[0]];
    if (in.count == 2) {
      const std::uint32_t e = find_edge(topology_.features.edges, in.ids[0], in.ids[1]);
      return e == kNoEdge ? 0 : at_edge_[e];
    }
    const std::vector<Face>& faces = topology_.features.faces;
    return std::binary_search(faces.begin(), faces.end(), face_of({in.ids[0], in.ids[1], in.ids[2]})) ? 1 : 0;
  }

  const Topology& topology_;
  std::vector<std::uint32_t> at_vertex_;
  std::vector<std::uint32_t> at_edge_;
};

class EdgeEdgeCounter {
 public:
  explicit EdgeEdgeCounter(const Topology& topology)
      : topology_(topology),
        edges_(topology.features.edges),
        links_(edges_.size()),
        single_(topology.vertex_triangles.size(), 0),
        toward_(edges_.size(), {0, 0}) {
    for (std::size_t f = 0; f < topology.features.faces.size(); ++f) {
      const Face& face = topology.features.faces[f];
      for (const std::uint32_t e : topology.triangle_edges[topology.face_triangles[f].front()]) {
        if (e != kNoEdge) links_[e].add(has_three_ids(face), third_id(face, edges_[e]));
      }
    }
    for (std::uint32_t a = 0; a < edges_.size(); ++a) {
      if (links_[a].count != 1) continue;
      const VertexId z = links_[a].ids[0];
      ++single_[z];
      for (const VertexId u : edges_[a]) ++toward_[find_edge(edges_, z, u)][z < u ? 1 : 0];
    }
    for (std::uint32_t b = 0; b < edges_.size(); ++b) {
      if (links_[b].count != 2) continue;
      for (const VertexId r : edges_[b]) doubles_.push_back(key_of(r, links_[b].ids[0], links_[b].ids[1]));
    }
    parallel_sort(doubles_);
  }

  [[nodiscard]] std::uint64_t count() const {
    return count_one_sided() - count_both_sided() + count_single_single() +
           sum_of(edges_.size(),
                  [&](std::size_t e) { return double_single(links_[e]) + triple(static_cast<std::uint32_t>(e)); }) +
           count_double_double();
  }

 private:
  /// X of an edge: its ids, if there are at most three and every face has a third id. Otherwise (kOut) the edge can
  /// only be the other edge of case (1).
  struct Link {
    static constexpr std::uint32_t kOut = 4;
    std::uint32_t count = 0;
    std::array<VertexId, 3> ids{};

    void add(bool has_third, VertexId third) {
      if (!has_third || count >= 3) {
        count = kOut;
      } else {
        ids[count++] = third;
      }
    }
    [[nodiscard]] bool usable() const { return count < kOut; }
    [[nodiscard]] bool has(VertexId v) const {
      return std::find(ids.data(), ids.data() + count, v) != ids.data() + count;
    }
    /// Returns whether all ids are among the items.
    template <std::size_t N>
    [[nodiscard]] bool within(const std::array<VertexId, N>& items) const {
      return usable() && std::all_of(ids.data(), ids.data() + count, [&](VertexId v) {
               return std::find(items.begin(), items.end(), v) != items.end();
             });
    }
  };
  using Key = std::array<VertexId, 3>;

  static VertexId third_id(const Face& f, const Edge& e) {
    return f[0] != e[0] ? f[0] : f[1] != e[1] ? f[1] : f[2];
  }
  static Key key_of(VertexId r, VertexId x, VertexId y) { return {r, std::min(x, y), std::max(x, y)}; }

  /// Case (1), in both orders of a and b.
  [[nodiscard]] std::uint64_t count_one_sided() const {
    return sum_of(edges_.size(), [&](std::size_t a) -> std::uint64_t {
      const Link& link = links_[a];
      if (link.count == 1) return topology_.vertex_edges.length(link.ids[0]) - 2;
      return link.count == 2 && find_edge(edges_, link.ids[0], link.ids[1]) != kNoEdge ? 1 : 0;
    });
  }

  /// Pairs with both (1) and (2).
  [[nodiscard]] std::uint64_t count_both_sided() const {
    const std::uint64_t with_doubles = sum_of(edges_.size(), [&](std::size_t a) -> std::uint64_t {
      if (links_[a].count != 2) return 0;
      const std::uint32_t b = find_edge(edges_, links_[a].ids[0], links_[a].ids[1]);
      if (b == kNoEdge || !links_[b].within(edges_[a])) return 0;
      return links_[b].count == 1 || a < b ? 1 : 0;
    });
    const std::uint64_t of_singles =
        sum_of(edges_.size(), [&](std::size_t e) { return std::uint64_t{toward_[e][0]} * toward_[e][1]; });
    // Subtracts the pairs with w = s: both edges are in one face.
    const std::uint64_t in_one_face = sum_of(topology_.features.faces.size(), [&](std::size_t f) {
      std::uint64_t singles = 0;
      if (!has_three_ids(topology_.features.faces[f])) return std::uint64_t{0};
      for (const std::uint32_t e : topology_.triangle_edges[topology_.face_triangles[f].front()]) {
        if (links_[e].count == 1) ++singles;
      }
      return pairs_of(singles);
    });
    return with_doubles + of_singles - in_one_face;
  }

  [[nodiscard]] std::uint64_t count_single_single() const {
    return sum_of(single_.size(), [&](std::size_t z) { return pairs_of(single_[z]); }) -
           sum_of(toward_.size(), [&](std::size_t e) { return pairs_of(toward_[e][0]) + pairs_of(toward_[e][1]); });
  }

  [[nodiscard]] std::uint64_t double_single(const Link& a) const {
    if (a.count != 2) return 0;
    const std::uint32_t e = find_edge(edges_, a.ids[0], a.ids[1]);
    return e == kNoEdge ? 0 : std::uint64_t{toward_[e][0]} + toward_[e][1];
  }

  [[nodiscard]] std::uint64_t count_double_double() const {
    const std::uint64_t ordered = sum_of(edges_.size(), [&](std::size_t a) {
      std::uint64_t count = 0;
      if (links_[a].count != 2) return count;
      for (const std::size_t i : {0U, 1U}) {
        const VertexId z = links_[a].ids[i];
        const VertexId r = links_[a].ids[1 - i];
        for (const std::size_t k : {0U, 1U}) {
          const VertexId p = edges_[a][k];
          const auto [first, last] = std::equal_range(doubles_.begin(), doubles_.end(), key_of(r, z, p));
          count += static_cast<std::uint64_t>(last - first);
          const Link& to_q = links_[find_edge(edges_, r, edges_[a][1 - k])];
          if (to_q.count == 2 && to_q.has(z) && to_q.has(p)) --count;
        }
      }
      return count;
    });
    return ordered / 2;
  }

  [[nodiscard]] std::uint64_t triple(std::uint32_t b) const {
    std::uint64_t count = 0;
    if (links_[b].count != 3) return count;
    const auto& ids = links_[b].ids;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = find_edge(edges_, ids[(i + 1) % 3], ids[(i + 2) % 3]);
      if (a == kNoEdge || !links_[a].within(std::array{ids[i], edges_[b][0], edges_[b][1]})) continue;
      if (links_[a].has(ids[i]) && (links_[a].count < 3 || a < b)) ++count;
    }
    return count;
  }

  const Topology& topology_;
  const std::vector<Edge>& edges_;
  std::vector<Link> links_;                           // by edge
  std::vector<std::uint32_t> single_;                 // by vertex
  std::vector<std::array<std::uint32_t, 2>> toward_;  // by edge zu: toward its first id, toward its second id
  std::vector<Key> doubles_;  // r and X(b), for each vertex r of each edge b with two ids in X(b)
};

}  // namespace

OrphanCounts count_orphans(const Topology& topology) {
  return {.vf = VertexFaceCounter(topology).count(), .ee = EdgeEdgeCounter(topology).count()};
}

}  // namespace graze::papers
