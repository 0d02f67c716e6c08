// Coordinates for exact arithmetic: doubles as integers on a common power-of-two lattice.
//
// Every finite double is an integer times a power of two. After scaling by the smallest power among the operands,
// every polynomial of the coordinates is an integer, so its sign is exact. An ExactInt stores 512 bits in place;
// only coordinates of very different magnitudes need the allocator (at most about 2,100 bits per coordinate). Only
// source files include this header, because it includes Boost.Multiprecision.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/multiprecision/cpp_int.hpp>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::geometry {

using ExactInt = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<512, 0, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked>,
    boost::multiprecision::et_off>;

/// A double as mantissa * 2^exponent with an odd mantissa; {0, 0} for zero.
struct OddDouble {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

inline OddDouble to_odd(double x) {
  if (x == 0.0) {
    return {};
  }
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa / (std::int64_t{1} << zeros), exponent - 53 + zeros};
}

/// The lattice 2^exponent * Z. Call include() for every double first; then convert with operator().
class Lattice {
 public:
  void include(double x) {
    if (x != 0.0) {
      exponent_ = std::min(exponent_, to_odd(x).exponent);
    }
  }
  void include(const Vec3& p) {
    include(p.x);
    include(p.y);
    include(p.z);
  }
  template <class Points>
  void include_all(const Points& points) {
    for (const Vec3& p : points) {
      include(p);
    }
  }
  void include_power(int exponent) { exponent_ = std::min(exponent_, exponent); }

  /// The integer k with k * 2^exponent() = x.
  ExactInt operator()(double x) const {
    if (x == 0.0) {
      return ExactInt(0);
    }
    const OddDouble odd = to_odd(x);
    return ExactInt(odd.mantissa) << static_cast<unsigned>(odd.exponent - exponent_);
  }
  int exponent() const { return exponent_ == std::numeric_limits<int>::max() ? 0 : exponent_; }

 private:
  int exponent_ = std::numeric_limits<int>::max();
};

}  // namespace graze::geometry
