// Narrow phase kernels: the operations that kernels over lanes (*.inl.hpp) use, for a single lane: a double and a
// bool. core/simd/lanes.inl.hpp has the SIMD twins. Every operation is rounded once or not at all in both versions,
// so a kernel computes the same bits in both. For two equal or unordered values min and max may return either;
// kernels do not depend on the sign of a zero and never let a NaN decide.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::narrow::scalar {

inline double add(double a, double b) {
  return a + b;
}
inline double sub(double a, double b) {
  return a - b;
}
inline double mul(double a, double b) {
  return a * b;
}
inline double div(double a, double b) {
  return a / b;
}
inline double sqrt(double a) {
  return std::sqrt(a);
}
inline double min(double a, double b) {
  return a < b ? a : b;
}
inline double max(double a, double b) {
  return a > b ? a : b;
}
inline double abs(double a) {
  return std::abs(a);
}
inline bool gt(double a, double b) {
  return a > b;
}
inline bool both(bool a, bool b) {
  return a && b;
}
inline bool either(bool a, bool b) {
  return a || b;
}
/// Whether a is true and b is false.
inline bool without(bool a, bool b) {
  return a && !b;
}
inline bool all(bool a) {
  return a;
}
inline bool none(bool a) {
  return !a;
}
inline double select(bool mask, double yes, double no) {
  return mask ? yes : no;
}
/// The largest float <= a. Precondition: a is positive and in the range of normal floats.
inline double float_down(double a) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & ~((std::uint64_t{1} << 29U) - 1U));
}
template <class V>
constexpr V splat(double value) {
  return value;
}

}  // namespace graze::narrow::scalar
