// Pairs of leaves: two triangles, by number, and what they are for.
#pragma once

#include <compare>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::mesh {

/// What pairs of leaves are for: vertex-face and edge-edge tests, or edge-face tests.
enum class PairTests : std::uint8_t { Continuous, EdgeFace };

/// In a self traversal each unordered pair comes once, a leaf with itself never.
struct LeafPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend auto operator<=>(const LeafPair&, const LeafPair&) = default;
};

}  // namespace graze::mesh
