// Masks, patches and sizes of a tree (pipeline/hierarchy_part.hpp).
#include "pipeline/hierarchy_part.hpp"

#include <algorithm>

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

TwoLevelTree PartMesh::build(std::span<const std::uint32_t> numbers, std::span<const Aabb> boxes) const {
  constexpr std::uint32_t kElsewhere = 0xffffffffU;
  std::vector<Vec3> normals(numbers.size());
  std::vector<std::uint32_t> place(leaves.size(), kElsewhere);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    place[numbers[i]] = i;
    const Triangle face = leaves[numbers[i]].oriented();
    normals[i] = cross(x[face[1]] - x[face[0]], x[face[2]] - x[face[0]]);
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
  std::vector<LeafMask> masks(leaves.size());
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const std::uint32_t edges = represented_edge_count(leaves[i].id);
    masks[i] = tests == PairTests::Continuous ? representative_mask(represented_vertex_count(leaves[i].id), edges)
                                              : LeafMask{static_cast<std::uint8_t>(edges > 0 ? 1 : 0), 1};
  }
  masks_ = BvhMasks(tree(), masks);
  masks_of_ = tests;
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
  return tree_bytes() + masks_.memory_bytes() + (patches_ ? patches_->memory_bytes() : 0);
}

}  // namespace graze
