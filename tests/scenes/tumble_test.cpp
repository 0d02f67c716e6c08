// The tumbling protocol: objects fill their cube, the rotation is complete and rigid, names are found.
#include "scenes/tumble.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <graze/error.hpp>

namespace graze::scenes {
namespace {

double dot_of(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

TEST(Tumble, AnObjectFillsTheCubeAndKeepsItsProportions) {
  const Shape box =
      scaled_to_cube({.positions = {{10, 20, 30}, {18, 20, 30}, {10, 24, 30}, {10, 20, 31}, {99, 0, 0}},
                      .triangles = {{0, 1, 2}, {0, 2, 3}}});
  EXPECT_EQ(box.positions[0], (Vec3{-1.0, -0.5, -0.125}));
  EXPECT_EQ(box.positions[1], (Vec3{1.0, -0.5, -0.125}));
  EXPECT_EQ(box.positions[2], (Vec3{-1.0, 0.5, -0.125}));
  EXPECT_EQ(box.positions[3], (Vec3{-1.0, -0.5, 0.125}));
}

TEST(Tumble, APointAndNothingAreNotScaled) {
  const Shape point = scaled_to_cube({.positions = {{3, 4, 5}}, .triangles = {{0, 0, 0}}});
  EXPECT_EQ(point.positions[0], (Vec3{0, 0, 0}));
  const Shape nothing = scaled_to_cube({.positions = {{3, 4, 5}}, .triangles = {}});
  EXPECT_EQ(nothing.positions[0], (Vec3{3, 4, 5}));
}

TEST(Tumble, TheSecondMakesAFullRigidTurnAtItsDistanceAndTheFirstIsStatic) {
  const auto poses = tumble(1.6, 1000);
  ASSERT_EQ(poses.size(), 1000U);
  Vec3 last = posed(poses.back().b, {0.0, 1.0, 0.0});
  double longest_step = 0.0;
  for (const PosePair& pair : poses) {
    EXPECT_EQ(pair.a, Pose{});
    EXPECT_EQ(pair.b.translation, (Vec3{1.6, 0.0, 0.0}));
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(dot_of(pair.b.rotation[i], pair.b.rotation[j]), i == j ? 1.0 : 0.0, 1e-15);
      }
    }
    const Vec3 now = posed(pair.b, {0.0, 1.0, 0.0});
    longest_step = std::max(longest_step, std::hypot(now.x - last.x, now.y - last.y, now.z - last.z));
    last = now;
  }
  EXPECT_LT(longest_step, 0.01);  // the last step is as small as the others: a full turn
  EXPECT_GT(longest_step, 0.006);
}

TEST(Tumble, AQuarterTurnIsFirstAboutXThenAboutZ) {
  const PosePair pair = tumble_pose(2.0, 1, 4);
  const auto expect_near = [&](const Vec3& x, const Vec3& image) {
    const Vec3 is = posed(pair.b, x);
    EXPECT_NEAR(is.x, image.x + 2.0, 1e-8);
    EXPECT_NEAR(is.y, image.y, 1e-8);
    EXPECT_NEAR(is.z, image.z, 1e-8);
  };
  expect_near({1, 0, 0}, {0, 1, 0});
  expect_near({0, 1, 0}, {0, 0, 1});
  expect_near({0, 0, 1}, {1, 0, 0});
}

TEST(Tumble, ObjectsAreFoundByNameWithAboutTheCountAskedFor) {
  for (const std::string name : {"car-body", "headlight", "lock", "torus", "torus-soup", "sphere", "sphere-soup"}) {
    const Shape shape = tumble_shape(name + ":2000");
    EXPECT_GT(shape.triangles.size(), 1000U) << name;
    EXPECT_LT(shape.triangles.size(), 4000U) << name;
    double reach = 0.0;
    for (const Vec3& p : shape.positions) {
      reach = std::max({reach, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    }
    EXPECT_NEAR(reach, 1.0, 1e-12) << name;
  }
  EXPECT_EQ(tumble_shape("torus", 2000).positions, tumble_shape("torus:2000").positions);
}

TEST(Tumble, UnknownNamesAndCountsAreRefused) {
  const auto message = [](std::string_view name) -> std::string {
    try {
      return std::to_string(tumble_shape(name).triangles.size());
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("donut:100"),
            "object 'donut:100' is unknown; there are: car-body, headlight, lock, torus, torus-soup, sphere, "
            "sphere-soup, scan");
  EXPECT_EQ(message("torus:many"), "object 'torus:many': 'many' is no number of triangles");
  EXPECT_EQ(message("torus:0"), "object 'torus:0': '0' is no number of triangles");
  EXPECT_EQ(message("torus:-5"), "object 'torus:-5': '-5' is no number of triangles");
}

}  // namespace
}  // namespace graze::scenes
