// Schemas of R-TRI on a regular torus and its Table 1 (research/representative_schemas.hpp). A schema is
// one rule per feature, the triangle that represents it; the entries follow in one pass. Cost: O(triangles).
#include "research/representative_schemas.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace graze::papers {

namespace {

/// Builds representatives from two rules: the triangle of each vertex id and of each edge id.
Representatives assign(const RegularTorus& torus, const Topology& topology,
                       std::span<const std::uint32_t> vertex_triangle,
                       std::span<const std::uint32_t> edge_triangle) {
  Representatives result;
  result.edges = topology.features.edges;
  for (std::uint32_t t = 0; t < torus.triangles.size(); ++t) {
    Representatives::Entry entry{torus.triangles[t], topology.triangle_edges[t]};
    const auto vertices_end = std::stable_partition(entry.vertices.begin(), entry.vertices.end(),
                                                    [&](VertexId v) { return vertex_triangle[v] == t; });
    const auto edges_end = std::stable_partition(entry.edges.begin(), entry.edges.end(),
                                                 [&](std::uint32_t e) { return edge_triangle[e] == t; });
    result.entries.push_back(entry);
    result.ids.push_back(make_representative_id(t,
                                                static_cast<std::uint32_t>(vertices_end - entry.vertices.begin()),
                                                static_cast<std::uint32_t>(edges_end - entry.edges.begin())));
  }
  return result;
}

/// Sides of both kinds of triangle, by the order of their ids (topology: side k joins ids k and k + 1).
constexpr std::size_t kHorizontal = 0;
constexpr std::size_t kDiagonal = 1;
constexpr std::size_t kVertical = 2;

std::vector<RepresentativeId> ids_of(const Representatives& representatives,
                                     std::span<const std::uint32_t> triangles) {
  std::vector<RepresentativeId> ids;
  ids.reserve(triangles.size());
  for (const std::uint32_t t : triangles) ids.push_back(representatives.ids[t]);
  return ids;
}

}  // namespace

RegularTorus make_regular_torus(std::uint32_t columns, std::uint32_t rows) {
  GRAZE_ASSERT(columns >= 4 && rows >= 4);
  RegularTorus torus{columns, rows, {}};
  torus.triangles.reserve(std::size_t{2} * columns * rows);
  for (std::uint32_t j = 0; j < rows; ++j) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      torus.triangles.push_back({torus.vertex(i, j), torus.vertex(i + 1, j), torus.vertex(i, j + 1)});
      torus.triangles.push_back({torus.vertex(i + 1, j + 1), torus.vertex(i, j + 1), torus.vertex(i + 1, j)});
    }
  }
  return torus;
}

Representatives maximal_schema(const RegularTorus& torus) {
  const Topology topology = build_topology(torus.triangles, torus.vertex_count());
  std::vector<std::uint32_t> vertex_triangle(torus.vertex_count());
  std::vector<std::uint32_t> edge_triangle(topology.features.edges.size());
  for (std::uint32_t j = 0; j < torus.rows; ++j) {
    for (std::uint32_t i = 0; i < torus.columns; ++i) {
      const std::uint32_t lower = torus.lower(i, j);
      vertex_triangle[torus.vertex(i, j)] = lower;
      for (const std::uint32_t e : topology.triangle_edges[lower]) edge_triangle[e] = lower;
    }
  }
  return assign(torus, topology, vertex_triangle, edge_triangle);
}

Representatives uniform_schema(const RegularTorus& torus) {
  GRAZE_ASSERT(torus.columns % 2 == 0 && torus.rows % 2 == 0);
  const Topology topology = build_topology(torus.triangles, torus.vertex_count());
  std::vector<std::uint32_t> vertex_triangle(torus.vertex_count());
  std::vector<std::uint32_t> edge_triangle(topology.features.edges.size());
  for (std::uint32_t j = 0; j < torus.rows; ++j) {
    for (std::uint32_t i = 0; i < torus.columns; ++i) {
      // Lower triangles represent their horizontal edge, upper ones their vertical edge. On the even squares the
      // lower triangle has also vertex (i,j), on the odd ones the upper has (i+1,j+1), an odd vertex; the other has
      // the diagonal.
      const std::uint32_t lower = torus.lower(i, j);
      const std::uint32_t upper = torus.upper(i, j);
      const bool even = (i + j) % 2 == 0;
      edge_triangle[topology.triangle_edges[lower][kHorizontal]] = lower;
      edge_triangle[topology.triangle_edges[upper][kVertical]] = upper;
      edge_triangle[topology.triangle_edges[lower][kDiagonal]] = even ? upper : lower;
      vertex_triangle[even ? torus.vertex(i, j) : torus.vertex(i + 1, j + 1)] = even ? lower : upper;
    }
  }
  return assign(torus, topology, vertex_triangle, edge_triangle);
}

ElementaryCounts count_elementary_tests(std::span<const RepresentativeId> a, std::span<const RepresentativeId> b) {
  ElementaryCounts counts;
  for (const RepresentativeId id_a : a) {
    for (const RepresentativeId id_b : b) {
      if (!has_compatible(id_a, id_b)) continue;
      counts.vf += represented_vertex_count(id_a) + represented_vertex_count(id_b);
      counts.ee += std::uint64_t{represented_edge_count(id_a)} * represented_edge_count(id_b);
    }
  }
  return counts;
}

std::array<SchemaScenario, 6> schema_scenarios() {
  const RegularTorus torus = make_regular_torus(4, 4);
  const Topology topology = build_topology(torus.triangles, torus.vertex_count());
  const Representatives maximal = maximal_schema(torus);
  const Representatives uniform = uniform_schema(torus);
  // The edge contact is between the diagonals of two squares; the vertex contact between a fan and one triangle.
  const auto edge_contact = [&](const Representatives& schema) {
    const auto around =
        ids_of(schema, topology.edge_triangles[topology.triangle_edges[torus.lower(1, 1)][kDiagonal]]);
    return count_elementary_tests(around, around);
  };
  const auto vertex_contact = [&](const Representatives& schema, std::uint32_t face) {
    const std::array hit{face};
    return count_elementary_tests(ids_of(schema, topology.vertex_triangles[torus.vertex(1, 1)]),
                                  ids_of(schema, hit));
  };
  return {{
      {"Fig. 8a", edge_contact(maximal), {4, 9}},
      {"Fig. 8b", edge_contact(uniform), {4, 9}},
      {"Fig. 8c.i", vertex_contact(maximal, torus.upper(0, 0)), {3, 0}},
      {"Fig. 8c.ii", vertex_contact(maximal, torus.lower(0, 0)), {9, 27}},
      {"Fig. 8d.i", vertex_contact(uniform, torus.lower(0, 0)), {9, 9}},
      {"Fig. 8d.ii", vertex_contact(uniform, torus.upper(0, 1)), {9, 9}},
  }};
}

}  // namespace graze::papers
