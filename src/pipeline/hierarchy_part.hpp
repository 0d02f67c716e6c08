// One tree of a hierarchy: the leaves of the bodies that move, or of those that do not, with volumes of the kind
// that was asked for and the masks of HasCompatible (R-TRI, Algorithm 1).
//
// Built for the first step, refitted for the others, and built anew when its quality says so. Cost of a refit:
// linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  /// Volumes for new bounds: leaf(i) is the volume of leaf i, box(i) its box.
  template <typename Volume, typename LeafVolume, typename LeafBox>
  void update(std::size_t leaf_count, TreeBuilder builder, const LeafVolume& leaf, const LeafBox& box) {
    if (!std::holds_alternative<BvhVolumes<Volume>>(volumes_)) volumes_.emplace<BvhVolumes<Volume>>();
    auto& volumes = std::get<BvhVolumes<Volume>>(volumes_);
    if (built_) {
      volumes.refit(tree_, leaf);
      if (!bvh_should_rebuild(cost_at_build_, bvh_cost(tree_, volumes))) return;
    }
    built_ = false;  // should memory run out below, the next update starts again
    masks_of_.reset();
    std::vector<Aabb> boxes(leaf_count);
    for (std::size_t i = 0; i < leaf_count; ++i) boxes[i] = box(static_cast<std::uint32_t>(i));
    tree_ = bvh_build(boxes, {.builder = builder});
    volumes.refit(tree_, leaf);
    cost_at_build_ = bvh_cost(tree_, volumes);
    built_ = true;
  }

  /// With masks, leaf pairs that have no test to dispatch are left out: id(i) is what leaf i represents. Valid
  /// until the next update, or until it is asked for the other tests.
  template <typename LeafId>
  [[nodiscard]] BvhView view(PairTests tests, bool masked, const LeafId& id) {
    if (masked && masks_of_ != tests) {
      std::vector<RepresentativeId> ids(tree_.leaf_count);
      for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = id(static_cast<std::uint32_t>(i));
      make_masks(tests, ids);
    }
    return std::visit([&](const auto& volumes) { return bvh_view(tree_, volumes, masked ? &masks_ : nullptr); },
                      volumes_);
  }

  /// Of the arrays that update makes; known before it is called.
  static std::size_t planned_bytes(std::size_t leaf_count, BoundingVolume volume);
  /// Of the tree and its volumes alone.
  [[nodiscard]] std::size_t tree_bytes() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void make_masks(PairTests tests, std::span<const RepresentativeId> ids);

  bool built_ = false;
  BvhTree tree_;
  BvhMasks masks_;
  std::optional<PairTests> masks_of_;  ///< the tests that masks_ are for; none: to be made
  std::variant<BvhVolumes<Aabb>, BvhVolumes<Dop18>, BvhVolumes<Dop26>> volumes_;
  double cost_at_build_ = 0.0;
};

}  // namespace graze
