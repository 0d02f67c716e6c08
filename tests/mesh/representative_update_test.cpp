// Local updates of representatives against the required properties, and against the promise that nothing else
// changes.
#include "mesh/representative_update.hpp"

#include <graze/error.hpp>

#include "mesh/edited_mesh.hpp"
#include "mesh/random_soup.hpp"
#include "research/representative_schemas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

/// The representative of each feature and the id of each edge.
struct Owners {
  std::map<VertexId, std::uint32_t> vertices;
  std::map<Edge, std::uint32_t> edges;
  std::map<Face, std::uint32_t> faces;
  std::map<Edge, std::uint32_t> edge_ids;
};

Owners owners_of(const Representatives& representatives) {
  Owners owners;
  for (const RepresentativeId id : representatives.active()) {
    const std::uint32_t t = triangle_of(id);
    for (const VertexId v : representatives.vertices_of(id)) owners.vertices[v] = t;
    for (const std::uint32_t e : representatives.edges_of(id)) {
      owners.edges[representatives.edges[e]] = t;
      owners.edge_ids[representatives.edges[e]] = e;
    }
    owners.faces[representatives.face(id)] = t;
  }
  return owners;
}

/// Checks that features whose owner was not removed keep it, and that unchanged edges keep their id.
template <typename Feature>
void expect_kept(const std::map<Feature, std::uint32_t>& before, const std::map<Feature, std::uint32_t>& after,
                 const std::set<std::uint32_t>& removed) {
  for (const auto& [feature, owner] : before) {
    if (!removed.contains(owner)) {
      ASSERT_TRUE(after.contains(feature));
      EXPECT_EQ(after.at(feature), owner);
    }
  }
}

/// A mesh under edits with a plain list of its triangles.
struct Changing {
  std::vector<Triangle> triangles;
  std::size_t vertex_count;
  RepresentativeUpdater updater;

  Changing(std::vector<Triangle> soup, std::size_t vertices)
      : triangles(std::move(soup)),
        vertex_count(vertices),
        updater(make_representatives(triangles, build_topology(triangles, vertices)), vertices) {}

  [[nodiscard]] const Representatives& representatives() const { return updater.representatives(); }

  void update(const std::vector<std::uint32_t>& removed, const std::vector<Triangle>& added) {
    const Owners before = owners_of(representatives());
    const MeshChange change = make_change(triangles, removed, added, vertex_count);
    updater.update(change);
    ASSERT_EQ(validate(representatives(), triangles, alive_of(triangles)), "");
    const Owners after = owners_of(representatives());
    const std::set<std::uint32_t> gone(removed.begin(), removed.end());
    expect_kept(before.vertices, after.vertices, gone);
    expect_kept(before.edges, after.edges, gone);
    expect_kept(before.faces, after.faces, gone);
    // An edge keeps its id as long as one of its triangles does not change.
    const auto is_changed = [&](std::size_t t) {
      return std::any_of(change.triangles.begin(), change.triangles.end(),
                         [&](const TriangleChange& c) { return c.triangle == t; });
    };
    for (const auto& [edge, id] : before.edge_ids) {
      for (std::size_t t = 0; t < triangles.size(); ++t) {
        const Triangle& ids = triangles[t];
        if (incident(edge[0], ids) && incident(edge[1], ids) && !is_changed(t)) {
          EXPECT_EQ(after.edge_ids.at(edge), id);
        }
      }
    }
  }
};

TEST(RepresentativeUpdate, KeepsThePropertiesThroughRandomEditsOfSoups) {
  std::mt19937 random(3);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 1 + random() % 20;
    Changing mesh(random_soup(random, vertex_count, random() % 40), vertex_count);
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(step);
      std::vector<std::uint32_t> removed;
      const std::size_t one_in = 1 + random() % 6;  // sometimes all of them
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (mesh.triangles[t] != kRemovedTriangle && random() % one_in == 0) removed.push_back(t);
      }
      mesh.vertex_count += random() % 2;
      mesh.update(removed, random_soup(random, mesh.vertex_count, random() % 12));
      if (HasFailure()) return;
    }
  }
}

TEST(RepresentativeUpdate, LetsADuplicateTakeTheFaceOver) {
  Changing mesh({{0, 1, 2}, {2, 1, 0}}, 3);
  mesh.update({0}, {});
  EXPECT_EQ(mesh.representatives().ids, (std::vector{kRepresentsNothing, make_representative_id(1, 3, 3)}));
}

TEST(RepresentativeUpdate, ReassignsOnlyTheFeaturesOfTheRemovedTriangle) {
  const papers::RegularTorus torus = papers::make_regular_torus(20, 20);
  Changing mesh(torus.triangles, torus.vertex_count());
  const Representatives before = mesh.representatives();
  const std::uint32_t t = torus.lower(0, 0);
  mesh.update({t}, {});
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.ids.size(); ++i) {
    changed += static_cast<std::size_t>(i != t && before.ids[i] != mesh.representatives().ids[i]);
  }
  EXPECT_GT(changed, 0U);
  EXPECT_LE(changed, represented_vertex_count(before.ids[t]) + represented_edge_count(before.ids[t]));
}

TEST(RepresentativeUpdate, TearsAVertexApart) {
  // Two triangles at an edge become separate triangles, with two new vertices.
  Changing mesh({{0, 1, 2}, {1, 3, 2}}, 4);
  mesh.vertex_count = 6;
  mesh.update({1}, {{4, 3, 5}});
  EXPECT_EQ(mesh.representatives().ids,
            (std::vector{make_representative_id(0, 3, 3), make_representative_id(1, 3, 3)}));
}

TEST(RepresentativeUpdate, TakesOneTriangleOutOfAHubOfMany) {
  std::vector<Triangle> fan;
  constexpr std::uint32_t kCount = 200'000;
  for (std::uint32_t i = 0; i < kCount; ++i) fan.push_back({0, i + 1, i + 2});
  RepresentativeUpdater updater(make_representatives(fan, build_topology(fan, kCount + 2)), kCount + 2);
  // One removal at a time: this takes more than a minute if any removal takes time linear in the size of the fan.
  for (std::uint32_t t = 0; t < kCount - 3; ++t) {
    updater.update({{{t, fan[t], kRemovedTriangle}}, kCount + 2, kCount});
    fan[t] = kRemovedTriangle;
  }
  EXPECT_EQ(validate(updater.representatives(), fan, alive_of(fan)), "");
}

TEST(RepresentativeUpdate, RefusesBadEditsAndChangesNothing) {
  Changing mesh({{0, 1, 2}, {1, 2, 3}}, 4);
  mesh.update({0}, {});
  const auto ids = mesh.representatives().ids;
  const auto edges = mesh.representatives().edges;
  const auto refused = [&](std::vector<TriangleChange> changes, std::size_t vertices, std::size_t count) {
    EXPECT_THROW(mesh.updater.update({std::move(changes), vertices, count}), InputError);
    EXPECT_EQ(mesh.representatives().ids, ids);
    EXPECT_EQ(mesh.representatives().edges, edges);
    EXPECT_EQ(validate(mesh.representatives(), mesh.triangles, alive_of(mesh.triangles)), "");
  };
  constexpr Triangle kNone = kRemovedTriangle;
  refused({{0, {0, 1, 2}, kNone}}, 4, 2);                         // removed already
  refused({{2, {0, 1, 2}, kNone}}, 4, 3);                         // does not exist
  refused({{1, {1, 2, 3}, kNone}, {1, {1, 2, 3}, kNone}}, 4, 2);  // twice
  refused({{1, kNone, {0, 1, 2}}}, 4, 2);                         // exists already
  refused({{1, {0, 1, 2}, kNone}}, 4, 2);                         // has other vertices
  refused({{1, {1, 2, 3}, {0, 1, 4}}}, 4, 2);                     // vertex out of range
  refused({{2, kNone, {0, 1, 2}}}, 4, 2);                         // triangle out of range
  refused({{1, {1, 2, 3}, kNone}}, 3, 2);                         // fewer vertices
  refused({}, 4, 1);                                              // fewer triangles
  mesh.update({1}, {{3, 2, 1}});                                  // the mesh still works
}

}  // namespace
}  // namespace graze
