// High-level culling (ICCD, Tang et al. 2009, section IV and Algorithm 4): which patches of a hierarchy have no
// contact with themselves during a step, proved by continuous normal cones and a continuous contour test.
//
// Every step: cones bottom-up, then, from the root of each piece of mesh down, a patch whose cone leaves room for
// an axis (cull/projection.hpp) and whose contour stays simple along it (cull/contour.hpp) is free, and nothing
// below it is looked at. A child that fails uses its parent's axis and projected contour as long as its own cone is
// well within them, and fails without a test where it still has both edges that met in the parent. What can't be
// proved is not free. The proof needs no disc: see docs/methods.md. Cost: O(n) for the cones, and the contours
// that are tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/methods.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

#include "bvh/tree.hpp"
#include "cull/contour.hpp"
#include "cull/normal_cone.hpp"
#include "geometry/path.hpp"
#include "pipeline/patch_contours.hpp"

namespace graze {

class PatchCulling {
 public:
  PatchCulling() = default;
  /// For a tree whose blocks from `first_block` on are patches; leaves by number.
  PatchCulling(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves);
  /// Follows an edit of the tree, see update_patch_contours. No patch is free any more.
  void follow(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves,
              std::size_t vertex_count, std::span<const std::uint32_t> old_block,
              std::span<const std::uint32_t> turned);

  /// Looks for proofs for a step without thickness; what it took is added to `counts`. Deterministic.
  void prove(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths, NormalCones kind,
             CullCounts& counts);
  /// No patch is free any more.
  void forget();

  /// By block: 1 if free. For BvhView.
  [[nodiscard]] const std::uint8_t* self_free() const { return free_.data(); }
  /// Whether the patch of a block, or one that holds it, is free.
  [[nodiscard]] bool is_free(const BvhTree& tree, std::uint32_t block) const;

  [[nodiscard]] const PatchContours& contours() const { return contours_; }
  [[nodiscard]] std::span<const NormalCone> cones() const { return cones_; }
  [[nodiscard]] std::size_t memory_bytes() const;
  /// What a tree of so many leaves needs, about; contours aside, which depend on the mesh.
  static std::size_t planned_bytes(std::size_t leaf_count);

 private:
  /// A patch still to be looked at, and what its parent leaves it.
  struct Item {
    std::uint32_t block = 0;
    std::optional<ProjectionAxis> axis;
    std::optional<CrossingEdges> crossing;  ///< along that axis
  };
  class Search;

  void refit_cones(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                   NormalCones kind);

  std::uint32_t first_block_ = 0;
  PatchContours contours_;
  std::vector<NormalCone> cones_;   ///< by block
  std::vector<std::uint8_t> free_;  ///< by block
};

/// The block that holds two leaves, given the blocks that they stand in, and is lowest. Precondition: both are in
/// one tree.
std::uint32_t lowest_common_block(const BvhTree& tree, std::uint32_t a, std::uint32_t b);

}  // namespace graze
