// Positions and impacts in GPU memory: the answers of queries with positions on the host, in the order of streams,
// and the same refusals.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "cuda/device_array.hpp"
#include "cuda/skip_without_gpu.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"

namespace graze::testing {

namespace {

/// Two sheets over a static one; the upper sheet falls through both.
struct Fall {
  Scene scene = wavy_sheets(0.05, true, Motion::Deforming, 24);
  std::vector<Vec3> x_t0{scene.positions().begin(), scene.positions().end()};
  std::vector<Vec3> x_t1 = x_t0;

  Fall() {
    for (VertexId v = 0; v < x_t1.size(); ++v) {
      if (scene.body_of(v) == 1) x_t1[v].z -= 0.2;
    }
  }
};

std::string refusal(Detector& detector, const DeviceStep& step) {
  try {
    static_cast<void>(detector.impacts(step));
  } catch (const InputError& refused) {
    return refused.what();
  }
  return {};
}

std::string refusal(Detector& detector, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
  try {
    static_cast<void>(detector.impacts(x_t0, x_t1));
  } catch (const InputError& refused) {
    return refused.what();
  }
  return {};
}

TEST(DeviceMemory, QueriesHaveTheAnswersOfPositionsOnTheHost) {
  GRAZE_SKIP_WITHOUT_GPU();
  const Fall fall;
  const DeviceArray<Vec3> x_t0(fall.x_t0);
  const DeviceArray<Vec3> x_t1(fall.x_t1);
  const DeviceStep step{.x_t0 = x_t0.data(), .x_t1 = x_t1.data(), .count = fall.x_t0.size()};
  for (const double thickness : {0.0, 0.01}) {
    Detector host(fall.scene, {.thickness = thickness});
    Detector detector(fall.scene, {.thickness = thickness, .device = Device::Cuda});
    const Impacts expected = host.impacts(fall.x_t0, fall.x_t1);
    EXPECT_GT(expected.impacts.size(), 1'000U);
    for (int run = 0; run < 3; ++run) {
      Impacts actual;
      actual.impacts = copy_to_host(detector.impacts(step));
      EXPECT_EQ(difference(actual, expected), "");
    }
    EXPECT_EQ(detector.first_impact(step).toi, host.first_impact(fall.x_t0, fall.x_t1).toi);
    const SafeStep known = host.safe_step(fall.x_t0, fall.x_t1);
    const DeviceArray<Vec3> safe(fall.x_t0);
    EXPECT_EQ(detector.safe_step(step, safe.data()).step, known.step);
    EXPECT_EQ(safe.get(fall.x_t0.size()), known.positions);
    const DevicePositions end{.x = x_t1.data(), .count = fall.x_t1.size()};
    EXPECT_EQ(detector.intersections(end).edge_face, host.intersections(fall.x_t1).edge_face);
    EXPECT_EQ(detector.proximities(end, 0.01).proximities.size(),
              host.proximities(fall.x_t1, 0.01).proximities.size());
  }
}

TEST(DeviceMemory, QueriesWaitForTheStreamThatWritesThePositions) {
  GRAZE_SKIP_WITHOUT_GPU();
  const Fall fall;
  Detector host(fall.scene, {});
  Detector detector(fall.scene, {.device = Device::Cuda});
  cudaStream_t stream = nullptr;
  expect_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const DeviceArray<Vec3> x_t0(fall.x_t0);
  const DeviceArray<Vec3> right(fall.x_t1);
  const DeviceArray<Vec3> x_t1(fall.x_t0);
  const DeviceArray<char> ballast(std::vector<char>(std::size_t{1} << 28U));
  const std::size_t bytes = fall.x_t1.size() * sizeof(Vec3);
  for (int k = 0; k < 8; ++k) expect_success(cudaMemsetAsync(ballast.data(), k, std::size_t{1} << 28U, stream));
  expect_success(cudaMemcpyAsync(x_t1.data(), right.data(), bytes, cudaMemcpyDeviceToDevice, stream));
  const DeviceImpacts found =
      detector.impacts({.x_t0 = x_t0.data(), .x_t1 = x_t1.data(), .count = fall.x_t0.size(), .stream = stream});
  Impacts actual;
  actual.impacts = copy_to_host(found);
  EXPECT_EQ(difference(actual, host.impacts(fall.x_t0, fall.x_t1)), "");
  expect_success(cudaStreamDestroy(stream));
}

TEST(DeviceMemory, PositionsAreRefusedAsOnTheHost) {
  GRAZE_SKIP_WITHOUT_GPU();
  const Fall fall;
  Detector detector(fall.scene, {.device = Device::Cuda});
  const DeviceArray<Vec3> x_t0(fall.x_t0);
  const DeviceArray<Vec3> x_t1(fall.x_t1);
  const DeviceStep step{.x_t0 = x_t0.data(), .x_t1 = x_t1.data(), .count = fall.x_t0.size()};
  for (int before = 0; before < 2; ++before) {  // in the first step of a detector, and in a later one
    std::vector<Vec3> wrong = fall.x_t1;
    wrong[5].y = std::numeric_limits<double>::quiet_NaN();
    x_t1.set(wrong);
    EXPECT_EQ(refusal(detector, step), refusal(detector, fall.x_t0, wrong));
    EXPECT_NE(refusal(detector, step).find("vertex 5"), std::string::npos);
    wrong = fall.x_t1;
    wrong.back().x += 1.0;  // of the static body
    x_t1.set(wrong);
    EXPECT_EQ(refusal(detector, step), refusal(detector, fall.x_t0, wrong));
    EXPECT_NE(refusal(detector, step).find("is static"), std::string::npos);
    x_t1.set(fall.x_t1);
    EXPECT_GT(detector.impacts(step).count, 1'000U);
  }
  DeviceStep few = step;
  few.count = 3;
  EXPECT_NE(refusal(detector, few).find("3 positions"), std::string::npos);
  DeviceStep none = step;
  none.x_t1 = nullptr;
  EXPECT_NE(refusal(detector, none).find("x_t1 is a null pointer"), std::string::npos);
  Detector host(fall.scene, {});
  EXPECT_NE(refusal(host, step).find("device cuda"), std::string::npos);
}

TEST(DeviceMemory, RemovedVerticesMayHaveAnyPosition) {
  GRAZE_SKIP_WITHOUT_GPU();
  Fall fall;
  Detector host(fall.scene, {});
  Detector detector(fall.scene, {.device = Device::Cuda});
  for (Detector* one : {&host, &detector}) {
    SceneEdit edit = one->begin_edit();
    edit.remove_body(0);
    one->apply(edit);
  }
  for (VertexId v = 0; v < fall.x_t0.size(); ++v) {
    if (fall.scene.body_of(v) == 0)
      fall.x_t0[v] = fall.x_t1[v] = {1e300, std::numeric_limits<double>::infinity(), 0};
  }
  const DeviceArray<Vec3> x_t0(fall.x_t0);
  const DeviceArray<Vec3> x_t1(fall.x_t1);
  Impacts actual;
  actual.impacts =
      copy_to_host(detector.impacts({.x_t0 = x_t0.data(), .x_t1 = x_t1.data(), .count = fall.x_t0.size()}));
  const Impacts expected = host.impacts(fall.x_t0, fall.x_t1);
  EXPECT_FALSE(expected.impacts.empty());
  EXPECT_EQ(difference(actual, expected), "");
}

}  // namespace
}  // namespace graze::testing
