// Hierarchy for distance queries: eight oriented boxes a node, groups of up to eight triangles as leaves.
//
// The boxes of a boxtree are aligned with the object's axes. Around a patch of surface that is tilted against them
// they are thick in proportion to the patch, so near the closest points the number of node pairs that a distance
// query must open grows with the square of the resolution. An oriented box is thick in proportion to the square of
// the patch (Gottschalk, Lin, Manocha: OBBTree, 1996), and that number stays bounded. So distances have a tree of
// their own. It has the topology of the volume trees (rigid/trees/split_tree.hpp), with binary levels collapsed so
// that one step tests eight boxes in SIMD lanes, and with boxes of children beside each other in lanes.
//
// A box contains the relative points u = centre + sum of x_j axis_j with |x_j| <= half_j, with axes in floats that
// are orthonormal within 2e-7 (rigid/trees/obb_volume.hpp fits them).
//
// 24 to 40 bytes a triangle. Build: O(n log n), one thread. Does not depend on the object's other tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/types.hpp>

#include "rigid/local_frame.hpp"

namespace graze::rigid {

/// Children of a node, and triangles of a leaf group.
inline constexpr std::size_t kWide = 8;

/// The boxes of up to eight children, by lane. Lanes beyond `count` repeat the first.
struct alignas(64) WideNode {
  static constexpr std::uint32_t kGroupBit = 0x80000000U;

  std::array<std::array<float, kWide>, 3> centre;
  std::array<std::array<float, kWide>, 3> half;
  std::array<std::array<std::array<float, kWide>, 3>, 3> axes;  ///< [axis][coordinate]
  std::array<std::uint32_t, kWide> child;  ///< index of a node, or kGroupBit and the index of a leaf group
  std::uint32_t count;
};

/// Triangles of a leaf. Entries beyond `count` repeat the first.
struct LeafGroup {
  std::array<TriangleId, kWide> triangles;
  std::uint32_t count;
};

struct ProximityTree {
  /// A box of the tree with what is in it: lane % kWide of node / kWide. The whole object is slot 0.
  using Slot = std::uint32_t;

  LocalFrame local_frame;
  std::vector<WideNode> nodes;  ///< node 0 has one child, the whole object; empty without triangles
  std::vector<LeafGroup> groups;

  [[nodiscard]] std::uint32_t child(Slot slot) const { return nodes[slot / kWide].child[slot % kWide]; }
  [[nodiscard]] bool is_group(Slot slot) const { return (child(slot) & WideNode::kGroupBit) != 0; }
  [[nodiscard]] std::uint32_t group(Slot slot) const { return child(slot) & ~WideNode::kGroupBit; }
  [[nodiscard]] std::size_t bytes() const {
    return nodes.size() * sizeof(WideNode) + groups.size() * sizeof(LeafGroup);
  }
};

ProximityTree build_proximity_tree(std::span<const Vec3> positions, std::span<const Triangle> triangles);

/// Checks that every triangle is in one group and in all boxes above it. Returns an empty string, or one line about
/// the first error. O(n log n).
std::string validate_proximity_tree(const ProximityTree& tree, std::span<const Vec3> positions,
                                    std::span<const Triangle> triangles);

}  // namespace graze::rigid
