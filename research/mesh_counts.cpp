// Counts from the rows of a topology (mesh_counts.hpp).
#include "research/mesh_counts.hpp"

#include <algorithm>
#include <numeric>

#include "mesh/mesh_change.hpp"
#include "research/orphans.hpp"

namespace graze::papers {

AdjacentPairs count_adjacent_pairs(const Topology& topology) {
  // Two triangles that share s ids are both in s fans, and in 0, 1 or 3 edge rows for s = 1, 2, 3. With n_s such
  // pairs:
  //   sum over fans  of pairs = n1 + 2 n2 + 3 n3
  //   sum over edges of pairs =        n2 + 3 n3
  //   n3 = pairs of duplicates with three different ids.
  const auto pairs = [](std::uint64_t n) { return n < 2 ? 0 : n * (n - 1) / 2; };
  std::uint64_t in_fans = 0;
  for (std::size_t v = 0; v < topology.vertex_triangles.size(); ++v) {
    in_fans += pairs(topology.vertex_triangles.length(v));
  }
  std::uint64_t in_edges = 0;
  for (std::size_t e = 0; e < topology.edge_triangles.size(); ++e)
    in_edges += pairs(topology.edge_triangles.length(e));
  std::uint64_t three = 0;
  for (std::size_t f = 0; f < topology.face_triangles.size(); ++f) {
    const Face& face = topology.features.faces[f];
    if (face[0] != face[1] && face[1] != face[2]) three += pairs(topology.face_triangles.length(f));
  }
  const std::uint64_t two = in_edges - 3 * three;
  return {.edge = two + three, .vertex = in_fans - 2 * two - 3 * three};
}

std::vector<std::uint32_t> boundary_edges(const Topology& topology) {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t e = 0; e < topology.edge_triangles.size(); ++e) {
    if (topology.edge_triangles.length(e) == 1) edges.push_back(e);
  }
  return edges;
}

std::vector<std::uint32_t> nonmanifold_edges(const Topology& topology) {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t e = 0; e < topology.edge_triangles.size(); ++e) {
    if (topology.edge_triangles.length(e) > 2) edges.push_back(e);
  }
  return edges;
}

Components connected_components(std::span<const Triangle> triangles, std::size_t vertex_count) {
  // Union-find with path halving; the root of a set is its smallest id.
  std::vector<std::uint32_t> parent(vertex_count);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root_of = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    a = root_of(a);
    b = root_of(b);
    if (a != b) parent[std::max(a, b)] = std::min(a, b);
  };
  for (const Triangle& t : triangles) {
    if (t == kRemovedTriangle) continue;
    join(t[0], t[1]);
    join(t[0], t[2]);
  }
  Components components;
  std::vector<bool> used(vertex_count, false);
  for (const Triangle& t : triangles) {
    if (t != kRemovedTriangle) used[root_of(t[0])] = true;
  }
  std::vector<std::uint32_t> number(vertex_count, 0);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (used[v]) number[v] = components.count++;
  }
  components.of_triangle.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    components.of_triangle.push_back(t == kRemovedTriangle ? kNoComponent : number[root_of(t[0])]);
  }
  return components;
}

MeshCounts count_mesh(std::span<const Triangle> triangles, std::size_t vertex_count) {
  const Topology topology = build_topology(triangles, vertex_count);
  const OrphanCounts orphans = count_orphans(topology);
  return {.edges = topology.features.edges.size(),
          .components = connected_components(triangles, vertex_count).count,
          .boundary_edges = boundary_edges(topology).size(),
          .nonmanifold_edges = nonmanifold_edges(topology).size(),
          .adjacent_pairs = count_adjacent_pairs(topology),
          .vf_orphans = orphans.vf,
          .ee_orphans = orphans.ee};
}

}  // namespace graze::papers
