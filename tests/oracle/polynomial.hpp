// Polynomials of degree <= 3 with integer coefficients, and their operations for root isolation.
//
// Signs, Bernstein coefficients over a dyadic interval, greatest common divisors. A constant factor of any sign
// does not matter except in functions that return signs, and these say so. Cost: O(1) long operations.
#pragma once

#include "oracle/exact.hpp"

#include <array>

namespace graze::oracle {

class Polynomial {
 public:
  static constexpr int kMaxDegree = 3;

  Polynomial() = default;
  /// constant + slope * t.
  Polynomial(Integer constant, Integer slope);

  /// -1 for the zero polynomial.
  [[nodiscard]] int degree() const { return degree_; }
  [[nodiscard]] bool is_zero() const { return degree_ < 0; }
  [[nodiscard]] const Integer& operator[](int power) const {
    return coefficients_[static_cast<std::size_t>(power)];
  }
  void set(int power, Integer value);

  /// The sign of the value at t, exact.
  [[nodiscard]] int sign_at(const Dyadic& t) const;
  [[nodiscard]] Polynomial derivative() const;

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  /// Precondition: the degrees add up to at most 3.
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);

 private:
  void trim();

  std::array<Integer, kMaxDegree + 1> coefficients_;
  int degree_ = -1;
};

/// The signs of the Bernstein coefficients over [first, first + 1] * 2^-depth; `count` of them (degree + 1).
struct BernsteinSigns {
  std::array<int, Polynomial::kMaxDegree + 1> signs{};
  int count = 0;

  /// Sign changes without zeros: the number of roots in the open interval plus an even number (Descartes).
  [[nodiscard]] int variations() const;
  /// The sign of the polynomial on the whole closed interval if all coefficients share it; else 0.
  [[nodiscard]] int constant_sign() const;
};
BernsteinSigns bernstein_signs(const Polynomial& p, const Integer& first, int depth);

/// A greatest common divisor, up to a constant factor (of any sign). gcd(p, 0) = p.
Polynomial gcd(const Polynomial& p, const Polynomial& q);
/// p with each root once, up to a constant factor. Precondition: p is not zero.
Polynomial square_free(const Polynomial& p);

}  // namespace graze::oracle
