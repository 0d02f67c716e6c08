// The leaves of method `auto`, seen by number: each is a triangle that represents a face, with the features that it
// represents. Nothing is stored twice: the vertices are those of the scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "mesh/features.hpp"
#include "methods/cluster/build/feature_masks.hpp"

namespace graze::methods {

/// References all data. A leaf whose mask is 0 is free: it has no vertices.
struct LeafView {
  std::span<const Triangle> triangles;
  std::span<const FeatureMask> masks;            ///< by leaf
  std::span<const std::uint32_t> triangle_of{};  ///< by leaf; empty if leaf i is triangle i
  std::span<const Neighbours> neighbours{};      ///< by leaf; may be empty

  [[nodiscard]] std::size_t size() const { return masks.size(); }
  [[nodiscard]] bool is_free(std::uint32_t leaf) const { return masks[leaf] == 0; }
  /// Vertices of a leaf. Precondition of this function and of face(): the leaf is not free.
  [[nodiscard]] const Triangle& vertices(std::uint32_t leaf) const {
    return triangles[triangle_of.empty() ? leaf : triangle_of[leaf]];
  }
  [[nodiscard]] Face face(std::uint32_t leaf) const { return face_of(vertices(leaf)); }
};

}  // namespace graze::methods
