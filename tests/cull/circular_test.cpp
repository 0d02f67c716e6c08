// Proofs of the approximations in circular.hpp, in 100 digits.
//
// The two functions that the polynomials approximate are analytic in an ellipse whose foci are the ends of the
// interval and whose half-axes add up to five times half its length; their absolute values there are below 4.
// Truncating their Chebyshev expansions at degree 60 therefore leaves an error of at most 4 * 2 * 5^-60 / 4 <
// 1e-41, and a polynomial of degree 60 is at most 1 / cos(60 pi / (2 N)) times its largest value at N Chebyshev
// points: 1.002 for N = 1500.
#include "cull/circular.hpp"

#include "cull/cone_twin.hpp"
#include "oracle/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;
namespace {

using test::Real;

constexpr int kPoints = 1500;

/// The largest |error| at the Chebyshev points of [0, length] (see the head of the file). Rounding the points to
/// doubles moves them by 1e-16 and the errors by less than 1e-14 of the functions' size.
template <typename Error>
double largest_error(double length, const Error& error) {
  Real worst = 0;
  for (int k = 0; k < kPoints; ++k) {
    const double x = length * 0.5 * (1 - std::cos(std::numbers::pi * (k + 0.5) / kPoints));
    worst = std::max(worst, Real(abs(error(x))));
  }
  return static_cast<double>(worst) * 1.002;
}

TEST(Circular, FactorOfTheArcCosineIsWithinItsError) {
  const double worst = largest_error(
      1.0, [](double x) { return Real(cull::detail::arc_cosine_factor(x)) - acos(Real(x)) / sqrt(1 - Real(x)); });
  EXPECT_LT(worst, 0x1p-36 - 0x1p-40);
  EXPECT_GT(worst, 0x1p-37);
}

TEST(Circular, FactorOfTheSineIsWithinItsError) {
  const Real pi = acos(Real(-1));
  const double worst = largest_error(std::numbers::pi * std::numbers::pi / 4, [&](double z) {
    const Real x = pi / 2 - sqrt(Real(z));
    return Real(cull::detail::sine_factor(z)) / (sin(x) / (x * (pi - x))) - 1;
  });
  EXPECT_LT(worst, 0x1p-45);
}

TEST(Circular, ArcsAreNeverTooSmallNorMuchTooLarge) {
  oracle::Random random(1);
  std::vector<double> cases{-1.0, 1.0, 0.0, -0.0, 0x1p-1074, 1 - 0x1p-53, -1 + 0x1p-53};
  for (int i = 0; i < 3000; ++i) cases.push_back(random.symmetric());
  for (int i = 0; i < 500; ++i)
    cases.push_back((random.coin() ? 1 : -1) * (1 - std::ldexp(random.unit(), -random.between(1, 52))));
  for (const double x : cases) {
    const Real above = Real(acos_above(x)) - acos(Real(x));
    ASSERT_TRUE(above >= 0 && above < kArcSlack) << x;
    const Real sine_above = Real(asin_above(x)) - asin(Real(x));
    ASSERT_TRUE(sine_above >= 0 && sine_above < kArcSlack) << x;
  }
}

TEST(Circular, SineIsWithinItsErrorRelativeToItself) {
  oracle::Random random(2);
  for (int i = 0; i < 3000; ++i) {
    const double x = i % 2 == 0 ? (std::numbers::pi - 0x1p-7) * random.unit()
                                : std::ldexp(random.unit(), -random.between(1, 60));
    if (x == 0.0) continue;
    ASSERT_LT(static_cast<double>(abs(Real(sine(x)) / sin(Real(x)) - 1)), 0x1p-44) << x;
  }
  EXPECT_EQ(sine(0.0), 0.0);
}

}  // namespace
}  // namespace graze
