// Session lengths along simulated steps with known costs: the total cost against that of the best choice of
// lengths.
#include "methods/adaptive/skip_controller.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;
namespace {

using Step = SkipController::Step;

/// A simulated step: its index, its kind, its index in its session from 1, and the planned length of the session.
struct Made {
  unsigned number = 0;
  Step step = Step::Plain;
  unsigned in_session = 0;
  unsigned frames = 0;
};
using CostModel = std::function<double(const Made&)>;

struct Noise {
  double width = 0.0;     ///< relative, on both sides
  double outliers = 0.0;  ///< share of costs that are ten times too high
  unsigned seed = 1;
};

struct Outcome {
  double cost = 0.0;       ///< without noise
  double late_cost = 0.0;  ///< second half of the steps
  unsigned plain = 0;
  std::vector<Made> made;
};

Outcome simulate(SkipController& controller, unsigned step_count, const CostModel& cost_of,
                 const Noise& noise = {}) {
  std::mt19937 random(noise.seed);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  Outcome outcome;
  unsigned in_session = 0;
  for (unsigned number = 0; number < step_count; ++number) {
    const Step step = controller.next();
    EXPECT_GE(controller.frames(), 1U);
    if (step == Step::Later) {
      EXPECT_GT(in_session, 0U);
    }
    in_session = step == Step::Later ? in_session + 1 : step == Step::First ? 1 : 0;
    EXPECT_LE(in_session, controller.frames());
    const Made made = {number, step, in_session, controller.frames()};
    const double cost = cost_of(made);
    const double seen =
        cost * (1.0 + noise.width * (2.0 * uniform() - 1.0)) * (uniform() < noise.outliers ? 10.0 : 1.0);
    controller.done(step, seen);
    outcome.cost += cost;
    if (number >= step_count / 2) outcome.late_cost += cost;
    if (step == Step::Plain) ++outcome.plain;
    outcome.made.push_back(made);
  }
  return outcome;
}

Outcome simulate(unsigned step_count, const CostModel& cost_of, const Noise& noise = {}) {
  SkipController controller;
  return simulate(controller, step_count, cost_of, noise);
}

/// A cost model: later steps are cheap up to a session length and expensive beyond it.
CostModel cheap_up_to(unsigned longest, double first = 1.5, double later = 0.2) {
  return [=](const Made& made) {
    if (made.step == Step::Plain) return 1.0;
    if (made.step == Step::First) return first;
    return made.in_session <= longest ? later : 2.0;
  };
}

TEST(SkipController, FindsTheLengthUpToWhichSessionsAreCheap) {
  for (const unsigned longest : {3U, 5U, 10U, 20U, 50U}) {
    const Outcome outcome = simulate(1000, cheap_up_to(longest));
    const double best = 0.2 + 1.3 / longest;
    EXPECT_LT(outcome.cost / 1000, 1.12 * best) << longest;
    EXPECT_LT(outcome.late_cost / 500, 1.08 * best) << longest;
    // Most of the late steps are in sessions of nearly the best length.
    unsigned near = 0;
    for (const Made& made : outcome.made) {
      if (made.number >= 500 && made.frames >= longest - longest / 4 && made.frames <= longest + longest / 4)
        ++near;
    }
    EXPECT_GT(near, 350U) << longest;
  }
}

TEST(SkipController, FindsTheLengthWhereLongerSessionsCostMoreInEveryStep) {
  for (const double growth : {0.002, 0.01, 0.05}) {
    const auto mean = [&](unsigned n) { return (1.5 + 5.0 * growth * n + (n - 1) * (0.2 + growth * n)) / n; };
    double best = 1.0;
    for (unsigned n = 2; n < 200; ++n) best = std::min(best, mean(n));
    const Outcome outcome = simulate(1000, [&](const Made& made) {
      if (made.step == Step::Plain) return 1.0;
      return made.step == Step::First ? 1.5 + 5.0 * growth * made.frames : 0.2 + growth * made.frames;
    });
    EXPECT_LT(outcome.cost / 1000, 1.06 * best) << growth;
  }
}

TEST(SkipController, TriesLongerSessionsWhereTwoStepsDoNotMakeUpForTheFirst) {
  for (const double first : {2.0, 3.0}) {
    const Outcome outcome = simulate(1000, cheap_up_to(20, first, 0.3));
    EXPECT_LT(outcome.cost / 1000, 1.12 * (0.3 + (first - 0.3) / 20)) << first;
  }
}

TEST(SkipController, LeavesSessionsAloneWhereTheyNeverPay) {
  const auto never = [](double first, double later) {
    return [=](const Made& made) {
      return made.step == Step::Plain ? 1.0 : made.step == Step::First ? first : later;
    };
  };
  for (const auto& cost_of :
       {never(1.5, 1.3), never(2.0, 1.5), never(3.0, 1.0), never(1.2, 1.0), never(5.0, 3.0)}) {
    const Outcome outcome = simulate(1000, cost_of);
    EXPECT_GE(outcome.plain, 900U);
    EXPECT_LT(outcome.cost, 1080.0);
    // The controller still tries a session near the end.
    const auto is_first = [](const Made& made) { return made.number >= 850 && made.step == Step::First; };
    EXPECT_TRUE(std::any_of(outcome.made.begin(), outcome.made.end(), is_first));
  }
}

/// Calm and violent phases alternate.
double in_phases(const Made& made) {
  const bool is_violent = made.number / 200 % 2 == 1;
  if (made.step == Step::Plain) return 1.0;
  if (is_violent) return made.step == Step::First ? 2.0 + 0.02 * made.frames : 2.0;
  return cheap_up_to(50)(made);
}

TEST(SkipController, FollowsPhasesThatAlternate) {
  const double best = 4 * 200 * (0.2 + 1.3 / 50) + 4 * 200 * 1.0;
  EXPECT_LT(simulate(1600, in_phases).cost, 1.25 * best);
  EXPECT_LT(simulate(1600, in_phases, {.width = 0.1, .outliers = 0.01}).cost, 1.25 * best);
}

TEST(SkipController, TriesAgainAsSoonAsPlainStepsGetCheaper) {
  // First violent, then calm, when a plain step costs half as much.
  const auto cost_of = [](const Made& made) {
    const double scale = made.number < 300 ? 1.0 : 0.5;
    if (made.step == Step::Plain) return scale;
    if (made.number < 300) return 4.0;
    return scale * (made.step == Step::First ? 1.5 : 0.2);
  };
  const Outcome outcome = simulate(400, cost_of);
  const auto is_first = [](const Made& made) { return made.number >= 300 && made.step == Step::First; };
  const auto found = std::find_if(outcome.made.begin(), outcome.made.end(), is_first);
  ASSERT_NE(found, outcome.made.end());
  EXPECT_LT(found->number, 306U);
}

TEST(SkipController, IsNotLedAstrayByNoise) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Noise noise = {.width = 0.1, .outliers = 0.01, .seed = seed};
    EXPECT_LT(simulate(1000, cheap_up_to(20), noise).cost / 1000, 1.25 * 0.265) << seed;
    EXPECT_LT(simulate(1000, cheap_up_to(50), noise).cost / 1000, 1.3 * 0.226) << seed;
  }
}

TEST(SkipController, ForgetsOneOddCostSoon) {
  // One odd cost at each step in turn.
  const double calm = simulate(400, cheap_up_to(20)).cost;
  for (unsigned odd = 0; odd < 200; ++odd) {
    SkipController controller;
    double cost = 0.0;
    unsigned in_session = 0;
    for (unsigned number = 0; number < 400; ++number) {
      const Step step = controller.next();
      in_session = step == Step::Later ? in_session + 1 : 1;
      const double one = cheap_up_to(20)({number, step, in_session, controller.frames()});
      controller.done(step, number == odd ? 10.0 * one : one);
      cost += one;
    }
    EXPECT_LT(cost, 1.2 * calm) << odd;
  }
}

TEST(SkipController, MeasuresPlainStepsNowAndThen) {
  const Outcome outcome = simulate(1000, cheap_up_to(20, 1.5, 0.6));
  unsigned since = 0;
  for (const Made& made : outcome.made) {
    since = made.step == Step::Plain ? 0 : since + 1;
    EXPECT_LE(since, 120U);
  }
  EXPECT_LT(outcome.plain, 30U);
}

TEST(SkipController, LooksAgainAtAPlainStepThatCostsOtherwise) {
  // All costs triple from step 300 on.
  const auto cost_of = [](const Made& made) { return (made.number < 300 ? 1.0 : 3.0) * cheap_up_to(20)(made); };
  const Outcome outcome = simulate(600, cost_of);
  const auto is_plain = [](const Made& made) { return made.number >= 300 && made.step == Step::Plain; };
  const auto found = std::find_if(outcome.made.begin(), outcome.made.end(), is_plain);
  ASSERT_LT(found, outcome.made.end() - 1);
  EXPECT_EQ((found + 1)->step, Step::Plain);
  EXPECT_LT(outcome.plain, 30U);  // sessions continue
}

TEST(SkipController, MakesSessionsShorterWhereVerticesLeaveTheirBounds) {
  // The caller ends each session after 12 steps.
  SkipController controller;
  std::vector<unsigned> lengths;
  for (unsigned number = 0; number < 1000; ++number) {
    if (controller.next() == Step::Later && !lengths.empty() && lengths.back() == 12) controller.end_session(true);
    const Step step = controller.next();
    if (step == Step::First) lengths.push_back(0);
    if (step != Step::Plain) ++lengths.back();
    controller.done(step, step == Step::Plain ? 1.0 : step == Step::First ? 1.5 : 0.2);
  }
  EXPECT_LT(lengths.size(), 110U);  // 84 sessions of 12 steps would suffice
  EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), 12U);
  EXPECT_LE(controller.frames(), 18U);
}

TEST(SkipController, GivesUpWhereSessionsEndAfterTheirFirstStep) {
  for (const bool too_long : {false, true}) {
    SkipController controller;
    unsigned plain = 0;
    for (unsigned number = 0; number < 1000; ++number) {
      if (controller.next() == Step::Later) controller.end_session(too_long);
      ASSERT_NE(controller.next(), Step::Later);
      if (controller.next() == Step::Plain) ++plain;
      controller.done(controller.next(), controller.next() == Step::Plain ? 1.0 : 1.5);
    }
    EXPECT_GE(plain, 900U);
  }
}

TEST(SkipController, GoesOnAfterTheSceneChanged) {
  SkipController controller;
  simulate(controller, 300, cheap_up_to(20));
  while (controller.next() != Step::Later) controller.done(controller.next(), 1.0);
  controller.done(Step::Later, 0.2);
  const unsigned frames = controller.frames();
  controller.end_session(false);
  EXPECT_EQ(controller.next(), Step::First);
  EXPECT_EQ(controller.frames(), frames);
  controller.end_session(true);  // no session is running
  EXPECT_EQ(controller.next(), Step::First);
  EXPECT_EQ(controller.frames(), frames);
}

TEST(SkipController, DecidesTheSameForTheSameCosts) {
  const Noise noise = {.width = 0.2, .outliers = 0.02, .seed = 5};
  const Outcome one = simulate(800, in_phases, noise);
  const Outcome other = simulate(800, in_phases, noise);
  for (std::size_t i = 0; i < one.made.size(); ++i) {
    ASSERT_EQ(one.made[i].step, other.made[i].step);
    ASSERT_EQ(one.made[i].frames, other.made[i].frames);
  }
}

TEST(SkipController, DecidesTheSameInEveryUnitOfCost) {
  const Outcome one = simulate(800, in_phases);
  const Outcome other = simulate(800, [](const Made& made) { return 0x1p40 * in_phases(made); });
  for (std::size_t i = 0; i < one.made.size(); ++i) ASSERT_EQ(one.made[i].step, other.made[i].step);
}

TEST(SkipController, MakesSessionsOfTheAskedLengthWhateverTheyCost) {
  for (const unsigned fixed : {2U, 3U, 10U, SkipController::kMaxFrames}) {
    SkipController controller(fixed);
    const Outcome outcome =
        simulate(controller, 3 * fixed, [](const Made& made) { return 100.0 * made.in_session; });
    for (const Made& made : outcome.made) {
      ASSERT_EQ(made.step, made.number % fixed == 0 ? Step::First : Step::Later);
      ASSERT_EQ(made.frames, fixed);
    }
    controller.done(Step::First, 1.0);
    controller.end_session(true);
    EXPECT_EQ(controller.next(), Step::First);
    EXPECT_EQ(controller.frames(), fixed);
  }
}

TEST(SkipController, MakesPlainStepsAloneWhereSessionsOfOneAreAskedFor) {
  SkipController controller(1);
  EXPECT_EQ(simulate(controller, 100, cheap_up_to(50)).plain, 100U);
  EXPECT_EQ(controller.frames(), 1U);
}

TEST(SkipController, NeverFailsOnCostsOfZero) {
  const Outcome outcome = simulate(1000, [](const Made&) { return 0.0; });
  EXPECT_GE(outcome.plain, 800U);
}

}  // namespace
}  // namespace graze
