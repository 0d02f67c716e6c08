// Orphans kept up to date through edits, against those found from scratch.
#include "mesh/orphan_set.hpp"

#include "mesh/leaf_soup.hpp"
#include "mesh/representative_schemas.hpp"
#include "mesh/representative_update.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace graze {
namespace {

/// A mesh that changes. Its faces keep their leaves; freed leaves are used again, in any order.
class Changing {
 public:
  Changing(std::vector<Triangle> soup, std::size_t vertices, std::mt19937& random)
      : random_(random),
        alive_(soup.size(), 1),
        vertex_count_(vertices),
        representatives_(make_representatives(soup, build_topology(soup, vertices))),
        updater_(representatives_, vertices) {
    renumber();
    near_faces_ = NearFaces(incidence_);
    orphans_ = find_orphans(mesh());
  }

  void update(const std::vector<std::uint32_t>& removed, const std::vector<Triangle>& added,
              std::size_t vertex_count) {
    vertex_count_ = vertex_count;
    std::map<Face, Representatives::Entry> before;
    for (const RepresentativeId id : representatives_.active()) {
      before[representatives_.face(id)] = representatives_.entries[triangle_of(id)];
    }
    const std::vector<Edge> old_edges = representatives_.edges;
    const auto indices = updater_.update(removed, added, vertex_count);
    for (const std::uint32_t t : removed) alive_[t] = 0;
    alive_.resize(representatives_.ids.size(), 0);
    for (const std::uint32_t t : indices) alive_[t] = 1;
    renumber();

    TouchedFeatures touched;
    std::map<Face, Representatives::Entry> after;
    for (const RepresentativeId id : representatives_.active()) {
      after[representatives_.face(id)] = representatives_.entries[triangle_of(id)];
    }
    // A face that was taken away and brought back in one edit keeps its leaf here, but its edges may have new ids.
    const auto stays = [&](const Representatives::Entry& entry, const auto& others) {
      return others.contains(face_of(entry.vertices)) &&
             std::all_of(entry.edges.begin(), entry.edges.end(), [&](std::uint32_t e) {
               return e == kNoEdge || (e < old_edges.size() && old_edges[e] == representatives_.edges[e]);
             });
    };
    for (const auto& [face, entry] : before) {
      if (!stays(entry, after)) touched.add(entry);
    }
    for (const auto& [face, entry] : after) {
      if (!stays(entry, before)) touched.add(entry);
    }
    touched.hubs = near_faces_.update(incidence_, touched.vertices);
    crossings_ += touched.hubs.size();
    const OrphanPairs old = orphans_;
    update_orphans(orphans_, mesh(), touched);
    changes_ += old == orphans_ ? 0U : 1U;

    const NearFaces fresh(incidence_);
    ASSERT_EQ(near_faces_.hub_count(), fresh.hub_count());
    for (VertexId v = 0; v < vertex_count; ++v) ASSERT_EQ(near_faces_.is_hub(v), fresh.is_hub(v));
    const OrphanPairs expected = find_orphans({representatives_, incidence_, fresh});
    ASSERT_EQ(orphans_.vertex_face, expected.vertex_face);
    ASSERT_EQ(orphans_.edge_edge, expected.edge_edge);
  }

  [[nodiscard]] LeafMesh mesh() const { return {representatives_, incidence_, near_faces_}; }
  [[nodiscard]] const std::vector<std::uint8_t>& alive() const { return alive_; }
  [[nodiscard]] const OrphanPairs& orphans() const { return orphans_; }
  [[nodiscard]] std::size_t crossings() const { return crossings_; }
  [[nodiscard]] std::size_t changes() const { return changes_; }
  [[nodiscard]] const Triangle& triangle(std::uint32_t t) const { return representatives_.entries[t].vertices; }

 private:
  void renumber() {
    std::map<Face, std::uint32_t> leaf_of_face;
    std::vector<std::uint32_t> leaf_of_triangle(representatives_.ids.size(), kNoLeaf);
    std::vector<bool> used(representatives_.ids.size(), false);
    const auto active = representatives_.active();
    for (const RepresentativeId id : active) {
      const auto known = leaf_of_face_.find(representatives_.face(id));
      if (known == leaf_of_face_.end()) continue;
      leaf_of_face.insert(*known);
      used[known->second] = true;
    }
    std::vector<std::uint32_t> free;
    for (std::uint32_t leaf = 0; leaf < used.size(); ++leaf) {
      if (!used[leaf]) free.push_back(leaf);
    }
    std::shuffle(free.begin(), free.end(), random_);
    for (const RepresentativeId id : active) {
      const Face face = representatives_.face(id);
      if (!leaf_of_face.contains(face)) {
        leaf_of_face[face] = free.back();
        free.pop_back();
      }
      leaf_of_triangle[triangle_of(id)] = leaf_of_face[face];
    }
    leaf_of_face_ = std::move(leaf_of_face);
    incidence_ = make_incidence(representatives_, leaf_of_triangle, vertex_count_);
  }

  std::mt19937& random_;
  std::vector<std::uint8_t> alive_;
  std::size_t vertex_count_;
  Representatives representatives_;
  RepresentativeUpdater updater_;
  std::map<Face, std::uint32_t> leaf_of_face_;
  Incidence incidence_;
  NearFaces near_faces_;
  OrphanPairs orphans_;
  std::size_t crossings_ = 0;
  std::size_t changes_ = 0;
};

std::vector<std::uint32_t> some_alive(const Changing& mesh, std::mt19937& random, std::size_t one_in) {
  std::vector<std::uint32_t> removed;
  for (std::uint32_t t = 0; t < mesh.alive().size(); ++t) {
    if (mesh.alive()[t] != 0 && random() % one_in == 0) removed.push_back(t);
  }
  std::shuffle(removed.begin(), removed.end(), random);
  return removed;
}

TEST(OrphanUpdate, EqualsOrphansFromScratchThroughRandomEditsOfSoups) {
  std::mt19937 random(21);
  std::size_t changes = 0;
  for (int round = 0; round < 80; ++round) {
    SCOPED_TRACE(round);
    std::size_t vertex_count = 1 + random() % 25;
    Changing mesh(random_soup(random, vertex_count, random() % 50), vertex_count, random);
    for (int step = 0; step < 10; ++step) {
      SCOPED_TRACE(step);
      const std::size_t one_in = 1 + random() % 20;
      vertex_count += random() % 2;
      mesh.update(some_alive(mesh, random, one_in), random_soup(random, vertex_count, random() % 6), vertex_count);
      if (HasFailure()) return;
    }
    changes += mesh.changes();
  }
  EXPECT_GT(changes, 300U);
}

TEST(OrphanUpdate, FollowsFansAcrossTheHubLimit) {
  std::mt19937 random(22);
  std::size_t crossings = 0;
  std::size_t orphan_count = 0;
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    const std::size_t vertex_count = 40 + random() % 60;
    Changing mesh(random_hub_soup(random, vertex_count, 32), vertex_count, random);
    for (int step = 0; step < 30; ++step) {
      SCOPED_TRACE(step);
      mesh.update(some_alive(mesh, random, 20), random_hub_soup(random, vertex_count, random() % 5), vertex_count);
      if (HasFailure()) return;
    }
    crossings += mesh.crossings();
    orphan_count += mesh.orphans().size();
  }
  EXPECT_GT(crossings, 20U);
  EXPECT_GT(orphan_count, 0U);
}

TEST(OrphanUpdate, FollowsATearThroughACloth) {
  // A sheet is torn along a row of edges: vertex by vertex, the triangles of the upper side get a new one.
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
  Changing mesh(triangles, vertex_count, random);
  const std::size_t before = mesh.orphans().size();
  for (std::uint32_t x = 0; x <= kSide; ++x) {
    SCOPED_TRACE(x);
    const VertexId torn = kSide / 2 * (kSide + 1) + x;
    std::vector<std::uint32_t> removed;
    std::vector<Triangle> added;
    for (std::uint32_t t = 0; t < mesh.alive().size(); ++t) {
      Triangle ids = mesh.triangle(t);
      const bool upper = *std::max_element(ids.begin(), ids.end()) > torn + kSide - x;  // has one of a row above
      const auto at = std::find(ids.begin(), ids.end(), torn);
      if (mesh.alive()[t] == 0 || at == ids.end() || !upper) continue;
      *at = static_cast<VertexId>(vertex_count);
      removed.push_back(t);
      added.push_back(ids);
    }
    ASSERT_GT(removed.size(), 0U);
    ++vertex_count;
    mesh.update(removed, added, vertex_count);
    if (HasFailure()) return;
  }
  EXPECT_GT(mesh.orphans().size(), before) << "the tear has two sides";
}

TEST(OrphanUpdate, OfNothingChangesNothing) {
  std::mt19937 random(24);
  Changing mesh(random_soup(random, 12, 30), 12, random);
  const OrphanPairs before = mesh.orphans();
  mesh.update({}, {}, 12);
  EXPECT_EQ(mesh.orphans(), before);
}

TEST(OrphanUpdate, FindsAgainWhatAnEditTakesAwayAndBringsBack) {
  const RegularTorus torus = make_regular_torus(6, 6);
  std::mt19937 random(25);
  Changing mesh(torus.triangles, torus.vertex_count(), random);
  EXPECT_EQ(mesh.orphans().size(), 0U);
  mesh.update({5}, {}, torus.vertex_count());
  EXPECT_GT(mesh.orphans().size(), 0U) << "a hole has a boundary";
  mesh.update({}, {torus.triangles[5]}, torus.vertex_count());
  EXPECT_EQ(mesh.orphans().size(), 0U);
}

}  // namespace
}  // namespace graze
