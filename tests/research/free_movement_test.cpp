// Free movement of a small cube in a large one: simulated values agree with closed forms and integrals.
#include "research/papers/free_movement.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include "core/tasks.hpp"

namespace graze::papers {
namespace {

constexpr std::array kDistances = {0.0, 0.01, 0.1, 0.3, 0.6, 1.0, 2.0};

TEST(FreeMovement, InOneDimensionIsHalfTheRoomOnAverage) {
  for (const double k : {1.5, 3.0, 10.0}) {
    const FreeMovement drawn = simulate_free_movement(k, kDistances, {.dimensions = 1});
    // Uniform over the free space: the standard deviation is (k - 1) / sqrt(12), and a thousandth of that for the
    // mean of a million.
    EXPECT_NEAR(drawn.mean, 0.5 * (k - 1.0), 5e-4 * (k - 1.0)) << k;
    EXPECT_EQ(expected_free_movement(k, 1), 0.5 * (k - 1.0));
    for (std::size_t d = 0; d < kDistances.size(); ++d) {
      const double share = kDistances[d] < k - 1.0 ? 1.0 - kDistances[d] / (k - 1.0) : 0.0;
      EXPECT_NEAR(drawn.free_share[d], share, 0.0025) << k << " at " << kDistances[d];
    }
  }
}

TEST(FreeMovement, InThreeDimensionsAgreesWithTheIntegrals) {
  for (const double k : {1.25, 2.0, 5.0}) {
    const FreeMovement drawn = simulate_free_movement(k, kDistances, {.seed = 9});
    EXPECT_NEAR(drawn.mean / expected_free_movement(k, 3), 1.0, 0.004) << k;
    for (std::size_t d = 0; d < kDistances.size(); ++d) {
      EXPECT_NEAR(drawn.free_share[d], expected_free_share(k, kDistances[d]), 0.0025)
          << k << " at " << kDistances[d];
      EXPECT_GE(drawn.free_share[d], weak_free_share(k, kDistances[d]));
    }
  }
}

// For small distances the share is linear, with the mean of |n_0| + |n_1| + |n_2|, which is 3/2, as slope; and the
// mean free movement is the integral of the share over all distances.
TEST(FreeMovement, IntegralsAgreeWithEachOtherAndWithWhatIsKnownByHand) {
  EXPECT_NEAR((1.0 - expected_free_share(2.0, 1e-5)) / 1e-5, 1.5, 1e-4);
  double sum = 0.0;
  constexpr int kSteps = 100;
  constexpr double kDiagonal = 1.7320508075688772;  // of the unit cube
  for (int i = 0; i < kSteps; ++i)
    sum += expected_free_share(2.0, kDiagonal * (i + 0.5) / kSteps) * kDiagonal / kSteps;
  EXPECT_NEAR(sum, expected_free_movement(2.0, 3), 1e-4);  // midpoint rule, 100 points
  EXPECT_EQ(expected_free_share(2.0, 0.0), 1.0);
  EXPECT_EQ(expected_free_share(2.0, 2.0), 0.0);
  EXPECT_DOUBLE_EQ(weak_free_share(3.0, 0.5), 1.0 / 27.0);
  EXPECT_EQ(weak_free_share(3.0, 1.5), 0.0);
}

TEST(FreeMovement, GrowsWithTheRoomAndShrinksWithTheDistance) {
  double mean = 0.0;
  std::array<double, kDistances.size()> shares{};
  for (const double k : {1.1, 1.5, 2.0, 4.0, 9.0}) {
    const FreeMovement drawn = simulate_free_movement(k, kDistances, {.tests = 200'000});
    EXPECT_GT(drawn.mean, mean);
    mean = drawn.mean;
    for (std::size_t d = 0; d < kDistances.size(); ++d) {
      EXPECT_GE(drawn.free_share[d], shares[d]);
      shares[d] = drawn.free_share[d];
      if (d > 0) {
        EXPECT_LE(shares[d], shares[d - 1]);
      }
    }
  }
  EXPECT_EQ(simulate_free_movement(1.0, kDistances, {.tests = 1000}).mean, 0.0);
}

TEST(FreeMovement, IsTheSameAtAnyNumberOfThreads) {
  FreeMovement first;
  for (const unsigned threads : {1U, 2U, 7U}) {
    FreeMovement drawn;
    with_threads(threads, [&] { drawn = simulate_free_movement(3.0, kDistances, {.tests = 100'001}); });
    if (threads == 1) first = drawn;
    EXPECT_EQ(drawn.mean, first.mean);
    EXPECT_EQ(drawn.free_share, first.free_share);
  }
  EXPECT_NE(simulate_free_movement(3.0, kDistances, {.tests = 100'001, .seed = 2}).mean, first.mean);
}

}  // namespace
}  // namespace graze::papers
