// Editable BVH: after each of thousands of edits the tree is valid and holds exactly the mesh's leaves, its
// components are those of the mesh, the report of unchanged blocks is true, and the depth stays low.
#include "bvh/edit/edit_tree.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "bvh/edited_mesh.hpp"
#include "bvh/patches.hpp"
#include "bvh/quality.hpp"
#include "bvh/traverse.hpp"
#include "bvh/validate.hpp"
#include "core/tasks.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace bvh;
namespace {

using testing::EditedMesh;
using testing::grid;
using testing::Soup;

/// Lists the leaves below each block, in order.
std::vector<std::vector<std::uint32_t>> leaves_below(const BvhTree& tree) {
  std::vector<std::vector<std::uint32_t>> below(tree.block_count());
  // Blocks are visited in descending order: within a level children come after their parents, and the lower level
  // after the upper.
  for (std::size_t b = tree.block_count(); b-- > 1;) {
    for (std::size_t slot = 2 * b; slot < 2 * b + 2; ++slot) {
      const std::uint32_t word = tree.words[slot];
      if ((word & kLeaf) != 0) {
        below[b].push_back(word & ~kLeaf);
      } else {
        below[b].insert(below[b].end(), below[word].begin(), below[word].end());
      }
    }
  }
  return below;
}

/// A tree that is updated with every edit of a mesh, and checked.
class Kept {
 public:
  Kept(EditedMesh& mesh, bool connected, research::TreeBuilder builder = research::TreeBuilder::Sah)
      : mesh_(mesh), connected_(connected) {
    tree_.options.upper.builder = builder;
    tree_.options.upper.piece_leaves = 64;
    const std::vector<std::uint32_t> leaves = mesh.leaves();
    std::vector<Aabb> boxes;
    boxes.reserve(leaves.size());
    for (const std::uint32_t leaf : leaves) boxes.push_back(mesh.box(leaf));
    if (connected) {
      tree_ = fresh(mesh, tree_.options);
    } else {
      tree_.tree = bvh_build(boxes, tree_.options.upper);
      bvh_renumber(tree_.tree, leaves);
    }
    mesh.commit();
  }

  static TwoLevelTree fresh(const EditedMesh& mesh, const TwoLevelOptions& options) {
    const std::vector<std::uint32_t> leaves = mesh.leaves();
    std::vector<Aabb> boxes;
    std::vector<Vec3> normals;
    std::vector<LeafLink> links;
    std::vector<std::uint32_t> around;
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
      boxes.push_back(mesh.box(leaves[i]));
      normals.push_back(mesh.normal(leaves[i]));
      around.clear();
      mesh.neighbours(leaves[i], around);
      for (const std::uint32_t other : around) {
        const auto j = std::lower_bound(leaves.begin(), leaves.end(), other) - leaves.begin();
        if (i < j) links.push_back({i, static_cast<std::uint32_t>(j)});
      }
    }
    TwoLevelTree tree = bvh_build_two_level(boxes, normals, links, options);
    bvh_renumber(tree, leaves);
    return tree;
  }

  /// Applies the changes of the mesh since the last call.
  TreeEditResult edit() {
    const EditedMesh::Changes changes = mesh_.commit();
    return bvh_edit(tree_, {changes.touched, changes.lost, connected_}, mesh_);
  }

  void edit_and_check() {
    const std::vector<std::vector<std::uint32_t>> before = leaves_below(tree_.tree);
    const EditedMesh::Changes changes = mesh_.commit();
    const TreeEditResult result = bvh_edit(tree_, {changes.touched, changes.lost, connected_}, mesh_);
    BvhVolumes<Aabb>& volumes = volumes_;
    volumes.refit(tree_.tree, [&](std::uint32_t leaf) { return mesh_.box(leaf); });
    ASSERT_EQ(bvh_validate(tree_, volumes), "");

    std::vector<std::uint32_t> leaves;
    for (const std::uint32_t word : tree_.tree.words) {
      if (word != kNoNode && (word & kLeaf) != 0) leaves.push_back(word & ~kLeaf);
    }
    std::sort(leaves.begin(), leaves.end());
    ASSERT_EQ(leaves, mesh_.leaves());
    check_components();

    const std::vector<std::vector<std::uint32_t>> after = leaves_below(tree_.tree);
    ASSERT_EQ(result.old_block.size(), after.size());
    for (std::size_t b = 0; b < after.size(); ++b) {
      if (result.old_block[b] == kNoNode) continue;
      ++stayed_;
      ASSERT_LT(result.old_block[b], before.size());
      ASSERT_EQ(after[b], before[result.old_block[b]]) << "block " << b;
      for (const std::uint32_t leaf : after[b]) {
        ASSERT_FALSE(std::binary_search(changes.touched.begin(), changes.touched.end(), leaf));
      }
    }
    blocks_ += after.size();
    // The depth of the lower trees and of the upper tree together is logarithmic.
    const auto log = static_cast<std::uint32_t>(std::bit_width(leaves.size()));
    ASSERT_LE(tree_.tree.depth, 8 + 4 * log);
  }

  [[nodiscard]] TwoLevelTree& tree() { return tree_; }
  [[nodiscard]] BvhVolumes<Aabb>& volumes() { return volumes_; }
  [[nodiscard]] double stayed() const { return static_cast<double>(stayed_) / static_cast<double>(blocks_); }

 private:
  void check_components() {
    if (!connected_) {
      ASSERT_EQ(tree_.components.size(), mesh_.leaves().empty() ? 0U : 1U);
      return;
    }
    std::map<std::uint32_t, std::uint32_t> smallest;
    for (const TwoLevelTree::Component& component : tree_.components) {
      if (component.block_count == 0) smallest[component.smallest_leaf] = component.smallest_leaf;
      for (std::size_t i = 2 * std::size_t{component.first_block};
           i < 2 * (std::size_t{component.first_block} + component.block_count); ++i) {
        const std::uint32_t word = tree_.tree.words[i];
        if ((word & kLeaf) != 0) smallest[word & ~kLeaf] = component.smallest_leaf;
      }
    }
    ASSERT_EQ(smallest, mesh_.components());
  }

  EditedMesh& mesh_;
  bool connected_;
  TwoLevelTree tree_;
  BvhVolumes<Aabb> volumes_;
  std::uint64_t stayed_ = 0;
  std::uint64_t blocks_ = 0;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  double uniform() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
  Vec3 point() {
    const double x = uniform();
    const double y = uniform();
    return {x, y, uniform()};
  }
  std::uint32_t leaf_of(const EditedMesh& mesh) {
    // The choice is not uniform, but every leaf can be chosen.
    auto at = mesh.faces().lower_bound(below(mesh.faces().rbegin()->first + 1));
    return at->first;
  }

 private:
  std::mt19937_64 random_;
};

void add_body(EditedMesh& mesh, const Soup& soup, const Vec3& at, double scale) {
  std::vector<VertexId> ids;
  for (const Vec3& x : soup.x_t0) {
    ids.push_back(mesh.add_vertex({at.x + scale * x.x, at.y + scale * x.y, at.z + scale * x.z}));
  }
  for (const Triangle& t : soup.triangles) mesh.add({ids[t[0]], ids[t[1]], ids[t[2]]});
}

/// Applies one random operation.
void disturb(EditedMesh& mesh, Random& random) {
  const std::uint32_t kind = random.below(10);
  if (kind == 0 || mesh.faces().empty()) {  // add a body
    const std::uint32_t size = random.below(6);
    if (size == 0) {
      add_body(mesh, testing::random_soup(1, 0.2, 0.0, random.below(1000)), random.point(), 1.0);
    } else {
      add_body(mesh, grid(size, 1 + random.below(4)), random.point(), 0.2);
    }
    return;
  }
  const std::uint32_t leaf = random.leaf_of(mesh);
  const Triangle face = mesh.faces().at(leaf);
  if (kind < 4) {
    mesh.remove(leaf);
  } else if (kind == 4) {  // tear off a corner
    Triangle torn = face;
    const std::uint32_t corner = random.below(3);
    torn[corner] = mesh.add_vertex(mesh.positions()[face[corner]]);
    mesh.change(leaf, torn);
  } else if (kind == 5) {  // grow at an edge
    const VertexId tip = mesh.add_vertex(random.point());
    mesh.add({face[0], tip, face[1]});
  } else if (kind == 6) {  // connect two leaves
    const Triangle other = mesh.faces().at(random.leaf_of(mesh));
    mesh.add({face[0], face[1], other[0]});
    mesh.add({face[0], other[0], other[1]});
  } else if (kind == 7) {  // split into three
    const VertexId centre = mesh.add_vertex(mesh.positions()[face[0]]);
    mesh.change(leaf, {face[0], face[1], centre});
    mesh.add({face[1], face[2], centre});
    mesh.add({face[2], face[0], centre});
  } else if (kind == 8) {  // remove a component
    std::vector<std::uint32_t> piece{leaf};
    std::set<std::uint32_t> seen{leaf};
    for (std::size_t next = 0; next < piece.size() && piece.size() < 60; ++next) {
      std::vector<std::uint32_t> around;
      mesh.neighbours(piece[next], around);
      for (const std::uint32_t other : around) {
        if (seen.insert(other).second) piece.push_back(other);
      }
    }
    for (const std::uint32_t gone : piece) mesh.remove(gone);
  } else {  // cut along a line
    const double x = random.uniform();
    std::vector<std::uint32_t> cut;
    for (const auto& [candidate, triangle] : mesh.faces()) {
      double low = 2.0;
      double high = -1.0;
      for (const VertexId v : triangle) {
        low = std::min(low, mesh.positions()[v].x);
        high = std::max(high, mesh.positions()[v].x);
      }
      if (low < x && x < high) cut.push_back(candidate);
    }
    if (cut.size() > 60) cut.resize(60);
    for (const std::uint32_t gone : cut) mesh.remove(gone);
  }
}

struct Case {
  const char* name;
  Soup soup;
  bool connected;
  research::TreeBuilder builder;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  std::vector<Soup> many(300, grid(1, 1));
  std::vector<Vec3> places;
  Random random(3);
  for (std::size_t k = 0; k < many.size(); ++k) places.push_back(random.point());
  for (const bool connected : {true, false}) {
    all.push_back({"nothing", {}, connected, research::TreeBuilder::Sah});
    all.push_back({"cloth", grid(14, 10), connected, research::TreeBuilder::Sah});
    all.push_back({"soup", testing::random_soup(400, 0.1, 0.0, 1), connected, research::TreeBuilder::Lbvh});
    all.push_back({"more than few components", testing::random_soup(700, 0.1, 0.0, 2), connected,
                   research::TreeBuilder::Sah});
    all.push_back(
        {"tiny ones", testing::together("tiny", many, places, 0.05), connected, research::TreeBuilder::Midpoint});
  }
  return all;
}

TEST(TreeEdit, after_each_of_thousands_of_random_edits_the_tree_is_that_of_the_mesh) {
  std::uint64_t seed = 0;
  for (const Case& test : cases()) {
    SCOPED_TRACE(std::string(test.name) + (test.connected ? ", connected" : ""));
    EditedMesh mesh(test.soup);
    Kept kept(mesh, test.connected, test.builder);
    Random random(++seed);
    for (int edit = 0; edit < 330; ++edit) {
      SCOPED_TRACE("edit " + std::to_string(edit));
      const std::uint32_t operations = random.below(8) == 0 ? random.below(40) : random.below(4);
      for (std::uint32_t k = 0; k < operations; ++k) disturb(mesh, random);
      ASSERT_NO_FATAL_FAILURE(kept.edit_and_check());
    }
    EXPECT_GT(kept.stayed(), 0.3);
  }
}

TEST(TreeEdit, shrinks_to_nothing_and_grows_again) {
  for (const bool connected : {true, false}) {
    EditedMesh mesh(grid(9, 7));
    Kept kept(mesh, connected);
    Random random(7);
    for (int round = 0; round < 2; ++round) {
      while (!mesh.faces().empty()) {
        mesh.remove(random.leaf_of(mesh));
        ASSERT_NO_FATAL_FAILURE(kept.edit_and_check());
      }
      EXPECT_EQ(kept.tree().components.size(), 0U);
      for (std::uint32_t k = 0; k < 40; ++k) {
        add_body(mesh, grid(1 + k % 3, 1), random.point(), 0.2);
        ASSERT_NO_FATAL_FAILURE(kept.edit_and_check());
      }
    }
  }
}

TEST(TreeEdit, a_strip_that_grows_by_one_triangle_5000_times_stays_shallow) {
  for (const bool connected : {true, false}) {
    EditedMesh mesh(grid(1, 1));
    Kept kept(mesh, connected);
    VertexId a = 1;
    VertexId b = 3;
    std::uint32_t deepest = 0;
    for (std::uint32_t k = 0; k < 5000; ++k) {
      const VertexId next = mesh.add_vertex({2.0 + 0.5 * k, k % 2 == 0 ? 0.0 : 1.0, 0.0});
      mesh.add({a, b, next});
      a = b;
      b = next;
      kept.edit();
      deepest = std::max(deepest, kept.tree().tree.depth);
      if (k % 500 == 0) {
        ASSERT_EQ(bvh_validate(kept.tree()), "");
      }
    }
    EXPECT_EQ(kept.tree().tree.leaf_count, 5002U);
    EXPECT_LE(deepest, 40U);
    EXPECT_EQ(kept.tree().components.size(), 1U);
  }
}

TEST(TreeEdit, a_hub_that_gains_and_loses_triangles_stays_shallow) {
  for (const bool connected : {true, false}) {
    // All triangles share one edge: each is a neighbour of every other.
    EditedMesh mesh;
    mesh.add_vertex({0.0, 0.0, 0.0});
    mesh.add_vertex({0.0, 0.0, 1.0});
    Kept kept(mesh, connected);
    Random random(5);
    for (std::uint32_t k = 0; k < 700; ++k) {
      mesh.add({0, 1, mesh.add_vertex({std::cos(k), std::sin(k), 0.5})});
      if (k % 3 == 2) mesh.remove(random.leaf_of(mesh));
      kept.edit();
      ASSERT_LE(kept.tree().tree.depth, 45U);
    }
    ASSERT_NO_FATAL_FAILURE(kept.edit_and_check());
    EXPECT_EQ(kept.tree().components.size(), 1U);
  }
}

TEST(TreeEdit, one_touched_leaf_leaves_all_blocks_but_those_above_it) {
  for (const bool connected : {true, false}) {
    EditedMesh mesh(grid(60, 50));
    Kept kept(mesh, connected);
    mesh.remove(3001);
    const TreeEditResult result = kept.edit();
    const auto gone = std::count(result.old_block.begin(), result.old_block.end(), kNoNode);
    EXPECT_LE(gone, static_cast<std::ptrdiff_t>(kept.tree().tree.depth) + 1);
    EXPECT_EQ(result.rebuilt_leaves, 0U);
  }
}

TEST(TreeEdit, a_sheet_cut_in_two_keeps_what_lies_on_either_side) {
  EditedMesh mesh(grid(60, 50));
  Kept kept(mesh, true);
  for (std::uint32_t row = 0; row < 50; ++row) {
    mesh.remove(row * 120 + 60);
    mesh.remove(row * 120 + 61);
  }
  const TreeEditResult result = kept.edit();
  EXPECT_EQ(kept.tree().components.size(), 2U);
  EXPECT_EQ(bvh_validate(kept.tree()), "");
  const auto stayed = result.old_block.size() - static_cast<std::size_t>(std::count(
                                                    result.old_block.begin(), result.old_block.end(), kNoNode));
  EXPECT_GT(stayed, result.old_block.size() * 8 / 10);
  EXPECT_LT(result.rebuilt_leaves, 1000U);
}

TEST(TreeEdit, is_the_same_at_any_number_of_threads) {
  for (const bool connected : {true, false}) {
    std::vector<TwoLevelTree> trees;
    for (const unsigned threads : {1U, 2U, 7U}) {
      with_threads(threads, [&] {
        EditedMesh mesh(grid(120, 90));
        Kept kept(mesh, connected);
        Random random(11);
        for (int edit = 0; edit < 5; ++edit) {
          for (int k = 0; k < 40; ++k) disturb(mesh, random);
          kept.edit();
        }
        trees.push_back(kept.tree());
      });
      EXPECT_EQ(trees.back().tree.words, trees[0].tree.words);
      EXPECT_EQ(trees.back().tree.parent, trees[0].tree.parent);
      EXPECT_EQ(trees.back().components, trees[0].components);
      EXPECT_EQ(trees.back().changes, trees[0].changes);
    }
  }
}

/// Number of bound tests of the tree's traversal with itself.
std::uint64_t work(const TwoLevelTree& tree, const EditedMesh& mesh) {
  BvhVolumes<Aabb> volumes;
  volumes.refit(tree.tree, [&](std::uint32_t leaf) { return mesh.box(leaf); });
  return BvhTraversal(bvh_view(tree.tree, volumes)).run([](std::size_t, std::span<const LeafPair>) {});
}

TEST(TreeEdit, traversal_after_100_edit_frames_takes_little_more_than_in_a_tree_built_anew) {
  for (const Case& test : cases()) {
    if (test.soup.triangles.empty()) continue;
    SCOPED_TRACE(std::string(test.name) + (test.connected ? ", connected" : ""));
    EditedMesh mesh(test.soup);
    Kept kept(mesh, test.connected, test.builder);
    Random random(21);
    for (int frame = 0; frame < 100; ++frame) {
      for (int k = 0; k < 4; ++k) disturb(mesh, random);
      kept.edit();
    }
    EditedMesh same = mesh;
    Kept fresh(same, test.connected, test.builder);
    const auto edited = static_cast<double>(work(kept.tree(), mesh));
    const auto anew = static_cast<double>(work(fresh.tree(), same));
    EXPECT_LE(edited, 1.3 * anew);
  }
}

}  // namespace
}  // namespace graze
