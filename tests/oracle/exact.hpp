// Exact numbers of the oracle: integers of any size, dyadic numbers (integer times a power of two), and fractions.
//
// Every finite double is a dyadic number, and sums and products of dyadics are dyadic, so that the oracle never
// rounds. A set of doubles is first converted to one common power of two; all geometry then uses integers.
// Rationals appear only in results: normalizing them costs a gcd at each operation.
#pragma once

#include <graze/types.hpp>

#include <boost/multiprecision/cpp_int.hpp>

#include <array>
#include <span>
#include <vector>

namespace graze::oracle {

/// Unbounded; the first 512 bits are stored in the object, which covers a cubic of ordinary doubles without
/// allocation.
using IntegerBackend = boost::multiprecision::cpp_int_backend<512, 0, boost::multiprecision::signed_magnitude,
                                                              boost::multiprecision::unchecked,
                                                              std::allocator<boost::multiprecision::limb_type>>;
using Integer = boost::multiprecision::number<IntegerBackend, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::cpp_rational;
using IntegerVec = std::array<Integer, 3>;

/// mantissa * 2^exponent.
struct Dyadic {
  Integer mantissa = 0;
  int exponent = 0;
};

/// The exact value. Precondition: finite.
Dyadic dyadic_from(double value);
Dyadic operator+(const Dyadic& a, const Dyadic& b);
Dyadic operator*(const Dyadic& a, const Dyadic& b);
/// -1, 0 or 1: a < b, a == b, a > b.
int compare(const Dyadic& a, const Dyadic& b);
Rational to_rational(const Dyadic& value);
Rational to_rational(double value);
/// Close to the value (a few ulps), never infinite for values in the range of doubles. For messages only.
double approximate(const Dyadic& value);

/// numerator / denominator * 2^exponent with a denominator > 0; not reduced.
struct Fraction {
  Integer numerator = 0;
  Integer denominator = 1;
  int exponent = 0;
};
int compare(const Fraction& a, const Fraction& b);
int compare(const Fraction& a, const Dyadic& b);
Rational to_rational(const Fraction& value);
/// Doubles below and above the square root of value >= 0: lo * lo <= value <= hi * hi exactly, a few ulps apart.
double sqrt_down(const Fraction& value);
double sqrt_up(const Fraction& value);

/// Points as integers: point i is points[i] * 2^exponent, exactly.
struct ScaledPoints {
  std::vector<IntegerVec> points;
  int exponent = 0;
};
ScaledPoints scale_to_integers(std::span<const Vec3> points);

IntegerVec operator-(const IntegerVec& a, const IntegerVec& b);
Integer dot(const IntegerVec& a, const IntegerVec& b);
IntegerVec cross(const IntegerVec& a, const IntegerVec& b);
inline bool is_zero(const IntegerVec& a) {
  return a[0].is_zero() && a[1].is_zero() && a[2].is_zero();
}

}  // namespace graze::oracle
