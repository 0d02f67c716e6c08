// The first impact by method auto: the earliest of all impacts, ties decided by pair order, at any distance from
// the origin, at both ends of the step, and with kept contacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <graze/graze.hpp>

#include "oracle/random.hpp"
#include "support/hash_check.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

/// Empty if `first` is the earliest of all impacts.
std::string not_the_earliest(const FirstImpact& first, const Impacts& all) {
  if (all.impacts.empty()) return first.impact || first.toi != 1.0 ? "an impact where there is none" : "";
  const Impact& known = *std::min_element(
      all.impacts.begin(), all.impacts.end(),
      [](const Impact& a, const Impact& b) { return std::pair(a.toi_lo, a.pair) < std::pair(b.toi_lo, b.pair); });
  if (!first.impact) return "no impact";
  if (first.toi != known.toi_lo || first.impact->pair != known.pair) {
    return fmt::format("{} at {} instead of {} at {}", oracle::to_string(first.impact->pair), first.toi,
                       oracle::to_string(known.pair), known.toi_lo);
  }
  return {};
}

/// Triangles of size `size` in a cube about a point; each moves by its own vector of size `displacement`.
Step disconnected_triangles(Random& random, std::size_t triangles, double size, double displacement,
                            const Vec3& about) {
  Step step;
  std::vector<Vec3> start;
  std::vector<Triangle> faces;
  for (std::size_t t = 0; t < triangles; ++t) {
    const auto some = [&](double scale) {
      return Vec3{scale * random.symmetric(), scale * random.symmetric(), scale * random.symmetric()};
    };
    const Vec3 at = some(1.0);
    const Vec3 by = some(displacement);
    const auto first = static_cast<VertexId>(start.size());
    faces.push_back({first, first + 1, first + 2});
    for (int k = 0; k < 3; ++k) {
      const Vec3 corner = some(size);
      start.push_back({about.x + at.x + corner.x, about.y + at.y + corner.y, about.z + at.z + corner.z});
      step.x_t1.push_back({start.back().x + by.x, start.back().y + by.y, start.back().z + by.z});
    }
  }
  step.x_t0 = start;
  step.scene.add_body({.positions = start, .triangles = faces});
  return step;
}

TEST(AutoFirst, IsTheEarliestHoweverFarFromTheOrigin) {
  const std::uint64_t rounds = from_environment("GRAZE_AUTO_ROUNDS", 1) * (kIsSlow ? 20 : 200);
  std::size_t with_impacts = 0;
  // The last round is a regression: a pair was proved separated from rounded positions.
  constexpr std::uint64_t kKnown = 4708;
  for (std::uint64_t i = 0; i <= rounds; ++i) {
    const std::uint64_t round = i < rounds ? i : kKnown;
    Random random(91, round);
    const double away = std::array{0.0, 0x1p20, 0x1p36, 0x1p40, 0x1p42, 0x1p44}[round % 6];
    const double displacement = std::array{0.01, 0.3, 3.0, 30.0}[random.below(4)];
    const Step step = disconnected_triangles(random, 24, std::array{0.1, 0.3, 0.8}[random.below(3)], displacement,
                                             {away, away, -away});
    Detector detector(step.scene, {.threads = 1});
    const FirstImpact first = detector.first_impact(step.x_t0, step.x_t1);
    const Impacts all = Detector(step.scene, {.method = Method::RTri, .threads = 1}).impacts(step.x_t0, step.x_t1);
    ASSERT_EQ(not_the_earliest(first, all), "")
        << "round " << round << ", " << away << " away, displacement " << displacement;
    with_impacts += all.impacts.empty() ? 0U : 1U;
  }
  EXPECT_GT(with_impacts, rounds / 2);
}

/// Triangles in the cells of a grid, one in each and with a distance between them; each moves by its own vector.
Step triangles_in_cells(Random& random, std::size_t cells, double displacement) {
  Step step;
  std::vector<Triangle> faces;
  const auto side = static_cast<double>(cells);
  for (std::size_t t = 0; t < cells * cells * cells; ++t) {
    const auto cell = [&](std::size_t i) { return static_cast<double>(t / i % cells) / side; };
    const Vec3 by{displacement * random.symmetric(), displacement * random.symmetric(),
                  displacement * random.symmetric()};
    const auto in_cell = [&] { return 0.499 * random.symmetric() / side; };
    const auto first = static_cast<VertexId>(step.x_t0.size());
    faces.push_back({first, first + 1, first + 2});
    for (int k = 0; k < 3; ++k) {
      const Vec3 p{cell(1) + in_cell(), cell(cells) + in_cell(), cell(cells * cells) + in_cell()};
      step.x_t0.push_back(p);
      step.x_t1.push_back({p.x + by.x, p.y + by.y, p.z + by.z});
    }
  }
  step.scene.add_body({.positions = step.x_t0, .triangles = faces});
  return step;
}

TEST(AutoFirst, IsTheEarliestWhereEarlierWavesShortenTheSearch) {
  // Thousands of pairs of clusters, in several waves: the first impacts found bound the search for earlier ones.
  for (std::uint64_t round = 0; round < 6; ++round) {
    Random random(92, round);
    const double displacement = std::array{0.02, 0.05, 0.3}[round % 3];
    const Step step = triangles_in_cells(random, 14, displacement);
    for (const double thickness : {0.0, 1e-9}) {
      const Impacts all = Detector(step.scene, {.method = Method::RTri, .thickness = thickness, .threads = 1})
                              .impacts(step.x_t0, step.x_t1);
      ASSERT_FALSE(all.impacts.empty());
      std::uint64_t tests = 0;
      for (const unsigned threads : {1U, 2U, 7U}) {
        Detector detector(step.scene, {.thickness = thickness, .threads = threads});
        const FirstImpact first = detector.first_impact(step.x_t0, step.x_t1);
        ASSERT_EQ(not_the_earliest(first, all), "") << "round " << round << ", " << threads << " threads";
        EXPECT_GT(first.toi, 0.0);
        if (threads == 1) tests = first.stats.cluster.feature_tests;
        EXPECT_EQ(first.stats.cluster.feature_tests, tests);
      }
    }
  }
}

}  // namespace
}  // namespace graze::testing
