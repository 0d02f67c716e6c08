// Two leaves of a hierarchy over triangles, by number.
#pragma once

#include <compare>
#include <cstdint>

namespace graze {

/// In a self traversal each unordered pair comes once, a leaf with itself never.
struct LeafPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend auto operator<=>(const LeafPair&, const LeafPair&) = default;
};

}  // namespace graze
