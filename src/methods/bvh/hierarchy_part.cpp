// Masks, patches, quality and sizes of one tree (methods/bvh/hierarchy_part.hpp).
#include "methods/bvh/hierarchy_part.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "query/leaf/leaf_bounds.hpp"

namespace graze::methods {

std::vector<std::uint32_t> PartMesh::numbers() const {
  return live_leaves(leaves, ranges);
}

Vec3 PartMesh::normal(std::uint32_t leaf) const {
  const Triangle face = leaves[leaf].oriented();
  return cross(at.position(face[1]) - at.position(face[0]), at.position(face[2]) - at.position(face[0]));
}

TwoLevelTree PartMesh::build(std::span<const std::uint32_t> numbers, std::span<const Aabb> boxes) const {
  constexpr std::uint32_t kElsewhere = 0xffffffffU;
  std::vector<Vec3> normals(numbers.size());
  std::vector<std::uint32_t> place(leaves.size(), kElsewhere);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    place[numbers[i]] = i;
    normals[i] = normal(numbers[i]);
  }
  std::vector<LeafLink> links;
  const RowPool& edge_leaves = mesh->incidence.edge_leaves;
  for (std::size_t e = 0; e < edge_leaves.size(); ++e) {
    const auto row = edge_leaves[e];
    if (row.empty() || place[row.front()] == kElsewhere) continue;  // an edge of the other tree
    for (std::size_t k = 1; k < row.size(); ++k) links.push_back({place[row[k - 1]], place[row[k]]});
  }
  return bvh_build_two_level(boxes, normals, links);
}

namespace {

/// The leaves of a part after an edit.
class PartLeaves final : public EditedLeaves {
 public:
  explicit PartLeaves(const PartMesh& mesh) : mesh_(mesh) {}

  [[nodiscard]] bool has(std::uint32_t leaf) const override {
    return leaf < mesh_.leaves.size() && mesh_.leaves[leaf].id != kRepresentsNothing &&
           contains(mesh_.ranges, leaf);
  }
  void neighbours(std::uint32_t leaf, std::vector<std::uint32_t>& out) const override {
    mesh_.editor->for_neighbours(leaf, [&](std::uint32_t other) { out.push_back(other); });
  }
  [[nodiscard]] Aabb box(std::uint32_t leaf) const override { return mesh_.leaves[leaf].box.box(); }
  [[nodiscard]] Vec3 normal(std::uint32_t leaf) const override { return mesh_.normal(leaf); }

 private:
  const PartMesh& mesh_;
};

/// The mask of a leaf: the features that it offers to, and accepts from, the other leaf of a pair.
LeafMask leaf_mask(const Leaf& leaf, PairTests tests) {
  const std::uint32_t edges = represented_edge_count(leaf.id);
  if (tests == PairTests::Continuous) return representative_mask(represented_vertex_count(leaf.id), edges);
  return {static_cast<std::uint8_t>(edges > 0 ? 1 : 0), 1};
}

/// A mask for continuous tests such that only pairs with a marked leaf are compatible. Bit 0: a marked leaf offers
/// a vertex to any face. Bit 1: an unmarked leaf offers a vertex to faces of marked leaves. Bit 2: a marked leaf
/// offers an edge to any leaf that represents edges.
LeafMask marked_leaf_mask(const Leaf& leaf, bool marked) {
  const unsigned vertex = represented_vertex_count(leaf.id) > 0 ? 1U : 0U;
  const unsigned edge = represented_edge_count(leaf.id) > 0 ? 4U : 0U;
  if (marked) return {static_cast<std::uint8_t>(vertex | edge), static_cast<std::uint8_t>(3U | edge)};
  return {static_cast<std::uint8_t>(vertex << 1U), static_cast<std::uint8_t>(1U | edge)};
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void HierarchyPart::edit(const LeafEdits& edits, std::span<const Leaf> leaves) {
  if (leaf_masks_of_) {
    leaf_masks_.resize(leaves.size());
    for (const std::uint32_t leaf : edits.changed) leaf_masks_[leaf] = leaf_mask(leaves[leaf], *leaf_masks_of_);
  }
  unmarked_valid_ = false;
  if (!built_) return;
  append(pending_.touched, edits.touched);
  append(pending_.lost, edits.lost);
  append(pending_.turned, edits.turned);
  append(pending_.changed, edits.changed);
}

double HierarchyPart::growth() const {
  const auto levels = [](std::size_t leaves) {
    return std::log2(static_cast<double>(std::max<std::size_t>(leaves, 2)));
  };
  return levels(tree().leaf_count) / levels(leaves_at_build_);
}

bool HierarchyPart::has_degraded(std::size_t kind, double cost) {
  double& at_build = cost_at_build_[kind];
  // First bounds of this kind since the build: the cost of a fresh tree is estimated without the degradation that
  // the other kind has measured.
  if (!(at_build > 0.0)) at_build = cost / (growth() * degradation_);
  const double expected = at_build * growth();
  degradation_ = expected > 0.0 ? std::max(1.0, cost / expected) : 1.0;
  return bvh_should_rebuild(expected, cost);
}

void HierarchyPart::topology_changed() {
  masks_valid_ = false;
  unmarked_valid_ = false;
  leaf_slots_.clear();
}

void HierarchyPart::edit_tree(const PartMesh& mesh, research::TreeBuilder builder) {
  LeafEdits edits = std::move(pending_);
  pending_ = {};
  for (auto* list : {&edits.touched, &edits.turned}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const PartLeaves leaves(mesh);
  std::erase_if(edits.turned, [&](std::uint32_t leaf) { return !leaves.has(leaf); });
  const TreeEdit edit{edits.touched, edits.lost, builder == research::TreeBuilder::Connected};
  leaf_slots_.clear();
  unmarked_valid_ = false;
  const TreeEditResult result = bvh_edit(levels_, edit, leaves);
  if (patches_)
    patches_->follow(tree(), first_patch_block(), mesh.leaves, mesh.at.size(), result.old_block, edits.turned);
  if (masks_valid_) {
    std::vector<bool> is_changed(mesh.leaves.size());
    for (const std::uint32_t leaf : edits.changed) is_changed[leaf] = true;
    masks_.follow(tree(), result.old_block, leaf_masks_,
                  [&](std::uint32_t leaf) { return bool{is_changed[leaf]}; });
  }
  ++version_;
}

std::uint32_t HierarchyPart::first_patch_block() const {
  return static_cast<std::uint32_t>(std::max<std::size_t>(levels_.components.size(), 1));
}

std::vector<std::uint32_t> HierarchyPart::leaf_blocks(std::size_t leaf_count) const {
  std::vector<std::uint32_t> blocks = bvh_leaf_slots(tree(), leaf_count);
  for (std::uint32_t& place : blocks) place = place == kNoNode ? kNoNode : place / 2;
  return blocks;
}

std::vector<std::uint32_t> HierarchyPart::slots_of(std::span<const std::uint32_t> numbers, std::size_t leaf_count) {
  if (leaf_slots_.empty()) leaf_slots_ = bvh_leaf_slots(tree(), leaf_count);
  std::vector<std::uint32_t> slots(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    slots[i] = leaf_slots_[numbers[i]];
    GRAZE_ASSERT(slots[i] != kNoNode);
  }
  return slots;
}

void HierarchyPart::make_masks(PairTests tests, std::span<const Leaf> leaves) {
  if (leaf_masks_of_ != tests) {
    masks_valid_ = false;
    leaf_masks_of_.reset();
    leaf_masks_.resize(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) leaf_masks_[i] = leaf_mask(leaves[i], tests);
    leaf_masks_of_ = tests;
  }
  if (masks_valid_) return;
  masks_ = BvhMasks(tree(), leaf_masks_);
  masks_valid_ = true;
}

BvhView HierarchyPart::marked_view(std::span<const std::uint32_t> marked, std::span<const Leaf> leaves) {
  // A few marks are added to unmarked masks and removed by the next call; for many marks all masks are recomputed.
  bvh::detail::BlocksAbove above;
  if (!marked.empty()) above = bvh::detail::blocks_above(tree(), slots_of(marked, leaves.size()));
  const auto make_all = [&](std::span<const std::uint32_t> with) {
    constexpr std::size_t kGrain = 4096;
    std::vector<LeafMask> masks(leaves.size());
    parallel_for(0, leaves.size(), kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) masks[i] = marked_leaf_mask(leaves[i], false);
    });
    for (const std::uint32_t leaf : with) masks[leaf] = marked_leaf_mask(leaves[leaf], true);
    marked_masks_ = BvhMasks(tree(), masks);
  };
  if (!above.few) {
    unmarked_valid_ = false;
    make_all(marked);
  } else {
    if (unmarked_valid_) {
      marked_masks_.remake(tree(), marked_blocks_,
                           [&](std::uint32_t i) { return marked_leaf_mask(leaves[i], false); });
    } else {
      make_all({});
      unmarked_valid_ = true;
    }
    marked_blocks_ = std::move(above.blocks);
    marked_masks_.remake(tree(), marked_blocks_, [&](std::uint32_t i) {
      return marked_leaf_mask(leaves[i], std::binary_search(marked.begin(), marked.end(), i));
    });
  }
  return std::visit([&](const auto& volumes) { return bvh_view(tree(), volumes, &marked_masks_); }, volumes_);
}

std::size_t HierarchyPart::planned_bytes(std::size_t leaf_count, research::BoundingVolume volume, bool masked) {
  constexpr std::size_t kTree = 3 * sizeof(std::uint32_t);  // two words and a parent per leaf
  const std::size_t masks = masked ? 2 * sizeof(std::uint32_t) : 0;
  const std::size_t block = volume == research::BoundingVolume::Aabb     ? sizeof(BvhVolumes<Aabb>::Block)
                            : volume == research::BoundingVolume::Kdop18 ? sizeof(BvhVolumes<Dop18>::Block)
                                                                         : sizeof(BvhVolumes<Dop26>::Block);
  return leaf_count * (kTree + masks + block);
}

std::size_t HierarchyPart::tree_bytes() const {
  return levels_.memory_bytes() + std::visit([](const auto& volumes) { return volumes.memory_bytes(); }, volumes_);
}

std::size_t HierarchyPart::memory_bytes() const {
  return tree_bytes() + pending_.memory_bytes() + masks_.memory_bytes() + marked_masks_.memory_bytes() +
         marked_blocks_.capacity() * sizeof(std::uint32_t) + leaf_slots_.capacity() * sizeof(std::uint32_t) +
         leaf_masks_.capacity() * sizeof(LeafMask) + (patches_ ? patches_->memory_bytes() : 0);
}

}  // namespace graze::methods
