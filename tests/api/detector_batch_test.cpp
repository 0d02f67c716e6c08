// DetectorBatch on the host: every scene has the impacts of a detector of its own, and refusals name the scene.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "support/batch_scenes.hpp"

namespace graze::testing {

namespace {

template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& refused) {
    return refused.what();
  }
  return {};
}

TEST(DetectorBatch, HasTheImpactsOfSingleDetectors) {
  const BatchScenes batch = random_batch(60, 3);
  for (const double thickness : {0.0, 0.02}) {
    for (const unsigned threads : {1U, 7U}) {
      DetectorBatch detector(batch.scenes, {.thickness = thickness, .threads = threads});
      ASSERT_EQ(detector.vertex_count(), batch.x_t0.size());
      const BatchImpacts all = detector.impacts(batch.x_t0, batch.x_t1);
      ASSERT_EQ(all.begins.size(), batch.scenes.size() + 1);
      EXPECT_EQ(all.begins.back(), all.impacts.size());
      EXPECT_GT(all.impacts.size(), 500U);
      EXPECT_EQ(difference_from_single(batch, detector, all, thickness), "");
      const std::vector<FirstImpact> first = detector.first_impacts(batch.x_t0, batch.x_t1);
      for (std::size_t s = 0; s < first.size(); ++s) {
        double earliest = 1.0;
        for (const Impact& impact : all.of(s)) earliest = std::min(earliest, impact.toi_lo);
        EXPECT_EQ(first[s].toi, earliest) << "scene " << s;
        if (first[s].impact) {
          EXPECT_GE(first[s].impact->pair.vertices[0], detector.first_vertex(s));
        }
      }
    }
  }
}

TEST(DetectorBatch, MayHaveNoScene) {
  DetectorBatch detector({});
  EXPECT_EQ(detector.scene_count(), 0U);
  const BatchImpacts all = detector.impacts(std::span<const Vec3>(), std::span<const Vec3>());
  EXPECT_TRUE(all.impacts.empty());
  EXPECT_EQ(all.begins, std::vector<std::size_t>{0});
}

TEST(DetectorBatch, NamesTheSceneThatItRefuses) {
  BatchScenes batch = random_batch(8, 4);
  DetectorBatch detector(batch.scenes, {});
  std::vector<Vec3> few(batch.x_t0.begin(), batch.x_t0.end() - 1);
  EXPECT_NE(refusal([&] { static_cast<void>(detector.impacts(few, batch.x_t1)); }).find("x_t0 has"),
            std::string::npos);
  batch.x_t1[detector.first_vertex(3) + 2].z = std::numeric_limits<double>::quiet_NaN();
  const std::string text = refusal([&] { static_cast<void>(detector.impacts(batch.x_t0, batch.x_t1)); });
  EXPECT_EQ(text.find("scene 3: x_t1: vertex 2"), 0U) << text;
  EXPECT_NE(refusal([&] { static_cast<void>(detector.impacts(DeviceStep{})); }).find("device cuda"),
            std::string::npos);
}

}  // namespace
}  // namespace graze::testing
