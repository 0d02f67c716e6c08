// Differences of frames as edits: what an edit does to a scene, and sequences of random frames compared with scenes
// built anew for each step.
#include "frames/step_cursor.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <graze/detector.hpp>

#include "scenes/random.hpp"

#include <gtest/gtest.h>

namespace graze::app {
namespace {

using scenes::Random;

/// Frames in memory, one body.
class GivenFrames final : public Frames {
 public:
  explicit GivenFrames(std::vector<Frame> frames) : frames_(std::move(frames)) {
    scene_.add_body({.positions = frames_.front().positions, .triangles = frames_.front().topology->triangles});
  }
  [[nodiscard]] std::size_t count() const override { return frames_.size(); }
  [[nodiscard]] const Scene& scene() const override { return scene_; }
  [[nodiscard]] Frame read(std::size_t frame) override { return frames_[frame]; }
  [[nodiscard]] Json identity() const override { return "given"; }

 private:
  std::vector<Frame> frames_;
  Scene scene_;
};

Triangle random_triangle(Random& random, std::size_t vertices) {
  const auto id = [&] { return static_cast<VertexId>(random.next() % vertices); };
  const VertexId a = id();
  const VertexId b = id();
  const VertexId c = id();
  return {a, b, c};
}

FrameTopology random_soup(Random& random) {
  FrameTopology topology;
  topology.vertex_count = 3 + random.next() % 40;
  for (std::size_t i = random.next() % 60; i > 0; --i) {
    topology.triangles.push_back(random_triangle(random, topology.vertex_count));
  }
  return topology;
}

/// Adds, removes, changes and moves a few triangles and vertices.
FrameTopology changed(const FrameTopology& topology, Random& random) {
  FrameTopology result = topology;
  const std::size_t kind = random.next() % 8;
  if (kind == 0) return random_soup(random);
  if (kind == 1) result.vertex_count += random.next() % 5;
  if (kind == 2) {
    result.vertex_count = std::max<std::size_t>(3, result.vertex_count - random.next() % 4);
    std::erase_if(result.triangles,
                  [&](const Triangle& t) { return *std::max_element(t.begin(), t.end()) >= result.vertex_count; });
  }
  for (std::size_t i = random.next() % 4; i > 0 && !result.triangles.empty(); --i) {
    const std::size_t place = random.next() % result.triangles.size();
    Triangle& triangle = result.triangles[place];
    switch (random.next() % 5) {
      case 0:
        triangle = random_triangle(random, result.vertex_count);
        break;
      case 1:
        result.triangles.erase(result.triangles.begin() + static_cast<std::ptrdiff_t>(place));
        break;
      case 2:
        triangle = {triangle[1], triangle[2], triangle[0]};
        break;
      case 3:
        std::swap(triangle, result.triangles.front());
        break;
      default:
        result.triangles.push_back(random_triangle(random, result.vertex_count));
        break;
    }
  }
  return result;
}

std::vector<Vec3> random_positions(Random& random, std::size_t count) {
  std::vector<Vec3> result(count);
  for (Vec3& p : result) {
    p.x = random.uniform(0.0, 1.0);
    p.y = random.uniform(0.0, 1.0);
    p.z = random.uniform(0.0, 1.0);
  }
  return result;
}

Triangle turned_least(const Triangle& t) {
  return std::min({t, Triangle{t[1], t[2], t[0]}, Triangle{t[2], t[0], t[1]}});
}

TEST(FrameDifference, MakesTheTrianglesOfTheNextFrameWhereTheIdsSay) {
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    FrameTopology topology = random_soup(random);
    Scene scene;
    scene.add_body({.positions = std::vector<Vec3>(topology.vertex_count), .triangles = topology.triangles});
    SceneIds ids = fresh_ids(topology);
    for (int step = 0; step < 5; ++step) {
      const FrameTopology next = changed(topology, random);
      const SceneDifference edit = difference(topology, next, ids);
      SceneEdit batch = scene.begin_edit();
      edit.fill(batch);
      scene.apply(batch);
      topology = next;
      ASSERT_EQ(scene.vertex_count(), ids.vertex_count);
      ASSERT_EQ(scene.triangle_count(), ids.triangle_count);
      ASSERT_TRUE(std::is_sorted(ids.vertices.begin(), ids.vertices.end()));
      std::size_t there = 0;
      for (std::size_t i = 0; i < scene.triangle_count(); ++i) {
        there += scene.has_triangle(static_cast<TriangleId>(i)) ? 1U : 0U;
      }
      ASSERT_EQ(there, topology.triangles.size());
      for (std::size_t place = 0; place < topology.triangles.size(); ++place) {
        const Triangle& t = topology.triangles[place];
        const Triangle expected = {ids.vertices[t[0]], ids.vertices[t[1]], ids.vertices[t[2]]};
        ASSERT_EQ(turned_least(scene.triangles()[ids.triangles[place]]), turned_least(expected));
      }
    }
  }
}

TEST(FrameDifference, KeepsTrianglesThatOnlyChangedTheirPlace) {
  const FrameTopology from{6, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {2, 3, 4}}};
  const FrameTopology to{6, {{1, 2, 3}, {4, 2, 3}, {3, 4, 5}, {5, 4, 3}, {2, 3, 4}}};
  SceneIds ids = fresh_ids(from);
  const SceneDifference edit = difference(from, to, ids);
  // (0, 1, 2) is removed and (5, 4, 3) is added at another index.
  EXPECT_EQ(edit.removed, (std::vector<TriangleId>{0}));
  EXPECT_EQ(edit.added, (std::vector<Triangle>{{5, 4, 3}}));
  EXPECT_TRUE(edit.set.empty());
  EXPECT_EQ(ids.triangles, (std::vector<TriangleId>{1, 2, 3, 5, 4}));
}

TEST(FrameDifference, SetsWhatIsLeftOverAtTheSamePlace) {
  const FrameTopology from{4, {{0, 1, 2}, {1, 2, 3}}};
  const FrameTopology to{5, {{0, 1, 4}, {1, 2, 3}}};
  SceneIds ids = fresh_ids(from);
  const SceneDifference edit = difference(from, to, ids);
  ASSERT_EQ(edit.set.size(), 1U);
  EXPECT_EQ(edit.set.front(), (std::pair<TriangleId, Triangle>{0, {0, 1, 4}}));
  EXPECT_EQ(edit.new_vertices.size(), 1U);
  EXPECT_TRUE(edit.removed.empty());
  EXPECT_TRUE(edit.added.empty());
}

/// Compares an edited detector with a new detector for each step. Steps go forwards, then back and forth, as a
/// report requests them.
void expect_same_as_alone(bool keep_scene, Method method, std::uint64_t seed) {
  Random random(seed);
  std::vector<Frame> given;
  FrameTopology topology = random_soup(random);
  for (int frame = 0; frame < 60; ++frame) {
    given.push_back(
        {random_positions(random, topology.vertex_count), std::make_shared<const FrameTopology>(topology)});
    topology = changed(topology, random);
  }
  GivenFrames frames(given);
  StepCursor cursor(frames, keep_scene);
  std::optional<Detector> detector;
  std::vector<std::size_t> order;
  for (std::size_t step = 0; step < frames.step_count(); ++step) order.push_back(step);
  order.insert(order.end(), {7, 31, 30, 58, 0});
  std::uint64_t contacts = 0;
  for (const std::size_t step : order) {
    switch (cursor.go_to(step)) {
      case StepCursor::Change::Same:
        break;
      case StepCursor::Change::New:
        detector.emplace(cursor.scene(), DetectorOptions{.method = method});
        break;
      case StepCursor::Change::Edited: {
        SceneEdit edit = detector->begin_edit();
        cursor.edit().fill(edit);
        detector->apply(edit);
        break;
      }
    }
    Impacts found = detector->impacts(cursor.x_t0(), cursor.x_t1());
    cursor.to_frame_ids(found.impacts);

    // Built by hand: the vertices of the end frame; vertices that are new in it are static in this step.
    const Frame& end = given[step + 1];
    std::vector<Vec3> start = given[step].positions;
    for (std::size_t i = start.size(); i < end.positions.size(); ++i) start.push_back(end.positions[i]);
    start.resize(end.positions.size());
    Scene scene;
    scene.add_body({.positions = end.positions, .triangles = end.topology->triangles});
    const Impacts expected = Detector(scene, {.method = Method::Brute}).impacts(start, end.positions);
    ASSERT_EQ(found.impacts.size(), expected.impacts.size()) << "step " << step;
    ASSERT_EQ(found.hash(), expected.hash()) << "step " << step;
    ASSERT_EQ(found.toi_hash(), expected.toi_hash()) << "step " << step;
    contacts += found.impacts.size();
  }
  EXPECT_GT(contacts, 1000U);
}

TEST(StepCursor, AnEditedDetectorGivesTheContactsOfEachStepAlone) {
  expect_same_as_alone(false, Method::Auto, 1);
  expect_same_as_alone(true, Method::Iccd, 2);
  expect_same_as_alone(true, Method::RTri, 3);
}

TEST(StepCursor, ASceneThatIsMostlyGoneIsMadeAnewUnlessItIsToBeKept) {
  // No frame shares a triangle with an earlier frame.
  std::vector<Frame> given;
  for (VertexId frame = 0; frame < 8; ++frame) {
    FrameTopology topology;
    topology.vertex_count = 4000;
    for (VertexId i = 0; i < 3000; ++i) topology.triangles.push_back({i, i + 1, i + 10 + frame});
    // An empty frame in between makes all ids new.
    given.push_back({std::vector<Vec3>(topology.vertex_count), std::make_shared<const FrameTopology>(topology)});
    given.push_back({std::vector<Vec3>(1), std::make_shared<const FrameTopology>(FrameTopology{1, {}})});
  }
  GivenFrames frames(given);
  const auto times_new = [&](bool keep_scene) {
    StepCursor cursor(frames, keep_scene);
    int count = 0;
    for (std::size_t step = 0; step < frames.step_count(); ++step) {
      count += cursor.go_to(step) == StepCursor::Change::New ? 1 : 0;
      EXPECT_TRUE(keep_scene || cursor.x_t0().size() <= 2 * 4000 + 4096U + 4000U);
    }
    return count;
  };
  EXPECT_EQ(times_new(true), 1);
  EXPECT_GT(times_new(false), 3);
}

}  // namespace
}  // namespace graze::app
