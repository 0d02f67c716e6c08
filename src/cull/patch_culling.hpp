// High-level culling (ICCD, Tang et al. 2009, section IV and Algorithm 4): which patches of a hierarchy have no
// contact with themselves during a step, proved by continuous normal cones and a continuous contour test.
//
// Every step: cones bottom-up, then, from the root of each piece of mesh down, a patch whose cone leaves room for
// an axis (cull/projection.hpp) and whose contour stays simple along it (cull/contour.hpp) is free, and nothing
// below it is looked at. A child that fails uses its parent's axis and projected contour as long as its own cone is
// well within them, and fails without a test where it still has both edges that met in the parent. What can't be
// proved is not free. The proof needs no disc: see docs/methods.md. Cost: O(n) for the cones, and the contours
// that are tested.
//
// A session of several steps (Adaptive, sections 5 and 7) keeps its patches and has them proved again in each step.
// Unlike the paper, a triangle that violates the cone is not taken out alone while the rest stays proved: that
// loses contacts. With a simple contour, triangles with a positive area over a point of the plane are one more than
// those with a negative area; where one violates there, two lie over the point that do not, and these may meet. So
// a patch without a proof is opened: its halves are paired, and each is looked at by itself. Cost: O(triangles in
// free patches), at a tenth of what cones cost where the old axes will do.
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
#include "cull/patch_contours.hpp"
#include "cull/projection.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// Which patches are tried.
struct ConeRule {
  static constexpr float kAnyAngle = NormalCone::kUnknown;

  NormalCones kind = NormalCones::Tight;
  float most_angle = kAnyAngle;  ///< radians: patches with a wider cone are not; their halves may be
};

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
  void prove(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
             const ConeRule& rule, CullCounts& counts);

  /// What a later step takes out of the patches that were free.
  struct Opened {
    std::vector<std::uint32_t> blocks;  ///< patches that are not free as a whole any more, ascending
    std::uint64_t triangles = 0;        ///< in these, but in no free patch
  };
  /// Looks for proofs for another step of the patches that are free, and, where one fails, of those within: what is
  /// free afterwards was free before. Along its old axis first, which takes no cones, so that for these angles do
  /// not count. Should it throw, no patch is free. Precondition: same tree and leaves. Deterministic.
  Opened prove_again(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                     const ConeRule& rule, CullCounts& counts);
  /// No patch is free any more.
  void forget();

  /// By block: 1 if free. For BvhView.
  [[nodiscard]] const std::uint8_t* self_free() const { return free_.data(); }
  /// The free patch that a block is, or is in; kNoNode if there is none. O(depth). Two leaves need not be paired if
  /// that of their blocks is the same one.
  [[nodiscard]] std::uint32_t free_patch(const BvhTree& tree, std::uint32_t block) const;
  /// Whether the patch of a block, or one that holds it, is free.
  [[nodiscard]] bool is_free(const BvhTree& tree, std::uint32_t block) const {
    return free_patch(tree, block) != kNoNode;
  }

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
  struct FreePatch {
    std::uint32_t block = 0;
    ProjectionAxis axis;  ///< that it was proved along
  };
  class Search;
  using Range = BvhTree::Piece;

  void set_free(const FreePatch& patch, CullCounts& counts);
  [[nodiscard]] std::vector<std::uint8_t> still_free(const BvhTree& tree, std::span<const Leaf> leaves,
                                                     std::span<const VertexPath> paths,
                                                     std::span<const FreePatch> patches, CullCounts& counts);

  void refit_cones(const BvhTree& tree, std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                   NormalCones kind, std::span<const Range> ranges);
  void search(const BvhTree& tree, std::span<const VertexPath> paths, float most_angle, std::vector<Item> front,
              CullCounts& counts);
  /// The blocks of a patch.
  [[nodiscard]] Range range_of(std::uint32_t block) const {
    return {block, block + contours_.leaf_counts[block] - 1};
  }

  std::uint32_t first_block_ = 0;
  PatchContours contours_;
  std::vector<NormalCone> cones_;   ///< by block
  std::vector<std::uint8_t> free_;  ///< by block
  std::vector<FreePatch> patches_;  ///< those, ascending
};

/// The block that holds two leaves, given the blocks that they stand in, and is lowest. Precondition: both are in
/// one tree.
std::uint32_t lowest_common_block(const BvhTree& tree, std::uint32_t a, std::uint32_t b);

}  // namespace graze::cull
