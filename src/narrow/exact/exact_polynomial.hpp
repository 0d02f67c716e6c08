// Narrow phase, tier c (exact arithmetic): integer polynomials of low degree, their real roots in [0,1] in
// ascending order (the possible times of impact), and signs of other polynomials at these roots.
//
// Roots: take the square-free part P, count roots with Sturm's chain, and isolate each in an interval by bisection;
// a guess in doubles, proved by two signs of P, replaces most bisection steps. Signs: if the Bernstein coefficients
// of a polynomial q on the isolating interval have one sign, q has it; otherwise Tarski's query decides: the sign
// variations of the chain of P and P'q at the two ends of the interval differ by sign q(root). Cost: a fixed number
// of products of integers of at most about 60 times the bits of the input.
#pragma once

#include <array>
#include <vector>

#include "narrow/exact/big_integer.hpp"

namespace graze::narrow::exact {

using Integer = narrow::Int;

/// The polynomial c[0] + c[1] t + ...; degree -1 is the zero polynomial, otherwise c[degree] != 0.
struct Polynomial {
  static constexpr int kMaxDegree = 4;
  std::array<Integer, kMaxDegree + 1> c;
  int degree = -1;

  [[nodiscard]] bool is_zero() const { return degree < 0; }
  void trim();  ///< lowers `degree` to the last nonzero coefficient
};

Polynomial operator+(const Polynomial& a, const Polynomial& b);
Polynomial operator-(const Polynomial& a, const Polynomial& b);
Polynomial operator*(const Polynomial& a, const Polynomial& b);
/// Greatest common divisor up to a constant factor; gcd(p, 0) = p.
Polynomial gcd(Polynomial a, Polynomial b);

/// The dyadic fraction numerator / 2^bits.
struct Dyadic {
  Integer numerator;
  unsigned bits = 0;
};

/// Sign of p at x: -1, 0 or 1.
int sign_at(const Polynomial& p, const Dyadic& x);

/// Enumerates the distinct roots in [0,1] of a nonzero polynomial in ascending order.
class RootFinder {
 public:
  /// Isolates each root in an interval no wider than 2^-bits, and no wider than the share of its lower end that
  /// narrow/toi_width.hpp allows; the latter only for roots above 2^-kMaxDepth.
  RootFinder(const Polynomial& p, unsigned bits);

  /// Advances to the next root; false if there is none.
  bool next();

  /// An interval [lo, hi] that contains the current root and no other, as narrow as the constructor says.
  [[nodiscard]] double lo() const;
  [[nodiscard]] double hi() const;
  /// Sign of q at the current root. Precondition: the degree of q is at most 2.
  int sign(const Polynomial& q);
  /// Sign of p just before the current root. Precondition: p is the polynomial passed to the constructor.
  [[nodiscard]] int sign_before(const Polynomial& p) const;

 private:
  using Chain = std::vector<Polynomial>;
  /// The half-open interval (l, r] in units of 2^-bits; it contains variations_l - variations_r roots.
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
  [[nodiscard]] bool is_relatively_narrow() const;

  /// Bisection ends at this depth: all ends of intervals are then normal doubles, or multiples of 2^-kMaxDepth.
  static constexpr unsigned kMaxDepth = 1000;

  Polynomial p_;  ///< square-free part of the given polynomial
  Chain chain_;
  unsigned bits_;
  bool at_zero_ = false;       ///< 0 is a root that next() has not returned yet
  std::vector<Span> pending_;  ///< later intervals, the next one last
  // The current root, in units of 2^-depth_: equal to r_ if exact_, otherwise strictly inside (l_, r_).
  Integer l_, r_;
  unsigned depth_ = 0;
  bool exact_ = false;
  int sign_r_ = 0;
};

}  // namespace graze::narrow::exact
