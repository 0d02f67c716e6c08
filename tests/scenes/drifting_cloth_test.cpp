// The drifting cloth moves as documented, has contacts with the ridges and with itself in every step, and keeps its
// edge lengths.
#include "scenes/drifting_cloth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <graze/detector.hpp>

#include "scenes/catalogue.hpp"

namespace graze::scenes {
namespace {

/// Displacements of the cloth in a step, in edge lengths.
struct Motions {
  double drift = 0.0;     ///< common to all vertices
  double mean = 0.0;      ///< mean over the vertices, without the drift
  double greatest = 0.0;  ///< largest over the vertices, without the drift
};

Motions motions(const Animation& animation, std::size_t step) {
  const BodyRange& cloth = animation.bodies[1];
  const std::size_t count = cloth.last_vertex - cloth.first_vertex;
  const double edge = 2.0 / (std::sqrt(static_cast<double>(count)) - 1.0);
  const auto moved = [&](std::size_t v) {
    const Vec3& a = animation.frames[step][v];
    const Vec3& b = animation.frames[step + 1][v];
    return Vec3{b.x - a.x, b.y - a.y, b.z - a.z};
  };
  Vec3 sum{};
  for (std::size_t v = cloth.first_vertex; v < cloth.last_vertex; ++v) {
    const Vec3 m = moved(v);
    sum = {sum.x + m.x, sum.y + m.y, sum.z + m.z};
  }
  const auto n = static_cast<double>(count);
  const Vec3 drift{sum.x / n, sum.y / n, sum.z / n};
  Motions result{.drift = std::hypot(drift.x, drift.y, drift.z) / edge};
  for (std::size_t v = cloth.first_vertex; v < cloth.last_vertex; ++v) {
    const Vec3 m = moved(v);
    const double beside = std::hypot(m.x - drift.x, m.y - drift.y, m.z - drift.z) / edge;
    result.mean += beside / n;
    result.greatest = std::max(result.greatest, beside);
  }
  return result;
}

TEST(DriftingCloth, DriftsByAFifthOfAnEdgeAStepAndMovesLittleBesides) {
  for (const std::size_t size : {3000U, 30000U}) {
    const Animation animation = make_animation("drifting-cloth", {.size = size, .frames = 21});
    for (std::size_t step = 0; step < 20; ++step) {
      const Motions m = motions(animation, step);
      EXPECT_NEAR(m.drift, 0.2, 0.02) << size << " triangles, step " << step;
      EXPECT_GT(m.mean, 0.02);
      EXPECT_LT(m.mean, 0.1);
      EXPECT_LT(m.greatest, 0.2);
    }
  }
}

TEST(DriftingCloth, TouchesTheRidgesAndItselfInEveryStep) {
  const Animation animation = make_animation("drifting-cloth", {.size = 6000});
  ASSERT_EQ(animation.frames.size(), 41U);
  ASSERT_EQ(animation.bodies[0].motion, Motion::Static);
  Detector detector(make_scene(animation));
  const std::size_t first = animation.bodies[1].first_vertex;
  for (std::size_t step = 0; step + 1 < animation.frames.size(); ++step) {
    std::size_t with_itself = 0;
    std::size_t with_ridges = 0;
    for (const Impact& impact : detector.impacts(animation.frames[step], animation.frames[step + 1]).impacts) {
      const std::span<const VertexId> ids = impact.pair.vertices;
      const bool own = std::all_of(ids.begin(), ids.end(), [&](VertexId v) { return v >= first; });
      ++(own ? with_itself : with_ridges);
    }
    EXPECT_GT(with_itself, 5U) << step;
    EXPECT_GT(with_ridges, 20U) << step;
  }
}

TEST(DriftingCloth, OnSoftRidgesTouchesThemWhileTheyQuiver) {
  const Animation animation = make_animation("jelly-cloth", {.size = 6000});
  const BodyRange& ridges = animation.bodies[0];
  ASSERT_EQ(ridges.motion, Motion::Deforming);
  Scene scene = make_scene(animation);
  scene.ignore_pair(1, 1);
  Detector detector(scene);
  for (std::size_t step = 0; step + 1 < animation.frames.size(); ++step) {
    EXPECT_GT(detector.impacts(animation.frames[step], animation.frames[step + 1]).impacts.size(), 20U) << step;
    EXPECT_LT(motions(animation, step).mean, 0.15) << step;
    EXPECT_NE(animation.frames[step][ridges.first_vertex], animation.frames[step + 1][ridges.first_vertex]);
  }
}

TEST(DriftingCloth, KeepsItsEdgesInPleatsAndOverRidges) {
  constexpr std::size_t kSize = 120;
  const Animation animation = drifting_cloth({.size = kSize, .frames = 2});
  const BodyRange& cloth = animation.bodies[1];
  const double edge = 2.0 / (kSize - 1);
  for (const std::vector<Vec3>& frame : animation.frames) {
    for (std::size_t v = cloth.first_vertex; v < cloth.last_vertex; ++v) {
      const std::size_t place = v - cloth.first_vertex;
      for (const std::size_t next : {v + 1, v + kSize}) {
        if ((next == v + 1 && place % kSize == kSize - 1) || next >= cloth.last_vertex) continue;
        const Vec3& a = frame[v];
        const Vec3& b = frame[next];
        const double length = std::hypot(b.x - a.x, b.y - a.y, b.z - a.z) / edge;
        ASSERT_GT(length, 0.7) << v;
        ASSERT_LT(length, 1.5) << v;
      }
    }
  }
}

TEST(DriftingCloth, InGustsMovesManyTimesAsFastAndThenCalmsDown) {
  const Animation animation = make_animation("windy-cloth", {.size = 3000});
  for (const std::size_t step : {0U, 5U, 21U, 25U}) EXPECT_NEAR(motions(animation, step).drift, 0.2, 0.02) << step;
  for (const std::size_t step : {14U, 34U}) EXPECT_GT(motions(animation, step).mean, 0.2) << step;
  for (std::size_t frame = 0; frame < 60; ++frame) {
    const double rate = gusty_time(frame + 1) - gusty_time(frame);
    EXPECT_GE(rate, 1.0);
    EXPECT_LE(rate, 15.0);
  }
  Detector detector(make_scene(animation));
  for (std::size_t step = 0; step + 1 < animation.frames.size(); ++step) {
    EXPECT_FALSE(detector.impacts(animation.frames[step], animation.frames[step + 1]).impacts.empty()) << step;
  }
}

TEST(DriftingCloth, CanHaveAnySizeAndFramesDoNotDependOnTheirNumber) {
  for (const std::size_t size : {2U, 3U, 9U, 27U, 34U}) {
    const Animation animation = drifting_cloth({.size = size, .frames = 3, .seed = 5});
    ASSERT_EQ(animation.frames.size(), 3U);
    for (const std::vector<Vec3>& frame : animation.frames) {
      ASSERT_EQ(frame.size(), animation.bodies[1].last_vertex);
      for (const Vec3& p : frame) ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
    }
    EXPECT_EQ(drifting_cloth({.size = size, .frames = 6, .seed = 5}).frames[2], animation.frames[2]);
    EXPECT_NE(drifting_cloth({.size = size, .frames = 2, .seed = 6}).frames[1], animation.frames[1]);
  }
}

}  // namespace
}  // namespace graze::scenes
