// Contours of the patches of a hierarchy, for self-collision culling: for each inner node the boundary of its
// triangles, if that boundary is one closed loop.
//
// A patch is the set of triangles under a node, consistently oriented. Its boundary is that of a chain: directed
// edges, where opposite ones cancel. Normal cones and contours exclude contacts only if that boundary is one loop
// of distinct vertices (ICCD, Tang et al. 2009, section IV-C; docs/methods.md has the theorem). This excludes
// annuli, patches with holes, closed surfaces, and pinched or wrongly glued patches: they have no contour here and
// are never proved free. Contours depend only on topology and tree, so they are built once, merged bottom-up from
// sorted edges; after an edit only the contours of changed patches are rebuilt. Cost: the total length of all
// contours, O(n) for compact patches (about 10 bytes per triangle of cloth), O(n log n) for strips. Patches below
// kMinPatchTriangles triangles have no contour, since culling them gains nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "bvh/tree.hpp"
#include "mesh/leaf.hpp"
#include "mesh/row_pool.hpp"

namespace graze::cull {

/// Minimum number of triangles of a patch with a contour. In smaller patches most triangles are adjacent and cause
/// no tests.
inline constexpr std::uint32_t kMinPatchTriangles = 8;

struct PatchContours {
  RowPool loops;                           ///< by block: vertices of the contour in order; empty if there is none
  std::vector<std::uint32_t> leaf_counts;  ///< by block: triangles of the patch; 0 for blocks before first_block

  [[nodiscard]] std::size_t memory_bytes() const {
    return loops.memory_bytes() + sizeof(std::uint32_t) * leaf_counts.capacity();
  }
};

/// Builds the contours of all patches. The block of a node's children identifies its patch. Blocks before
/// `first_block` are skipped: their nodes contain several connected components. `leaves` are indexed by primitive.
/// Runs in parallel; the result does not depend on the number of threads.
PatchContours make_patch_contours(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves);

/// Updates contours after an edit of the tree; the result equals make_patch_contours() of the edited tree.
/// `old_block` is as in TreeEditResult (bvh/edit/edit_tree.hpp); `turned` lists the remaining leaves whose
/// orientation has flipped. Cost: the contours of changed patches, and a cheap pass over all blocks.
void update_patch_contours(PatchContours& contours, const BvhTree& tree, std::uint32_t first_block,
                           std::span<const Leaf> leaves, std::size_t vertex_count,
                           std::span<const std::uint32_t> old_block, std::span<const std::uint32_t> turned);

}  // namespace graze::cull
