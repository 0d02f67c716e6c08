// Masks and sizes of a tree (pipeline/hierarchy_part.hpp).
#include "pipeline/hierarchy_part.hpp"

namespace graze {

void HierarchyPart::make_masks(PairTests tests, std::span<const RepresentativeId> ids) {
  std::vector<LeafMask> masks(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::uint32_t edges = represented_edge_count(ids[i]);
    masks[i] = tests == PairTests::Continuous ? representative_mask(represented_vertex_count(ids[i]), edges)
                                              : LeafMask{static_cast<std::uint8_t>(edges > 0 ? 1 : 0), 1};
  }
  masks_ = BvhMasks(tree_, masks);
  masks_of_ = tests;
}

std::size_t HierarchyPart::planned_bytes(std::size_t leaf_count, BoundingVolume volume) {
  constexpr std::size_t kTree = 3 * sizeof(std::uint32_t);  // two words and a parent a leaf
  constexpr std::size_t kMasks = 2 * sizeof(std::uint32_t);
  const std::size_t block = volume == BoundingVolume::AlignedBox ? sizeof(BvhVolumes<Aabb>::Block)
                            : volume == BoundingVolume::Kdop18   ? sizeof(BvhVolumes<Dop18>::Block)
                                                                 : sizeof(BvhVolumes<Dop26>::Block);
  return leaf_count * (kTree + kMasks + block);
}

std::size_t HierarchyPart::tree_bytes() const {
  return tree_.memory_bytes() + std::visit([](const auto& volumes) { return volumes.memory_bytes(); }, volumes_);
}

std::size_t HierarchyPart::memory_bytes() const {
  return tree_bytes() + masks_.memory_bytes();
}

}  // namespace graze
