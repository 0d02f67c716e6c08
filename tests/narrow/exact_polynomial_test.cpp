// Roots and signs of integer polynomials: known factorizations, multiple and close roots, zero tests.
#include "narrow/exact/exact_polynomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

namespace graze::narrow::exact {

namespace {

Polynomial polynomial(std::initializer_list<Integer> ascending) {
  Polynomial p;
  for (const Integer& c : ascending) p.c[static_cast<std::size_t>(++p.degree)] = c;
  p.trim();
  return p;
}

// The polynomial q t - p with root p/q.
Polynomial linear(const Integer& p, const Integer& q) {
  return polynomial({-p, q});
}

std::vector<double> middles(const Polynomial& p, unsigned bits) {
  std::vector<double> roots;
  for (RootFinder root(p, bits); root.next();) {
    EXPECT_LE(root.lo(), root.hi());
    EXPECT_LE(root.hi() - root.lo(), std::ldexp(1.0, -static_cast<int>(bits)));
    roots.push_back(0.5 * (root.lo() + root.hi()));
  }
  return roots;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-9);
}

TEST(RootFinder, finds_the_roots_in_the_unit_interval_in_ascending_order) {
  expect_near(middles(linear(2, 3) * linear(1, 7) * linear(5, 4), 40), {1.0 / 7.0, 2.0 / 3.0});
  expect_near(middles(linear(1, 3) * linear(1, 2) * linear(-1, 1), 40), {1.0 / 3.0, 0.5});
  expect_near(middles(polynomial({-1, 0, 2}), 40), {std::sqrt(0.5)});
  expect_near(middles(polynomial({1, 0, 1}), 40), {});
  expect_near(middles(polynomial({5}), 40), {});
}

TEST(RootFinder, includes_both_ends) {
  expect_near(middles(linear(0, 1) * linear(1, 1) * linear(1, 3), 40), {0.0, 1.0 / 3.0, 1.0});
  expect_near(middles(linear(0, 1), 40), {0.0});
  expect_near(middles(linear(1, 1), 40), {1.0});
}

TEST(RootFinder, reports_a_multiple_root_once) {
  expect_near(middles(linear(1, 3) * linear(1, 3), 40), {1.0 / 3.0});
  expect_near(middles(linear(1, 3) * linear(1, 3) * linear(2, 3), 40), {1.0 / 3.0, 2.0 / 3.0});
  expect_near(middles(linear(0, 1) * linear(0, 1) * linear(0, 1), 40), {0.0});
  expect_near(middles(linear(1, 1) * linear(1, 1) * linear(0, 1), 40), {0.0, 1.0});
  expect_near(middles(linear(3, 5) * linear(3, 5) * linear(3, 5), 40), {0.6});
}

TEST(RootFinder, separates_roots_that_doubles_cannot) {
  const Integer q = Integer(1) << 120;
  const Polynomial p = linear(q / 3, q) * linear(q / 3 + 1, q);
  RootFinder root(p, 20);
  ASSERT_TRUE(root.next());
  // Signs of the two linear factors identify the root.
  EXPECT_EQ(root.sign(linear(q / 3, q)), 0);
  EXPECT_EQ(root.sign(linear(q / 3 + 1, q)), -1);
  ASSERT_TRUE(root.next());
  EXPECT_EQ(root.sign(linear(q / 3, q)), 1);
  EXPECT_EQ(root.sign(linear(q / 3 + 1, q)), 0);
  EXPECT_FALSE(root.next());
}

TEST(RootFinder, decides_signs_of_polynomials_that_share_the_root_or_nearly_do) {
  const Polynomial p = polynomial({-1, 0, 2}) * linear(7, 5);  // root sqrt(1/2)
  for (const unsigned bits : {0U, 20U, 40U}) {
    RootFinder root(p, bits);
    ASSERT_TRUE(root.next());
    EXPECT_EQ(root.sign(polynomial({-1, 0, 2})), 0);
    EXPECT_EQ(root.sign(polynomial({1, 0, -2})), 0);
    EXPECT_EQ(root.sign(polynomial({})), 0);
    EXPECT_EQ(root.sign(polynomial({-3})), -1);
    // 6369051672525773 / 2^53 is the double above sqrt(1/2); its predecessor is below.
    const Integer n("6369051672525773");
    EXPECT_EQ(root.sign(linear(n, Integer(1) << 53)), -1);
    EXPECT_EQ(root.sign(linear(n - 1, Integer(1) << 53)), 1);
    EXPECT_FALSE(root.next());
  }
}

TEST(RootFinder, tells_the_sign_just_before_a_root) {
  const auto sign_before_first = [](const Polynomial& p) {
    RootFinder root(p, 20);
    EXPECT_TRUE(root.next());
    return root.sign_before(p);
  };
  EXPECT_EQ(sign_before_first(linear(1, 3)), -1);
  EXPECT_EQ(sign_before_first(linear(1, 2)), -1);
  EXPECT_EQ(sign_before_first(linear(1, 2) * linear(1, 2)), 1);
  EXPECT_EQ(sign_before_first(linear(1, 2) * linear(1, 2) * linear(1, 2)), -1);
  EXPECT_EQ(sign_before_first(linear(1, 3) * linear(1, 3)), 1);
}

TEST(Polynomial, gcd_keeps_the_common_roots_only) {
  const Polynomial g = gcd(linear(1, 3) * linear(2, 5), linear(2, 5) * linear(7, 9));
  ASSERT_EQ(g.degree, 1);
  EXPECT_EQ(g.c[0] * 5, g.c[1] * -2);
  EXPECT_EQ(gcd(linear(1, 3), linear(1, 4)).degree, 0);
  EXPECT_EQ(gcd(Polynomial{}, linear(1, 4)).degree, 1);
}

}  // namespace
}  // namespace graze::narrow::exact
