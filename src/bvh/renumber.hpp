// Gives the leaves of a tree other numbers. Builders number leaves 0, 1, 2, ... as their boxes come; those who keep
// leaves in an array with holes have numbers of their own. Cost: O(n).
#pragma once

#include <cstdint>
#include <span>

#include "bvh/two_level.hpp"

namespace graze {

/// Leaf i becomes numbers[i]. Precondition: numbers ascend.
inline void bvh_renumber(TwoLevelTree& levels, std::span<const std::uint32_t> numbers) {
  const auto renumber = [&](std::uint32_t& word) {
    if (word != kNoNode && (word & kLeaf) != 0) word = kLeaf | numbers[word & ~kLeaf];
  };
  for (std::uint32_t& word : levels.tree.words) renumber(word);
  for (TwoLevelTree::Component& component : levels.components) renumber(component.root);
}

}  // namespace graze
