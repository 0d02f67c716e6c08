// Representative triangles (R-TRI): properties I to III by a naive count with maps, the bits of the id, and faults
// that validate() detects.
#include "mesh/representatives.hpp"

#include <graze/error.hpp>

#include "mesh/random_soup.hpp"
#include "research/representative_schemas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

Representatives representatives_of(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  return make_representatives(triangles, build_topology(triangles, vertex_count));
}

/// The greedy scan as described in the paper, with sets: triangle -> (vertices, edges) for triangles that represent
/// a face.
std::map<std::uint32_t, std::pair<std::set<VertexId>, std::set<Edge>>> naive_scan(
    const std::vector<Triangle>& triangles) {
  std::map<std::uint32_t, std::pair<std::set<VertexId>, std::set<Edge>>> result;
  std::set<VertexId> vertices;
  std::set<Edge> edges;
  std::set<Face> faces;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const Triangle& ids = triangles[t];
    if (!faces.insert(face_of(ids)).second) continue;
    auto& mine = result[t];
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId a = ids[k];
      const VertexId b = ids[(k + 1) % 3];
      if (vertices.insert(a).second) mine.first.insert(a);
      const Edge e{std::min(a, b), std::max(a, b)};
      if (a != b && edges.insert(e).second) mine.second.insert(e);
    }
  }
  return result;
}

TEST(Representatives, AreThoseOfTheGreedyScanOnRandomSoups) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 1 + random() % 30;
    const auto triangles = random_soup(random, vertex_count, random() % 60);
    const Topology topology = build_topology(triangles, vertex_count);
    const Representatives representatives = make_representatives(triangles, topology);
    ASSERT_EQ(validate(representatives, triangles), "");
    EXPECT_EQ(representatives.edges, topology.features.edges);
    const auto expected = naive_scan(triangles);
    ASSERT_EQ(representatives.active().size(), expected.size());
    for (const RepresentativeId id : representatives.active()) {
      const std::uint32_t t = triangle_of(id);
      ASSERT_TRUE(expected.contains(t));
      const auto vertices = representatives.vertices_of(id);
      std::set<Edge> edges;
      for (const std::uint32_t e : representatives.edges_of(id)) edges.insert(representatives.edges[e]);
      EXPECT_EQ(std::set<VertexId>(vertices.begin(), vertices.end()), expected.at(t).first);
      EXPECT_EQ(edges, expected.at(t).second);
      EXPECT_EQ(vertices.size(), expected.at(t).first.size());
      EXPECT_EQ(represented_edge_count(id), expected.at(t).second.size());
      EXPECT_EQ(representatives.face(id), face_of(triangles[t]));
    }
    if (HasFailure()) return;
  }
}

TEST(Representatives, DispatchEveryFeaturePairOfASoupExactlyOnce) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    const auto triangles = random_soup(random, 4 + random() % 8, random() % 15);
    const Topology topology = build_topology(triangles, 12);
    const Representatives representatives = make_representatives(triangles, topology);
    std::map<FeaturePair, int> dispatched;
    const auto active = representatives.active();
    const auto vertices_against = [&](RepresentativeId a, RepresentativeId b) {
      for (const VertexId v : representatives.vertices_of(a)) {
        const Face face = representatives.face(b);
        if (!incident(v, face)) ++dispatched[vertex_face_pair(v, face)];
      }
    };
    for (std::size_t i = 0; i < active.size(); ++i) {
      for (std::size_t j = i; j < active.size(); ++j) {
        if (!has_compatible(active[i], active[j])) continue;
        vertices_against(active[i], active[j]);
        if (i != j) vertices_against(active[j], active[i]);
        for (const std::uint32_t a : representatives.edges_of(active[i])) {
          for (const std::uint32_t b : representatives.edges_of(active[j])) {
            if (i == j && a >= b) continue;
            const Edge& e = representatives.edges[a];
            const Edge& f = representatives.edges[b];
            if (!incident(e, f)) ++dispatched[edge_edge_pair(e, f)];
          }
        }
      }
    }
    std::map<FeaturePair, int> expected;
    for (const VertexId v : topology.features.vertices) {
      for (const Face& f : topology.features.faces) {
        if (!incident(v, f)) expected[vertex_face_pair(v, f)] = 1;
      }
    }
    for (const Edge& e : topology.features.edges) {
      for (const Edge& f : topology.features.edges) {
        if (e < f && !incident(e, f)) expected[edge_edge_pair(e, f)] = 1;
      }
    }
    ASSERT_EQ(dispatched, expected) << "round " << round;
  }
}

TEST(Representatives, OfALargeMeshAreTheSameAsItsPartsScannedInOrder) {
  const papers::RegularTorus torus = papers::make_regular_torus(150, 101);  // several parallel chunks
  const Representatives representatives = representatives_of(torus.triangles, torus.vertex_count());
  EXPECT_EQ(validate(representatives, torus.triangles), "");
  const auto expected = naive_scan(torus.triangles);
  for (const RepresentativeId id : representatives.ids) {
    ASSERT_EQ(represented_vertex_count(id), expected.at(triangle_of(id)).first.size());
    ASSERT_EQ(represented_edge_count(id), expected.at(triangle_of(id)).second.size());
  }
}

TEST(Representatives, OfNothingAreNone) {
  const Representatives representatives = representatives_of({}, 5);
  EXPECT_TRUE(representatives.active().empty());
  EXPECT_EQ(validate(representatives, {}), "");
}

TEST(Representatives, LetOneDuplicateRepresentTheFaceAndItsFeatures) {
  const Representatives representatives = representatives_of({{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}, 3);
  EXPECT_EQ(representatives.ids, (std::vector<RepresentativeId>{make_representative_id(0, 3, 3), kRepresentsNothing,
                                                                kRepresentsNothing}));
}

TEST(Representatives, OfATriangleWithRepeatedIdsNameEachFeatureOnce) {
  const Representatives representatives = representatives_of({{4, 4, 7}, {5, 5, 5}}, 8);
  const RepresentativeId segment = representatives.ids[0];
  const RepresentativeId point = representatives.ids[1];
  EXPECT_EQ(represented_vertex_count(segment), 2U);
  ASSERT_EQ(represented_edge_count(segment), 1U);
  EXPECT_EQ(representatives.edges[representatives.edges_of(segment)[0]], (Edge{4, 7}));
  EXPECT_EQ(representatives.face(segment), (Face{4, 4, 7}));
  EXPECT_EQ(represented_vertex_count(point), 1U);
  EXPECT_EQ(represented_edge_count(point), 0U);
  EXPECT_EQ(representatives.face(point), (Face{5, 5, 5}));
}

TEST(RepresentativeId, KeepsIndexAndCountsOfAnySize) {
  const auto last = static_cast<std::uint32_t>(kMaxRepresentatives - 1);
  for (const std::uint32_t t : {0U, 1U, 12345U, last}) {
    for (std::uint32_t vertices = 0; vertices <= 3; ++vertices) {
      for (std::uint32_t edges = 0; edges <= 3; ++edges) {
        const RepresentativeId id = make_representative_id(t, vertices, edges);
        EXPECT_EQ(triangle_of(id), t);
        EXPECT_EQ(represented_vertex_count(id), vertices);
        EXPECT_EQ(represented_edge_count(id), edges);
        EXPECT_NE(id, kRepresentsNothing);
      }
    }
  }
}

TEST(RepresentativeId, IsCompatibleWhereOneHasAVertexOrBothAnEdge) {
  for (std::uint32_t va = 0; va <= 3; ++va) {
    for (std::uint32_t ea = 0; ea <= 3; ++ea) {
      for (std::uint32_t vb = 0; vb <= 3; ++vb) {
        for (std::uint32_t eb = 0; eb <= 3; ++eb) {
          const RepresentativeId a = make_representative_id(77, va, ea);
          const RepresentativeId b = make_representative_id(1234, vb, eb);
          EXPECT_EQ(has_compatible(a, b), va > 0 || vb > 0 || (ea > 0 && eb > 0));
          EXPECT_EQ(has_compatible_edge_face(a, b), ea > 0 || eb > 0);
        }
      }
    }
  }
}

TEST(RepresentativeId, RefusesMoreTrianglesThanItsBitsCanName) {
  EXPECT_NO_THROW(require_representable(kMaxRepresentatives));
  EXPECT_THROW(require_representable(kMaxRepresentatives + 1), InputError);
}

TEST(RepresentativesValidate, SeesEveryKindOfViolation) {
  const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 2, 3}, {3, 2, 1}, {3, 3, 4}};
  const Representatives good = representatives_of(triangles, 5);
  ASSERT_EQ(validate(good, triangles), "");
  ASSERT_EQ(good.ids[1], make_representative_id(1, 1, 2));
  const auto broken = [&](const auto& change) {
    Representatives bad = good;
    change(bad);
    return validate(bad, triangles);
  };
  // Property I: the vertex, the edge or the face has no representative.
  EXPECT_NE(broken([](Representatives& r) { r.ids[0] = make_representative_id(0, 2, 3); }), "");
  EXPECT_NE(broken([](Representatives& r) { r.ids[0] = make_representative_id(0, 3, 2); }), "");
  EXPECT_NE(broken([](Representatives& r) { r.ids[1] = kRepresentsNothing; }), "");
  // Property II: it has two.
  EXPECT_NE(broken([](Representatives& r) { r.ids[1] = make_representative_id(1, 2, 2); }), "");
  EXPECT_NE(broken([](Representatives& r) { r.ids[1] = make_representative_id(1, 1, 3); }), "");
  EXPECT_NE(broken([](Representatives& r) { r.ids[2] = make_representative_id(2, 0, 0); }), "");
  // Property III: the representative is not incident, or there is no such edge.
  EXPECT_NE(broken([](Representatives& r) { r.entries[0].vertices[0] = 4; }), "");
  EXPECT_NE(broken([](Representatives& r) { std::swap(r.entries[0].edges[0], r.entries[1].edges[0]); }), "");
  EXPECT_NE(broken([](Representatives& r) { r.ids[3] = make_representative_id(3, 1, 2); }), "");
  // Ids of other triangles, and edges with changed ids.
  EXPECT_NE(broken([](Representatives& r) { std::swap(r.ids[0], r.ids[1]); }), "");
  EXPECT_NE(broken([](Representatives& r) { std::swap(r.edges.front(), r.edges.back()); }), "");
  // A removed triangle that still has representatives.
  const std::vector<std::uint8_t> alive = {1, 1, 1, 0};
  EXPECT_NE(validate(good, triangles, alive), "");
}

}  // namespace
}  // namespace graze
