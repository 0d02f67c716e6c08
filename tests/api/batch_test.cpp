// Batches of scenes: each scene gets the answer of a single call, bit for bit, at any number of threads; errors
// name the scene with the lowest index; the memory cap and the progress callback cover the whole batch.
#include <graze/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "query/sort_pairs.hpp"
#include "refusal.hpp"
#include "support/sample_scenes.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace cull;
using namespace query;
namespace {

using testing::falling_tip;
using testing::random_soup;
using testing::refusal;
using testing::Step;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array kThreads = {1U, 2U, 7U, 0U};

SoupStep soup_of(const Step& step) {
  return {.triangles = step.scene.triangles(), .x_t0 = step.x_t0, .x_t1 = step.x_t1};
}
std::vector<SoupStep> soups_of(const std::vector<Step>& steps) {
  std::vector<SoupStep> soups;
  soups.reserve(steps.size());
  for (const Step& step : steps) soups.push_back(soup_of(step));
  return soups;
}

std::vector<Detector> detectors_of(const std::vector<Step>& steps, const DetectorOptions& options = {}) {
  std::vector<Detector> detectors;
  detectors.reserve(steps.size());
  for (const Step& step : steps) detectors.emplace_back(step.scene, options);
  return detectors;
}
std::vector<DetectorStep> steps_of(const std::vector<Step>& steps, std::vector<Detector>& detectors) {
  std::vector<DetectorStep> batch;
  for (std::size_t i = 0; i < steps.size(); ++i) batch.push_back({&detectors[i], steps[i].x_t0, steps[i].x_t1});
  return batch;
}

/// Random soups with contacts, of 1 to 19 triangles and constant density; scene 5 has no triangle.
std::vector<Step> small_scenes(std::size_t count) {
  std::vector<Step> steps;
  for (unsigned i = 0; i < count; ++i) {
    const std::size_t triangles = 3 * (i % 7) + 1;
    steps.push_back(i == 5 ? Step{} : random_soup(i, triangles, 1.0 / std::cbrt(static_cast<double>(triangles))));
  }
  return steps;
}

/// `count` small soups in a row, as one body.
Step row_of_soups(unsigned seed, int count) {
  Step row;
  std::vector<Triangle> triangles;
  for (int k = 0; k < count; ++k) {
    const Step soup = random_soup(seed + static_cast<unsigned>(k), 8, 0.4);
    const auto first = static_cast<VertexId>(row.x_t0.size());
    for (const Triangle& t : soup.scene.triangles())
      triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    for (const Vec3& p : soup.x_t0) row.x_t0.push_back({p.x + 2.0 * k, p.y, p.z});
    for (const Vec3& p : soup.x_t1) row.x_t1.push_back({p.x + 2.0 * k, p.y, p.z});
  }
  row.scene.add_body({.positions = row.x_t0, .triangles = triangles});
  return row;
}

/// Thirty small scenes followed by two that are large enough to be split among threads.
std::vector<Step> mixed_scenes() {
  std::vector<Step> steps = small_scenes(30);
  steps.push_back(row_of_soups(100, 200));
  steps.push_back(row_of_soups(400, 300));
  return steps;
}

using Counters = std::array<std::uint64_t, sizeof(Stats) / sizeof(std::uint64_t)>;
Counters counters_of(Stats stats) {
  stats.update_ms = stats.traverse_ms = stats.narrow_ms = stats.total_ms = 0.0;
  return std::bit_cast<Counters>(stats);
}

void expect_same(const Impact& a, const Impact& b) {
  EXPECT_EQ(a.pair, b.pair);
  EXPECT_EQ(a.toi_lo, b.toi_lo);
  EXPECT_EQ(a.toi_hi, b.toi_hi);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.normal, b.normal);
  EXPECT_EQ(a.side, b.side);
  EXPECT_EQ(a.remembered_side, b.remembered_side);
}
void expect_same(const Impacts& a, const Impacts& b) {
  ASSERT_EQ(a.impacts.size(), b.impacts.size());
  for (std::size_t i = 0; i < a.impacts.size(); ++i) expect_same(a.impacts[i], b.impacts[i]);
  EXPECT_EQ(counters_of(a.stats), counters_of(b.stats));
}
void expect_same(const FirstImpact& a, const FirstImpact& b) {
  EXPECT_EQ(a.toi, b.toi);
  ASSERT_EQ(a.impact.has_value(), b.impact.has_value());
  if (a.impact) expect_same(*a.impact, *b.impact);
  EXPECT_EQ(counters_of(a.stats), counters_of(b.stats));
}
template <typename Result>
void expect_same(const std::vector<Result>& a, const std::vector<Result>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE("scene " + std::to_string(i));
    expect_same(a[i], b[i]);
  }
}

TEST(BatchOfSoups, AnswersAreTheBitsOfSingleCallsForAnyNumberOfThreads) {
  const std::vector<Step> steps = mixed_scenes();
  const std::vector<SoupStep> soups = soups_of(steps);
  for (const Method method : {Method::Auto, Method::Hash}) {
    DetectorOptions options{.method = method, .thickness = method == Method::Hash ? 0.01 : 0.0, .threads = 1};
    std::vector<Impacts> all;
    std::vector<FirstImpact> first;
    std::size_t found = 0;
    for (const SoupStep& soup : soups) {
      all.push_back(find_impacts(soup.triangles, soup.x_t0, soup.x_t1, options));
      Scene scene;
      scene.add_body({.positions = soup.x_t0, .triangles = soup.triangles});
      first.push_back(Detector(scene, options).first_impact(soup.x_t0, soup.x_t1));
      found += all.back().impacts.empty() ? 0U : 1U;
    }
    ASSERT_GT(found, soups.size() / 2);
    for (const unsigned threads : kThreads) {
      SCOPED_TRACE(std::to_string(threads) + " threads");
      options.threads = threads;
      expect_same(find_impacts(soups, options), all);
      expect_same(first_impacts(soups, options), first);
    }
  }
}

TEST(BatchOfSoups, AnEmptyBatchHasNoResultsAndBadOptionsAreRefusedAsOfNoScene) {
  EXPECT_TRUE(find_impacts(std::span<const SoupStep>()).empty());
  EXPECT_TRUE(first_impacts(std::span<const SoupStep>()).empty());
  EXPECT_EQ(refusal([] { (void)find_impacts(std::span<const SoupStep>(), {.thickness = -1.0}); }),
            "thickness is -1; it must be finite and not negative");
}

TEST(BatchOfSoups, TheErrorIsThatOfTheLowestSceneForAnyNumberOfThreads) {
  std::vector<Step> steps = mixed_scenes();
  // Scenes 30 and 31 are the large ones, which the batch starts first; scene 17, broken below, is a small one.
  steps[31].x_t1[7].y = kNan;
  steps[30].x_t1.pop_back();
  const std::string count = std::to_string(steps[30].x_t0.size());
  const std::string of_30 = "scene 30: x_t1 has " + std::to_string(steps[30].x_t1.size()) +
                            " positions, the scene has " + count + " vertices";
  for (const unsigned threads : kThreads) {
    const DetectorOptions options{.threads = threads};
    EXPECT_EQ(refusal([&] { (void)find_impacts(soups_of(steps), options); }), of_30);
    EXPECT_EQ(refusal([&] { (void)first_impacts(soups_of(steps), options); }), of_30);
  }
  const std::vector<Triangle> broken = {{0, 1, 99}};
  std::vector<SoupStep> soups = soups_of(steps);
  soups[17].triangles = broken;
  const std::string of_17 =
      refusal([&] { (void)find_impacts(soups[17].triangles, soups[17].x_t0, soups[17].x_t1, DetectorOptions{}); });
  ASSERT_NE(of_17.find("vertex id 99 is out of range"), std::string::npos) << of_17;
  for (const unsigned threads : kThreads) {
    EXPECT_EQ(refusal([&] { (void)find_impacts(soups, {.threads = threads}); }), "scene 17: " + of_17);
  }
}

TEST(BatchOfSoups, TheMemoryCapCountsAllResultsAndTheWorkOfOneScene) {
  const std::vector<Step> steps = small_scenes(40);
  const std::vector<SoupStep> soups = soups_of(steps);
  const std::vector<Impacts> free = find_impacts(soups);
  std::vector<std::uint64_t> need;  // bytes needed by scenes 0 to i
  std::uint64_t kept = 0;
  for (const Impacts& result : free) {
    kept += result.impacts.size() * sizeof(Impact);
    need.push_back(kept + result.stats.memory_bytes + kSortBytes<Impact> * result.impacts.size());
  }
  const std::uint64_t most = *std::max_element(need.begin(), need.end());
  ASSERT_GT(kept, 10'000U);
  for (const unsigned threads : kThreads) {
    const auto batch = [&](std::uint64_t cap) {
      return find_impacts(soups, {.threads = threads, .memory_cap = cap});
    };
    expect_same(batch(most), free);
    for (const std::uint64_t cap : {most - 1, most / 2}) {
      const auto first = std::find_if(need.begin(), need.end(), [&](std::uint64_t bytes) { return bytes > cap; });
      EXPECT_EQ(refusal<ResourceError>([&] { (void)batch(cap); }),
                "scene " + std::to_string(first - need.begin()) +
                    ": memory cap exceeded: this scene and the results of earlier scenes need more than " +
                    std::to_string(cap) + " bytes");
    }
    EXPECT_EQ(refusal<ResourceError>([&] { (void)batch(1); }),
              "scene 0: memory cap exceeded: the query needs more than 1 bytes");
  }
}

TEST(BatchOfSoups, ProgressRisesFromZeroToOneFromOneThreadAtATime) {
  const std::vector<Step> steps = small_scenes(300);
  const std::vector<SoupStep> soups = soups_of(steps);
  for (const unsigned threads : kThreads) {
    std::atomic<int> inside = 0;
    std::vector<double> shares;
    DetectorOptions options{.threads = threads};
    options.progress = [&](double share) {
      EXPECT_EQ(++inside, 1);
      shares.push_back(share);
      --inside;
      return true;
    };
    (void)find_impacts(soups, options);
    ASSERT_GE(shares.size(), threads == 1 ? 100U : 3U);
    EXPECT_EQ(shares.front(), 0.0);
    EXPECT_EQ(shares.back(), 1.0);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(std::adjacent_find(shares.begin(), shares.end()), shares.end()) << "no share is reported twice";
  }
}

TEST(BatchOfSoups, ProgressThatReturnsFalseOrThrowsStopsTheBatchAtAnyPoint) {
  const std::vector<Step> steps = small_scenes(60);
  const std::vector<SoupStep> soups = soups_of(steps);
  for (const unsigned threads : {1U, 7U}) {
    for (const double until : {0.0, 0.3, 1.0}) {
      DetectorOptions options{.threads = threads};
      options.progress = [&](double share) { return share < until; };
      EXPECT_THROW((void)find_impacts(soups, options), Interrupted) << until;
      options.progress = [&](double share) { return share < until ? true : throw std::logic_error("enough"); };
      EXPECT_THROW((void)first_impacts(soups, options), std::logic_error) << until;
    }
  }
}

TEST(BatchOfSoups, ALongSceneCanBeStoppedBeforeItEnds) {
  const std::vector<Step> steps = {row_of_soups(100, 400), row_of_soups(500, 400)};
  const std::vector<SoupStep> soups = soups_of(steps);
  for (const unsigned threads : {1U, 2U}) {
    int calls = 0;
    DetectorOptions options{.method = Method::Brute, .threads = threads};
    options.progress = [&](double share) {
      EXPECT_EQ(share, 0.0) << "no scene has finished";
      return ++calls < 3;
    };
    EXPECT_THROW((void)find_impacts(soups, options), Interrupted);
    EXPECT_EQ(calls, 3) << "nobody is asked after the stop";
  }
}

TEST(BatchOfDetectors, AnswersAreTheBitsOfSingleCallsStepAfterStep) {
  std::vector<Step> steps = mixed_scenes();
  steps.push_back(falling_tip());  // with a static body
  for (const Method method : {Method::Auto, Method::Adaptive, Method::Hash}) {
    DetectorOptions options{.method = method, .threads = 2};
    options.research->adaptive.by_work = true;
    for (const unsigned threads : kThreads) {
      SCOPED_TRACE(std::string(name_of(method)) + ", " + std::to_string(threads) + " threads");
      std::vector<Detector> together = detectors_of(steps, options);
      std::vector<Detector> single = detectors_of(steps, options);
      for (int repeat = 0; repeat < 2; ++repeat) {
        std::vector<Impacts> all;
        std::vector<FirstImpact> first;
        for (std::size_t i = 0; i < steps.size(); ++i)
          all.push_back(single[i].impacts(steps[i].x_t0, steps[i].x_t1));
        expect_same(find_impacts(steps_of(steps, together), threads), all);
        for (std::size_t i = 0; i < steps.size(); ++i) {
          first.push_back(single[i].first_impact(steps[i].x_t0, steps[i].x_t1));
        }
        expect_same(first_impacts(steps_of(steps, together), threads), first);
      }
    }
  }
  EXPECT_TRUE(find_impacts(std::span<const DetectorStep>()).empty());
}

TEST(BatchOfDetectors, EachMayHaveOptionsOfItsOwn) {
  const Step step = falling_tip(3.0);  // stays 1 away from the face
  Detector thin(step.scene);
  Detector thick(step.scene, {.method = Method::Hash, .thickness = 1.5});
  const std::vector<DetectorStep> batch = {{&thin, step.x_t0, step.x_t1}, {&thick, step.x_t0, step.x_t1}};
  const std::vector<Impacts> results = find_impacts(batch);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_TRUE(results[0].impacts.empty());
  expect_same(results[1], thick.impacts(step.x_t0, step.x_t1));
  EXPECT_FALSE(results[1].impacts.empty());
}

TEST(BatchOfDetectors, BadInputIsRefusedOfTheLowestSceneBeforeAnyDetectorBegins) {
  const std::vector<Step> steps = small_scenes(40);
  // Counts the calls of the progress callback, which every query makes.
  std::atomic<int> calls = 0;
  DetectorOptions options;
  options.progress = [&](double) {
    ++calls;
    return true;
  };
  std::vector<Detector> detectors = detectors_of(steps, options);
  const std::vector<DetectorStep> good = steps_of(steps, detectors);
  std::vector<Vec3> broken = steps[20].x_t1;
  broken[2].z = kNan;
  for (const unsigned threads : kThreads) {
    const auto refused = [&](const std::vector<DetectorStep>& batch) {
      std::string message = refusal([&] { (void)find_impacts(batch, threads); });
      EXPECT_EQ(refusal([&] { (void)first_impacts(batch, threads); }), message);
      return message;
    };
    std::vector<DetectorStep> batch = good;
    batch[31].detector = batch[24].detector;
    EXPECT_EQ(refused(batch), "scene 31: scene 24 has the same detector; a detector runs one step at a time");
    batch[28].detector = batch[24].detector;
    EXPECT_EQ(refused(batch), "scene 28: scene 24 has the same detector; a detector runs one step at a time");
    batch[22].detector = nullptr;
    EXPECT_EQ(refused(batch), "scene 22: the detector is a null pointer");
    batch[20].x_t1 = broken;
    EXPECT_EQ(refused(batch), "scene 20: x_t1: vertex 2 (body 0, its vertex 2): z is nan, not a finite number");
    batch[3].x_t0 = {};
    EXPECT_EQ(refused(batch),
              "scene 3: x_t0 has 0 positions, the scene has " + std::to_string(steps[3].x_t0.size()) + " vertices");
  }
  EXPECT_EQ(calls, 0);
  (void)find_impacts(good);
  EXPECT_GT(calls, 0);
}

TEST(BatchOfDetectors, AfterACapOrAnInterruptionAllAnswerAsBefore) {
  const std::vector<Step> steps = mixed_scenes();
  std::vector<Detector> detectors = detectors_of(steps);
  const std::vector<Impacts> expected = find_impacts(steps_of(steps, detectors));
  const std::uint64_t enough = expected[30].stats.memory_bytes + 300 * expected[30].impacts.size();
  bool go = false;
  for (const unsigned threads : kThreads) {
    DetectorOptions capped{.memory_cap = expected[30].stats.memory_bytes + 1};
    detectors[30] = Detector(steps[30].scene, capped);
    EXPECT_EQ(
        refusal<ResourceError>([&] { (void)find_impacts(steps_of(steps, detectors), threads); }),
        "scene 30: memory cap exceeded: the query needs more than " + std::to_string(capped.memory_cap) + " bytes");
    detectors[30] = Detector(steps[30].scene, {.memory_cap = enough});

    DetectorOptions stopped;
    stopped.progress = [&](double) { return go; };
    detectors[12] = Detector(steps[12].scene, stopped);
    go = false;
    EXPECT_THROW((void)find_impacts(steps_of(steps, detectors), threads), Interrupted);
    go = true;
    const std::vector<Impacts> again = find_impacts(steps_of(steps, detectors), threads);
    for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(again[i].toi_hash(), expected[i].toi_hash()) << i;
  }
}

}  // namespace
}  // namespace graze
