// Masks, patches and sizes of a tree (pipeline/hierarchy_part.hpp).
#include "pipeline/hierarchy_part.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"

namespace graze {

std::vector<std::uint32_t> PartMesh::numbers() const {
  std::vector<std::uint32_t> numbers;
  for (const auto& [first, last] : ranges) {
    for (std::size_t i = first; i < last; ++i) {
      if (leaves[i].id != kRepresentsNothing) numbers.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return numbers;
}

Vec3 PartMesh::normal(std::uint32_t leaf) const {
  const Triangle face = leaves[leaf].oriented();
  return cross(x[face[1]] - x[face[0]], x[face[2]] - x[face[0]]);
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
    if (row.empty() || place[row.front()] == kElsewhere) continue;  // of the other tree
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

/// What a leaf gives and takes in pairs for these tests.
LeafMask leaf_mask(const Leaf& leaf, PairTests tests) {
  const std::uint32_t edges = represented_edge_count(leaf.id);
  if (tests == PairTests::Continuous) return representative_mask(represented_vertex_count(leaf.id), edges);
  return {static_cast<std::uint8_t>(edges > 0 ? 1 : 0), 1};
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
  if (!built_) return;
  append(pending_.touched, edits.touched);
  append(pending_.lost, edits.lost);
  append(pending_.turned, edits.turned);
  append(pending_.changed, edits.changed);
}

double HierarchyPart::expected_cost() const {
  const auto levels = [](std::size_t leaves) {
    return std::log2(static_cast<double>(std::max<std::size_t>(leaves, 2)));
  };
  return cost_at_build_ * levels(tree().leaf_count) / levels(leaves_at_build_);
}

void HierarchyPart::edit_tree(const PartMesh& mesh, TreeBuilder builder) {
  LeafEdits edits = std::move(pending_);
  pending_ = {};
  for (auto* list : {&edits.touched, &edits.turned}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const PartLeaves leaves(mesh);
  std::erase_if(edits.turned, [&](std::uint32_t leaf) { return !leaves.has(leaf); });
  const TreeEdit edit{edits.touched, edits.lost, builder == TreeBuilder::Connected};
  const TreeEditResult result = bvh_edit(levels_, edit, leaves);
  if (patches_)
    patches_->follow(tree(), first_patch_block(), mesh.leaves, mesh.x.size(), result.old_block, edits.turned);
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
  std::vector<std::uint32_t> blocks(leaf_count, kNoNode);
  for (std::size_t i = 0; i < tree().words.size(); ++i) {
    const std::uint32_t word = tree().words[i];
    if (word != kNoNode && (word & kLeaf) != 0) blocks[word & ~kLeaf] = static_cast<std::uint32_t>(i / 2);
  }
  return blocks;
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

std::size_t HierarchyPart::planned_bytes(std::size_t leaf_count, BoundingVolume volume, bool masked) {
  constexpr std::size_t kTree = 3 * sizeof(std::uint32_t);  // two words and a parent a leaf
  const std::size_t masks = masked ? 2 * sizeof(std::uint32_t) : 0;
  const std::size_t block = volume == BoundingVolume::AlignedBox ? sizeof(BvhVolumes<Aabb>::Block)
                            : volume == BoundingVolume::Kdop18   ? sizeof(BvhVolumes<Dop18>::Block)
                                                                 : sizeof(BvhVolumes<Dop26>::Block);
  return leaf_count * (kTree + masks + block);
}

std::size_t HierarchyPart::tree_bytes() const {
  return levels_.memory_bytes() + std::visit([](const auto& volumes) { return volumes.memory_bytes(); }, volumes_);
}

std::size_t HierarchyPart::memory_bytes() const {
  return tree_bytes() + pending_.memory_bytes() + masks_.memory_bytes() +
         leaf_masks_.capacity() * sizeof(LeafMask) + (patches_ ? patches_->memory_bytes() : 0);
}

}  // namespace graze
