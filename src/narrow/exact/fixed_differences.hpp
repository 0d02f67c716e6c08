// Exact arithmetic in machine integers for points that lie close together: differences of doubles along one axis,
// as multiples of a power of two.
//
// Nearby doubles have similar exponents, so their differences are small multiples of the lowest bit that any of
// them has. The sign of an orientation determinant does not change if each axis is scaled by its own power of two;
// so each axis has its own unit. Where a difference needs more than 62 bits, big integers decide (big_integer.hpp).
// Cost: O(1), some nanoseconds per value.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Wide enough for products of two differences, and sums of two such products.
__extension__ using Int128 = __int128;
__extension__ using UnsignedInt128 = unsigned __int128;

/// Sets fixed[i] to the exact value of values[i] in a common unit; all are below 2^kMaxBits in absolute value.
/// Returns false if they do not fit, or a value is denormal. Precondition: the values are finite.
template <int kMaxBits, class Integer, std::size_t kCount>
bool fixed_values(const std::array<double, kCount>& values, std::array<Integer, kCount>& fixed) {
  static_assert(kMaxBits >= 53 && kMaxBits < 8 * static_cast<int>(sizeof(Integer)));
  constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << 52U) - 1;
  std::array<std::uint64_t, kCount> odd{};  // value = +-odd * 2^low
  std::array<int, kCount> low{};
  int unit = std::numeric_limits<int>::max();
  int top = std::numeric_limits<int>::min();
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(values[i]);
    if (values[i] == 0.0) continue;
    const int exponent = static_cast<int>(bits >> 52U & 0x7ffU);
    if (exponent == 0) return false;
    const std::uint64_t fraction = (bits & kFractionMask) | (kFractionMask + 1);
    const int zeros = std::countr_zero(fraction);
    odd[i] = fraction >> static_cast<unsigned>(zeros);
    low[i] = exponent + zeros;
    unit = std::min(unit, low[i]);
    top = std::max(top, exponent + 53);
  }
  if (top > unit && top - unit > kMaxBits) return false;
  for (std::size_t i = 0; i < kCount; ++i) {
    fixed[i] = 0;
    if (odd[i] == 0) continue;
    const auto size = static_cast<Integer>(static_cast<Integer>(odd[i]) << static_cast<unsigned>(low[i] - unit));
    fixed[i] = values[i] < 0.0 ? -size : size;
  }
  return true;
}

/// Sets differences[i] to the exact value of values[i] minus the last value, in a common unit; they are below 2^62
/// in absolute value. Returns false if they do not fit, or a value is denormal. Precondition: the values are
/// finite.
template <std::size_t kCount>
bool fixed_differences(const std::array<double, kCount>& values,
                       std::array<std::int64_t, kCount - 1>& differences) {
  std::array<std::int64_t, kCount> fixed{};
  if (!fixed_values<61>(values, fixed)) return false;  // a difference has one bit more than the values
  for (std::size_t i = 0; i + 1 < kCount; ++i) differences[i] = fixed[i] - fixed[kCount - 1];
  return true;
}

/// Sign of a 3x3 determinant of the rows (x, y, z), all below 2^62 in absolute value.
inline int determinant_sign(const std::array<std::int64_t, 3>& x, const std::array<std::int64_t, 3>& y,
                            const std::array<std::int64_t, 3>& z) {
  // The sum of three products of a minor (below 2^125) and a difference (below 2^62), as high * 2^64 + low.
  Int128 high = 0;
  UnsignedInt128 low = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3;
    const std::size_t j = (k + 2) % 3;
    const Int128 minor = Int128{x[i]} * y[j] - Int128{x[j]} * y[i];
    // minor = upper * 2^64 + lower with 0 <= lower < 2^64.
    const auto lower = static_cast<std::uint64_t>(minor);
    const Int128 upper = minor >> 64;
    high += upper * z[k];
    const Int128 part = Int128{static_cast<std::int64_t>(lower >> 1U)} * z[k];  // lower / 2, to stay signed
    const Int128 rest = (lower & 1U) != 0 ? Int128{z[k]} : Int128{0};
    const Int128 sum = 2 * part + rest;  // lower * z[k], below 2^126
    high += sum >> 64;
    low += static_cast<std::uint64_t>(sum);
  }
  high += static_cast<Int128>(low >> 64U);
  if (high != 0) return high > 0 ? 1 : -1;
  return static_cast<std::uint64_t>(low) != 0 ? 1 : 0;
}

}  // namespace graze::narrow
