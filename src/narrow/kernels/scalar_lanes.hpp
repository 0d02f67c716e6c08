// Narrow phase kernels: the operations that kernels over lanes (*.inl.hpp) use, for a single lane: a double or a
// float, and a bool; on the host and on a CUDA device. core/simd/lanes.inl.hpp has the SIMD twins. Every operation
// is rounded once or not at all in all versions, so a kernel computes the same bits in all. For two equal or
// unordered values min and max may return either; kernels do not depend on the sign of a zero and never let a NaN
// decide.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "core/namespaces.hpp"

namespace graze::narrow::scalar {

GRAZE_HOST_DEVICE inline double add(double a, double b) {
  return a + b;
}
GRAZE_HOST_DEVICE inline double sub(double a, double b) {
  return a - b;
}
GRAZE_HOST_DEVICE inline double mul(double a, double b) {
  return a * b;
}
GRAZE_HOST_DEVICE inline double div(double a, double b) {
  return a / b;
}
GRAZE_HOST_DEVICE inline double sqrt(double a) {
  return std::sqrt(a);
}
GRAZE_HOST_DEVICE inline double min(double a, double b) {
  return a < b ? a : b;
}
GRAZE_HOST_DEVICE inline double max(double a, double b) {
  return a > b ? a : b;
}
GRAZE_HOST_DEVICE inline double abs(double a) {
  return std::abs(a);
}
GRAZE_HOST_DEVICE inline bool gt(double a, double b) {
  return a > b;
}
GRAZE_HOST_DEVICE inline double select(bool mask, double yes, double no) {
  return mask ? yes : no;
}

GRAZE_HOST_DEVICE inline float add(float a, float b) {
  return a + b;
}
GRAZE_HOST_DEVICE inline float sub(float a, float b) {
  return a - b;
}
GRAZE_HOST_DEVICE inline float mul(float a, float b) {
  return a * b;
}
GRAZE_HOST_DEVICE inline float div(float a, float b) {
  return a / b;
}
GRAZE_HOST_DEVICE inline float sqrt(float a) {
  return std::sqrt(a);
}
GRAZE_HOST_DEVICE inline float min(float a, float b) {
  return a < b ? a : b;
}
GRAZE_HOST_DEVICE inline float max(float a, float b) {
  return a > b ? a : b;
}
GRAZE_HOST_DEVICE inline float abs(float a) {
  return std::abs(a);
}
GRAZE_HOST_DEVICE inline bool gt(float a, float b) {
  return a > b;
}
GRAZE_HOST_DEVICE inline float select(bool mask, float yes, float no) {
  return mask ? yes : no;
}

GRAZE_HOST_DEVICE inline bool both(bool a, bool b) {
  return a && b;
}
GRAZE_HOST_DEVICE inline bool either(bool a, bool b) {
  return a || b;
}
/// Whether a is true and b is false.
GRAZE_HOST_DEVICE inline bool without(bool a, bool b) {
  return a && !b;
}
GRAZE_HOST_DEVICE inline bool all(bool a) {
  return a;
}
GRAZE_HOST_DEVICE inline bool none(bool a) {
  return !a;
}
/// The largest float <= a. Precondition: a is positive and in the range of normal floats.
GRAZE_HOST_DEVICE inline double float_down(double a) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & ~((std::uint64_t{1} << 29U) - 1U));
}
template <class V>
GRAZE_HOST_DEVICE constexpr V splat(double value) {
  return static_cast<V>(value);
}

}  // namespace graze::narrow::scalar
