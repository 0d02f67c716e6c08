// Integer polynomials of low degree, their real roots in [0,1] in ascending order, and signs of other polynomials
// at those roots, all exact. What tier c computes with.
//
// Roots: the square-free part P, Sturm's chain to count, bisection to isolate; a guess in doubles, proved by two
// signs of P, replaces most bisection steps. Signs: a polynomial q whose Bernstein coefficients on the isolating
// interval agree has that sign; else Tarski's query, the chain of P and P'q, whose variations over the interval
// differ by sign q(root). Cost: a fixed number of products of integers of at most about 60 times the bits of the
// input.
#pragma once

#include <array>
#include <vector>

#include "narrow/exact/big_integer.hpp"

namespace graze::narrow::exact {

using Integer = narrow::Int;

/// c[0] + c[1] t + ...; degree -1 is the zero polynomial, otherwise c[degree] != 0.
struct Polynomial {
  static constexpr int kMaxDegree = 4;
  std::array<Integer, kMaxDegree + 1> c;
  int degree = -1;

  [[nodiscard]] bool is_zero() const { return degree < 0; }
  void trim();  ///< lowers degree past zero coefficients
};

Polynomial operator+(const Polynomial& a, const Polynomial& b);
Polynomial operator-(const Polynomial& a, const Polynomial& b);
Polynomial operator*(const Polynomial& a, const Polynomial& b);
/// Greatest common divisor, up to a constant factor; of zero and p: p.
Polynomial gcd(Polynomial a, Polynomial b);

/// numerator / 2^bits.
struct Dyadic {
  Integer numerator;
  unsigned bits = 0;
};

/// Sign of p at x: -1, 0 or 1.
int sign_at(const Polynomial& p, const Dyadic& x);

/// The distinct roots in [0,1] of a polynomial that is not zero, one after the other.
class RootFinder {
 public:
  /// Roots are isolated in intervals of at most 2^-bits.
  RootFinder(const Polynomial& p, unsigned bits);

  /// Steps to the next root; false when there is none left.
  bool next();

  /// The current root is in [lo, hi], and is the only one there; lo and hi are doubles no more than 2^-bits apart.
  [[nodiscard]] double lo() const;
  [[nodiscard]] double hi() const;
  /// Sign of q (degree at most 2) at the current root.
  int sign(const Polynomial& q);
  /// Sign just before the current root of the polynomial that this finder was made for, given again.
  [[nodiscard]] int sign_before(const Polynomial& p) const;

 private:
  using Chain = std::vector<Polynomial>;
  // Half-open (l, r] with `count` roots, at depth `bits`.
  struct Span {
    Integer l, r;
    unsigned bits = 0;
    int variations_l = 0;
    int variations_r = 0;
  };
  static Chain remainder_sequence(const Polynomial& a, const Polynomial& b);
  static int variations(const Chain& chain, const Dyadic& x);
  void isolate(Span span);
  void bisect();
  bool guess();

  Polynomial p_;  // square-free
  Chain chain_;
  unsigned bits_;
  bool at_zero_ = false;       // 0 is a root and has not been visited
  std::vector<Span> pending_;  // later spans, last is next
  // The current root: exact_ at r_, or strictly inside (l_, r_).
  Integer l_, r_;
  unsigned depth_ = 0;
  bool exact_ = false;
  int sign_r_ = 0;
};

}  // namespace graze::narrow::exact
