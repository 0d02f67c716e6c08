// Safe step: every returned way is free by the oracle's exact tests, the step is positive until there is a real
// contact, and a loop of safe steps converges to the first contact as fast as `keep` promises, for every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <graze/graze.hpp>
#include <graze/research.hpp>
#include <limits>
#include <string>
#include <vector>

#include "oracle/brute_scene.hpp"
#include "oracle/discrete.hpp"
#include "oracle/scene_generator.hpp"
#include "oracle/step_distance.hpp"
#include "public_data.hpp"
#include "refusal.hpp"

#include <graze/io.hpp>

namespace graze {
namespace {

#if defined(GRAZE_ASSERTS)
constexpr std::uint64_t kScenes = 4;
#else
constexpr std::uint64_t kScenes = 60;
#endif

Scene scene_of(const oracle::SceneStep& step) {
  Scene scene;
  scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
  return scene;
}

/// A vertex above a face, at height `height`, that falls to `end`.
oracle::SceneStep falling_vertex(double height, double end) {
  oracle::SceneStep step;
  step.triangles = {{0, 1, 2}, {3, 4, 5}};
  step.x_t0 = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, 0, height}, {0.1, 0, height + 1}, {0, 0.1, height + 1}};
  step.x_t1 = step.x_t0;
  for (std::size_t v = 3; v < 6; ++v) step.x_t1[v].z += end - height;
  return step;
}

TEST(SafeStep, IsTheWholeStepWhereNothingTouches) {
  const oracle::SceneStep step = falling_vertex(1.0, 0.5);
  Detector detector(scene_of(step));
  const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1);
  EXPECT_EQ(safe.step, 1.0);
  EXPECT_EQ(safe.positions, step.x_t1);
  EXPECT_FALSE(safe.limit);
}

TEST(SafeStep, LeavesTheShareOfTheWayThatIsAskedFor) {
  const oracle::SceneStep step = falling_vertex(1.0, -1.0);  // contact at 1/2
  Detector detector(scene_of(step));
  for (const double keep : {1.0 / 64.0, 0.2, 0.9}) {
    const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1, {.keep = keep});
    EXPECT_GE(safe.step, 0.5 * (1.0 - keep));
    EXPECT_LT(safe.step, 0.5);
    ASSERT_TRUE(safe.limit);
    EXPECT_EQ(safe.limit->pair, (FeaturePair{FeatureKind::VertexFace, {3, 0, 1, 2}}));
    EXPECT_EQ(safe.positions[3].z, 1.0 + safe.step * -2.0);
  }
}

TEST(SafeStep, IsZeroWhereSomethingTouchesAtTheStart) {
  const oracle::SceneStep step = falling_vertex(0.0, -1.0);
  Detector detector(scene_of(step));
  const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1);
  EXPECT_EQ(safe.step, 0.0);
  EXPECT_EQ(safe.positions, step.x_t0);
  EXPECT_TRUE(safe.limit);
}

TEST(SafeStep, IsPositiveHoweverCloseTheStartIs) {
  for (int power = 1; power < 965; power += 10) {
    const double height = std::ldexp(1.0, -power);
    const oracle::SceneStep step = falling_vertex(height, -1.0);
    Detector detector(scene_of(step));
    const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1);
    const double contact = height / (1.0 + height);
    EXPECT_GE(safe.step, 0.79 * contact) << height;
    EXPECT_LE(safe.step, contact) << height;
    EXPECT_GT(safe.positions[3].z, 0.0) << height;
  }
}

TEST(SafeStep, KeepsAMinimumDistance) {
  for (const double gap : {0.5, 1e-3, 1e-9, 1e-13, 0x1p-50}) {
    const double distance = 0.25;
    const oracle::SceneStep step = falling_vertex(distance + gap, -1.0);
    Detector detector(scene_of(step));
    const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1, {.min_distance = distance});
    EXPECT_GT(safe.step, 0.0) << gap;
    EXPECT_GT(safe.positions[3].z, distance) << gap;
    const double rest = safe.positions[3].z - distance;
    EXPECT_LE(rest, 0.2 * gap + 1e-12) << gap;
  }
  const oracle::SceneStep within = falling_vertex(0.25, -1.0);
  EXPECT_EQ(Detector(scene_of(within)).safe_step(within.x_t0, within.x_t1, {.min_distance = 0.25}).step, 0.0);
}

TEST(SafeStep, IsWholeForAPairThatSeparatesFromJustBeyondTheMinimumDistance) {
  const oracle::SceneStep step = falling_vertex(std::nextafter(0.25, 1.0), 2.0);
  Detector detector(scene_of(step));
  const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1, {.min_distance = 0.25});
  EXPECT_EQ(safe.step, 1.0);
  EXPECT_EQ(safe.positions, step.x_t1);
}

TEST(SafeStep, UsesTheLargerOfThicknessAndMinimumDistance) {
  const oracle::SceneStep step = falling_vertex(1.0, -1.0);
  Detector thick(scene_of(step), {.thickness = 0.5});
  EXPECT_GT(thick.safe_step(step.x_t0, step.x_t1).positions[3].z, 0.5);
  EXPECT_GT(thick.safe_step(step.x_t0, step.x_t1, {.min_distance = 0.75}).positions[3].z, 0.75);
  // Impacts of the same detector still have its own thickness.
  EXPECT_NEAR(thick.first_impact(step.x_t0, step.x_t1).toi, 0.25, 1e-6);
}

TEST(SafeStep, RefusesOptionsOutOfRange) {
  const oracle::SceneStep step = falling_vertex(1.0, -1.0);
  Detector detector(scene_of(step));
  const auto refusal = [&](const SafeStepOptions& options) {
    return testing::refusal([&] { detector.safe_step(step.x_t0, step.x_t1, options); });
  };
  EXPECT_EQ(refusal({.keep = 0.0}), "keep is 0; it must be in [1/64, 1)");
  EXPECT_EQ(refusal({.keep = 1.0}), "keep is 1; it must be in [1/64, 1)");
  EXPECT_EQ(refusal({.min_distance = -1.0}), "min_distance is -1; it must be finite and not negative");
}

TEST(SafeStep, StaticBodiesStayWhereTheyAre) {
  const oracle::SceneStep step = falling_vertex(1.0, -1.0);
  Scene scene;
  scene.add_body({.positions = std::span(step.x_t0).first(3),
                  .triangles = std::vector<Triangle>{{0, 1, 2}},
                  .motion = Motion::Static});
  scene.add_body({.positions = std::span(step.x_t0).subspan(3), .triangles = std::vector<Triangle>{{0, 1, 2}}});
  for (const Method method : research::all_methods()) {
    Detector detector(scene, {.method = method});
    // Queries with other thicknesses in between: contacts of static bodies are kept for one thickness only.
    for (const double distance : {0.0, 0.5, 0.0, 0.25}) {
      const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1, {.min_distance = distance});
      EXPECT_GT(safe.positions[3].z, distance) << name_of(method);
      EXPECT_LT(safe.positions[3].z, distance + 0.21) << name_of(method);
      EXPECT_EQ(safe.positions[0], step.x_t0[0]);
    }
  }
}

TEST(SafeStep, ReportsProgressThatNeverFallsAndStopsWhenAsked) {
  const oracle::SceneStep step = falling_vertex(1.0, -1.0);
  std::vector<double> shares;
  bool go_on = true;
  Detector detector(scene_of(step), {.progress = [&](double share) {
                      shares.push_back(share);
                      return go_on;
                    }});
  const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  ASSERT_FALSE(shares.empty());
  EXPECT_EQ(shares.back(), 1.0);
  go_on = false;
  EXPECT_THROW(detector.safe_step(step.x_t0, step.x_t1), Interrupted);
  go_on = true;
  EXPECT_EQ(detector.safe_step(step.x_t0, step.x_t1).positions, safe.positions);
}

TEST(SafeStep, LeavesRemovedVerticesAsTheyAreGiven) {
  oracle::SceneStep step = falling_vertex(1.0, -1.0);
  step.triangles.push_back({6, 7, 8});
  step.x_t0.insert(step.x_t0.end(), {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}});
  step.x_t1.insert(step.x_t1.end(), {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}});
  Detector detector(scene_of(step));
  SceneEdit edit = detector.begin_edit();
  edit.remove_triangle(2);
  for (const VertexId v : {6U, 7U, 8U}) edit.remove_vertex(v);
  detector.apply(edit);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  step.x_t0[7] = {nan, 7, 7};
  const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1);
  EXPECT_GT(safe.step, 0.4);
  EXPECT_GT(safe.positions[3].z, 0.0);
  EXPECT_TRUE(std::isnan(safe.positions[7].x));
  EXPECT_EQ(safe.positions[7].y, 7.0);
  EXPECT_EQ(safe.positions[6], step.x_t0[6]);
}

class SafeStepOnScenes : public ::testing::TestWithParam<const oracle::SceneFamily*> {};

TEST_P(SafeStepOnScenes, EveryWayIsFreeByTheOracleAndLongEnough) {
  for (std::uint64_t index = 0; index < kScenes; ++index) {
    const oracle::SceneStep step = oracle::make_scene(*GetParam(), 11, index);
    const std::vector<oracle::Contact> contacts = oracle::contacts(step);
    const Scene scene = scene_of(step);
    SafeStep first;
    for (const Method method : research::all_methods()) {
      Detector detector(scene, {.method = method});
      const SafeStep safe = detector.safe_step(step.x_t0, step.x_t1);
      if (method == research::all_methods().front()) first = safe;
      ASSERT_EQ(safe.step, first.step) << name_of(method) << ", scene " << index;
      ASSERT_EQ(safe.positions, first.positions) << name_of(method) << ", scene " << index;
    }
    if (contacts.empty()) {
      ASSERT_EQ(first.step, 1.0) << "scene " << index;
      continue;
    }
    const bool touching = std::any_of(contacts.begin(), contacts.end(),
                                      [](const oracle::Contact& c) { return c.toi.compare(0.0) == 0; });
    ASSERT_EQ(first.step == 0.0, touching) << "scene " << index;
    for (const oracle::Contact& c : contacts) {
      ASSERT_GE(c.toi.compare(first.step), 0) << "scene " << index;
    }
    if (touching) continue;
    // 1 - keep of the way to the first contact, where doubles allow it: unless x_t0 is the only free place.
    const bool moves = first.positions != step.x_t0;
    if (moves) {
      const bool far_enough = std::any_of(contacts.begin(), contacts.end(), [&](const oracle::Contact& c) {
        return c.toi.compare(first.step / 0.8) <= 0;
      });
      ASSERT_TRUE(far_enough) << "scene " << index << ", step " << first.step;
    }
    const oracle::SceneStep way{step.triangles, step.x_t0, first.positions};
    ASSERT_TRUE(oracle::contacts(way).empty()) << "scene " << index;
  }
}

std::vector<const oracle::SceneFamily*> families() {
  std::vector<const oracle::SceneFamily*> all;
  for (const oracle::SceneFamily& family : oracle::scene_families()) all.push_back(&family);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Families, SafeStepOnScenes, ::testing::ValuesIn(families()), [](const auto& test) {
  std::string name(test.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(SafeStep, OfPublicFramesIsPositiveAndFree) {
  GRAZE_SKIP_WITHOUT_DATA();
  struct Frames {
    const char* start;
    const char* end;
  };
  for (const Frames& frames : {Frames{"cloth-ball/cloth_ball92.ply", "cloth-ball/cloth_ball93.ply"},
                               Frames{"cloth-funnel/227.ply", "cloth-funnel/228.ply"},
                               Frames{"n-body-simulation/balls16_18.ply", "n-body-simulation/balls16_19.ply"}}) {
    const auto folder = testing::public_data() / "frames";
    const Mesh start = read_mesh(folder / frames.start);
    const Mesh end = read_mesh(folder / frames.end);
    Scene scene;
    scene.add_body({.positions = start.positions, .triangles = start.triangles});
    Detector detector(scene);
    std::vector<Vec3> x = start.positions;
    const bool touching = detector.first_impact(x, x).impact.has_value();
    for (int i = 0; i < 6; ++i) {
      const SafeStep safe = detector.safe_step(x, end.positions);
      ASSERT_EQ(safe.step > 0.0, !touching) << frames.start << ", step " << i;
      ASSERT_EQ(detector.impacts(x, safe.positions).impacts.empty(), !touching) << frames.start << ", step " << i;
      if (touching || safe.step == 1.0) break;
      x = safe.positions;
    }
  }
}

}  // namespace
}  // namespace graze
