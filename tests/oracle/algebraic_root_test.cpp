// The oracle's numbers: dyadics, polynomials, isolated roots, on hand-made cases.
#include "oracle/algebraic_root.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace graze::oracle {
namespace {

Polynomial poly(std::initializer_list<long> coefficients) {
  Polynomial p;
  int power = 0;
  for (const long c : coefficients) p.set(power++, Integer(c));
  return p;
}

TEST(OracleDyadic, HoldsEveryDoubleExactly) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  for (const double value : {0.0, 1.0, -0.75, 0.1, tiny, -tiny, huge, 1e-300}) {
    EXPECT_EQ(approximate(dyadic_from(value)), value);
    EXPECT_EQ(compare(dyadic_from(value), dyadic_from(value)), 0);
    EXPECT_EQ(to_rational(value), Rational(value));
  }
  EXPECT_EQ(compare(dyadic_from(0.1), dyadic_from(std::nextafter(0.1, 1.0))), -1);
  EXPECT_EQ(compare(dyadic_from(-huge), dyadic_from(tiny)), -1);
}

TEST(OracleDyadic, BracketsSquareRoots) {
  const Fraction two{2, 1, 0};
  EXPECT_LT(sqrt_down(two), sqrt_up(two));
  EXPECT_NEAR(sqrt_up(two), std::sqrt(2.0), 1e-15);
  EXPECT_EQ(sqrt_down({9, 4, 0}), 1.5);
  EXPECT_EQ(sqrt_up({9, 4, 0}), 1.5);
  EXPECT_EQ(sqrt_up({}), 0.0);
  EXPECT_EQ(sqrt_up({1, 1, -2148}), std::numeric_limits<double>::denorm_min());
}

TEST(OraclePolynomial, GcdFindsTheCommonFactorOnly) {
  // (t - 1)(2t - 1) and (2t - 1)(t + 3)
  const Polynomial g = gcd(poly({1, -3, 2}), poly({-3, 5, 2}));
  ASSERT_EQ(g.degree(), 1);
  EXPECT_EQ(g.sign_at({1, -1}), 0);
  EXPECT_EQ(gcd(poly({1, 1}), poly({2, 1})).degree(), 0);
  EXPECT_EQ(gcd(poly({}), poly({2, 1})).degree(), 1);
}

TEST(OraclePolynomial, SquareFreePartKeepsEachRootOnce) {
  // (3t - 1)^2 (t + 2)
  const Polynomial p = square_free(poly({2, -11, 12, 9}));
  EXPECT_EQ(p.degree(), 2);
  EXPECT_EQ(roots_in_unit_interval(p).size(), 1U);
  EXPECT_EQ(square_free(poly({-1, 3, -3, 1})).degree(), 1);
}

TEST(OracleRoot, RootsAtBothEndsAndBetweenAreFoundInOrder) {
  // t (2t - 1)(t - 1)
  const auto roots = roots_in_unit_interval(poly({0, 1, -3, 2}));
  ASSERT_EQ(roots.size(), 3U);
  EXPECT_EQ(roots[0].compare(0.0), 0);
  EXPECT_EQ(roots[1].compare(0.5), 0);
  EXPECT_EQ(roots[2].compare(1.0), 0);
}

TEST(OracleRoot, MultipleRootsAreFoundOnce) {
  for (const Polynomial& p : {poly({1, -6, 9}), poly({-1, 9, -27, 27}), poly({2, -11, 12, 9})}) {
    const auto roots = roots_in_unit_interval(p);
    ASSERT_EQ(roots.size(), 1U);
    EXPECT_EQ(roots[0].compare(Rational(1, 3)), 0);
    EXPECT_TRUE(roots[0].in(0.33, 0.34));
    EXPECT_FALSE(roots[0].in(0.34, 1.0));
  }
}

TEST(OracleRoot, ComparesWithDoublesExactly) {
  // 2t^2 - 1: the root is between the two doubles around sqrt(1/2).
  const auto roots = roots_in_unit_interval(poly({-1, 0, 2}));
  ASSERT_EQ(roots.size(), 1U);
  const double near = std::sqrt(0.5);
  const double other = std::nextafter(near, 2.0 * near * near > 1.0 ? 0.0 : 1.0);
  EXPECT_EQ(roots[0].compare(near), -roots[0].compare(other));
  EXPECT_NE(roots[0].compare(near), 0);
  EXPECT_TRUE(roots[0].in(std::fmin(near, other), std::fmax(near, other)));
  EXPECT_FALSE(roots[0].in(near, near));
  EXPECT_NEAR(roots[0].approximate_value(), near, 1e-15);
}

TEST(OracleRoot, SignsAtARootAreExactAlsoWhereAnotherRootIsClose) {
  auto roots = roots_in_unit_interval(poly({-1, 0, 2}));
  EXPECT_EQ(roots[0].sign_of(poly({-1, 0, 2})), 0);
  EXPECT_EQ(roots[0].sign_of(poly({1, 0, -2})), 0);
  EXPECT_EQ(roots[0].sign_of(poly({-1, 1, 2, -2})), 0);  // (1 - t) times the same polynomial
  // 665857/470832 / 2 is just above sqrt(1/2): 941664 t - 665857 is negative there.
  EXPECT_EQ(roots[0].sign_of(poly({-665857, 941664})), -1);
  EXPECT_EQ(roots[0].sign_of(poly({-1000000000000000001L, 0, 2000000000000000000L})), -1);
}

TEST(OracleRoot, OrderOfTwoRootsIsExact) {
  auto a = roots_in_unit_interval(poly({-1, 0, 2}))[0];
  auto same = roots_in_unit_interval(poly({-1, -1, 2, 2}))[0];  // (t + 1)(2t^2 - 1)
  auto above = roots_in_unit_interval(poly({-665857, 941664}))[0];
  EXPECT_EQ(compare(a, same), 0);
  EXPECT_EQ(compare(a, above), -1);
  EXPECT_EQ(compare(above, a), 1);
}

TEST(OracleRoot, NoRootIsInventedOutsideOrForConstants) {
  EXPECT_TRUE(roots_in_unit_interval(poly({7})).empty());
  EXPECT_TRUE(roots_in_unit_interval(poly({1, 0, 1})).empty());
  EXPECT_TRUE(roots_in_unit_interval(poly({-3, 2})).empty());
  EXPECT_TRUE(roots_in_unit_interval(poly({1, -2, 2})).empty());  // two variations, complex roots
}

}  // namespace
}  // namespace graze::oracle
