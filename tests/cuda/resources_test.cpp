// What a detector on a GPU refuses, and what it does where there is no GPU; memory that does not grow.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <graze/graze.hpp>

#include "cuda/effort.hpp"
#include "cuda/skip_without_gpu.hpp"
#include "refusal.hpp"
#include "support/adaptive_sequences.hpp"

namespace graze::testing {

namespace {

TEST(CudaDevice, IsRefusedForOtherMethods) {
  EXPECT_THROW(Detector(wavy_sheets(0.05, true), {.method = Method::RTri, .device = Device::Cuda}), InputError);
}

TEST(CudaDevice, IsRefusedWithItsReasonWhereThereIsNone) {
  if (why_no_cuda().empty()) GTEST_SKIP() << "there is a GPU";
  try {
    Detector detector(wavy_sheets(0.05, true), {.device = Device::Cuda});
    FAIL() << "not refused";
  } catch (const ResourceError& refused) {
    EXPECT_EQ(refused.what(), "device cuda: " + why_no_cuda());
  }
}

TEST(CudaDevice, AutoFallsBackToTheHost) {
  const Scene scene = wavy_sheets(0.05, true);
  Detector detector(scene, {.device = Device::Auto});
  Detector host(scene, {});
  std::vector<Vec3> end(scene.positions().begin(), scene.positions().end());
  for (VertexId v = 49; v < 98; ++v) end[v].z -= 0.5;
  const Impacts expected = host.impacts(scene.positions(), end);
  EXPECT_FALSE(expected.impacts.empty());
  EXPECT_EQ(detector.impacts(scene.positions(), end).toi_hash(), expected.toi_hash());
  Detector other(scene, {.method = Method::RTri, .device = Device::Auto});
  EXPECT_EQ(other.impacts(scene.positions(), end).toi_hash(), expected.toi_hash());
}

TEST(CudaDevice, HonoursTheMemoryCapAndStaysValid) {
  GRAZE_SKIP_WITHOUT_GPU();
  const Scene scene = wavy_sheets(0.05, true, Motion::Deforming, 64);
  std::vector<Vec3> end(scene.positions().begin(), scene.positions().end());
  for (Vec3& p : end) p.z = -p.z;
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    if (scene.motion(body) != Motion::Static) continue;
    for (VertexId v = scene.vertices(body).first; v < scene.vertices(body).last; ++v) end[v] = scene.positions()[v];
  }
  Detector free(scene, {.device = Device::Cuda});
  const Impacts all = free.impacts(scene.positions(), end);
  ASSERT_GT(all.stats.device_bytes, 0U);
  Detector capped(scene, {.device = Device::Cuda, .memory_cap = all.stats.memory_bytes / 2});
  EXPECT_THROW(static_cast<void>(capped.impacts(scene.positions(), end)), ResourceError);
  EXPECT_THROW(static_cast<void>(capped.impacts(scene.positions(), end)), ResourceError);
  EXPECT_EQ(free.impacts(scene.positions(), end).toi_hash(), all.toi_hash());
}

TEST(CudaDevice, HoldsNoMoreMemoryAfterManySteps) {
  GRAZE_SKIP_WITHOUT_GPU();
  const std::uint64_t steps = with_effort(10'000);
  const Scene scene = wavy_sheets(0.05, true);
  std::vector<Vec3> end(scene.positions().begin(), scene.positions().end());
  for (VertexId v = 49; v < 98; ++v) end[v].z -= 0.5;
  Detector detector(scene, {.device = Device::Cuda});
  std::uint64_t bytes = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const Impacts impacts = detector.impacts(scene.positions(), end);
    static_cast<void>(detector.first_impact(scene.positions(), end));
    if (step < 4) bytes = impacts.stats.memory_bytes;
    ASSERT_EQ(impacts.stats.memory_bytes, bytes) << "step " << step;
  }
}

TEST(CudaDevice, RunsDetectorsOfSeveralThreads) {
  GRAZE_SKIP_WITHOUT_GPU();
  const Scene scene = wavy_sheets(0.05, true);
  std::vector<Vec3> end(scene.positions().begin(), scene.positions().end());
  for (VertexId v = 49; v < 98; ++v) end[v].z -= 0.5;
  Detector host(scene, {});
  const std::uint64_t expected = host.impacts(scene.positions(), end).toi_hash();
  std::vector<std::size_t> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t& count : wrong) {
      threads.emplace_back([&] {
        Detector detector(scene, {.device = Device::Cuda});
        for (int step = 0; step < 10; ++step) {
          count += detector.impacts(scene.positions(), end).toi_hash() == expected ? 0U : 1U;
        }
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(4));
}

TEST(CudaDevice, NamesTheVertexOfAPositionThatIsNotFinite) {
  GRAZE_SKIP_WITHOUT_GPU();
  const Scene scene = wavy_sheets(0.05, true);
  std::vector<Vec3> end(scene.positions().begin(), scene.positions().end());
  end[7].y = std::numeric_limits<double>::infinity();
  Detector detector(scene, {.device = Device::Cuda});
  EXPECT_THROW(static_cast<void>(detector.impacts(scene.positions(), end)), InputError);
}

}  // namespace
}  // namespace graze::testing
