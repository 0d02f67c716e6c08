// The contours of a hierarchy's patches: for each inner node the boundary of its triangles, if it is one closed
// loop.
//
// A patch is the triangles under a node, oriented alike. Its boundary is that of a chain: directed edges, of which
// opposite ones cancel. Cones and contours rule out contacts only where that boundary is one loop of distinct
// vertices (ICCD, Tang et al. 2009, section IV-C; docs/methods.md has the theorem): not for annuli, patches with
// holes, closed surfaces, pinched or wrongly glued ones. Such patches have no contour here and are never proved.
// Depends on topology and tree alone, so it is made once, and follows edits of these: only contours of patches that
// changed are made anew. Merged bottom-up from sorted edges. Cost: the sum of all contours, O(n) for compact
// patches (about 10 bytes a triangle of cloth), O(n log n) for strips; patches below kLeastPatch have none: there
// is nothing to gain in them.
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

/// Fewest triangles of a patch whose contour is kept. Of fewer, most are adjacent and make no tests.
inline constexpr std::uint32_t kLeastPatch = 8;

struct PatchContours {
  RowPool loops;                           ///< by block: the vertices, in order; empty if the patch has no contour
  std::vector<std::uint32_t> leaf_counts;  ///< by block: triangles of the patch; 0 above the first block

  [[nodiscard]] std::size_t memory_bytes() const {
    return loops.memory_bytes() + sizeof(std::uint32_t) * leaf_counts.capacity();
  }
};

/// A node's patch is named by the block of its children. Blocks below `first_block` are left out: their nodes hold
/// several pieces of mesh. leaves: by primitive. In parallel; the same for any number
/// of threads.
PatchContours make_patch_contours(const BvhTree& tree, std::uint32_t first_block, std::span<const Leaf> leaves);

/// Follows an edit of the tree: equal to make_patch_contours of what it is now. old_block as in TreeEditResult
/// (bvh/edit/edit_tree.hpp); `turned`: leaves that stayed and have the other side up now. Cost: the contours of
/// patches that changed, and a light pass over all blocks.
void update_patch_contours(PatchContours& contours, const BvhTree& tree, std::uint32_t first_block,
                           std::span<const Leaf> leaves, std::size_t vertex_count,
                           std::span<const std::uint32_t> old_block, std::span<const std::uint32_t> turned);

}  // namespace graze::cull
