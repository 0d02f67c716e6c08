// One tree of a hierarchy: the leaves of the bodies that move, or of those that do not, with volumes of the kind
// that was asked for and the masks of HasCompatible (R-TRI, Algorithm 1).
//
// Built for the first step, refitted for the others, and built anew when its quality says so. Cost of a refit:
// linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <graze/methods.hpp>

#include "bvh/build.hpp"
#include "bvh/masks.hpp"
#include "bvh/quality.hpp"
#include "bvh/traverse.hpp"
#include "bvh/volumes.hpp"
#include "mesh/representatives.hpp"

namespace graze {

/// What pairs of leaves are for: vertex-face and edge-edge tests, or edge-face tests.
enum class PairTests : std::uint8_t { Continuous, EdgeFace };

class HierarchyPart {
 public:
  [[nodiscard]] bool built() const { return built_; }

  /// Volumes for new bounds: leaf(i) is the volume of leaf i, box(i) its box, id(i) what it represents.
  template <typename Volume, typename LeafVolume, typename LeafBox, typename LeafId>
  void update(std::size_t leaf_count, TreeBuilder builder, const LeafVolume& leaf, const LeafBox& box,
              const LeafId& id) {
    if (!std::holds_alternative<BvhVolumes<Volume>>(volumes_)) volumes_.emplace<BvhVolumes<Volume>>();
    auto& volumes = std::get<BvhVolumes<Volume>>(volumes_);
    if (built_) {
      volumes.refit(tree_, leaf);
      if (!bvh_should_rebuild(cost_at_build_, bvh_cost(tree_, volumes))) return;
    }
    std::vector<Aabb> boxes(leaf_count);
    std::vector<RepresentativeId> ids(leaf_count);
    for (std::size_t i = 0; i < leaf_count; ++i) {
      boxes[i] = box(static_cast<std::uint32_t>(i));
      ids[i] = id(static_cast<std::uint32_t>(i));
    }
    tree_ = bvh_build(boxes, {.builder = builder});
    volumes.refit(tree_, leaf);
    cost_at_build_ = bvh_cost(tree_, volumes);
    make_masks(ids);
    built_ = true;
  }

  /// With masks, leaf pairs that have no test to dispatch are left out.
  [[nodiscard]] BvhView view(PairTests tests, bool masked) const;

  /// Of the arrays that update makes; known before it is called.
  static std::size_t planned_bytes(std::size_t leaf_count, BoundingVolume volume);
  /// Of the tree and its volumes alone.
  [[nodiscard]] std::size_t tree_bytes() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void make_masks(std::span<const RepresentativeId> ids);

  bool built_ = false;
  BvhTree tree_;
  BvhMasks continuous_masks_;
  BvhMasks edge_face_masks_;
  std::variant<BvhVolumes<Aabb>, BvhVolumes<Dop18>, BvhVolumes<Dop26>> volumes_;
  double cost_at_build_ = 0.0;
};

}  // namespace graze
