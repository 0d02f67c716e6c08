// Last stage of a tree edit (edit_tree.hpp): writes the two levels, held as editable BVHs, back into the layout of
// tree.hpp.
//
// Components are ordered by their smallest leaves. Unchanged components are in order already; changed ones are
// sorted and merged in. Data stored per block, `changes` and `calibration`, moves with the blocks. Cost: linear, a
// few ns per leaf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/edit/editable_bvh.hpp"
#include "bvh/two_level.hpp"

namespace graze::bvh::detail {

/// Returns the smallest leaf among these node words; kLeaf if none is a leaf.
std::uint32_t smallest_leaf_in(std::span<const std::uint32_t> words);

/// Returns whether the edit left a component unchanged. `old_roots` are the words of all roots before the edit.
bool root_unchanged(const EditableBvh& lower, std::span<const std::uint32_t> old_roots, std::uint32_t component);

/// Writes the tree. `two_level` still has the components and calibration from before the edit. Returns
/// TreeEditResult::old_block.
std::vector<std::uint32_t> lay_out_edited(TwoLevelTree& two_level, const EditableBvh& lower,
                                          const EditableBvh& upper, std::span<const std::uint32_t> old_roots);

}  // namespace graze::bvh::detail
