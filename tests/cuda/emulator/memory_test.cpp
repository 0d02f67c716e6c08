// Memory of the emulated GPU: none is asked for in a steady step, all of it is given back, and where there is too
// little a query throws ResourceError and the detector answers the next one.
#include "memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include <graze/graze.hpp>

#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"

namespace graze::testing {

namespace {

/// Sheets of which the upper one falls a little further in each step.
struct Fall {
  Scene scene = wavy_sheets(0.05, true, Motion::Deforming, 16);

  [[nodiscard]] std::vector<Vec3> at(double depth) const {
    std::vector<Vec3> x(scene.positions().begin(), scene.positions().end());
    for (VertexId v = 0; v < x.size(); ++v) {
      if (scene.body_of(v) == 1) x[v].z -= depth;
    }
    return x;
  }
};

/// Ends the limit of memory when it is destroyed.
struct Limit {
  explicit Limit(std::size_t bytes) { emulator::limit_memory(bytes); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() { emulator::limit_memory(0); }
};

TEST(EmulatedMemory, IsNotAskedForInASteadyStep) {
  const Fall fall;
  Detector detector(fall.scene, {.device = Device::Cuda});
  std::size_t before = 0;
  for (int step = 0; step < 20; ++step) {
    if (step == 4) before = emulator::allocation_count();
    const double depth = step % 2 == 0 ? 0.2 : 0.21;
    static_cast<void>(detector.impacts(fall.at(0.0), fall.at(depth)));
    static_cast<void>(detector.first_impact(fall.at(0.0), fall.at(depth)));
    static_cast<void>(detector.safe_step(fall.at(0.0), fall.at(depth)));
  }
  EXPECT_EQ(emulator::allocation_count(), before);
}

TEST(EmulatedMemory, IsGivenBackWithTheDetector) {
  const std::size_t before = emulator::allocated_bytes();
  const Fall fall;
  {
    Detector detector(fall.scene, {.device = Device::Cuda});
    const Impacts impacts = detector.impacts(fall.at(0.0), fall.at(0.2));
    EXPECT_GE(emulator::allocated_bytes() - before, impacts.stats.device_bytes);
    EXPECT_GT(impacts.stats.device_bytes, 0U);
  }
  EXPECT_EQ(emulator::allocated_bytes(), before);
}

TEST(EmulatedMemory, MayEndAtAnyAllocation) {
  const Fall fall;
  const std::vector<Vec3> start = fall.at(0.0);
  const std::vector<Vec3> end = fall.at(0.2);
  Detector host(fall.scene, {});
  const Impacts expected = host.impacts(start, end);
  const std::size_t before = emulator::allocated_bytes();
  Detector model(fall.scene, {.device = Device::Cuda});
  static_cast<void>(model.impacts(start, end));
  const std::size_t all = emulator::allocated_bytes() - before;
  std::size_t refused = 0;
  for (int part = 1; part <= 40; ++part) {
    const std::size_t used = emulator::allocated_bytes();
    Detector detector(fall.scene, {.device = Device::Cuda});
    {
      const Limit limit(used + all * static_cast<std::size_t>(part) / 32);
      try {
        EXPECT_EQ(difference(detector.impacts(start, end), expected), "");
      } catch (const ResourceError&) {
        ++refused;
      }
    }
    ASSERT_EQ(difference(detector.impacts(start, end), expected), "") << part;
    ASSERT_EQ(detector.validate(), "");
  }
  EXPECT_GT(refused, 10U);
  EXPECT_LT(refused, 40U);
}

}  // namespace
}  // namespace graze::testing
