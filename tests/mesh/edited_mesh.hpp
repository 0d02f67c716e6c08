// A mesh under edits with all its derived data, compared with data built from scratch after every edit.
#pragma once

#include "cull/patch_mesh.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_editor.hpp"
#include "mesh/orient_faces.hpp"
#include "mesh/orient_update.hpp"
#include "mesh/random_soup.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;

/// A change that removes and adds triangles: added triangles reuse the ids of the removed ones first, then get new
/// ids.
inline MeshChange make_change(std::vector<Triangle>& triangles, std::vector<std::uint32_t> removed,
                              std::span<const Triangle> added, std::size_t vertex_count) {
  std::sort(removed.begin(), removed.end());
  MeshChange change;
  for (const std::uint32_t t : removed) change.triangles.push_back({t, triangles[t], kRemovedTriangle});
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (i < removed.size()) {
      change.triangles[i].after = added[i];
    } else {
      change.triangles.push_back(
          {static_cast<TriangleId>(triangles.size() + i - removed.size()), kRemovedTriangle, added[i]});
    }
  }
  change.vertex_count = vertex_count;
  change.triangle_count = triangles.size() + (added.size() > removed.size() ? added.size() - removed.size() : 0);
  triangles.resize(change.triangle_count, kRemovedTriangle);
  for (const TriangleChange& t : change.triangles) triangles[t.triangle] = t.after;
  return change;
}

inline std::vector<std::uint8_t> alive_of(std::span<const Triangle> triangles) {
  std::vector<std::uint8_t> alive;
  for (const Triangle& t : triangles) alive.push_back(t == kRemovedTriangle ? 0 : 1);
  return alive;
}

class EditedMesh {
 public:
  /// Numbers the leaves at random, with gaps.
  EditedMesh(std::vector<Triangle> soup, std::size_t vertices, std::mt19937& random)
      : triangles_(std::move(soup)), vertex_count_(vertices) {
    Representatives representatives = make_representatives(triangles_, build_topology(triangles_, vertices));
    const auto active = representatives.active();
    std::vector<std::uint32_t> leaf_triangles(active.size() + random() % 3, kNoLeaf);
    std::vector<std::uint32_t> numbers(leaf_triangles.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    std::shuffle(numbers.begin(), numbers.end(), random);
    for (std::size_t i = 0; i < active.size(); ++i) leaf_triangles[numbers[i]] = triangle_of(active[i]);
    editor_.emplace(representatives, triangles_, leaf_triangles, vertices);
    leaves_.resize(leaf_triangles.size());
    for (std::uint32_t l = 0; l < leaves_.size(); ++l) copy_leaf(l);
    mesh_ = make_patch_mesh(triangles_, representatives, leaves_, vertices, true);
  }

  void update(const std::vector<std::uint32_t>& removed, std::span<const Triangle> added,
              std::size_t vertex_count) {
    vertex_count_ = vertex_count;
    const std::vector<Leaf> before = leaves_;
    const OrphanPairs orphans_before = mesh_.orphans;
    changes_ = editor_->apply(make_change(triangles_, removed, added, vertex_count));
    leaves_.resize(editor_->leaf_triangles().size());
    for (const auto* list : {&changes_.removed, &changes_.added, &changes_.touched}) {
      for (const std::uint32_t l : *list) copy_leaf(l);
    }
    turned_ = update_patch_mesh(mesh_, *editor_, changes_, leaves_, triangles_, true);
    turned_count_ += turned_.size();
    touched_count_ += changes_.touched.size();
    orphan_changes_ += orphans_before == mesh_.orphans ? 0U : 1U;
    expect_leaves(before);
    expect_from_scratch();
  }

  [[nodiscard]] bool is_alive(std::uint32_t t) const { return triangles_[t] != kRemovedTriangle; }
  [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] const MeshEditor& editor() const { return *editor_; }
  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  [[nodiscard]] const PatchMesh& mesh() const { return mesh_; }
  [[nodiscard]] const LeafChanges& changes() const { return changes_; }
  [[nodiscard]] const std::vector<std::uint32_t>& turned() const { return turned_; }
  [[nodiscard]] std::size_t turned_count() const { return turned_count_; }
  [[nodiscard]] std::size_t touched_count() const { return touched_count_; }
  [[nodiscard]] std::size_t orphan_changes() const { return orphan_changes_; }
  [[nodiscard]] std::size_t hub_crossings() const { return hub_crossings_; }

  /// Number of edges between two faces without repeated ids that traverse the edge in the same direction.
  [[nodiscard]] std::size_t disagreements() const {
    const auto regular = [](const Triangle& t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; };
    std::size_t count = 0;
    for (std::size_t e = 0; e < mesh_.incidence.edge_leaves.size(); ++e) {
      const auto both = mesh_.incidence.edge_leaves[e];
      if (both.size() != 2) continue;
      const Triangle a = leaves_[both[0]].oriented();
      const Triangle b = leaves_[both[1]].oriented();
      const Edge& edge = editor_->representatives().edges[e];
      if (regular(a) && regular(b) && runs_forward(a, edge) == runs_forward(b, edge)) ++count;
    }
    return count;
  }

 private:
  void copy_leaf(std::uint32_t l) {
    if (editor_->leaf_triangles()[l] == kNoLeaf) {
      leaves_[l] = {};
      return;
    }
    leaves_[l].vertices = editor_->entry(l).vertices;
    leaves_[l].edges = editor_->entry(l).edges;
    leaves_[l].id = editor_->id(l);
  }

  static bool has(const std::vector<std::uint32_t>& sorted, std::uint32_t item) {
    return std::binary_search(sorted.begin(), sorted.end(), item);
  }

  /// Checks that the reported changes of leaves are those that happened.
  void expect_leaves(std::vector<Leaf> before) {
    before.resize(leaves_.size());
    for (const auto* list : {&changes_.removed, &changes_.added, &changes_.touched, &turned_}) {
      ASSERT_TRUE(std::is_sorted(list->begin(), list->end()));
      ASSERT_EQ(std::adjacent_find(list->begin(), list->end()), list->end());
    }
    std::size_t leaf_count = 0;
    for (std::uint32_t l = 0; l < leaves_.size(); ++l) {
      const std::uint32_t t = editor_->leaf_triangles()[l];
      const bool was = before[l].id != kRepresentsNothing;
      const bool is = t != kNoLeaf;
      if (is) {
        ++leaf_count;
        ASSERT_EQ(editor_->leaf_of(t), l);
        ASSERT_EQ(triangle_of(editor_->id(l)), t);
        ASSERT_EQ(leaves_[l].id, editor_->id(l)) << "leaf " << l << " changed and was not reported";
        ASSERT_EQ(leaves_[l].vertices, editor_->entry(l).vertices);
        ASSERT_EQ(leaves_[l].edges, editor_->entry(l).edges);
      }
      ASSERT_EQ(is, has(changes_.added, l) || (was && !has(changes_.removed, l)));
      ASSERT_TRUE(was || !has(changes_.removed, l));
      ASSERT_TRUE(!has(changes_.added, l) || !was || has(changes_.removed, l));
      const bool stays = was && is && !has(changes_.added, l);
      ASSERT_TRUE(stays || !has(changes_.touched, l));
      if (!stays) continue;
      ASSERT_EQ(before[l].face(), leaves_[l].face());
      const Face& f = leaves_[l].face();
      if (f[0] == f[1] || f[1] == f[2]) continue;
      ASSERT_EQ(same_sense(before[l].oriented(), leaves_[l].oriented()), !has(turned_, l));
    }
    ASSERT_EQ(leaf_count, editor_->representatives().active().size());
  }

  void expect_from_scratch() {
    const Representatives& representatives = editor_->representatives();
    ASSERT_EQ(validate(representatives, triangles_, alive_of(triangles_)), "");
    std::vector<Leaf> leaves = leaves_;
    const PatchMesh fresh = make_patch_mesh(triangles_, representatives, leaves, vertex_count_, true);
    expect_rows(mesh_.incidence.vertex_leaves, fresh.incidence.vertex_leaves);
    expect_rows(mesh_.incidence.edge_leaves, fresh.incidence.edge_leaves);
    ASSERT_EQ(mesh_.near_faces.hub_count(), fresh.near_faces.hub_count());
    for (VertexId v = 0; v < vertex_count_; ++v) {
      ASSERT_EQ(mesh_.near_faces.is_hub(v), fresh.near_faces.is_hub(v));
      std::size_t fan = 0;
      editor_->for_leaves_of_vertex(v, [&](std::uint32_t) { ++fan; });
      ASSERT_EQ(fan, fresh.incidence.vertex_leaves.length(v));
    }
    ASSERT_TRUE(mesh_.rings == fresh.rings);
    ASSERT_EQ(mesh_.orphans.vertex_face, fresh.orphans.vertex_face);
    ASSERT_EQ(mesh_.orphans.edge_edge, fresh.orphans.edge_edge);
    hub_crossings_ += mesh_.near_faces.hub_count() == hub_count_ ? 0U : 1U;
    hub_count_ = mesh_.near_faces.hub_count();
  }

  static void expect_rows(const RowPool& rows, const RowPool& fresh) {
    ASSERT_EQ(rows.size(), fresh.size());
    for (std::size_t r = 0; r < rows.size(); ++r) ASSERT_TRUE(std::ranges::equal(rows[r], fresh[r])) << "row " << r;
  }

  std::vector<Triangle> triangles_;
  std::size_t vertex_count_;
  std::optional<MeshEditor> editor_;
  std::vector<Leaf> leaves_;
  PatchMesh mesh_;
  LeafChanges changes_;
  std::vector<std::uint32_t> turned_;
  std::size_t turned_count_ = 0;
  std::size_t touched_count_ = 0;
  std::size_t orphan_changes_ = 0;
  std::size_t hub_count_ = 0;
  std::size_t hub_crossings_ = 0;
};

/// Each existing triangle with a probability of 1 / one_in.
inline std::vector<std::uint32_t> some_alive(const EditedMesh& mesh, std::mt19937& random, std::size_t one_in) {
  std::vector<std::uint32_t> removed;
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
    if (mesh.is_alive(t) && random() % one_in == 0) removed.push_back(t);
  }
  return removed;
}

}  // namespace graze
