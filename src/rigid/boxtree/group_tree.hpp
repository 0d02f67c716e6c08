// Group tree: oriented bounding boxes (OBBs) above the leaf groups of a boxtree, up to 16 children a node, for the
// discrete queries. A boxtree's own boxes are loose (nothing but cuts is stored), which costs most where objects
// are close but separated; OBBs of a surface get thin with the square of their length (Gottschalk et al., OBBTree,
// 1996). Only leaf groups and the nodes above them have one, in 18 bytes: about two bytes a triangle.
//
// A box holds the points c + sum of x_i e_i with |x_i| <= h_i. Stored are c and the vector part of a unit
// quaternion with a large real part, both in units of 2^-15, and the upper halves of the floats h. Of the 24
// quaternions of a box, whose axes have no order and no sign, one has a real part of 0.85 or more. decode() gives
// e_i in floats, as the lanes of rigid/boxtree/group_traversal.cpp do, bit for bit: the builder fits h to these.
// Rows e_i are orthonormal within kAxisError, so |e_i . (u - c)| <= h_i holds as well up to a share of h, which h
// contains.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/types.hpp>

#include "rigid/boxtree/boxtree.hpp"

namespace graze::rigid {

/// An oriented box in relative coordinates.
struct GroupBox {
  std::array<float, 3> centre{};
  std::array<std::array<float, 3>, 3> axes{};  ///< rows e_i
  std::array<float, 3> half{};
};

struct GroupTree {
  static constexpr std::uint32_t kWidth = 16;
  /// Numbers of a box: centre, vector part of the quaternion, half extents.
  static constexpr std::size_t kRows = 9;
  static constexpr float kUnit = 0x1p-15F;
  /// Bound of |e_i . e_j - (i == j)| for decoded axes.
  static constexpr double kAxisError = 0x1p-18;
  /// Flag of a child that is a leaf group.
  static constexpr std::uint32_t kGroup = 0x80000000U;

  /// Box 0, which contains all triangles, decoded.
  GroupBox root;
  /// By block: its first box; at the end the number of boxes. Block 0 has one box, that of the root.
  std::vector<std::uint32_t> first;
  /// By block: kRows rows of one number a box. Padded at the end by kWidth, so that a full register can be loaded.
  std::vector<std::int16_t> rows;
  /// By box: the block of its children, or kGroup and the root of a leaf group in the boxtree.
  std::vector<std::uint32_t> children;

  [[nodiscard]] bool empty() const { return children.empty(); }
  [[nodiscard]] std::uint32_t count(std::uint32_t block) const { return first[block + 1] - first[block]; }
  [[nodiscard]] const std::int16_t* rows_of(std::uint32_t block) const {
    return rows.data() + kRows * std::size_t{first[block]};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return first.capacity() * sizeof(first[0]) + rows.capacity() * sizeof(rows[0]) +
           children.capacity() * sizeof(children[0]);
  }
};

/// The axes of a box from the vector part of its quaternion. Each operation rounds once, in this order.
inline std::array<std::array<float, 3>, 3> group_axes(float x, float y, float z) {
  const float xx = x * x;
  const float yy = y * y;
  const float zz = z * z;
  const float rest = 1.0F - ((xx + yy) + zz);
  const float w = std::sqrt(rest > 0.0F ? rest : 0.0F);
  const float xy = x * y;
  const float xz = x * z;
  const float yz = y * z;
  const float wx = w * x;
  const float wy = w * y;
  const float wz = w * z;
  return {{{1.0F - 2.0F * (yy + zz), 2.0F * (xy - wz), 2.0F * (xz + wy)},
           {2.0F * (xy + wz), 1.0F - 2.0F * (xx + zz), 2.0F * (yz - wx)},
           {2.0F * (xz - wy), 2.0F * (yz + wx), 1.0F - 2.0F * (xx + yy)}}};
}

/// The half extent that is stored as these upper bits.
inline float group_half(std::int16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(static_cast<std::uint16_t>(bits)) << 16U);
}

/// Box number `lane` of a block.
inline GroupBox decode(const GroupTree& tree, std::uint32_t block, std::uint32_t lane) {
  const std::size_t stride = tree.count(block);
  const std::int16_t* const row = tree.rows_of(block) + lane;
  const auto number = [&](std::size_t r) { return static_cast<float>(row[r * stride]) * GroupTree::kUnit; };
  return {{number(0), number(1), number(2)},
          group_axes(number(3), number(4), number(5)),
          {group_half(row[6 * stride]), group_half(row[7 * stride]), group_half(row[8 * stride])}};
}

/// Builds the group tree of a boxtree. The result does not depend on the number of threads. O(n log n).
GroupTree build_group_tree(const Boxtree& tree, std::span<const Vec3> positions,
                           std::span<const Triangle> triangles);

/// Checks that the boxes lead to each leaf group once and contain its triangles. Returns an empty string, or one
/// line about the first error. For tests.
std::string validate_group_tree(const GroupTree& groups, const Boxtree& tree, std::span<const Vec3> positions,
                                std::span<const Triangle> triangles);

}  // namespace graze::rigid
