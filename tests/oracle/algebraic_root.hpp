// A real algebraic number in [0, 1], stored as a polynomial and an interval that isolates one simple root of it.
//
// Comparisons and signs are exact. Whether another polynomial is zero at the root is decided by a gcd, its sign by
// Bernstein coefficients over a shrinking interval: no Sturm sequence and no numeric tolerance.
#pragma once

#include "oracle/exact.hpp"
#include "oracle/polynomial.hpp"

#include <vector>

namespace graze::oracle {

class Root {
 public:
  /// The number first * 2^-depth itself.
  static Root exactly(const Integer& first, int depth);
  /// The one root of p strictly inside [first, first + 1] * 2^-depth.
  /// Precondition: that root is simple, and p has opposite signs (not zero) at the two ends.
  static Root isolated(const Polynomial& p, const Integer& first, int depth);

  /// -1, 0 or 1: this root is less than, equal to, greater than t.
  [[nodiscard]] int compare(const Dyadic& t) const;
  [[nodiscard]] int compare(double t) const { return compare(dyadic_from(t)); }
  [[nodiscard]] int compare(const Rational& t) const;
  /// lo <= root <= hi, exactly.
  [[nodiscard]] bool in(double lo, double hi) const { return compare(lo) >= 0 && compare(hi) <= 0; }
  /// The exact sign of q at this root. Shrinks the interval as far as necessary.
  [[nodiscard]] int sign_of(const Polynomial& q);

  /// True if the root is known as one dyadic number: lower() == upper().
  [[nodiscard]] bool is_exact() const { return exact_; }
  [[nodiscard]] Dyadic lower() const { return {first_, -depth_}; }
  [[nodiscard]] Dyadic upper() const;
  /// Halves the interval.
  void refine();
  /// Refines until the interval is at most 2^-bits wide.
  void refine_to(int bits);
  /// The root to about 50 bits relative to 1; for messages and samples only.
  [[nodiscard]] double approximate_value() const;

  friend int compare(Root& a, Root& b);

 private:
  Polynomial p_;
  Integer first_ = 0;
  int depth_ = 0;
  bool exact_ = true;
  int sign_lower_ = 0;  // of p_ at lower()
};

/// -1, 0 or 1: a < b, a == b, a > b, exactly. May refine both.
int compare(Root& a, Root& b);

/// All distinct roots of p in [0, 1], ascending. Precondition: p is not the zero polynomial.
std::vector<Root> roots_in_unit_interval(const Polynomial& p);

}  // namespace graze::oracle
