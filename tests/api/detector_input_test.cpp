// Input that a detector refuses, how a query is cancelled, and that the detector answers as before afterwards.
#include <graze/detector.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "refusal.hpp"
#include "support/sample_scenes.hpp"

namespace graze {

namespace {

using testing::falling_tip;
using testing::random_soup;
using testing::refusal;
using testing::Step;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DetectorInput, OptionsOutOfRangeAreRefused) {
  const auto refused = [](const DetectorOptions& options) { return refusal([&] { Detector(Scene{}, options); }); };
  EXPECT_EQ(refused({.thickness = -0.5}), "thickness is -0.5; it must be finite and not negative");
  EXPECT_EQ(refused({.thickness = kInfinity}), "thickness is inf; it must be finite and not negative");
  EXPECT_EQ(refused({.thickness = kNan}), "thickness is nan; it must be finite and not negative");
  EXPECT_EQ(refused({.tolerance = 0x1p-41}), "tolerance is 4.547473508864641e-13; it must lie in [2^-40, 1]");
  EXPECT_EQ(refused({.tolerance = 1.5}), "tolerance is 1.5; it must lie in [2^-40, 1]");
  EXPECT_EQ(refused({.tolerance = kNan}), "tolerance is nan; it must lie in [2^-40, 1]");
  EXPECT_EQ(refused({.method = static_cast<Method>(200)}), "method 200 is unknown");
  EXPECT_EQ(refused({.research = research::Options{.adaptive = {.frames = 1025}}}),
            "adaptive.frames is 1025; a session has at most 1024 steps");
  EXPECT_EQ(refused({.research = research::Options{.adaptive = {.alpha = kNan}}}),
            "adaptive.alpha is nan; it must be finite");
  EXPECT_EQ(refused({.research = research::Options{.adaptive = {.beta = -0.1}}}),
            "adaptive.beta is -0.1; it must be finite and not negative");
  EXPECT_EQ(refused({.research = research::Options{.adaptive = {.beta = kNan}}}),
            "adaptive.beta is nan; it must be finite and not negative");
  EXPECT_EQ(refused({.research = research::Options{.adaptive = {.gamma = kInfinity}}}),
            "adaptive.gamma is inf; it must be finite and not negative");
  for (const double degrees : {0.0, 90.0, -3.0, kNan}) {
    EXPECT_NE(refused({.research = research::Options{.adaptive = {.low_curvature = degrees}}})
                  .find("must lie between 0 and 90 degrees"),
              std::string::npos)
        << degrees;
  }
  EXPECT_EQ(
      refused(
          {.research =
               research::Options{
                   .adaptive = {.frames = 1024, .alpha = 0.0, .beta = 0.0, .gamma = 0.0, .low_curvature = 89.0}}}),
      "not refused");
  EXPECT_EQ(refused({.tolerance = 0x1p-40}), "not refused");
  EXPECT_EQ(refused({.tolerance = 1.0}), "not refused");
}

TEST(DetectorInput, BadPositionsAreRefusedByNameAndTheDetectorGoesOn) {
  const Step step = falling_tip();
  Detector detector(step.scene);
  const std::uint64_t before = detector.impacts(step.x_t0, step.x_t1).toi_hash();

  const std::span<const Vec3> all(step.x_t0);
  EXPECT_EQ(refusal([&] { (void)detector.impacts(all.first(5), step.x_t1); }),
            "x_t0 has 5 positions, the scene has 6 vertices");
  EXPECT_EQ(refusal([&] { (void)detector.first_impact(step.x_t0, all.first(0)); }),
            "x_t1 has 0 positions, the scene has 6 vertices");
  std::vector<Vec3> broken = step.x_t1;
  broken[4].y = kNan;
  const std::string not_finite = "vertex 4 (body 1, its vertex 1): y is nan, not a finite number";
  EXPECT_EQ(refusal([&] { (void)detector.impacts(step.x_t0, broken); }), "x_t1: " + not_finite);
  EXPECT_EQ(refusal([&] { (void)detector.first_impact(broken, step.x_t1); }), "x_t0: " + not_finite);
  EXPECT_EQ(refusal([&] { (void)detector.intersections(broken); }), "x: " + not_finite);
  EXPECT_EQ(refusal([&] { (void)detector.proximities(broken, 0.1); }), "x: " + not_finite);
  EXPECT_EQ(refusal([&] { (void)detector.proximities(step.x_t0, -1.0); }),
            "distance is -1; it must be finite and not negative");
  EXPECT_EQ(refusal([&] { (void)detector.proximities(step.x_t0, kInfinity); }),
            "distance is inf; it must be finite and not negative");

  std::vector<Vec3> moved = step.x_t1;
  moved[2].y = 4.5;
  EXPECT_EQ(refusal([&] { (void)detector.impacts(step.x_t0, moved); }),
            "body 0 is static, but its vertex 2 (scene vertex 2) moves: y from 4 to 4.5");

  EXPECT_EQ(detector.impacts(step.x_t0, step.x_t1).toi_hash(), before);
}

TEST(DetectorInput, AStaticBodyMayBeElsewhereThanWhenItWasAdded) {
  Step step = falling_tip();
  for (std::vector<Vec3>* x : {&step.x_t0, &step.x_t1}) {
    for (Vec3& p : *x) p.x += 100.0;
  }
  EXPECT_EQ(Detector(step.scene).impacts(step.x_t0, step.x_t1).impacts.size(), 1U);
}

TEST(DetectorProgress, RisesFromZeroToOne) {
  const Step step = random_soup(3, 700, 0.05);
  std::vector<double> shares;
  DetectorOptions options{.method = Method::Brute};  // long enough to report progress in parts
  options.progress = [&](double share) {
    shares.push_back(share);
    return true;
  };
  Detector detector(step.scene, options);
  (void)detector.impacts(step.x_t0, step.x_t1);
  ASSERT_GE(shares.size(), 3U);
  EXPECT_EQ(shares.front(), 0.0);
  EXPECT_EQ(shares.back(), 1.0);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(std::adjacent_find(shares.begin(), shares.end()), shares.end()) << "no share is reported twice";
}

TEST(DetectorProgress, ReturningFalseInterruptsAtAnyPointAndTheNextQueryAnswers) {
  const Step step = random_soup(3, 700, 0.05);
  const std::uint64_t expected = Detector(step.scene).impacts(step.x_t0, step.x_t1).toi_hash();
  int left = 0;
  DetectorOptions options{.method = Method::Brute};
  options.progress = [&](double) { return left-- > 0; };
  Detector detector(step.scene, options);
  for (const int calls : {0, 1, 2}) {
    left = calls;
    EXPECT_THROW((void)detector.impacts(step.x_t0, step.x_t1), Interrupted);
  }
  left = 0;
  EXPECT_THROW((void)detector.first_impact(step.x_t0, step.x_t1), Interrupted);
  EXPECT_THROW((void)detector.intersections(step.x_t0), Interrupted);
  EXPECT_THROW((void)detector.proximities(step.x_t0, 0.0), Interrupted);
  left = 1000;
  EXPECT_EQ(detector.impacts(step.x_t0, step.x_t1).toi_hash(), expected);
}

TEST(DetectorMemoryCap, IsKeptOrRefusedAndNeverTruncates) {
  const Step step = random_soup(5, 300, 0.2);
  const Impacts free = Detector(step.scene).impacts(step.x_t0, step.x_t1);
  const std::uint64_t base = free.stats.memory_bytes;
  const std::uint64_t results = (2 * sizeof(Impact) + 56) * free.impacts.size();  // found, sorted, and the keys
  ASSERT_GT(results, 1000U);
  for (const unsigned threads : {1U, 2U, 7U}) {
    const auto query = [&](std::uint64_t cap) {
      return Detector(step.scene, {.threads = threads, .memory_cap = cap}).impacts(step.x_t0, step.x_t1);
    };
    EXPECT_EQ(query(base + results).toi_hash(), free.toi_hash());
    const std::uint64_t less = base + results - 1;
    EXPECT_EQ(refusal<ResourceError>([&] { (void)query(less); }),
              "memory cap exceeded: the query needs more than " + std::to_string(less) + " bytes");
    EXPECT_NE(refusal<ResourceError>([&] { (void)query(base + 1); }), "not refused");
    EXPECT_NE(refusal<ResourceError>([&] { (void)query(1); }), "not refused");
  }
}

TEST(DetectorMemoryCap, HoldsForDiscreteQueriesToo) {
  const Step step = random_soup(5, 300, 0.2);
  EXPECT_NE(refusal<ResourceError>([&] { (void)Detector(step.scene, {.memory_cap = 1}); }), "not refused");
  Detector detector(step.scene, {.memory_cap = 50'000});  // enough to construct it
  EXPECT_NE(refusal<ResourceError>([&] { (void)detector.intersections(step.x_t0); }), "not refused");
  EXPECT_NE(refusal<ResourceError>([&] { (void)detector.proximities(step.x_t0, 0.1); }), "not refused");
  EXPECT_NE(refusal<ResourceError>([&] { (void)detector.first_impact(step.x_t0, step.x_t1); }), "not refused");
}

}  // namespace
}  // namespace graze
