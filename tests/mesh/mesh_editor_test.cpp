// Leaves and their derived data through edits: random edits of all kinds of soups, and small ones by hand.
#include "mesh/mesh_editor.hpp"

#include <graze/error.hpp>

#include "mesh/edited_mesh.hpp"
#include "mesh/leaf_soup.hpp"
#include "research/representative_schemas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

std::vector<Triangle> grid(VertexId n) {
  std::vector<Triangle> triangles;
  for (VertexId j = 0; j < n; ++j) {
    for (VertexId i = 0; i < n; ++i) {
      const VertexId a = j * (n + 1) + i;
      triangles.push_back({a, a + 1, a + n + 2});
      triangles.push_back({a, a + n + 2, a + n + 1});
    }
  }
  return triangles;
}

TEST(MeshEditor, EqualsFromScratchThroughRandomEditsOfSoups) {
  std::mt19937 random(31);
  std::size_t orphan_changes = 0;
  std::size_t touched = 0;
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE(round);
    std::size_t vertex_count = 1 + random() % 25;
    EditedMesh mesh(random_soup(random, vertex_count, random() % 50), vertex_count, random);
    for (int step = 0; step < 20; ++step) {
      SCOPED_TRACE(step);
      vertex_count += random() % 2;
      const auto removed = some_alive(mesh, random, 1 + random() % 20);
      mesh.update(removed, random_soup(random, vertex_count, random() % 8), vertex_count);
      if (testing::Test::HasFailure()) return;
    }
    orphan_changes += mesh.orphan_changes();
    touched += mesh.touched_count();
  }
  EXPECT_GT(orphan_changes, 600U);
  EXPECT_GT(touched, 1000U);
}

TEST(MeshEditor, EqualsFromScratchThroughRandomEditsOfHubs) {
  std::mt19937 random(32);
  std::size_t crossings = 0;
  for (int round = 0; round < 16; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 40 + random() % 60;
    EditedMesh mesh(random_hub_soup(random, vertex_count, round % 4 == 0 ? 100 : 32), vertex_count, random);
    for (int step = 0; step < 30; ++step) {
      SCOPED_TRACE(step);
      const auto removed = some_alive(mesh, random, 20);
      mesh.update(removed, random_hub_soup(random, vertex_count, random() % 5), vertex_count);
      if (testing::Test::HasFailure()) return;
    }
    crossings += mesh.hub_crossings();
  }
  EXPECT_GT(crossings, 20U);
}

TEST(MeshEditor, EqualsFromScratchThroughHolesAndPatchesOfSurfaces) {
  // Removes triangles of a surface and adds them again with random winding and new ids; neighbours always agree.
  std::mt19937 random(33);
  std::size_t turned = 0;
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    const bool closed = round % 2 == 0;
    const papers::RegularTorus torus = papers::make_regular_torus(5, 6);
    const std::vector<Triangle> surface = closed ? torus.triangles : grid(6);
    const std::size_t vertex_count = closed ? torus.vertex_count() : 49;
    EditedMesh mesh(surface, vertex_count, random);
    std::vector<Triangle> out;
    for (int step = 0; step < 40; ++step) {
      SCOPED_TRACE(step);
      const auto removed = some_alive(mesh, random, step % 8 == 3 ? 2 : 12);
      std::vector<Triangle> added;
      std::shuffle(out.begin(), out.end(), random);
      const std::size_t back = random() % (out.size() + 1);
      for (std::size_t i = 0; i < back; ++i) {
        Triangle t = out.back();
        out.pop_back();
        if (random() % 2 == 0) std::swap(t[0], t[1]);
        added.push_back(t);
      }
      for (const std::uint32_t t : removed) out.push_back(mesh.triangles()[t]);
      mesh.update(removed, added, vertex_count);
      ASSERT_EQ(mesh.disagreements(), 0U);
      if (testing::Test::HasFailure()) return;
    }
    turned += mesh.turned_count();
  }
  EXPECT_GT(turned, 50U) << "pieces that met the wrong way round";
}

TEST(MeshEditor, EqualsFromScratchThroughATearVertexByVertex) {
  std::mt19937 random(34);
  constexpr VertexId kSide = 8;
  EditedMesh mesh(grid(kSide), 81, random);
  for (int step = 0; step < 120; ++step) {
    SCOPED_TRACE(step);
    const auto v = static_cast<VertexId>(random() % mesh.vertex_count());
    std::vector<std::uint32_t> removed;
    std::vector<Triangle> added;
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      Triangle ids = mesh.triangles()[t];
      if (!incident(v, ids) || random() % 2 == 0) continue;
      std::replace(ids.begin(), ids.end(), v, static_cast<VertexId>(mesh.vertex_count()));
      removed.push_back(t);
      added.push_back(ids);
    }
    mesh.update(removed, added, mesh.vertex_count() + 1);
    ASSERT_EQ(mesh.disagreements(), 0U);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MeshEditor, ADuplicateKeepsTheLeafOfTheFaceThatItTakesOver) {
  std::mt19937 random(35);
  EditedMesh mesh({{0, 1, 2}, {1, 2, 3}, {2, 1, 0}}, 4, random);
  const std::uint32_t leaf = mesh.editor().leaf_of(0);
  mesh.update({0}, {}, 4);
  EXPECT_EQ(mesh.editor().leaf_of(2), leaf);
  EXPECT_EQ(mesh.editor().leaf_of(0), kNoLeaf);
  EXPECT_EQ(mesh.changes().touched, std::vector{leaf});
  EXPECT_TRUE(mesh.changes().removed.empty());
  EXPECT_TRUE(mesh.changes().added.empty());
  mesh.update({2}, {}, 4);
  EXPECT_EQ(mesh.changes().removed, std::vector{leaf});
  EXPECT_EQ(mesh.editor().leaf_triangles()[leaf], kNoLeaf);
}

TEST(MeshEditor, ATriangleWithOtherVerticesIsAnotherLeafsFace) {
  std::mt19937 random(36);
  EditedMesh mesh({{0, 1, 2}, {1, 2, 3}}, 5, random);
  const std::uint32_t leaf = mesh.editor().leaf_of(1);
  mesh.update({1}, std::vector<Triangle>{{1, 2, 4}}, 5);
  EXPECT_EQ(mesh.changes().removed, std::vector{leaf});
  EXPECT_EQ(mesh.changes().added.size(), 1U);
  EXPECT_EQ(mesh.changes().features.vertices, (std::vector<VertexId>{1, 2, 3, 4}));
  EXPECT_EQ(mesh.editor().entry(mesh.editor().leaf_of(1)).vertices.size(), 3U);
  EXPECT_EQ(face_of(mesh.editor().entry(mesh.editor().leaf_of(1)).vertices), (Face{1, 2, 4}));
}

TEST(MeshEditor, NeighboursAreTheLeavesAcrossEdges) {
  std::mt19937 random(37);
  // Three faces at the edge 0-1, one of them duplicated, and one that shares only a vertex.
  EditedMesh mesh({{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {4, 1, 0}, {0, 5, 6}}, 7, random);
  std::set<std::uint32_t> seen;
  mesh.editor().for_neighbours(mesh.editor().leaf_of(0), [&](std::uint32_t leaf) { seen.insert(leaf); });
  EXPECT_EQ(seen, (std::set{mesh.editor().leaf_of(1), mesh.editor().leaf_of(2)}));
}

TEST(MeshEditor, TurnsTheSmallerOfTwoPiecesThatJoinTheWrongWayRound) {
  // A strip of ten triangles and one of three, wound so that the triangle that joins them can agree with only one
  // strip.
  std::mt19937 random(38);
  std::vector<Triangle> strip;
  for (VertexId i = 0; i < 10; ++i) {
    strip.push_back(i % 2 == 0 ? Triangle{i, i + 1, i + 2} : Triangle{i + 1, i, i + 2});
  }
  for (VertexId i = 11; i < 14; ++i) {
    strip.push_back(i % 2 == 0 ? Triangle{i + 1, i, i + 2} : Triangle{i, i + 1, i + 2});
  }
  EditedMesh mesh(strip, 16, random);
  ASSERT_EQ(mesh.disagreements(), 0U);
  std::vector<std::uint32_t> small = {mesh.editor().leaf_of(10), mesh.editor().leaf_of(11),
                                      mesh.editor().leaf_of(12)};
  std::sort(small.begin(), small.end());
  mesh.update({}, std::vector<Triangle>{{10, 11, 12}}, 16);
  EXPECT_EQ(mesh.disagreements(), 0U);
  EXPECT_EQ(mesh.turned(), small);
}

TEST(MeshEditor, RefusesAChangeOfAnotherState) {
  const std::vector<Triangle> triangles = {{0, 1, 2}};
  MeshEditor editor(make_representatives(triangles, build_topology(triangles, 3)), triangles, {0}, 3);
  const auto refused = [&](std::vector<TriangleChange> changes, std::size_t vertices, std::size_t count) {
    EXPECT_THROW(editor.apply({std::move(changes), vertices, count}), InputError);
    EXPECT_EQ(editor.leaf_of(0), 0U);
    EXPECT_EQ(editor.vertex_count(), 3U);
  };
  refused({{0, {0, 1, 3}, kRemovedTriangle}}, 4, 1);
  refused({{1, kRemovedTriangle, {0, 1, 3}}}, 3, 2);
  refused({{1, kRemovedTriangle, {0, 1, 2}}}, 3, 1);
  const LeafChanges changes = editor.apply({{{1, kRemovedTriangle, {0, 1, 3}}}, 4, 2});
  EXPECT_EQ(changes.added, std::vector<std::uint32_t>{1});
}

}  // namespace
}  // namespace graze
