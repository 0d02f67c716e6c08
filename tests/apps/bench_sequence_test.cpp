// Sequences in `graze bench`: every contestant runs each step once and in order, and a contestant with a different
// answer is reported by name.
#include "bench/sequence.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenes/catalogue.hpp"

namespace graze::app {
namespace {

BenchScene small_cloth() {
  const scenes::Animation animation = scenes::make_animation("drifting-cloth", {.size = 3000, .frames = 5});
  BenchScene steps;
  steps.name = steps.title = animation.name;
  steps.scene = scenes::make_scene(animation);
  steps.frames = animation.frames;
  return steps;
}

Contestant contestant(const std::string& name, const DetectorOptions& options) {
  return {.name = name, .options = options};
}

TEST(BenchSequence, CountsWhatTheStepsHold) {
  const BenchScene steps = small_cloth();
  const std::vector<Contestant> contestants = {contestant("NoDup", {.method = research::kNoDupl}),
                                               contestant("SwD", {.method = Method::Adaptive})};
  Progress progress;
  std::vector<std::string> wrong;
  const std::vector<SequenceRow> rows = run_sequence(steps, steps.scene, contestants, 2, progress, wrong);
  EXPECT_TRUE(wrong.empty());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].method, "NoDup");
  EXPECT_EQ(rows[1].method, "SwD");
  EXPECT_EQ(rows[0].hash, rows[1].hash);

  Detector detector(steps.scene, {.method = research::kNoDupl});
  double impacts = 0.0;
  double tests = 0.0;
  for (std::size_t step = 0; step < steps.step_count(); ++step) {
    const Impacts all = detector.impacts(steps.x_t0(step), steps.x_t1(step));
    impacts += static_cast<double>(all.impacts.size()) / 4.0;
    tests += static_cast<double>(all.stats.vf_tests) / 4.0;
  }
  EXPECT_GT(impacts, 0.0);
  EXPECT_EQ(rows[0].impacts, impacts);
  EXPECT_EQ(rows[1].impacts, impacts);
  EXPECT_EQ(rows[0].vf_tests, tests);
  EXPECT_GT(rows[0].ms, 0.0);
  EXPECT_LE(rows[0].update_ms + rows[0].traverse_ms + rows[0].narrow_ms, 2.0 * rows[0].ms);
}

TEST(BenchSequence, NamesTheOneThatDiffersOnceWithItsStep) {
  const BenchScene steps = small_cloth();
  const std::vector<Contestant> contestants = {contestant("thin", {.method = Method::RTri}),
                                               contestant("same", {.method = research::kBasic}),
                                               contestant("thick", {.method = Method::RTri, .thickness = 0.01})};
  Progress progress;
  std::vector<std::string> wrong;
  (void)run_sequence(steps, steps.scene, contestants, 2, progress, wrong);
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_NE(wrong[0].find("drifting-cloth: step 0: thin finds"), std::string::npos) << wrong[0];
  EXPECT_NE(wrong[0].find(", thick finds"), std::string::npos) << wrong[0];
}

TEST(BenchSequence, LooksAtThePairsOfBodiesThatItsSceneHas) {
  const BenchScene steps = small_cloth();
  Scene others = steps.scene;
  others.ignore_pair(1, 1);
  const std::vector<Contestant> contestants = {contestant("r-tri", {.method = Method::RTri})};
  Progress progress;
  std::vector<std::string> wrong;
  const double with_self = run_sequence(steps, steps.scene, contestants, 1, progress, wrong).front().impacts;
  const double without = run_sequence(steps, others, contestants, 1, progress, wrong).front().impacts;
  EXPECT_GT(without, 0.0);
  EXPECT_LT(without, with_self);
}

}  // namespace
}  // namespace graze::app
