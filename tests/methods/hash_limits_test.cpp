// Method hash when a query ends early: through its progress callback, sink, memory cap, or bad positions. The next
// answer is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "support/adaptive_check.hpp"
#include "support/hash_check.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

/// A moving soup above a static one.
Step soup_over_static(unsigned seed, std::size_t triangles, double size) {
  const Step moving = random_soup(seed, triangles, size);
  const Step fixed = random_soup(seed + 1, triangles / 2, size);
  Step all;
  all.scene.add_body({.positions = fixed.x_t0, .triangles = fixed.scene.triangles(), .motion = Motion::Static});
  all.scene.add_body({.positions = moving.x_t0, .triangles = moving.scene.triangles()});
  all.x_t0 = fixed.x_t0;
  all.x_t1 = fixed.x_t0;
  all.x_t0.insert(all.x_t0.end(), moving.x_t0.begin(), moving.x_t0.end());
  all.x_t1.insert(all.x_t1.end(), moving.x_t1.begin(), moving.x_t1.end());
  return all;
}

/// Places the static body elsewhere and changes the motion of the others.
Step elsewhere(const Step& step, double by) {
  Step other = step;
  for (VertexId v = 0; v < other.x_t0.size(); ++v) {
    other.x_t0[v].x += by;
    other.x_t1[v].x += by;
    if (step.scene.motion(step.scene.body_of(v)) != Motion::Static) std::swap(other.x_t0[v], other.x_t1[v]);
  }
  return other;
}

TEST(HashLimits, AQueryThatIsStoppedLeavesTheNextOneRight) {
  const Step step = soup_over_static(41, 90, 0.3);
  Random random(41);
  std::size_t stopped = 0;
  for (int choice = 0; choice < 5; ++choice) {
    DetectorOptions options = random_hash_choice(random);
    int allowed = 0;
    options.progress = [&](double share) {
      EXPECT_GE(share, 0.0);
      EXPECT_LE(share, 1.0);
      return allowed-- > 0;
    };
    SCOPED_TRACE(described(options));
    Detector detector(step.scene, options);
    Detector reference(step.scene, {.method = Method::RTri, .threads = 1});
    for (int calls = 0; calls < 8; ++calls) {
      const Step now = elsewhere(step, calls < 4 ? 0.0 : 0.05 * calls);
      allowed = calls;
      try {
        switch (calls % 4) {
          case 0:
            (void)detector.impacts(now.x_t0, now.x_t1);
            break;
          case 1:
            (void)detector.first_impact(now.x_t0, now.x_t1);
            break;
          case 2:
            (void)detector.intersections(now.x_t0);
            break;
          default:
            (void)detector.proximities(now.x_t0, 0.02);
        }
      } catch (const Interrupted&) {
        ++stopped;
      }
      allowed = std::numeric_limits<int>::max();
      if (calls % 3 == 1) {
        EXPECT_THROW(detector.impacts(now.x_t0, now.x_t1, [](std::span<const Impact>) { return false; }),
                     Interrupted);
      }
      ASSERT_EQ(difference(detector.impacts(now.x_t0, now.x_t1), reference.impacts(now.x_t0, now.x_t1)), "");
    }
  }
  EXPECT_GT(stopped, 5U);
}

TEST(HashLimits, AMemoryCapIsAClearErrorOrTheRightAnswer) {
  const Step dense = soup_over_static(42, 200, 0.4);
  Step sparse = dense;  // the same bodies with little motion
  for (VertexId v = 0; v < sparse.x_t1.size(); ++v) {
    const Vec3& from = sparse.x_t0[v];
    Vec3& to = sparse.x_t1[v];
    to = {from.x + 1e-4 * (to.x - from.x), from.y + 1e-4 * (to.y - from.y), from.z + 1e-4 * (to.z - from.z)};
  }
  Detector reference(dense.scene, {.method = Method::RTri, .threads = 1});
  const Impacts many = reference.impacts(dense.x_t0, dense.x_t1);
  const Impacts few = reference.impacts(sparse.x_t0, sparse.x_t1);
  ASSERT_GT(many.impacts.size(), 20 * (few.impacts.size() + 1));
  Random random(42);
  std::size_t refused = 0;
  std::size_t right = 0;
  std::size_t right_after_refused = 0;
  for (int choice = 0; choice < 3; ++choice) {
    DetectorOptions options = random_hash_choice(random);
    const std::uint64_t bytes = Detector(dense.scene, options).impacts(dense.x_t0, dense.x_t1).stats.memory_bytes;
    for (const double share : {0.0001, 0.3, 0.7, 0.9, 1.0, 1.1, 1.3, 1.6, 2.0, 4.0, 100.0}) {
      options.memory_cap = static_cast<std::uint64_t>(share * static_cast<double>(bytes)) + 1;
      SCOPED_TRACE(described(options) + ", cap " + std::to_string(options.memory_cap));
      try {
        Detector detector(dense.scene, options);
        bool was_refused = false;
        for (int time = 0; time < 4; ++time) {
          const Step& step = time % 2 == 0 ? dense : sparse;
          try {
            ASSERT_EQ(difference(time == 3 ? streamed(detector, step.x_t0, step.x_t1)
                                           : detector.impacts(step.x_t0, step.x_t1),
                                 time % 2 == 0 ? many : few),
                      "");
            ++right;
            right_after_refused += was_refused ? 1U : 0U;
          } catch (const ResourceError& error) {
            ASSERT_NE(std::string(error.what()).find("memory"), std::string::npos) << error.what();
            ASSERT_LT(share, 10.0);
            was_refused = true;
            ++refused;
          }
        }
      } catch (const ResourceError& error) {
        ASSERT_NE(std::string(error.what()).find("memory"), std::string::npos) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 10U);
  EXPECT_GT(right, 20U);
  EXPECT_GT(right_after_refused, 0U);
}

TEST(HashLimits, BadPositionsAreRefusedAndChangeNothing) {
  const Step step = soup_over_static(43, 60, 0.3);
  Random random(43);
  for (int choice = 0; choice < 6; ++choice) {
    const DetectorOptions options = random_hash_choice(random);
    Detector detector(step.scene, options);
    const Impacts expected = detector.impacts(step.x_t0, step.x_t1);
    std::vector<Vec3> bad = step.x_t0;
    bad[7].z = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)detector.impacts(bad, step.x_t1), InputError);
    EXPECT_THROW((void)detector.first_impact(step.x_t0, bad), InputError);
    EXPECT_THROW((void)detector.intersections(bad), InputError);
    EXPECT_THROW((void)detector.proximities(bad, 0.1), InputError);
    EXPECT_THROW((void)detector.proximities(step.x_t0, -0.1), InputError);
    std::vector<Vec3> moved = step.x_t1;
    moved[0].x += 1.0;  // moves the static body
    EXPECT_THROW((void)detector.impacts(step.x_t0, moved), InputError);
    EXPECT_EQ(difference(detector.impacts(step.x_t0, step.x_t1), expected), "");
  }
}

TEST(HashLimits, StreamsInAnOrderThatDoesNotDependOnTheNumberOfThreads) {
  const Step step = soup_over_static(44, 200, 0.3);
  Random random(44);
  for (int choice = 0; choice < 6; ++choice) {
    DetectorOptions options = random_hash_choice(random);
    std::vector<FeaturePair> order;
    for (const unsigned threads : {1U, 2U, 7U}) {
      options.threads = threads;
      Detector detector(step.scene, options);
      for (int time = 0; time < 2; ++time) {  // the second time with kept static bodies
        std::vector<FeaturePair> pairs;
        detector.impacts(step.x_t0, step.x_t1, [&](std::span<const Impact> some) {
          EXPECT_FALSE(some.empty());
          for (const Impact& impact : some) pairs.push_back(impact.pair);
          return true;
        });
        if (time == 1) continue;
        if (order.empty()) order = pairs;
        ASSERT_EQ(pairs, order) << described(options);
      }
    }
    ASSERT_FALSE(order.empty());
    std::sort(order.begin(), order.end());
    ASSERT_EQ(std::adjacent_find(order.begin(), order.end()), order.end());
  }
}

}  // namespace
}  // namespace graze::testing
