// The scene makers: shapes have their documented properties, and every double is the same on every platform.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "scenes/balls.hpp"
#include "scenes/cloth_ball.hpp"
#include "scenes/drifting_cloth.hpp"
#include "scenes/random.hpp"
#include "scenes/shapes.hpp"
#include "scenes/sheets.hpp"

namespace graze::scenes {
namespace {

// FNV-1a over the bits of all positions and the triangles.
std::uint64_t fingerprint(const Animation& animation) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  const auto add = [&](std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ ((word >> (8 * byte)) & 0xFFU)) * 0x100000001B3U;
  };
  for (const Triangle& triangle : animation.triangles) {
    for (const VertexId id : triangle) add(id);
  }
  for (const auto& frame : animation.frames) {
    for (const Vec3& p : frame) {
      for (const double value : {p.x, p.y, p.z}) add(std::bit_cast<std::uint64_t>(value));
    }
  }
  return hash;
}

void expect_well_formed(const Animation& animation, std::size_t frames) {
  ASSERT_EQ(animation.frames.size(), frames);
  for (const auto& frame : animation.frames) {
    ASSERT_EQ(frame.size(), animation.vertex_count());
    for (const Vec3& p : frame) ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
  }
  std::size_t vertex = 0;
  std::size_t triangle = 0;
  for (const BodyRange& body : animation.bodies) {
    EXPECT_EQ(body.first_vertex, vertex);
    EXPECT_EQ(body.first_triangle, triangle);
    vertex = body.last_vertex;
    triangle = body.last_triangle;
    for (std::size_t i = body.first_triangle; i < body.last_triangle; ++i) {
      for (const VertexId id : animation.triangles[i]) {
        ASSERT_TRUE(id >= body.first_vertex && id < body.last_vertex);
      }
    }
  }
  EXPECT_EQ(vertex, animation.vertex_count());
  EXPECT_EQ(triangle, animation.triangles.size());
}

TEST(Scenes, RandomNumbersAreSplitMix64) {
  // The first outputs for seed 1234567, as published with the generator.
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(Scenes, UniformNumbersStayInTheirRange) {
  Random random(7);
  double least = 1.0;
  double most = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const double x = random.uniform(-2.0, 3.0);
    ASSERT_TRUE(x >= -2.0 && x <= 3.0);
    least = std::min(least, x);
    most = std::max(most, x);
  }
  EXPECT_LT(least, -1.99);
  EXPECT_GT(most, 2.99);
}

TEST(Scenes, SineOfTurnsIsTheSine) {
  for (int i = -2000; i <= 2000; ++i) {
    const double turns = i / 731.0;
    ASSERT_NEAR(sin_turns(turns), std::sin(6.283185307179586 * turns), 1e-9) << turns;
    ASSERT_NEAR(cos_turns(turns), std::cos(6.283185307179586 * turns), 1e-9) << turns;
  }
}

TEST(Scenes, SphereIsClosedOrientedAndRound) {
  for (const std::size_t levels : {1U, 2U, 5U}) {
    const Shape sphere = make_sphere(levels);
    EXPECT_EQ(sphere.triangles.size(), 8 * levels * levels);
    EXPECT_EQ(sphere.positions.size(), 4 * levels * levels + 2);
    std::set<std::array<VertexId, 2>> directed;
    double volume = 0.0;
    for (const Triangle& t : sphere.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_TRUE(directed.insert({t[k], t[(k + 1) % 3]}).second) << "an edge is used twice in one direction";
      }
      const Vec3& a = sphere.positions[t[0]];
      const Vec3& b = sphere.positions[t[1]];
      const Vec3& c = sphere.positions[t[2]];
      volume += (a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x)) / 6;
    }
    for (const auto& edge : directed) EXPECT_TRUE(directed.contains({edge[1], edge[0]}));
    EXPECT_GT(volume, 1.3) << "faces outward";
    EXPECT_LT(volume, 4.19);
    for (const Vec3& p : sphere.positions) EXPECT_NEAR(p.x * p.x + p.y * p.y + p.z * p.z, 1.0, 1e-14);
  }
}

TEST(Scenes, GridHasTwoTrianglesACell) {
  const Shape grid = make_grid(4);
  EXPECT_EQ(grid.positions.size(), 16U);
  EXPECT_EQ(grid.triangles.size(), 18U);
  EXPECT_EQ(grid.positions.front(), (Vec3{-1, -1, 0}));
  EXPECT_EQ(grid.positions.back(), (Vec3{1, 1, 0}));
}

TEST(Scenes, AnimationsAreWellFormed) {
  expect_well_formed(cloth_ball({.size = 9, .frames = 4, .seed = 3}), 4);
  expect_well_formed(crossing_sheets({.size = 5, .frames = 3, .seed = 3}), 3);
  expect_well_formed(drifting_cloth({.size = 40, .frames = 3, .seed = 3}), 3);
  expect_well_formed(flying_balls({.count = 9, .levels = 2, .frames = 3, .seed = 3}), 3);
}

TEST(Scenes, TheSceneOfAnAnimationHasItsBodies) {
  const Animation animation = flying_balls({.count = 3, .levels = 2, .frames = 2, .seed = 1});
  const Scene scene = make_scene(animation);
  EXPECT_EQ(scene.body_count(), 3U);
  EXPECT_TRUE(std::equal(scene.triangles().begin(), scene.triangles().end(), animation.triangles.begin(),
                         animation.triangles.end()));
  EXPECT_TRUE(std::equal(scene.positions().begin(), scene.positions().end(), animation.frames[0].begin(),
                         animation.frames[0].end()));
  EXPECT_EQ(scene.motion(2), Motion::Rigid);
}

TEST(Scenes, StaticSheetDoesNotMove) {
  const Animation animation = crossing_sheets({.size = 4, .frames = 3, .seed = 1});
  ASSERT_EQ(animation.bodies[0].motion, Motion::Static);
  for (std::size_t i = 0; i < animation.bodies[0].last_vertex; ++i) {
    EXPECT_EQ(animation.frames[0][i], animation.frames[2][i]);
  }
}

TEST(Scenes, SeedsMakeDifferentScenes) {
  EXPECT_NE(fingerprint(cloth_ball({.size = 9, .frames = 2, .seed = 1})),
            fingerprint(cloth_ball({.size = 9, .frames = 2, .seed = 2})));
}

// Recorded values: a platform, compiler or option that changes a bit of a scene fails here.
TEST(Scenes, EveryBitIsTheSameEverywhere) {
  EXPECT_EQ(fingerprint(cloth_ball({.size = 17, .frames = 5, .seed = 1})), 14902930898185877954U);
  EXPECT_EQ(fingerprint(crossing_sheets({.size = 8, .frames = 3, .seed = 1})), 4777609299167532000U);
  EXPECT_EQ(fingerprint(flying_balls({.count = 10, .levels = 3, .frames = 3, .seed = 1})), 4007046248442162709U);
  EXPECT_EQ(fingerprint(drifting_cloth({.size = 40, .frames = 3, .seed = 1})), 12438538615048302414U);
  EXPECT_EQ(fingerprint(drifting_cloth({.size = 40, .frames = 14, .seed = 1, .gusts = true})),
            16863912325353706274U);
  EXPECT_EQ(fingerprint(drifting_cloth({.size = 40, .frames = 3, .seed = 1, .soft = true})), 13925795831468645459U);
}

}  // namespace
}  // namespace graze::scenes
