// The last part of a tree edit (edit_tree.hpp): two loose levels become a tree in the layout of tree.hpp again.
//
// Components are put in the order of their smallest leaves: those that nothing has happened to are in order, the
// others are sorted and merged in. What is known by block, changes and calibration, goes along. Cost: linear, a few
// ns a leaf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/edit/editable_bvh.hpp"
#include "bvh/two_level.hpp"

namespace graze::bvh::detail {

/// Of these words of nodes; kLeaf if none is a leaf.
std::uint32_t smallest_leaf_in(std::span<const std::uint32_t> words);

/// Whether a component is the one it was. `old_roots`: the words of all roots before the edit.
bool root_unchanged(const EditableBvh& lower, std::span<const std::uint32_t> old_roots, std::uint32_t component);

/// Writes the tree; two_level has components and calibration from before. Returns TreeEditResult::old_block.
std::vector<std::uint32_t> lay_out_edited(TwoLevelTree& two_level, const EditableBvh& lower,
                                          const EditableBvh& upper, std::span<const std::uint32_t> old_roots);

}  // namespace graze::bvh::detail
