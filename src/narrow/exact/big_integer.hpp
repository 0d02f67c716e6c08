// Narrow phase, exact arithmetic: vector operations on exact coordinates (geometry/lattice.hpp), and conversion
// back to doubles. Private to src/narrow and src/rigid. Only source files include this header, because it includes
// Boost.Multiprecision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <graze/types.hpp>

#include "geometry/lattice.hpp"

namespace graze::narrow {

using Int = ExactInt;

struct IntVec {
  Int x;
  Int y;
  Int z;
};

inline IntVec to_int(const Lattice& lattice, const Vec3& p) {
  return {lattice(p.x), lattice(p.y), lattice(p.z)};
}
inline IntVec operator+(const IntVec& a, const IntVec& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline IntVec operator-(const IntVec& a, const IntVec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline IntVec operator*(const Int& s, const IntVec& a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline Int dot(const IntVec& a, const IntVec& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline IntVec cross(const IntVec& a, const IntVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// The leading 64 bits (truncated) and the exponent of a positive integer: k ~ significand * 2^exponent.
inline std::uint64_t leading_bits(const Int& k, int& exponent) {
  const int excess = static_cast<int>(msb(k)) - 63;
  exponent = excess;
  const Int top = excess >= 0 ? Int(k >> static_cast<unsigned>(excess)) : Int(k << static_cast<unsigned>(-excess));
  return static_cast<std::uint64_t>(top);
}

/// num / den * 2^exponent as a double, within an ulp (or half of the smallest denormal). Precondition: den > 0.
inline double to_double_ratio(const Int& num, const Int& den, int exponent) {
  if (num.is_zero()) {
    return 0.0;
  }
  const Int magnitude = abs(num);
  // Computes a quotient of at least 66 bits before truncating it to 64.
  const int shift = std::max(0, 66 - (static_cast<int>(msb(magnitude)) - static_cast<int>(msb(den))));
  int quotient_exponent = 0;
  const std::uint64_t bits = leading_bits((magnitude << static_cast<unsigned>(shift)) / den, quotient_exponent);
  const double value = std::ldexp(static_cast<double>(bits), quotient_exponent - shift + exponent);
  return num.sign() < 0 ? -value : value;
}

/// sqrt(num / den) * 2^exponent as a double, within an ulp. Preconditions: num >= 0, den > 0.
inline double to_double_sqrt(const Int& num, const Int& den, int exponent) {
  if (num.is_zero()) {
    return 0.0;
  }
  // Shifts by an even number so that the quotient has about 134 bits and its integer root 67.
  int shift = 134 - (static_cast<int>(msb(num)) - static_cast<int>(msb(den)));
  shift += shift % 2;
  const Int scaled =
      shift >= 0 ? Int(num << static_cast<unsigned>(shift)) : Int(num >> static_cast<unsigned>(-shift));
  int root_exponent = 0;
  const std::uint64_t bits = leading_bits(boost::multiprecision::sqrt(Int(scaled / den)), root_exponent);
  return std::ldexp(static_cast<double>(bits), root_exponent - shift / 2 + exponent);
}

}  // namespace graze::narrow
