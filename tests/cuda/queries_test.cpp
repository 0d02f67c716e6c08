// Device cuda beside the host: every answer is that of method auto on the host, to the last bit, on random scenes
// with degenerate ones, on difficult sequences, on all scenes of the catalogue and on the public frames.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <graze/graze.hpp>
#include <graze/io.hpp>

#include "cuda/effort.hpp"
#include "cuda/skip_without_gpu.hpp"
#include "oracle/scene_generator.hpp"
#include "public_data.hpp"
#include "scenes/catalogue.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"
#include "support/hash_check.hpp"

namespace graze::testing {

namespace {

/// Detectors of one scene on both devices.
class Pair {
 public:
  explicit Pair(const Scene& scene, double thickness = 0.0)
      : host_(scene, {.thickness = thickness, .threads = 1}),
        gpu_(scene, {.thickness = thickness, .device = Device::Cuda}) {}

  /// Empty if all queries of a step have the same answers on both; else the difference.
  std::string difference_of_all(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double distance) {
    const Answers expected = ask(host_, x_t0, x_t1, distance);
    contacts_ += expected.impacts.impacts.size();
    std::string text = difference(ask(gpu_, x_t0, x_t1, distance), expected);
    if (!text.empty()) return text;
    const SafeStep step = gpu_.safe_step(x_t0, x_t1);
    const SafeStep known = host_.safe_step(x_t0, x_t1);
    return step.step == known.step && step.positions == known.positions ? "" : "another safe step";
  }

  /// The same for the impacts alone.
  std::string difference_of_impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
    const Impacts expected = host_.impacts(x_t0, x_t1);
    contacts_ += expected.impacts.size();
    return difference(gpu_.impacts(x_t0, x_t1), expected);
  }

  [[nodiscard]] std::size_t contacts() const { return contacts_; }
  Detector& host() { return host_; }
  Detector& gpu() { return gpu_; }

 private:
  Detector host_;
  Detector gpu_;
  std::size_t contacts_ = 0;
};

TEST(CudaQueries, HaveTheAnswersOfTheHostOnRandomScenes) {
  GRAZE_SKIP_WITHOUT_GPU();
  const std::uint64_t count = with_effort(1'000);
  std::size_t contacts = 0;
  for (const double thickness : {0.0, 0.05}) {
    const auto families = oracle::scene_families();
    for (std::uint64_t i = 0; i < count; ++i) {
      const oracle::SceneFamily& family = families[i % families.size()];
      const oracle::SceneStep step = oracle::make_scene(family, 31, i);
      Pair pair(scene_of(step), thickness);
      ASSERT_EQ(pair.difference_of_all(step.x_t0, step.x_t1, 0.1), "")
          << family.name << ", scene " << i << ", thickness " << thickness;
      contacts += pair.contacts();
    }
  }
  EXPECT_GT(contacts, 10 * count);
}

TEST(CudaQueries, HaveTheAnswersOfTheHostOnDifficultSequences) {
  GRAZE_SKIP_WITHOUT_GPU();
  std::size_t contacts = 0;
  for (const SequenceEntry& entry : adaptive_sequences()) {
    const Sequence& sequence = sequence_named(entry.name);
    for (const double share : {0.0, 0.02}) {
      const double thickness = share * sequence.scale;
      if (!std::isfinite(thickness)) continue;
      Pair pair(sequence.scene, thickness);
      std::size_t number = 0;
      const std::size_t last = with_effort(sequence.steps.size());
      for (const SequenceStep& step : sequence.steps) {
        if (number == last) break;
        ASSERT_EQ(pair.difference_of_impacts(step.x_t0, step.x_t1), "")
            << entry.name << ", step " << number << ", thickness " << thickness;
        ++number;
      }
      contacts += pair.contacts();
    }
  }
  EXPECT_GT(contacts, with_effort(10'000));
}

TEST(CudaQueries, HaveTheAnswersOfTheHostOnEverySceneOfTheCatalogue) {
  GRAZE_SKIP_WITHOUT_GPU();
  for (const scenes::SceneEntry& entry : scenes::catalogue()) {
    if (entry.breaks) continue;  // its edits are those of CudaLives
    SCOPED_TRACE(entry.name);
    // Scenes of fewer triangles intersect themselves before they start.
    const std::size_t size = std::max<std::size_t>(1'000, with_effort(3'000));
    const scenes::Animation animation =
        scenes::make_animation(entry.name, {.size = size, .frames = 2 + with_effort(6)});
    for (const double thickness : {0.0, 1e-3}) {
      Pair pair(scenes::make_scene(animation, 0), thickness);
      for (std::size_t frame = 0; frame + 1 < animation.frames.size(); ++frame) {
        ASSERT_EQ(pair.difference_of_impacts(scenes::start_of_step(animation, frame), animation.frames[frame + 1]),
                  "")
            << "step " << frame << ", thickness " << thickness;
      }
    }
  }
}

struct Frames {
  const char* start;
  const char* end;
  std::size_t vf;
  std::size_t ee;
};

TEST(CudaQueries, FindTheTruthOfThePublicFramesInEveryRun) {
  GRAZE_SKIP_WITHOUT_GPU();
  GRAZE_SKIP_WITHOUT_DATA();
  for (const Frames& frames :
       {Frames{"cloth-ball/cloth_ball92.ply", "cloth-ball/cloth_ball93.ply", 19'032, 94'822},
        Frames{"n-body-simulation/balls16_18.ply", "n-body-simulation/balls16_19.ply", 9'459, 41'031},
        Frames{"cloth-funnel/227.ply", "cloth-funnel/228.ply", 27, 107}}) {
    SCOPED_TRACE(frames.start);
    const Mesh start = read_mesh(public_data() / "frames" / frames.start);
    const Mesh end = read_mesh(public_data() / "frames" / frames.end);
    Scene scene;
    scene.add_body({.positions = start.positions, .triangles = start.triangles});
    Pair pair(scene);
    const bool all = with_effort(20) == 20 || frames.ee < 1'000;
    if (all) {
      ASSERT_EQ(pair.difference_of_all(start.positions, end.positions, 1e-3), "");
    }
    const std::uint64_t hash = pair.host().impacts(start.positions, end.positions).toi_hash();
    for (std::uint64_t run = 0; run < with_effort(20); ++run) {
      const Impacts impacts = pair.gpu().impacts(start.positions, end.positions);
      ASSERT_EQ(impacts.vf_count(), frames.vf);
      ASSERT_EQ(impacts.ee_count(), frames.ee);
      ASSERT_EQ(impacts.toi_hash(), hash);
    }
    if (!all) continue;
    Pair thick(scene, 1e-3);
    ASSERT_EQ(thick.difference_of_all(start.positions, end.positions, 0.0), "");
  }
}

}  // namespace
}  // namespace graze::testing
