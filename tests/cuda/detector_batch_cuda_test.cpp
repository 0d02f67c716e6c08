// DetectorBatch on a GPU: all scenes in one query, with the impacts of a detector for each on the host.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "cuda/device_array.hpp"
#include "cuda/skip_without_gpu.hpp"
#include "support/batch_scenes.hpp"

namespace graze::testing {

namespace {

TEST(CudaBatch, HasTheImpactsOfSingleDetectors) {
  GRAZE_SKIP_WITHOUT_GPU();
  for (const std::size_t count : {1U, 2U, 300U}) {
    const BatchScenes batch = random_batch(count, 5);
    for (const double thickness : {0.0, 0.02}) {
      DetectorBatch detector(batch.scenes, {.thickness = thickness, .device = Device::Cuda});
      for (int run = 0; run < 3; ++run) {
        const BatchImpacts all = detector.impacts(batch.x_t0, batch.x_t1);
        ASSERT_EQ(all.begins.size(), batch.scenes.size() + 1);
        ASSERT_EQ(difference_from_single(batch, detector, all, thickness), "");
      }
    }
  }
}

TEST(CudaBatch, LeavesImpactsInGpuMemory) {
  GRAZE_SKIP_WITHOUT_GPU();
  const BatchScenes batch = random_batch(50, 6);
  DetectorBatch detector(batch.scenes, {.device = Device::Cuda});
  const DeviceArray<Vec3> x_t0(batch.x_t0);
  const DeviceArray<Vec3> x_t1(batch.x_t1);
  const DeviceBatchImpacts found =
      detector.impacts({.x_t0 = x_t0.data(), .x_t1 = x_t1.data(), .count = batch.x_t0.size()});
  BatchImpacts all;
  all.begins = found.begins;
  all.impacts = copy_to_host({.impacts = found.impacts, .count = found.begins.back(), .stats = {}});
  EXPECT_EQ(difference_from_single(batch, detector, all, 0.0), "");
}

TEST(CudaBatch, FindsTheEarliestImpactOfEachScene) {
  GRAZE_SKIP_WITHOUT_GPU();
  const BatchScenes batch = random_batch(100, 7);
  DetectorBatch detector(batch.scenes, {.device = Device::Cuda});
  DetectorBatch host(batch.scenes, {});
  const std::vector<FirstImpact> actual = detector.first_impacts(batch.x_t0, batch.x_t1);
  const std::vector<FirstImpact> expected = host.first_impacts(batch.x_t0, batch.x_t1);
  for (std::size_t s = 0; s < expected.size(); ++s) {
    EXPECT_EQ(actual[s].toi, expected[s].toi);
    ASSERT_EQ(actual[s].impact.has_value(), expected[s].impact.has_value());
    if (expected[s].impact) {
      EXPECT_EQ(actual[s].impact->pair, expected[s].impact->pair);
    }
  }
}

TEST(CudaBatch, NamesTheSceneThatItRefuses) {
  GRAZE_SKIP_WITHOUT_GPU();
  BatchScenes batch = random_batch(8, 4);
  DetectorBatch detector(batch.scenes, {.device = Device::Cuda});
  const std::vector<Vec3> right = batch.x_t1;
  batch.x_t1[detector.first_vertex(3) + 2].z = std::numeric_limits<double>::quiet_NaN();
  try {
    static_cast<void>(detector.impacts(batch.x_t0, batch.x_t1));
    FAIL() << "not refused";
  } catch (const InputError& refused) {
    EXPECT_EQ(std::string(refused.what()).find("scene 3: x_t1: vertex 2"), 0U) << refused.what();
  }
  EXPECT_EQ(
      difference_from_single({batch.scenes, batch.x_t0, right}, detector, detector.impacts(batch.x_t0, right), 0.0),
      "");
}

}  // namespace
}  // namespace graze::testing
