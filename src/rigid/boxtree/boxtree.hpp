// The restricted boxtree (BOXTREE, section 3.1): a binary bounding volume hierarchy that stores no boxes. A node
// stores one plane, which cuts a slab off its parent's box, and the index of its first child: nine bytes, in memory
// and in files, 18 bytes a triangle.
//
// Coordinates are relative (rigid/local_frame.hpp): u = (x - origin) 2^-exponent, so that |u| <= 1 for every vertex
// and floats are precise enough wherever an object is. In real numbers, the box of a node is the root's box minus
// the slabs of all nodes on the path to it. rigid/boxtree/build_boxtree.hpp builds the tree so that each box
// contains its triangles up to boxtree_slack; rigid/boxtree/boxtree_traversal.hpp traverses it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <graze/types.hpp>

#include "rigid/local_frame.hpp"

namespace graze::rigid {

/// Nine bytes without alignment: the cut (a float >= 0), the index of the first child or the triangle, and flags.
class BoxNode {
 public:
  static constexpr unsigned kUpper = 4;
  static constexpr unsigned kLeaf = 8;
  static constexpr unsigned kCluster = 16;

  BoxNode() = default;
  /// `upper`: the node lies on the upper side of its plane, so that the slab is cut off at the lower end of the
  /// box.
  BoxNode(float cut, unsigned axis, bool upper, bool leaf, std::uint32_t place) {
    std::memcpy(bytes_.data(), &cut, 4);
    std::memcpy(bytes_.data() + 4, &place, 4);
    bytes_[8] = static_cast<unsigned char>(axis | (upper ? kUpper : 0U) | (leaf ? kLeaf : 0U));
  }

  /// Width of the slab that is cut off, >= 0.
  [[nodiscard]] float cut() const {
    float value;
    std::memcpy(&value, bytes_.data(), 4);
    return value;
  }
  /// Inner node: the index of its first child; the second child follows. Leaf: its triangle.
  [[nodiscard]] std::uint32_t place() const {
    std::uint32_t value;
    std::memcpy(&value, bytes_.data() + 4, 4);
    return value;
  }
  [[nodiscard]] unsigned axis() const { return bytes_[8] & 3U; }
  [[nodiscard]] bool upper() const { return (bytes_[8] & kUpper) != 0; }
  [[nodiscard]] bool leaf() const { return (bytes_[8] & kLeaf) != 0; }
  /// Whether the node is the root of a leaf group: it has at most kLeafGroupSize leaves below it, and its parent
  /// has more (or does not exist).
  [[nodiscard]] bool cluster() const { return (bytes_[8] & kCluster) != 0; }
  void mark_leaf_group(bool is_one) {
    bytes_[8] = static_cast<unsigned char>((bytes_[8] & ~kCluster) | (is_one ? kCluster : 0U));
  }
  /// Axis and side in one number: axis, + 4 if upper.
  [[nodiscard]] unsigned side() const { return bytes_[8] & 7U; }

 private:
  std::array<unsigned char, 9> bytes_{};
};
static_assert(sizeof(BoxNode) == 9 && alignof(BoxNode) == 1);

/// Largest leaf group: a subtree that a traversal tightens as a whole (rigid/boxtree/boxtree_traversal.hpp).
inline constexpr std::size_t kLeafGroupSize = 16;
/// Depth limit of builders and file reader, so that traversals may recurse.
inline constexpr std::uint32_t kMaxBoxtreeDepth = 128;

struct Boxtree {
  LocalFrame local_frame;
  std::array<float, 3> lo{};  ///< the root's box, within [-1, 1]
  std::array<float, 3> hi{};
  std::uint32_t depth = 0;  ///< depth of the deepest leaf; the root has 0
  /// All nodes: the root first, with a cut of 0; siblings are adjacent and have larger indices than their parent.
  std::vector<BoxNode> nodes;
};

/// Marks the roots of leaf groups and changes nothing else. The builder marks them itself; the file reader calls
/// this, because files do not store the marks. Safe for any bytes in nodes. O(n).
void mark_leaf_groups(Boxtree& tree);

/// How far a vertex may lie outside of the box of a node in real numbers, due to the rounding of the builder, which
/// keeps boxes in doubles. A traversal adds it to its own rounding.
inline double boxtree_slack(const Boxtree& tree) {
  return 0x1p-50 * (2.0 + static_cast<double>(tree.depth));
}

/// Checks that the tree covers all triangles, each in one leaf, and that every box contains its triangles within
/// the slack. Returns an empty string, or one line about the first error. Safe for any bytes in nodes. O(n).
std::string validate_boxtree(const Boxtree& tree, std::span<const Vec3> positions,
                             std::span<const Triangle> triangles);

}  // namespace graze::rigid
