// Dyadic numbers and fractions over Boost.Multiprecision integers. Nothing rounds, except where the name says so.
// Cost: one or two long multiplications per operation.
#include "oracle/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace graze::oracle {

namespace {

struct SmallDyadic {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

// The mantissa is odd or zero, so that the exponent is that of the lowest set bit.
SmallDyadic split(double value) {
  if (value == 0.0) return {};
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa / (std::int64_t{1} << zeros), exponent - 53 + zeros};
}

Integer shifted(const Integer& value, int by) {
  Integer result = value;
  result <<= static_cast<unsigned>(by);
  return result;
}

// The top 62 bits of |value| as a double, and the exponent of the power of two they were divided by.
struct Leading {
  double value = 0.0;
  int exponent = 0;
};
Leading leading(const Integer& value) {
  if (value.is_zero()) return {};
  const Integer magnitude = abs(value);
  const int drop = std::max(0, static_cast<int>(msb(magnitude)) - 61);
  const Integer top = magnitude >> static_cast<unsigned>(drop);
  const auto rounded = static_cast<double>(static_cast<std::uint64_t>(top));
  return {value.sign() < 0 ? -rounded : rounded, drop};
}

double clamp_ldexp(double value, int exponent) {
  const double result = std::ldexp(value, exponent);
  const double largest = std::numeric_limits<double>::max();
  return std::clamp(result, -largest, largest);
}

// An approximate square root, not certified: the caller corrects it.
double sqrt_near(const Fraction& value) {
  if (value.numerator.is_zero()) return 0.0;
  const Leading n = leading(value.numerator);
  const Leading d = leading(value.denominator);
  double ratio = n.value / d.value;
  int exponent = n.exponent - d.exponent + value.exponent;
  if (exponent % 2 != 0) {
    ratio *= 2.0;
    exponent -= 1;
  }
  return clamp_ldexp(std::sqrt(ratio), exponent / 2);
}

// The sign of value - x^2.
int compare_square(const Fraction& value, double x) {
  const Dyadic root = dyadic_from(x);
  return compare(value, root * root);
}

}  // namespace

Dyadic dyadic_from(double value) {
  const SmallDyadic parts = split(value);
  return {Integer(parts.mantissa), parts.exponent};
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  const int exponent = std::min(a.exponent, b.exponent);
  return {shifted(a.mantissa, a.exponent - exponent) + shifted(b.mantissa, b.exponent - exponent), exponent};
}

Dyadic operator*(const Dyadic& a, const Dyadic& b) {
  return {a.mantissa * b.mantissa, a.exponent + b.exponent};
}

int compare(const Dyadic& a, const Dyadic& b) {
  const int exponent = std::min(a.exponent, b.exponent);
  const int order = shifted(a.mantissa, a.exponent - exponent).compare(shifted(b.mantissa, b.exponent - exponent));
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

Rational to_rational(const Dyadic& value) {
  return to_rational(Fraction{value.mantissa, 1, value.exponent});
}
Rational to_rational(double value) {
  return to_rational(dyadic_from(value));
}

double approximate(const Dyadic& value) {
  const Leading top = leading(value.mantissa);
  return clamp_ldexp(top.value, top.exponent + value.exponent);
}

int compare(const Fraction& a, const Fraction& b) {
  return compare(Dyadic{a.numerator * b.denominator, a.exponent}, Dyadic{b.numerator * a.denominator, b.exponent});
}

int compare(const Fraction& a, const Dyadic& b) {
  return compare(Dyadic{a.numerator, a.exponent}, Dyadic{b.mantissa * a.denominator, b.exponent});
}

Rational to_rational(const Fraction& value) {
  const boost::multiprecision::cpp_int numerator(shifted(value.numerator, std::max(0, value.exponent)));
  const boost::multiprecision::cpp_int denominator(shifted(value.denominator, std::max(0, -value.exponent)));
  return {numerator, denominator};
}

double sqrt_down(const Fraction& value) {
  double x = sqrt_near(value);
  while (x > 0.0 && compare_square(value, x) < 0) x = std::nextafter(x, 0.0);
  return x;
}

double sqrt_up(const Fraction& value) {
  double x = sqrt_near(value);
  while (compare_square(value, x) > 0) {
    x = std::nextafter(x, std::numeric_limits<double>::infinity());
    if (std::isinf(x)) break;
  }
  return x;
}

ScaledPoints scale_to_integers(std::span<const Vec3> points) {
  std::vector<SmallDyadic> parts;
  parts.reserve(3 * points.size());
  int exponent = std::numeric_limits<int>::max();
  for (const Vec3& point : points) {
    for (const double value : {point.x, point.y, point.z}) {
      parts.push_back(split(value));
      if (value != 0.0) exponent = std::min(exponent, parts.back().exponent);
    }
  }
  if (exponent == std::numeric_limits<int>::max()) exponent = 0;
  ScaledPoints result;
  result.exponent = exponent;
  result.points.resize(points.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].mantissa == 0) continue;
    result.points[i / 3][i % 3] = shifted(Integer(parts[i].mantissa), parts[i].exponent - exponent);
  }
  return result;
}

IntegerVec operator-(const IntegerVec& a, const IntegerVec& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Integer dot(const IntegerVec& a, const IntegerVec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

IntegerVec cross(const IntegerVec& a, const IntegerVec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace graze::oracle
