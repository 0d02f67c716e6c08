// Candidate pairs of leaves: the output of the broad phase, by leaf number.
#pragma once

#include <compare>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::mesh {

/// Elementary tests that a leaf pair generates: vertex-face and edge-edge (Continuous), or edge-face.
enum class PairTests : std::uint8_t { Continuous, EdgeFace };

/// In a self-collision traversal each unordered pair occurs once, and no leaf is paired with itself.
struct LeafPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend auto operator<=>(const LeafPair&, const LeafPair&) = default;
};

}  // namespace graze::mesh
