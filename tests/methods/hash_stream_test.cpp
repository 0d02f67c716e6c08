// The stream of impacts of method hash: the same order with every instruction set.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/research.hpp>

#include "core/simd/targets.hpp"

namespace graze {

using namespace core;
namespace {

/// Disconnected triangles in a box, with enough pairs to fill the chunks many times.
struct Soup {
  std::vector<Triangle> triangles;
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;

  explicit Soup(std::uint32_t count) {
    std::mt19937_64 random(11);
    const auto uniform = [&](double half) {
      return half * (static_cast<double>(random() % 65536) / 32768.0 - 1.0);
    };
    for (std::uint32_t i = 0; i < count; ++i) {
      triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
      const Vec3 middle{uniform(1.0), uniform(1.0), uniform(1.0)};
      const Vec3 move{uniform(0.3), uniform(0.3), uniform(0.3)};
      for (int k = 0; k < 3; ++k) {
        x_t0.push_back({middle.x + uniform(0.3), middle.y + uniform(0.3), middle.z + uniform(0.3)});
        const Vec3& p = x_t0.back();
        x_t1.push_back({p.x + move.x, p.y + move.y, p.z + move.z});
      }
    }
  }
};

TEST(HashStream, ComesInTheSameOrderOnEveryTarget) {
  const Soup soup(600);
  Scene scene;
  scene.add_body({.positions = soup.x_t0, .triangles = soup.triangles});
  for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
    DetectorOptions options = DetectorOptions{.method = Method::Hash};
    options.research->hash.cells = rule;
    std::vector<FeaturePair> first;
    Stats first_stats;
    for (const std::string& target : simd_targets()) {
      SCOPED_TRACE(target);
      use_simd_target(target);
      std::vector<FeaturePair> stream;
      const Stats stats = Detector(scene, options).impacts(soup.x_t0, soup.x_t1, [&](std::span<const Impact> some) {
        for (const Impact& impact : some) stream.push_back(impact.pair);
        return true;
      });
      if (first.empty()) {
        first = stream;
        first_stats = stats;
      }
      EXPECT_EQ(stream, first);
      EXPECT_EQ(stats.bv_tests, first_stats.bv_tests);
      EXPECT_EQ(stats.triangle_pairs, first_stats.triangle_pairs);
      EXPECT_EQ(stats.ee_tests, first_stats.ee_tests);
    }
    use_simd_target("");
    EXPECT_GT(first.size(), 4000U);
    EXPECT_GT(first_stats.hash.box_pairs, 5000U);
  }
}

}  // namespace
}  // namespace graze
