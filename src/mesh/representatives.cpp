// Greedy assignment of representatives without a sequential scan (mesh/representatives.hpp). The first triangle to
// take a feature is the lowest of the feature's row in the topology, since rows ascend. That triangle also
// represents its own face, for a lower duplicate would be in the same row. So each triangle decides independently.
// Cost: O(triangles), parallel.
#include "mesh/representatives.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <graze/error.hpp>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/represented_first.hpp"

#include <fmt/core.h>

namespace graze::mesh {

namespace {

constexpr std::size_t kGrain = 4096;

/// Returns the first triangle of a row.
std::uint32_t lowest(const Rows& rows, std::size_t row) {
  return rows.items[rows.offsets[row]];
}

/// Returns the edges of a triangle without duplicates, with kNoEdge at the end.
std::array<std::uint32_t, 3> each_once(const std::array<std::uint32_t, 3>& sides) {
  std::array<std::uint32_t, 3> edges{kNoEdge, kNoEdge, kNoEdge};
  std::size_t count = 0;
  for (const std::uint32_t e : sides) {
    if (e != kNoEdge && std::find(edges.begin(), edges.end(), e) == edges.end()) edges[count++] = e;
  }
  return edges;
}

/// Computes ids and entries, but not the list of edges.
Representatives assign(std::span<const Triangle> triangles, const Topology& topology) {
  require_representable(triangles.size());
  GRAZE_ASSERT(topology.triangle_edges.size() == triangles.size());
  Representatives result;
  result.ids.resize(triangles.size());
  result.entries.resize(triangles.size());
  parallel_for(0, triangles.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto t = static_cast<std::uint32_t>(i);
      Representatives::Entry& entry = result.entries[t];
      entry.vertices = triangles[t];
      entry.edges = each_once(topology.triangle_edges[t]);
      const std::uint32_t face = topology.triangle_faces[t];
      if (face == kNoFace || lowest(topology.face_triangles, face) != t) {
        result.ids[t] = kRepresentsNothing;
        continue;
      }
      const std::uint32_t vertices =
          represented_first(entry.vertices, [&](VertexId v) { return lowest(topology.vertex_triangles, v) == t; });
      const std::uint32_t edges = represented_first(
          entry.edges, [&](std::uint32_t e) { return e != kNoEdge && lowest(topology.edge_triangles, e) == t; });
      result.ids[t] = make_representative_id(t, vertices, edges);
    }
  });
  return result;
}

}  // namespace

void require_representable(std::size_t triangle_count) {
  if (triangle_count > kMaxRepresentatives) {
    throw InputError(fmt::format("{} triangles are too many: representative ids allow at most {}", triangle_count,
                                 kMaxRepresentatives));
  }
}

Representatives make_representatives(std::span<const Triangle> triangles, const Topology& topology) {
  Representatives result = assign(triangles, topology);
  result.edges = topology.features.edges;
  return result;
}

Representatives make_representatives(std::span<const Triangle> triangles, Topology&& topology) {
  Representatives result = assign(triangles, topology);
  result.edges = std::move(topology.features.edges);
  return result;
}

std::vector<RepresentativeId> Representatives::active() const {
  std::vector<RepresentativeId> result;
  result.reserve(ids.size());
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(result),
               [](RepresentativeId id) { return id != kRepresentsNothing; });
  return result;
}

std::size_t Representatives::memory_bytes() const {
  return ids.capacity() * sizeof(RepresentativeId) + entries.capacity() * sizeof(Entry) +
         edges.capacity() * sizeof(Edge);
}

std::string validate(const Representatives& representatives, std::span<const Triangle> triangles,
                     std::span<const std::uint8_t> alive) {
  const std::size_t count = triangles.size();
  if (representatives.ids.size() != count || representatives.entries.size() != count) return "wrong triangle count";
  if (!alive.empty() && alive.size() != count) return "wrong length of alive";
  std::size_t vertex_count = 0;
  std::vector<Triangle> live;  // the remaining triangles
  std::vector<std::uint32_t> place(count, kRepresentsNothing);
  for (std::size_t t = 0; t < count; ++t) {
    if ((!alive.empty() && alive[t] == 0) || triangles[t] == kRemovedTriangle) continue;
    place[t] = static_cast<std::uint32_t>(live.size());
    live.push_back(triangles[t]);
    for (const VertexId v : triangles[t]) vertex_count = std::max(vertex_count, std::size_t{v} + 1);
  }
  const Topology topology = build_topology(live, vertex_count);

  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> vertex_owner(vertex_count, kNone);
  std::vector<std::uint32_t> edge_owner(topology.features.edges.size(), kNone);
  std::vector<std::uint32_t> face_owner(topology.features.faces.size(), kNone);
  std::vector<std::uint32_t> edge_id(topology.features.edges.size(), kNone);  // topology -> representatives
  std::vector<std::uint32_t> edge_here(representatives.edges.size(), kNone);  // representatives -> topology
  for (std::uint32_t t = 0; t < count; ++t) {
    const RepresentativeId id = representatives.ids[t];
    const Representatives::Entry& entry = representatives.entries[t];
    if (place[t] == kRepresentsNothing) {
      if (id != kRepresentsNothing) return fmt::format("removed triangle {} still represents something", t);
      continue;
    }
    if (face_of(entry.vertices) != face_of(triangles[t])) return fmt::format("triangle {}: wrong vertex ids", t);
    // Both lists must contain the same edges, each once.
    const auto expected = each_once(topology.triangle_edges[place[t]]);
    const auto expected_end = std::find(expected.begin(), expected.end(), kNoEdge);
    const auto end = std::find(entry.edges.begin(), entry.edges.end(), kNoEdge);
    if (expected_end - expected.begin() != end - entry.edges.begin()) {
      return fmt::format("triangle {}: wrong number of edges", t);
    }
    if (each_once(entry.edges) != entry.edges) return fmt::format("triangle {}: an edge is listed twice", t);
    std::array<std::uint32_t, 3> here{kNone, kNone, kNone};
    for (std::size_t k = 0; entry.edges.begin() + k != end; ++k) {
      const std::uint32_t e = entry.edges[k];
      if (e >= representatives.edges.size()) return fmt::format("triangle {}: edge {} out of range", t, e);
      const auto same = std::find_if(expected.begin(), expected_end, [&](std::uint32_t other) {
        return topology.features.edges[other] == representatives.edges[e];
      });
      if (same == expected_end) return fmt::format("triangle {}: edge {} is not incident", t, e);
      here[k] = *same;
      if (edge_id[*same] != kNone && edge_id[*same] != e) return fmt::format("edge {} has two ids", *same);
      if (edge_here[e] != kNone && edge_here[e] != *same) return fmt::format("edge id {} used twice", e);
      edge_id[*same] = e;
      edge_here[e] = *same;
    }
    if (id == kRepresentsNothing) continue;
    if (triangle_of(id) != t) return fmt::format("triangle {} has the id of triangle {}", t, triangle_of(id));
    std::uint32_t& face = face_owner[topology.triangle_faces[place[t]]];
    if (face != kNone) return fmt::format("triangles {} and {} represent the same face", face, t);
    face = t;
    for (const VertexId v : representatives.vertices_of(id)) {
      if (vertex_owner[v] != kNone) return fmt::format("vertex {} represented by {} and {}", v, vertex_owner[v], t);
      vertex_owner[v] = t;
    }
    for (std::size_t k = 0; k < represented_edge_count(id); ++k) {
      if (here[k] == kNone) return fmt::format("triangle {} represents a side that is no edge", t);
      std::uint32_t& owner = edge_owner[here[k]];
      if (owner != kNone) return fmt::format("edge {} represented by {} and {}", entry.edges[k], owner, t);
      owner = t;
    }
  }
  for (const VertexId v : topology.features.vertices) {
    if (vertex_owner[v] == kNone) return fmt::format("vertex {} is represented by no triangle", v);
  }
  for (std::size_t e = 0; e < edge_owner.size(); ++e) {
    if (edge_owner[e] == kNone) {
      const Edge& edge = topology.features.edges[e];
      return fmt::format("edge {}-{} is represented by no triangle", edge[0], edge[1]);
    }
  }
  for (std::size_t f = 0; f < face_owner.size(); ++f) {
    if (face_owner[f] == kNone) {
      return fmt::format("triangle {}: no triangle represents its face", topology.face_triangles[f][0]);
    }
  }
  return {};
}

}  // namespace graze::mesh
