// Table 1 of the R-TRI paper, and the averages that must hold for any schema.
#include "research/representative_schemas.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace graze::papers {
namespace {

TEST(RepresentativeSchemas, ReproduceTable1) {
  const auto rows = schema_scenarios();
  const std::array<std::array<std::uint64_t, 3>, 6> table = {
      {{4, 9, 13}, {4, 9, 13}, {3, 0, 3}, {9, 27, 36}, {9, 9, 18}, {9, 9, 18}}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].name);
    EXPECT_EQ(rows[i].counts.vf, table[i][0]);
    EXPECT_EQ(rows[i].counts.ee, table[i][1]);
    EXPECT_EQ(rows[i].counts.total(), table[i][2]);
    EXPECT_EQ(rows[i].printed, rows[i].counts);
  }
}

TEST(RepresentativeSchemas, AreValidAssignmentsOfARegularMesh) {
  const RegularTorus torus = make_regular_torus(6, 8);
  const Topology topology = build_topology(torus.triangles, torus.vertex_count());
  for (std::size_t v = 0; v < torus.vertex_count(); ++v) ASSERT_EQ(topology.vertex_triangles.length(v), 6U);
  for (std::size_t e = 0; e < topology.features.edges.size(); ++e) ASSERT_EQ(topology.edge_triangles.length(e), 2U);
  EXPECT_EQ(validate(maximal_schema(torus), torus.triangles), "");
  EXPECT_EQ(validate(uniform_schema(torus), torus.triangles), "");
}

TEST(RepresentativeSchemas, MaximalLeavesHalfOfTheTrianglesWithoutFeatures) {
  const RegularTorus torus = make_regular_torus(5, 7);
  std::size_t without = 0;
  for (const RepresentativeId id : maximal_schema(torus).ids) {
    without += static_cast<std::size_t>(represented_vertex_count(id) + represented_edge_count(id) == 0);
  }
  EXPECT_EQ(without, torus.triangles.size() / 2);
}

TEST(RepresentativeSchemas, UniformGivesEveryTriangleTwoFeatures) {
  const RegularTorus torus = make_regular_torus(4, 6);
  for (const RepresentativeId id : uniform_schema(torus).ids) {
    EXPECT_EQ(represented_vertex_count(id) + represented_edge_count(id), 2U);
  }
}

TEST(RepresentativeSchemas, AllCostTheSameOnAverage) {
  const RegularTorus torus = make_regular_torus(4, 6);
  const Topology topology = build_topology(torus.triangles, torus.vertex_count());
  const std::array schemas = {maximal_schema(torus), uniform_schema(torus),
                              make_representatives(torus.triangles, topology)};
  for (const Representatives& schema : schemas) {
    const auto around = [&](std::span<const std::uint32_t> triangles) {
      std::vector<RepresentativeId> ids;
      for (const std::uint32_t t : triangles) ids.push_back(schema.ids[t]);
      return ids;
    };
    ElementaryCounts vertex_contacts;
    for (std::size_t v = 0; v < torus.vertex_count(); ++v) {
      const auto fan = around(topology.vertex_triangles[v]);
      for (std::size_t t = 0; t < torus.triangles.size(); ++t) {
        const ElementaryCounts one = count_elementary_tests(fan, {&schema.ids[t], 1});
        vertex_contacts.vf += one.vf;
        vertex_contacts.ee += one.ee;
      }
    }
    const std::uint64_t contacts = torus.vertex_count() * torus.triangles.size();
    EXPECT_EQ(vertex_contacts, (ElementaryCounts{6 * contacts, 27 * contacts / 2}));

    ElementaryCounts edge_contacts;
    const std::size_t edge_count = topology.features.edges.size();
    for (std::size_t a = 0; a < edge_count; ++a) {
      for (std::size_t b = 0; b < edge_count; ++b) {
        const ElementaryCounts one =
            count_elementary_tests(around(topology.edge_triangles[a]), around(topology.edge_triangles[b]));
        edge_contacts.vf += one.vf;
        edge_contacts.ee += one.ee;
      }
    }
    EXPECT_EQ(edge_contacts, (ElementaryCounts{4 * edge_count * edge_count, 9 * edge_count * edge_count}));
  }
}

}  // namespace
}  // namespace graze::papers
