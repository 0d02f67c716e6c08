// Two-level BVH, the DT-BVH or dynamic tree of ICCD (Tang, Curtis, Yoon, Manocha 2009, VI): an upper level over the
// connected components of a mesh, and a connected tree (build_connected.hpp) in each component, all in one BvhTree.
//
// With C components, blocks [0, C) are the upper level: an ordinary tree over the boxes of the components, with the
// root of component i (its block, or the word of its only leaf) in place of leaf i. The blocks of each component
// follow in order, m-1 blocks for m leaves. Traversal, refit and masks treat it as any other tree; "a subtree is
// one range of blocks" holds within each level. Restructuring (restructure_top.hpp) writes only the upper blocks
// and the parents of the component roots; the blocks of components never move. Leaves keep the caller's numbers.
// Cost: that of the builders; a soup whose components are single triangles takes the time of the upper builder.
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
  BvhBuildOptions upper;  ///< builder of the upper level; piece_leaves applies to both levels
  ConnectedWeights weights;
};

struct TwoLevelTree {
  struct Component {
    std::uint32_t first_block = 0;
    std::uint32_t block_count = 0;
    std::uint32_t root = kNoNode;  ///< word of the root: first_block, or kLeaf | the only leaf
    std::uint32_t leaf_count = 0;
    std::uint32_t depth = 0;  ///< depth below its root
    std::uint32_t smallest_leaf = 0;

    friend bool operator==(const Component&, const Component&) = default;
  };

  BvhTree tree;
  std::vector<Component> components;  ///< in the order of their smallest leaves; their blocks ascend too
  std::vector<float> calibration;     ///< for each upper block, its efficiency when built (top_metric.hpp)
  /// For each block, the weighted number of items inserted and removed below its node since the node was built
  /// (editable_bvh.hpp). Empty until the first edit.
  std::vector<std::uint32_t> changes;
  TwoLevelOptions options;

  [[nodiscard]] std::size_t memory_bytes() const {
    return tree.memory_bytes() + sizeof(Component) * components.size() + sizeof(float) * calibration.size() +
           sizeof(std::uint32_t) * changes.size();
  }
};

/// Builds both levels. The arguments are those of bvh_build_connected.
TwoLevelTree bvh_build_two_level(std::span<const Aabb> boxes, std::span<const Vec3> normals,
                                 std::span<const LeafLink> links, const TwoLevelOptions& options = {});

/// Renumbers leaf i as numbers[i]; `numbers` must ascend. A tree over some leaves of a mesh then uses the mesh's
/// numbers. Cost: O(n).
void bvh_renumber(BvhTree& tree, std::span<const std::uint32_t> numbers);
void bvh_renumber(TwoLevelTree& two_level, std::span<const std::uint32_t> numbers);

namespace detail {

/// Attaches nodes of the lower level, given by their words, to the upper blocks [block, block + words.size() - 1).
/// `order` is a one-level tree over words.size() leaves; its leaf k becomes words[k]. A single word needs no block:
/// it becomes the root. The node above the first block does not change.
void attach_components(BvhTree& tree, std::uint32_t block, const BvhTree& order,
                       std::span<const std::uint32_t> words);

/// Recomputes the pieces, `top` and depth after a change of the upper level.
void finish_upper_level(TwoLevelTree& two_level);

/// Appends the pieces and top blocks of the lower level: partitions large components as bvh_cut_pieces does, and
/// combines small adjacent components into one piece.
void cut_components(TwoLevelTree& two_level);

}  // namespace detail

}  // namespace graze::bvh
