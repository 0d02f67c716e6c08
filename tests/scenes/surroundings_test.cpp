// Surroundings of rigid objects: sizes, tilt, and what the distance of the ground means.
#include "scenes/surroundings.hpp"

#include <gtest/gtest.h>

#include <string>

#include <graze/error.hpp>

#include "scenes/shapes/solids.hpp"
#include "scenes/tumble.hpp"

namespace graze::scenes {
namespace {

TEST(Surroundings, TouchTheCubeIfTheGroundIsNear) {
  const Shape cube = make_box({1, 1, 1}, 12);
  const RigidObject a(cube.positions, cube.triangles);
  for (const std::string_view name : surrounding_names()) {
    const Shape around = make_surrounding(name, cube);
    const RigidObject b(around.positions, around.triangles);
    Collider collider(a, b);
    for (const PosePair& poses : tumble_above(name, 0.9, 12))
      EXPECT_TRUE(collider.first_hit(poses.a, poses.b).hit() || name == "tenth" || name == "stairs") << name;
    for (const PosePair& poses : tumble_above(name, name == "tenth" ? 1.91 : 1.75, 12))
      EXPECT_FALSE(collider.first_hit(poses.a, poses.b).hit()) << name;
  }
}

TEST(Surroundings, AreFewTriangles) {
  const Shape cube = make_box({1, 1, 1}, 12);
  EXPECT_EQ(make_surrounding("floor", cube).triangles.size(), 2U);
  EXPECT_EQ(make_surrounding("ramp", cube).triangles.size(), 8U);
  EXPECT_EQ(make_surrounding("room", cube).triangles.size(), 12U);
  EXPECT_EQ(make_surrounding("stairs", cube).triangles.size(), 40U);
  EXPECT_EQ(make_surrounding("tenth", cube).triangles.size(), cube.triangles.size());
  EXPECT_THROW((void)make_surrounding("garden", cube), InputError);
}

}  // namespace
}  // namespace graze::scenes
