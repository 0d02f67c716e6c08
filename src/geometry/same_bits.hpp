// Whether two points are the same to the bit, so that any computation with one gives the result of the other.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::geometry {

/// Tells 0.0 from -0.0, and takes a NaN for equal to itself.
inline bool same_bits(const Vec3& a, const Vec3& b) {
  using Bits = std::array<std::uint64_t, 3>;
  const auto p = std::bit_cast<Bits>(a);
  const auto q = std::bit_cast<Bits>(b);
  return ((p[0] ^ q[0]) | (p[1] ^ q[1]) | (p[2] ^ q[2])) == 0;
}

}  // namespace graze::geometry
