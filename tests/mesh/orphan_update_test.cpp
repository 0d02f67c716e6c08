// Orphans through edits, compared by EditedMesh with orphans found from scratch after each edit;
// mesh_editor_test.cpp covers random soups and hubs.
#include "mesh/orphan_set.hpp"

#include "mesh/edited_mesh.hpp"
#include "research/representative_schemas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

TEST(OrphanUpdate, FollowsATearThroughACloth) {
  // Tears a sheet along a row of edges: vertex by vertex, the triangles of the upper side get a new vertex.
  std::mt19937 random(23);
  constexpr std::uint32_t kSide = 14;
  std::vector<Triangle> triangles;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const std::uint32_t at = y * (kSide + 1) + x;
      triangles.push_back({at, at + 1, at + kSide + 2});
      triangles.push_back({at, at + kSide + 2, at + kSide + 1});
    }
  }
  std::size_t vertex_count = std::size_t{kSide + 1} * (kSide + 1);
  EditedMesh mesh(triangles, vertex_count, random);
  const std::size_t before = mesh.mesh().orphans.size();
  for (std::uint32_t x = 0; x <= kSide; ++x) {
    SCOPED_TRACE(x);
    const VertexId torn = kSide / 2 * (kSide + 1) + x;
    std::vector<std::uint32_t> removed;
    std::vector<Triangle> added;
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      Triangle ids = mesh.triangles()[t];
      const bool upper = *std::max_element(ids.begin(), ids.end()) > torn + kSide - x;  // has a higher vertex
      const auto at = std::find(ids.begin(), ids.end(), torn);
      if (!mesh.is_alive(t) || at == ids.end() || !upper) continue;
      *at = static_cast<VertexId>(vertex_count);
      removed.push_back(t);
      added.push_back(ids);
    }
    ASSERT_GT(removed.size(), 0U);
    ++vertex_count;
    mesh.update(removed, added, vertex_count);
    if (HasFailure()) return;
  }
  EXPECT_GT(mesh.mesh().orphans.size(), before) << "the tear has two sides";
}

TEST(OrphanUpdate, OfNothingChangesNothing) {
  std::mt19937 random(24);
  EditedMesh mesh(random_soup(random, 12, 30), 12, random);
  const OrphanPairs before = mesh.mesh().orphans;
  mesh.update({}, {}, 12);
  EXPECT_EQ(mesh.mesh().orphans, before);
}

TEST(OrphanUpdate, FindsAgainWhatAnEditRemovesAndAddsAgain) {
  const papers::RegularTorus torus = papers::make_regular_torus(6, 6);
  std::mt19937 random(25);
  EditedMesh mesh(torus.triangles, torus.vertex_count(), random);
  EXPECT_EQ(mesh.mesh().orphans.size(), 0U);
  mesh.update({5}, {}, torus.vertex_count());
  EXPECT_GT(mesh.mesh().orphans.size(), 0U) << "a hole has a boundary";
  mesh.update({}, std::vector{torus.triangles[5]}, torus.vertex_count());
  EXPECT_EQ(mesh.mesh().orphans.size(), 0U);
}

}  // namespace
}  // namespace graze
