// High-level self-collision culling (ICCD, Tang et al. 2009, section IV and Algorithm 4): finds the patches of a
// hierarchy that have no contact with themselves during a step, proved by continuous normal cones and a continuous
// contour test.
//
// Every step refits the cones bottom-up. Then, from the root of each connected component down, a patch is free if
// its cone admits a projection axis (cull/projection.hpp) and its contour stays simple along that axis
// (cull/contour.hpp); nothing below a free patch is tested. The children of a patch that fails reuse its axis and
// projections while their own cones are narrow enough, and fail without a test if they still contain both edges
// that crossed in the parent. A patch without a proof is not free. The proof does not require a disc: see
// docs/methods.md. Cost: O(n) for the cones, plus the contours that are tested.
//
// A session of several steps (ADAPTIVE, sections 5 and 7) keeps its free patches and proves them again in each
// step. Unlike in the paper, a triangle that violates the cone is not removed alone while the rest stays proved,
// because that loses contacts: with a simple contour, the triangles with positive area over a point inside it
// outnumber those with negative area by one; where one triangle violates the cone, two others that do not lie over
// the same point, and these two may touch. So a patch without a proof is opened: its halves are paired with each
// other, and each half is tested by itself. Cost: O(triangles in free patches), a tenth of the cost of cones where
// the old axes are still valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/methods.hpp>
#include <graze/research.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

#include "bvh/tree.hpp"
#include "cull/contour.hpp"
#include "cull/normal_cone.hpp"
#include "cull/patch_contours.hpp"
#include "cull/projection.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// Rule that selects the patches to test.
struct ConeRule {
  static constexpr float kAnyAngle = NormalCone::kUnknown;

  research::NormalCones kind = research::NormalCones::Tight;
  float max_angle = kAnyAngle;  ///< radians; patches with a wider cone are not tested, but their halves may be
};

class PatchCulling {
 public:
  PatchCulling() = default;
  /// Builds the contours. Blocks from `first_block` on are patches; `leaves` are indexed by number.
  PatchCulling(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves);
  /// Updates the contours after an edit of the tree, see update_patch_contours(). Afterwards no patch is free.
  void follow(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves,
              std::size_t vertex_count, std::span<const std::uint32_t> old_block,
              std::span<const std::uint32_t> turned);

  /// Finds the free patches for a step without thickness, and adds the work done to `counts`. Deterministic.
  void prove(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
             const ConeRule& rule, CullCounts& counts);

  /// Result of prove_again(): what is no longer free.
  struct Opened {
    std::vector<std::uint32_t> blocks;  ///< patches that are no longer free as a whole, ascending
    std::uint64_t triangles = 0;        ///< triangles in these patches that are in no free patch
  };
  /// Proves the free patches again for another step; where a proof fails, tests the patches within. The new free
  /// patches are subsets of the old ones. The old axis is tried first, which needs no cones, so that the limit on
  /// the angle does not apply. If it throws, no patch is free. Precondition: same tree and leaves. Deterministic.
  Opened prove_again(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                     const ConeRule& rule, CullCounts& counts);
  /// Marks all patches as not free.
  void forget();

  /// By block: 1 if the patch is free. Used as BvhView::self_free.
  [[nodiscard]] const std::uint8_t* self_free() const { return free_.data(); }
  /// Returns the free patch that is or contains the block; kNoNode if there is none. O(depth). A pair of leaves can
  /// be skipped if their blocks have the same free patch.
  [[nodiscard]] std::uint32_t free_patch(const BvhTree& tree, std::uint32_t block) const;
  /// Returns whether the patch of a block, or one that contains it, is free.
  [[nodiscard]] bool is_free(const BvhTree& tree, std::uint32_t block) const {
    return free_patch(tree, block) != kNoNode;
  }

  [[nodiscard]] const PatchContours& contours() const { return contours_; }
  [[nodiscard]] std::span<const NormalCone> cones() const { return cones_; }
  [[nodiscard]] std::size_t memory_bytes() const;
  /// Estimates the memory for a tree with this many leaves, without contours, which depend on the mesh.
  static std::size_t planned_bytes(std::size_t leaf_count);

 private:
  /// Patch to be tested, with what it inherits from its parent.
  struct Item {
    std::uint32_t block = 0;
    std::optional<ProjectionAxis> axis;
    std::optional<CrossingEdges> crossing;  ///< edges that cross along `axis` in the parent
  };
  struct FreePatch {
    std::uint32_t block = 0;
    ProjectionAxis axis;  ///< projection axis of the proof
  };
  class Search;
  using Range = BvhTree::Piece;

  void set_free(const FreePatch& patch, CullCounts& counts);
  [[nodiscard]] std::vector<std::uint8_t> still_free(const BvhTree& tree, std::span<const Leaf> leaves,
                                                     std::span<const VertexPath> paths,
                                                     std::span<const FreePatch> patches, CullCounts& counts);

  void refit_cones(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                   research::NormalCones kind, std::span<const Range> ranges);
  void search(const BvhTree& tree, std::span<const VertexPath> paths, float max_angle, std::vector<Item> front,
              CullCounts& counts);
  /// Returns the blocks of a patch.
  [[nodiscard]] Range range_of(std::uint32_t block) const {
    return {block, block + contours_.leaf_counts[block] - 1};
  }

  std::uint32_t first_block_ = 0;
  PatchContours contours_;
  std::vector<NormalCone> cones_;   ///< by block
  std::vector<std::uint8_t> free_;  ///< by block: 1 if the patch is free
  std::vector<FreePatch> patches_;  ///< the free patches, ascending by block
};

/// Returns the lowest block that contains two leaves, given the blocks that hold them. Precondition: both blocks
/// are in one tree.
std::uint32_t lowest_common_block(const BvhTree& tree, std::uint32_t a, std::uint32_t b);

}  // namespace graze::cull
