// Checks what the proofs assume of the compiler: each operation rounds once, and a conversion to float rounds.
#include <gtest/gtest.h>

#include <cmath>

namespace graze {
namespace {

double through_float(double x) {
  return static_cast<double>(static_cast<float>(x));
}

// Two adjacent conversions, a pattern that a vectorizer combines.
[[gnu::noinline]] void round_both(double* x) {
  const double a = through_float(x[0]);
  const double b = through_float(x[1]);
  x[0] = a;
  x[1] = b;
}

TEST(Rounding, a_conversion_to_float_and_back_rounds_also_where_two_stand_side_by_side) {
  double x[2] = {0.1, 0.3};
  round_both(x);
  EXPECT_EQ(x[0], 0x1.99999ap-4);
  EXPECT_EQ(x[1], 0x1.333334p-2);
}

[[gnu::noinline]] double multiply_add(double a, double b, double c) {
  return a * b + c;
}

TEST(Rounding, a_product_and_a_sum_are_not_fused) {
  const double a = 1.0 + 0x1p-30;
  EXPECT_EQ(multiply_add(a, a, -(1.0 + 0x1p-29)), 0.0);  // fused: 2^-60
  EXPECT_EQ(std::fma(a, a, -(1.0 + 0x1p-29)), 0x1p-60);
}

TEST(Rounding, underflow_is_gradual) {
  volatile double x = 0x1p-1022;
  EXPECT_GT(x / 2.0, 0.0);
}

}  // namespace
}  // namespace graze
