// Method auto through sequences that are difficult for temporal coherence, and through random sequences in which
// much is static: some vertices move, return, jump, zeros change their sign, the scene grows by a factor of a
// million, pieces exchange positions; static bodies; edits, single and several in a row; all queries in any order,
// some of them stopped. Every answer is that of r-tri, to the last bit.
//
// GRAZE_AUTO_ROUNDS=k runs k times as many sequences; GRAZE_AUTO_SEED=s starts with seed s, to repeat one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include <graze/graze.hpp>

#include "environment.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"
#include "support/hash_check.hpp"
#include "support/still_life.hpp"

namespace graze::testing {

namespace {

TEST(AutoSequences, HaveTheImpactsOfRTri) {
  std::size_t impacts = 0;
  std::size_t number = 0;
  for (const SequenceEntry& entry : adaptive_sequences()) {
    const bool is_third = ++number % 3 == 0;
    if (kIsSlow && !is_third) continue;
    const Sequence& sequence = sequence_named(entry.name);
    for (const double thickness : {0.0, 0.02}) {
      if (thickness > 0.0 && (kIsSlow || !is_third)) continue;
      SCOPED_TRACE(fmt::format("{}, thickness {}", entry.name, thickness));
      DetectorOptions options{.method = Method::RTri, .thickness = thickness * sequence.scale, .threads = 1};
      if (!std::isfinite(options.thickness)) continue;
      Detector reference(sequence.scene, options);
      options.method = Method::Auto;
      Detector detector(sequence.scene, options);
      std::size_t step_number = 0;
      for (const SequenceStep& step : sequence.steps) {
        SCOPED_TRACE(step_number);
        const Impacts expected = reference.impacts(step.x_t0, step.x_t1);
        if (++step_number % 3 == 0) {
          const FirstImpact first = detector.first_impact(step.x_t0, step.x_t1);
          const FirstImpact known = reference.first_impact(step.x_t0, step.x_t1);
          ASSERT_EQ(first.toi, known.toi);
          ASSERT_EQ(first.impact.has_value(), known.impact.has_value());
          if (first.impact) {
            ASSERT_EQ(first.impact->pair, known.impact->pair);
          }
        }
        if (step_number % 4 != 1) {
          ASSERT_EQ(difference(detector.impacts(step.x_t0, step.x_t1), expected), "");
        }
        impacts += expected.impacts.size();
      }
    }
  }
  EXPECT_GT(impacts, kIsSlow ? 1'000U : 10'000U);
}

TEST(AutoLives, HaveTheAnswersOfRTriAtEveryStep) {
  constexpr std::uint64_t kLives = kIsSlow ? 2 : 6;
  constexpr std::size_t kSteps = 40;
  const std::uint64_t first = from_environment("GRAZE_AUTO_SEED", 1);
  const std::uint64_t rounds = from_environment("GRAZE_AUTO_ROUNDS", 1);
  LifeCounts counts;
  for (std::uint64_t seed = first; seed < first + kLives * rounds; ++seed) {
    StillLife life(seed, counts);
    for (std::size_t step = 0; step < kSteps; ++step) ASSERT_EQ(life.step(step), "");
  }
  EXPECT_GT(counts.contacts, 5 * counts.steps);
  EXPECT_GT(counts.kept, counts.steps / 10);
  EXPECT_GT(counts.stopped, counts.steps / 50);
  EXPECT_GT(counts.edits, counts.steps / 10);
}

}  // namespace
}  // namespace graze::testing
