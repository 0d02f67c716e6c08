// Closed meshes and components. See the header.
#include "rigid/distance/solid_topology.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace graze::rigid {

namespace {

/// By vertex: the lowest id of a vertex at its position. 0.0 and -0.0 are equal.
std::vector<VertexId> representatives(std::span<const Vec3> positions) {
  std::vector<VertexId> order(positions.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](VertexId v) { return std::tie(positions[v].x, positions[v].y, positions[v].z); };
  std::sort(order.begin(), order.end(), [&](VertexId v, VertexId w) {
    if (key(v) != key(w)) return key(v) < key(w);
    return v < w;
  });
  std::vector<VertexId> first(positions.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

struct Edge {
  VertexId low;
  VertexId high;
  TriangleId triangle;

  [[nodiscard]] auto ends() const { return std::pair(low, high); }
};

bool collapsed(const Triangle& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// The first edge with an odd number of triangles, as text; empty if there is none.
std::string open_edge(std::span<const Triangle> welded, std::span<const Triangle> triangles) {
  std::vector<Edge> edges;
  edges.reserve(3 * welded.size());
  for (TriangleId t = 0; t < welded.size(); ++t) {
    if (collapsed(welded[t])) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const VertexId v = welded[t][i];
      const VertexId w = welded[t][(i + 1) % 3];
      edges.push_back({std::min(v, w), std::max(v, w), t});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& e, const Edge& f) {
    return std::tie(e.low, e.high, e.triangle) < std::tie(f.low, f.high, f.triangle);
  });
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t last = i;
    while (last < edges.size() && edges[last].ends() == edges[i].ends()) ++last;
    if ((last - i) % 2 != 0) {
      const Triangle& t = triangles[edges[i].triangle];
      return fmt::format(
          "the edge from vertex {} to {} has {} triangle{}, an odd number (one is triangle {}: {} {} {})",
          edges[i].low, edges[i].high, last - i, last - i == 1 ? "" : "s", edges[i].triangle, t[0], t[1], t[2]);
    }
    i = last;
  }
  return {};
}

std::string duplicates(std::span<const Triangle> welded) {
  std::vector<std::pair<Triangle, TriangleId>> sorted;
  for (TriangleId t = 0; t < welded.size(); ++t) {
    if (collapsed(welded[t])) continue;
    Triangle corners = welded[t];
    std::sort(corners.begin(), corners.end());
    sorted.emplace_back(corners, t);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first == sorted[i - 1].first)
      return fmt::format("triangles {} and {} have the same corners", sorted[i - 1].second, sorted[i].second);
  }
  return {};
}

}  // namespace

DisjointSets::DisjointSets(std::size_t count) : parent_(count) {
  std::iota(parent_.begin(), parent_.end(), 0U);
}
std::uint32_t DisjointSets::root(std::uint32_t i) {
  while (parent_[i] != i) {
    parent_[i] = parent_[parent_[i]];
    i = parent_[i];
  }
  return i;
}
void DisjointSets::unite(std::uint32_t i, std::uint32_t j) {
  i = root(i);
  j = root(j);
  if (i != j) parent_[std::max(i, j)] = std::min(i, j);
}

SolidTopology solid_topology(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  SolidTopology topology;
  const std::vector<VertexId> first = representatives(positions);
  topology.welded.reserve(triangles.size());
  for (const Triangle& t : triangles) topology.welded.push_back({first[t[0]], first[t[1]], first[t[2]]});
  topology.fault = open_edge(topology.welded, triangles);
  if (topology.fault.empty()) topology.fault = duplicates(topology.welded);
  DisjointSets sets(positions.size());
  for (TriangleId t = 0; t < topology.welded.size(); ++t) {
    if (!topology.bounds(t)) continue;
    sets.unite(topology.welded[t][0], topology.welded[t][1]);
    sets.unite(topology.welded[t][1], topology.welded[t][2]);
  }
  std::vector<bool> seen(positions.size(), false);
  for (TriangleId t = 0; t < topology.welded.size(); ++t) {
    if (!topology.bounds(t)) continue;
    const std::uint32_t root = sets.root(topology.welded[t][0]);
    if (!seen[root]) topology.components.push_back(t);
    seen[root] = true;
  }
  return topology;
}

}  // namespace graze::rigid
