// Masks, views and sizes of a tree (pipeline/hierarchy_part.hpp).
#include "pipeline/hierarchy_part.hpp"

namespace graze {

void HierarchyPart::make_masks(std::span<const RepresentativeId> ids) {
  std::vector<LeafMask> masks(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    masks[i] = representative_mask(represented_vertex_count(ids[i]), represented_edge_count(ids[i]));
  }
  continuous_masks_ = BvhMasks(tree_, masks);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    masks[i] = {static_cast<std::uint8_t>(represented_edge_count(ids[i]) > 0 ? 1 : 0), 1};
  }
  edge_face_masks_ = BvhMasks(tree_, masks);
}

BvhView HierarchyPart::view(PairTests tests, bool masked) const {
  const BvhMasks* masks = tests == PairTests::Continuous ? &continuous_masks_ : &edge_face_masks_;
  return std::visit([&](const auto& volumes) { return bvh_view(tree_, volumes, masked ? masks : nullptr); },
                    volumes_);
}

std::size_t HierarchyPart::planned_bytes(std::size_t leaf_count, BoundingVolume volume) {
  constexpr std::size_t kTree = 3 * sizeof(std::uint32_t);  // two words and a parent a leaf
  constexpr std::size_t kMasks = 4 * sizeof(std::uint32_t);
  const std::size_t block = volume == BoundingVolume::AlignedBox ? sizeof(BvhVolumes<Aabb>::Block)
                            : volume == BoundingVolume::Kdop18   ? sizeof(BvhVolumes<Dop18>::Block)
                                                                 : sizeof(BvhVolumes<Dop26>::Block);
  return leaf_count * (kTree + kMasks + block);
}

std::size_t HierarchyPart::tree_bytes() const {
  return tree_.memory_bytes() + std::visit([](const auto& volumes) { return volumes.memory_bytes(); }, volumes_);
}

std::size_t HierarchyPart::memory_bytes() const {
  return tree_bytes() + continuous_masks_.memory_bytes() + edge_face_masks_.memory_bytes();
}

}  // namespace graze
