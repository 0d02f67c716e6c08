// Method auto at any number of threads and with any instruction set: the same impacts in the same order with the
// same counters. After a query that ended early, through its progress callback, sink, memory cap or bad positions,
// the next answer is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "core/simd/targets.hpp"
#include "support/adaptive_check.hpp"
#include "support/hash_check.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

/// A soup in which about every fourth triangle is static.
Step partly_static(unsigned seed, std::size_t triangles, double size) {
  Step step = random_soup(seed, triangles, size);
  for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
    if (v / 6 % 4 == 0) step.x_t1[v] = step.x_t0[v];
  }
  return step;
}

/// Impacts of a streaming query in order of delivery, and its counters.
struct Stream {
  std::vector<FeaturePair> pairs;
  std::vector<std::uint64_t> counters;

  friend bool operator==(const Stream&, const Stream&) = default;
};

Stream stream_of(Detector& detector, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
  Stream stream;
  const Stats stats = detector.impacts(x_t0, x_t1, [&](std::span<const Impact> some) {
    for (const Impact& impact : some) stream.pairs.push_back(impact.pair);
    return true;
  });
  stream.counters = {stats.bv_tests,
                     stats.vf_tests,
                     stats.ee_tests,
                     stats.tiers.filter,
                     stats.tiers.interval,
                     stats.tiers.exact,
                     stats.cluster.clusters,
                     stats.cluster.kept,
                     stats.cluster.pairs,
                     stats.cluster.feature_tests,
                     stats.cluster.feature_pairs};
  return stream;
}

TEST(AutoLimits, StreamsTheSameOnAnyNumberOfThreadsAndEveryTarget) {
  const Step step = partly_static(111, 400, 0.2);
  for (const double thickness : {0.0, 0.004}) {
    std::vector<Stream> known;
    const auto compare = [&](unsigned threads) {
      Detector detector(step.scene, {.thickness = thickness, .threads = threads});
      std::vector<Stream> streams;
      streams.push_back(stream_of(detector, step.x_t0, step.x_t0));
      streams.push_back(stream_of(detector, step.x_t0, step.x_t1));
      streams.push_back(stream_of(detector, step.x_t0, step.x_t1));
      if (known.empty()) known = streams;
      for (std::size_t k = 0; k < streams.size(); ++k) EXPECT_TRUE(streams[k] == known[k]) << "query " << k;
    };
    for (const unsigned threads : {1U, 2U, 7U}) {
      SCOPED_TRACE(threads);
      compare(threads);
    }
    for (const std::string& target : simd_targets()) {
      SCOPED_TRACE(target);
      use_simd_target(target);
      compare(1);
    }
    use_simd_target("");
    ASSERT_GT(known[1].pairs.size(), 1000U);
    std::vector<FeaturePair> sorted = known[1].pairs;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  }
}

TEST(AutoLimits, AQueryThatIsStoppedLeavesTheNextOneRight) {
  const Step step = partly_static(112, 150, 0.3);
  Detector reference(step.scene, {.method = Method::RTri, .threads = 1});
  const Impacts moving = reference.impacts(step.x_t0, step.x_t1);
  const Impacts stationary = reference.impacts(step.x_t0, step.x_t0);
  std::size_t stopped = 0;
  for (const unsigned threads : {1U, 2U}) {
    int allowed = std::numeric_limits<int>::max();
    DetectorOptions options{.threads = threads};
    options.progress = [&](double share) {
      EXPECT_GE(share, 0.0);
      EXPECT_LE(share, 1.0);
      return allowed-- > 0;
    };
    Detector detector(step.scene, options);
    for (int calls = 0; calls < 12; ++calls) {
      allowed = calls / 3;
      try {
        switch (calls % 3) {
          case 0:
            (void)detector.impacts(step.x_t0, step.x_t1);
            break;
          case 1:
            (void)detector.first_impact(step.x_t0, step.x_t1);
            break;
          default:
            (void)detector.impacts(step.x_t0, step.x_t0);
        }
      } catch (const Interrupted&) {
        ++stopped;
      }
      allowed = std::numeric_limits<int>::max();
      if (calls % 2 == 1) {
        EXPECT_THROW(detector.impacts(step.x_t0, step.x_t1, [](std::span<const Impact>) { return false; }),
                     Interrupted);
      }
      const bool is_static = calls % 4 == 2;
      ASSERT_EQ(difference(detector.impacts(step.x_t0, is_static ? step.x_t0 : step.x_t1),
                           is_static ? stationary : moving),
                "");
    }
  }
  EXPECT_GT(stopped, 5U);
}

TEST(AutoLimits, AMemoryCapIsAClearErrorOrTheRightAnswer) {
  const Step step = partly_static(113, 300, 0.3);
  Detector reference(step.scene, {.method = Method::RTri, .threads = 1});
  const Impacts many = reference.impacts(step.x_t0, step.x_t1);
  const Impacts few = reference.impacts(step.x_t0, step.x_t0);
  ASSERT_GT(many.impacts.size(), 1000U);
  const Stats stats = Detector(step.scene, {.threads = 1}).impacts(step.x_t0, step.x_t1).stats;
  // A soup takes about twice the memory of a mesh per triangle, and never less than the paths of its vertices.
  EXPECT_GT(stats.memory_bytes, step.x_t0.size() * 64);
  EXPECT_LT(stats.memory_bytes, step.scene.triangle_count() * 2500);
  std::size_t refused = 0;
  std::size_t right = 0;
  std::size_t right_after_refused = 0;
  for (const double share : {0.001, 0.5, 0.9, 0.99, 1.0, 1.2, 1.5, 2.0, 4.0, 50.0}) {
    const auto cap = static_cast<std::uint64_t>(share * static_cast<double>(stats.memory_bytes)) + 1;
    SCOPED_TRACE(cap);
    const auto expect_clear = [&](const ResourceError& error) {
      EXPECT_NE(std::string(error.what()).find("memory"), std::string::npos) << error.what();
      EXPECT_LT(share, 10.0);
      ++refused;
    };
    try {
      Detector detector(step.scene, {.threads = 1, .memory_cap = cap});
      bool was_refused = false;
      for (int time = 0; time < 6; ++time) {
        const bool moves = time % 2 == 0;
        try {
          const Impacts actual = time == 4 ? streamed(detector, step.x_t0, step.x_t1)
                                           : detector.impacts(step.x_t0, moves ? step.x_t1 : step.x_t0);
          ASSERT_EQ(difference(actual, moves ? many : few), "");
          ASSERT_GE(cap, actual.stats.memory_bytes);
          ++right;
          right_after_refused += was_refused ? 1U : 0U;
        } catch (const ResourceError& error) {
          expect_clear(error);
          was_refused = true;
        }
      }
    } catch (const ResourceError& error) {
      expect_clear(error);
    }
  }
  EXPECT_GT(refused, 10U);
  EXPECT_GT(right, 10U);
  EXPECT_GT(right_after_refused, 0U);
}

TEST(AutoLimits, BadPositionsAreRefusedAndChangeNothing) {
  const Step step = partly_static(114, 60, 0.3);
  Detector detector(step.scene, {.threads = 1});
  const Impacts expected = detector.impacts(step.x_t0, step.x_t1);
  std::vector<Vec3> bad = step.x_t0;
  bad[7].z = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)detector.impacts(bad, step.x_t1), InputError);
  EXPECT_THROW((void)detector.first_impact(step.x_t0, bad), InputError);
  bad.pop_back();
  EXPECT_THROW((void)detector.impacts(step.x_t0, bad), InputError);
  EXPECT_EQ(difference(detector.impacts(step.x_t0, step.x_t1), expected), "");
}

}  // namespace
}  // namespace graze::testing
