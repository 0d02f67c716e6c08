// Method adaptive along the scripted scenes: the impacts of r-tri at every step. Simulated scenes take longer:
// graze_bench_adaptive runs along any of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "scenes/catalogue.hpp"

namespace graze::scenes {
namespace {

#if defined(GRAZE_ASSERTS)
constexpr std::size_t kSize = 300;
constexpr std::size_t kFrames = 8;
constexpr std::size_t kOneIn = 3;  // runs every third scene
#else
constexpr std::size_t kSize = 500;
constexpr std::size_t kFrames = 12;
constexpr std::size_t kOneIn = 1;
#endif

TEST(AdaptiveScenes, HaveTheImpactsOfRTriAlongTheirWholeSequences) {
  std::size_t contacts = 0;
  std::size_t in_sessions = 0;
  std::size_t number = 0;
  for (const SceneEntry& entry : catalogue()) {
    if (entry.make == nullptr || entry.breaks || number++ % kOneIn != 0) continue;
    SCOPED_TRACE(entry.name);
    const Animation animation =
        make_animation(entry.name, {.size = std::min(kSize, entry.default_size),
                                    .frames = std::min(kFrames, std::max<std::size_t>(entry.default_frames, 5))});
    const Scene scene = make_scene(animation);
    Detector reference(scene, {.method = Method::RTri});
    std::vector<Detector> detectors;
    detectors.emplace_back(scene, DetectorOptions{.method = Method::Adaptive});
    detectors.emplace_back(scene, DetectorOptions{.method = Method::Adaptive,
                                                  .research = research::Options{.adaptive = {.frames = 6}}});
    detectors.emplace_back(
        scene, DetectorOptions{.method = Method::Adaptive,
                               .research = research::Options{.hierarchy = {.cones = research::NormalCones::Tight},
                                                             .adaptive = {.frames = 6}}});
    detectors.emplace_back(scene, DetectorOptions{.method = Method::Adaptive,
                                                  .research = research::Options{.adaptive = {.skip = false}}});
    for (std::size_t frame = 0; frame + 1 < animation.frames.size(); ++frame) {
      const std::vector<Vec3> x_t0 = start_of_step(animation, frame);
      const std::vector<Vec3>& x_t1 = animation.frames[frame + 1];
      const Impacts expected = reference.impacts(x_t0, x_t1);
      for (std::size_t i = 0; i < detectors.size(); ++i) {
        const Impacts actual = detectors[i].impacts(x_t0, x_t1);
        ASSERT_EQ(actual.hash(), expected.hash()) << "step " << frame << ", detector " << i;
        ASSERT_EQ(actual.toi_hash(), expected.toi_hash()) << "step " << frame << ", detector " << i;
        in_sessions += actual.stats.coherence.session_step > 1 ? actual.impacts.size() : 0;
      }
      contacts += expected.impacts.size();
    }
  }
  EXPECT_GT(contacts, 10'000U / kOneIn);
  EXPECT_GT(in_sessions, 1'000U / kOneIn);
}

}  // namespace
}  // namespace graze::scenes
