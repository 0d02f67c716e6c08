// DT-BVH, the dynamic tree of two levels (Tang, Curtis, Yoon, Manocha 2009, VI): one over the components of a mesh,
// and a connected one (build_connected.hpp) in each of them, all in one BvhTree.
//
// With C components, the blocks [0, C) are the upper level: an ordinary tree over the boxes of the components, in
// which the root of component i (its block, or the word of its only leaf) stands where leaf i would. Behind come
// the blocks of each component in turn, m-1 for m leaves. Traversal, refit and masks take it as any other tree;
// "a subtree is one range" holds in each level by itself. Regrouping components (restructure_top.hpp) writes the
// upper blocks and the parents of roots; components never move. Leaves keep the caller's numbers.
// Cost: that of the builders; a soup, all components of one triangle, takes the upper builder's time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/build.hpp"
#include "bvh/build_connected.hpp"
#include "bvh/tree.hpp"
#include "geometry/volume.hpp"

namespace graze::bvh {

struct TwoLevelOptions {
  BvhBuildOptions upper;  ///< the builder of the upper level; piece_leaves counts for both levels
  ConnectedWeights weights;
};

struct TwoLevelTree {
  struct Component {
    std::uint32_t first_block = 0;
    std::uint32_t block_count = 0;
    std::uint32_t root = kNoNode;  ///< word: first_block, or kLeaf | the only leaf
    std::uint32_t leaf_count = 0;
    std::uint32_t depth = 0;  ///< below its root
    std::uint32_t smallest_leaf = 0;

    friend bool operator==(const Component&, const Component&) = default;
  };

  BvhTree tree;
  std::vector<Component> components;  ///< by their smallest leaf; so their blocks ascend too
  std::vector<float> calibration;     ///< of each upper block: its efficiency when built, see top_metric.hpp
  /// Of each block: what came and went below its node since that was built (editable_bvh.hpp). Empty until the
  /// first edit.
  std::vector<std::uint32_t> changes;
  TwoLevelOptions options;

  [[nodiscard]] std::size_t memory_bytes() const {
    return tree.memory_bytes() + sizeof(Component) * components.size() + sizeof(float) * calibration.size() +
           sizeof(std::uint32_t) * changes.size();
  }
};

/// Arguments as in bvh_build_connected.
TwoLevelTree bvh_build_two_level(std::span<const Aabb> boxes, std::span<const Vec3> normals,
                                 std::span<const LeafLink> links, const TwoLevelOptions& options = {});

/// Gives leaf i the number numbers[i], which ascend: a tree over some leaves of a mesh then speaks of these by the
/// mesh's numbers. O(n).
void bvh_renumber(BvhTree& tree, std::span<const std::uint32_t> numbers);
void bvh_renumber(TwoLevelTree& two_level, std::span<const std::uint32_t> numbers);

namespace detail {

/// Hangs nodes of the lower level, given by word, into the upper blocks [block, block + words.size() - 1) as
/// `order`, a tree of one level over that many leaves, says: leaf k of it becomes words[k]. For one word there is
/// no block: it goes to the root. The node above the first block stays.
void hang_components(BvhTree& tree, std::uint32_t block, const BvhTree& order,
                     std::span<const std::uint32_t> words);

/// Pieces, top and depth after the upper level has changed.
void finish_upper_level(TwoLevelTree& two_level);

/// Appends pieces and top of the lower level: large components are cut as a tree of one level is, small ones that
/// lie side by side are put together.
void cut_components(TwoLevelTree& two_level);

}  // namespace detail

}  // namespace graze::bvh
