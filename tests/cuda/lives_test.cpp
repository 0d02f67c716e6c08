// Device cuda through random sequences with edits, static bodies, jumps and queries that are stopped
// (support/still_life.hpp): every answer is that of r-tri on the host.
//
// GRAZE_CUDA_SEED=s starts with seed s, to repeat one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "cuda/effort.hpp"
#include "cuda/skip_without_gpu.hpp"
#include "environment.hpp"
#include "support/still_life.hpp"

namespace graze::testing {

namespace {

TEST(CudaLives, HaveTheAnswersOfRTriAtEveryStep) {
  GRAZE_SKIP_WITHOUT_GPU();
  constexpr std::size_t kSteps = 40;
  const std::uint64_t first = from_environment("GRAZE_CUDA_SEED", 1);
  const std::uint64_t lives = std::max<std::uint64_t>(2, with_effort(20));  // one may have no stopped query
  LifeCounts counts;
  for (std::uint64_t seed = first; seed < first + lives; ++seed) {
    StillLife life(seed, counts, Device::Cuda);
    for (std::size_t step = 0; step < kSteps; ++step) ASSERT_EQ(life.step(step), "");
  }
  EXPECT_GT(counts.contacts, 5 * counts.steps);
  EXPECT_GT(counts.stopped, counts.steps / 50);
  EXPECT_GT(counts.edits, counts.steps / 10);
}

}  // namespace
}  // namespace graze::testing
