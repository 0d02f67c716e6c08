// The restricted boxtree (BOXTREE, section 3.1): a binary tree of boxes that stores no box. A node has one plane
// that cuts a slab off its parent's box, and the place of its first child: nine bytes, in memory and in files.
//
// Coordinates are relative: u = (x - origin) 2^-exponent, so that |u| <= 1 for every vertex and floats are fine
// enough wherever an object is. The box of a node is the root's less the slabs of all nodes down to it, in real
// numbers. Made by rigid/boxtree/build_boxtree.hpp so that it holds the triangles below it, but for boxtree_slack;
// walked by rigid/boxtree/boxtree_traversal.hpp. 18 bytes a triangle.
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

/// Nine bytes: the cut (a float >= 0), the place of the first child or the triangle, and flags. No alignment.
class BoxNode {
 public:
  static constexpr unsigned kUpper = 4;
  static constexpr unsigned kLeaf = 8;
  static constexpr unsigned kCluster = 16;

  BoxNode() = default;
  /// `upper`: the node lies on the upper side of its plane, so that the cut is taken from the lower side.
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
  /// Of an inner node the first of its two children, which stand together; of a leaf its triangle.
  [[nodiscard]] std::uint32_t place() const {
    std::uint32_t value;
    std::memcpy(&value, bytes_.data() + 4, 4);
    return value;
  }
  [[nodiscard]] unsigned axis() const { return bytes_[8] & 3U; }
  [[nodiscard]] bool upper() const { return (bytes_[8] & kUpper) != 0; }
  [[nodiscard]] bool leaf() const { return (bytes_[8] & kLeaf) != 0; }
  /// Whether the node has at most kClusterLeaves leaves below it, and its parent more (or there is none).
  [[nodiscard]] bool cluster() const { return (bytes_[8] & kCluster) != 0; }
  void mark_cluster(bool is_one) {
    bytes_[8] = static_cast<unsigned char>((bytes_[8] & ~kCluster) | (is_one ? kCluster : 0U));
  }
  /// Axis and side in one: axis + 4 if upper.
  [[nodiscard]] unsigned side() const { return bytes_[8] & 7U; }

 private:
  std::array<unsigned char, 9> bytes_{};
};
static_assert(sizeof(BoxNode) == 9 && alignof(BoxNode) == 1);

/// The largest subtree that walks tighten as a whole (rigid/boxtree/boxtree_traversal.hpp).
inline constexpr std::size_t kClusterLeaves = 16;
/// No builder makes a deeper tree, and no file is read that has one: walks may recurse.
inline constexpr std::uint32_t kMaxBoxtreeDepth = 128;

struct Boxtree {
  Frame frame;
  std::array<float, 3> lo{};  ///< the root's box, within [-1, 1]
  std::array<float, 3> hi{};
  std::uint32_t depth = 0;  ///< of the deepest leaf; the root has 0
  std::vector<BoxNode>
      nodes;  ///< the root first, with a cut of 0; two children one after the other, behind their parent
};

/// Marks the clusters of a tree, and nothing else: builders and readers end with it. Any bytes in nodes are safe.
/// O(n).
void mark_clusters(Boxtree& tree);

/// How far a vertex, in real numbers, may lie outside of the box of a node: rounding of the builder, which keeps
/// boxes in doubles. A walk adds it to its own rounding.
inline double boxtree_slack(const Boxtree& tree) {
  return 0x1p-50 * (2.0 + static_cast<double>(tree.depth));
}

/// Whether it is a tree over all triangles, each in one leaf, and every box holds its triangles (within the slack):
/// empty, or one line on what is wrong. Any bytes in nodes are safe. O(n).
std::string validate_boxtree(const Boxtree& tree, std::span<const Vec3> positions,
                             std::span<const Triangle> triangles);

}  // namespace graze::rigid
