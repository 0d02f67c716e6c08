// Points relative to an origin and scaled by a power of two, in doubles or double-doubles.
//
// A relative point in doubles errs by half an ulp of each coordinate; in double-doubles it is exact. Scaling is
// exact but for underflow: pairs are scaled so that their extent is about 1, and what underflows is below 2^-1022
// of it. Constant cost.
#pragma once

#include <algorithm>
#include <cmath>

#include <graze/types.hpp>

#include "narrow/closest.hpp"

namespace graze::rigid {

/// The numbers of the second tier.
using Quad = narrow::DoubleDouble;

/// Multiplication by 2^-exponent in two steps, because one power may be out of the range of doubles. Exact but for
/// underflow.
class PowerOfTwo {
 public:
  explicit PowerOfTwo(int exponent)
      : first_(std::ldexp(1.0, -(exponent / 2))), second_(std::ldexp(1.0, -(exponent - exponent / 2))) {}
  [[nodiscard]] double operator()(double x) const { return (x * first_) * second_; }
  [[nodiscard]] Quad operator()(const Quad& x) const { return {(*this)(x.hi), (*this)(x.lo)}; }

 private:
  double first_;
  double second_;
};

inline double difference(double x, double origin, const double* /*kind*/) {
  return x - origin;
}
inline Quad difference(double x, double origin, const Quad* /*kind*/) {
  return narrow::two_sum(x, -origin);
}

template <class T>
narrow::Vec<T> relative(const Vec3& x, const Vec3& origin, const PowerOfTwo& scale) {
  const T* kind = nullptr;
  return {scale(difference(x.x, origin.x, kind)), scale(difference(x.y, origin.y, kind)),
          scale(difference(x.z, origin.z, kind))};
}

inline double max_abs(const narrow::Vec<double>& x) {
  return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
}
inline double max_abs(const narrow::Vec<Quad>& x) {
  return std::max({std::abs(x.x.hi), std::abs(x.y.hi), std::abs(x.z.hi)});
}

}  // namespace graze::rigid
