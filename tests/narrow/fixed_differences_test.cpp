// Differences in machine integers against big integers, and where they refuse.
#include "narrow/exact/fixed_differences.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "narrow/exact/big_integer.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace narrow;
namespace {

using Values = std::array<double, 4>;
using Differences = std::array<std::int64_t, 3>;

/// Expects the differences to be the exact ones times a positive factor.
void expect_exact(const Values& values, const Differences& differences) {
  Lattice lattice;
  for (const double value : values) lattice.include(value);
  std::array<Int, 3> exact;
  for (std::size_t i = 0; i < 3; ++i) exact[i] = lattice(values[i]) - lattice(values[3]);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(exact[i].sign(), differences[i] > 0 ? 1 : (differences[i] < 0 ? -1 : 0));
    EXPECT_LT(std::abs(static_cast<double>(differences[i])), 0x1p62);
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(exact[i] * Int(differences[j]), exact[j] * Int(differences[i]));
  }
}

TEST(FixedDifferences, AreExactWhereTheyFit) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> some(-1.0, 1.0);
  int fits = 0;
  int refused = 0;
  for (int i = 0; i < 100000; ++i) {
    const double middle = std::ldexp(some(random), static_cast<int>(random() % 100) - 50);
    const int spread = -static_cast<int>(random() % 40);
    Values values{};
    for (double& value : values) {
      value = random() % 8 == 0 ? 0.0 : middle + std::ldexp(middle * some(random), spread);
      if (random() % 4 == 0) value = static_cast<double>(static_cast<float>(value));
      if (random() % 32 == 0) value = std::ldexp(value, -20);  // needs 20 bits more, where its last bits are set
    }
    Differences differences{};
    if (fixed_differences(values, differences)) {
      ++fits;
      expect_exact(values, differences);
    } else {
      ++refused;
    }
  }
  EXPECT_GT(fits, 50000);
  EXPECT_GT(refused, 100);
}

TEST(FixedDifferences, RefuseWhatNeedsMoreThan62BitsAndDenormals) {
  Differences differences{};
  EXPECT_TRUE(fixed_differences(Values{0x1p60, 0x1p0, 0.0, -0x1p60}, differences));
  expect_exact({0x1p60, 0x1p0, 0.0, -0x1p60}, differences);
  EXPECT_FALSE(fixed_differences(Values{0x1p62, 0x1p0, 0.0, -0x1p62}, differences));
  EXPECT_FALSE(fixed_differences(Values{std::numeric_limits<double>::denorm_min(), 0.0, 0.0, 1.0}, differences));
  EXPECT_TRUE(fixed_differences(Values{0.0, -0.0, 0.0, 0.0}, differences));
  EXPECT_EQ(differences, (Differences{0, 0, 0}));
  constexpr double kMost = std::numeric_limits<double>::max();
  EXPECT_TRUE(fixed_differences(Values{kMost, -kMost, 0.0, kMost}, differences));
  expect_exact({kMost, -kMost, 0.0, kMost}, differences);
}

TEST(DeterminantSign, IsThatOfBigIntegersUpToTheLargestDifferences) {
  std::mt19937_64 random(2);
  int zeros = 0;
  for (int i = 0; i < 100000; ++i) {
    std::array<Differences, 3> rows{};
    for (Differences& row : rows) {
      const unsigned bits = 1 + static_cast<unsigned>(random() % 62);
      for (std::int64_t& value : row) {
        value = static_cast<std::int64_t>(random() >> (64U - bits));
        if (random() % 2 == 0) value = -value;
        if (random() % 16 == 0) value = (std::int64_t{1} << 62U) - 1;
      }
    }
    if (random() % 4 == 0) {  // a row that depends on the others, and one that nearly does
      for (std::size_t k = 0; k < 3; ++k) rows[2][k] = rows[0][k] / 4 - rows[1][k] / 4;
      for (std::size_t k = 0; k < 3; ++k) {
        rows[0][k] -= rows[0][k] % 4;
        rows[1][k] -= rows[1][k] % 4;
      }
      if (random() % 4 == 0) ++rows[2][random() % 3];
    }
    const Differences& x = rows[0];
    const Differences& y = rows[1];
    const Differences& z = rows[2];
    const auto minor = [&](std::size_t a, std::size_t b) { return Int(x[a]) * Int(y[b]) - Int(x[b]) * Int(y[a]); };
    const Int det = minor(1, 2) * Int(z[0]) + minor(2, 0) * Int(z[1]) + minor(0, 1) * Int(z[2]);
    ASSERT_EQ(determinant_sign(x, y, z), det.sign());
    zeros += det.sign() == 0 ? 1 : 0;
  }
  EXPECT_GT(zeros, 1000);
}

}  // namespace
}  // namespace graze
