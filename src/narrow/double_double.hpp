// Double-double arithmetic: numbers of about 106 bits as unevaluated sums of two doubles, for the tier of the
// narrow phase between the filter in doubles and exact arithmetic.
//
// Uses the classical error-free transformations of Dekker and Knuth. Without overflow or underflow every operation
// has a relative error <= 2^-100 (2^-102 is provable for sum and product). Callers keep magnitudes inside a window
// in which underflow is negligible. No fused multiply-add is used, so every machine computes the same bits.
#pragma once

#include <cmath>

#include "core/namespaces.hpp"

namespace graze::narrow {

struct DoubleDouble {
  double hi = 0.0;
  double lo = 0.0;

  DoubleDouble() = default;
  constexpr DoubleDouble(double value)
      : hi(value) {}  // NOLINT(google-explicit-constructor): as built-in numbers do
  constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}
};

/// The exact sum a + b.
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// The exact sum a + b. Precondition: |a| >= |b| or a = 0.
inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// The exact product a * b, barring underflow: splits each factor into halves of 26 bits.
inline DoubleDouble two_product(double a, double b) {
  constexpr double kSplitter = 134217729.0;  // 2^27 + 1
  const double a_big = kSplitter * a;
  const double a_hi = a_big - (a_big - a);
  const double a_lo = a - a_hi;
  const double b_big = kSplitter * b;
  const double b_hi = b_big - (b_big - b);
  const double b_lo = b - b_hi;
  const double product = a * b;
  return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

inline DoubleDouble operator-(const DoubleDouble& a) {
  return {-a.hi, -a.lo};
}

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  DoubleDouble high = two_sum(a.hi, b.hi);
  const DoubleDouble low = two_sum(a.lo, b.lo);
  high = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(high.hi, high.lo + low.lo);
}

inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) {
  return a + (-b);
}

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = two_product(a.hi, b.hi);
  return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double first = a.hi / b.hi;
  DoubleDouble rest = a - b * DoubleDouble(first);
  const double second = rest.hi / b.hi;
  rest = rest - b * DoubleDouble(second);
  return quick_two_sum(first, second) + DoubleDouble(rest.hi / b.hi);
}

inline bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
inline bool operator>(const DoubleDouble& a, const DoubleDouble& b) {
  return b < a;
}
inline bool operator<=(const DoubleDouble& a, const DoubleDouble& b) {
  return !(b < a);
}
inline bool operator>=(const DoubleDouble& a, const DoubleDouble& b) {
  return !(a < b);
}

/// Square root by one Newton step from the rounded root: relative error about 2^-100. Returns zero for zero.
inline DoubleDouble square_root(const DoubleDouble& a) {
  if (!(a.hi > 0.0)) {
    return {};
  }
  const double root = std::sqrt(a.hi);
  const DoubleDouble residual = a - two_product(root, root);
  return quick_two_sum(root, residual.hi / (2.0 * root));
}
inline double square_root(double a) {
  return std::sqrt(a);
}

inline double to_double(const DoubleDouble& a) {
  return a.hi;
}
inline double to_double(double a) {
  return a;
}

}  // namespace graze::narrow
