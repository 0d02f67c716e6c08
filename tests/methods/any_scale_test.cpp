// Every method at any distance from the origin and with sizes mixed: the answers of all pairs, the contacts of the
// same sheets at the origin, and about the work that they take there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "scenes/placed_sheets.hpp"
#include "support/hash_check.hpp"

namespace graze::testing {

namespace {

using scenes::Animation;
using scenes::ScaleCase;

constexpr std::size_t kFrames = 4;

/// Vertices along a side: more than 64 leaves of each size, below which no maps are made.
std::size_t side_of(const ScaleCase& one) {
  return one.places.size() > 2 ? 8 : 12;
}

Animation animation_of(const ScaleCase& one, Motion lower = Motion::Deforming) {
  return scenes::make_placed_sheets(side_of(one), kFrames, one.places, lower);
}

std::string label(const ScaleCase& one, Method method, unsigned threads) {
  return one.name + ", " + std::string(name_of(method)) + ", " + std::to_string(threads) + " threads";
}

/// What must not change with the place of the sheets.
struct Work {
  std::uint64_t hash = 0;
  std::uint64_t pairs = 0;
};

TEST(AnyScale, EveryMethodHasTheContactsAndTheWorkOfTheOrigin) {
  std::map<std::string, std::map<Method, std::vector<Work>>> baselines;
  for (const ScaleCase& one : scenes::scale_cases()) {
    const Animation animation = animation_of(one);
    const Scene scene = scenes::make_scene(animation);
    for (const Method method : research::all_methods()) {
      for (const unsigned threads : {1U, 2U, 7U}) {
        SCOPED_TRACE(label(one, method, threads));
        DetectorOptions options{.method = method, .threads = threads};
        options.research->adaptive.by_work = true;
        Detector detector(scene, options);
        std::vector<Work> works;
        for (std::size_t step = 0; step + 1 < kFrames; ++step) {
          const Impacts impacts = detector.impacts(animation.frames[step], animation.frames[step + 1]);
          EXPECT_FALSE(impacts.impacts.empty());
          works.push_back({impacts.hash(), impacts.stats.vf_tests + impacts.stats.ee_tests +
                                               impacts.stats.triangle_pairs + impacts.stats.bv_tests});
        }
        ASSERT_EQ(detector.validate(), "");
        auto& baseline = baselines[one.baseline];
        if (one.name == one.baseline && threads == 1) baseline[method] = works;
        for (std::size_t step = 0; step < works.size(); ++step) {
          ASSERT_EQ(works[step].hash, baseline.at(Method::Auto)[step].hash) << "step " << step;
          // Where floats resolve nothing, the factor is some 50 already with the few triangles of this test.
          if (method == Method::Auto || method == Method::Brute) continue;
          ASSERT_LE(works[step].pairs, 3 * baseline.at(method)[step].pairs + 500) << "step " << step;
        }
      }
    }
  }
}

/// A distance that is about as small as the smallest features of a case, of which few are that near.
double small_distance(const ScaleCase& one) {
  return one.places.size() > 2 ? 0x1p-28 : 0x1p-8;
}

/// Compares all queries of all methods with those of all pairs, over a sequence with one detector each.
void expect_answers_of_brute(const ScaleCase& one, Motion lower, double thickness, const Vec3& drift) {
  Animation animation = animation_of(one, lower);
  // Everything moves between two steps: a static body stays where it is in a step only.
  const auto drifted = [&](std::size_t frame, std::size_t step) {
    std::vector<Vec3> x = animation.frames[frame];
    const auto n = static_cast<double>(step);
    for (Vec3& p : x) p = {p.x + n * drift.x, p.y + n * drift.y, p.z + n * drift.z};
    return x;
  };
  const Scene scene = scenes::make_scene(animation);
  const double distance = small_distance(one);
  Detector brute(scene, {.method = Method::Brute, .thickness = thickness, .threads = 1});
  std::vector<Answers> expected;
  for (std::size_t step = 0; step + 1 < kFrames; ++step) {
    expected.push_back(ask(brute, drifted(step, step), drifted(step + 1, step), distance));
  }
  for (const Method method : research::all_methods()) {
    for (const unsigned threads : {1U, 2U, 7U}) {
      SCOPED_TRACE(label(one, method, threads));
      DetectorOptions options{.method = method, .thickness = thickness, .threads = threads};
      options.research->adaptive.by_work = true;
      Detector detector(scene, options);
      for (std::size_t step = 0; step + 1 < kFrames; ++step) {
        Answers answers = ask(detector, drifted(step, step), drifted(step + 1, step), distance);
        for (Impacts* impacts : {&answers.impacts, &answers.streamed}) {  // sides that only adaptive remembers
          for (Impact& impact : impacts->impacts) impact.remembered_side = impact.side;
        }
        if (answers.first.impact) answers.first.impact->remembered_side = answers.first.impact->side;
        ASSERT_EQ(difference(answers, expected[step]), "") << "step " << step;
      }
      ASSERT_EQ(detector.validate(), "");
    }
  }
}

class AnyScaleQueries : public ::testing::TestWithParam<ScaleCase> {};

TEST_P(AnyScaleQueries, AreThoseOfAllPairs) {
  expect_answers_of_brute(GetParam(), Motion::Deforming, 0.0, {});
}

TEST_P(AnyScaleQueries, AreThoseOfAllPairsWithThickness) {
  expect_answers_of_brute(GetParam(), Motion::Deforming, small_distance(GetParam()), {});
}

TEST_P(AnyScaleQueries, AreThoseOfAllPairsWithStaticBodiesThatMoveBetweenSteps) {
  expect_answers_of_brute(GetParam(), Motion::Static, 0.0, {0, 0, 0});
  expect_answers_of_brute(GetParam(), Motion::Static, small_distance(GetParam()), {0x1p17, 0, -0.5});
}

INSTANTIATE_TEST_SUITE_P(Cases, AnyScaleQueries, ::testing::ValuesIn(scenes::scale_cases()),
                         [](const ::testing::TestParamInfo<ScaleCase>& test) {
                           std::string name = test.param.name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(AnyScale, AScenesWayFromTheOriginAndBackChangesNoAnswer) {
  // Maps are made on the way out, made anew, and given up at the origin; static contacts survive.
  const ScaleCase origin = scenes::scale_cases().front();
  for (const Motion lower : {Motion::Deforming, Motion::Static}) {
    const Animation animation = animation_of(origin, lower);
    const Scene scene = scenes::make_scene(animation);
    for (const Method method : research::all_methods()) {
      SCOPED_TRACE(std::string(name_of(method)));
      DetectorOptions options{.method = method, .threads = 1};
      options.research->adaptive.by_work = true;
      Detector detector(scene, options);
      std::uint64_t expected = 0;
      for (const double offset : {0.0, 0.0, 0x1p10, 0x1p20, 0x1p20, 0x1p20, 0x1p40, 0x1p30, 0x1p4, 0.0, 0.0}) {
        std::vector<Vec3> x_t0 = animation.frames[0];
        std::vector<Vec3> x_t1 = animation.frames[1];
        for (std::vector<Vec3>* x : {&x_t0, &x_t1}) {
          for (Vec3& p : *x) p = {p.x + offset, p.y - offset, p.z + offset};
        }
        const std::uint64_t hash = detector.impacts(x_t0, x_t1).hash();
        if (expected == 0) expected = hash;
        ASSERT_EQ(hash, expected) << offset;
        ASSERT_EQ(detector.validate(), "") << offset;
      }
    }
  }
}

TEST(AnyScale, APairThatFliesApartIsFollowed) {
  // One pair leaves the other one by a factor of eight a step, into what its map took for empty space.
  const ScaleCase origin = scenes::scale_cases().front();
  const Animation animation = animation_of(origin);
  const Scene scene = scenes::make_scene(animation);
  const std::size_t half = animation.frames[0].size() / 2;
  for (const Method method : research::all_methods()) {
    SCOPED_TRACE(std::string(name_of(method)));
    DetectorOptions options{.method = method, .threads = 2};
    options.research->adaptive.by_work = true;
    Detector detector(scene, options);
    std::uint64_t expected = 0;
    for (int exponent = 2; exponent < 40; exponent += 3) {
      const double offset = std::ldexp(1.0, exponent);
      std::vector<Vec3> x_t0 = animation.frames[0];
      std::vector<Vec3> x_t1 = animation.frames[1];
      for (std::vector<Vec3>* x : {&x_t0, &x_t1}) {
        for (std::size_t v = half; v < x->size(); ++v) (*x)[v].x += offset;
      }
      const std::uint64_t hash = detector.impacts(x_t0, x_t1).hash();
      if (expected == 0) expected = hash;
      ASSERT_EQ(hash, expected) << offset;
    }
  }
}

}  // namespace
}  // namespace graze::testing
