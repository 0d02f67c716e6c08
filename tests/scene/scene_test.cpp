// A scene adds a body completely or not at all, and numbers vertices consecutively.
#include <graze/scene.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include <graze/error.hpp>

namespace graze {
namespace {

const std::vector<Vec3> kPoints = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
const std::vector<Triangle> kTriangles = {{0, 1, 2}, {2, 2, 0}};

/// Adds a body that must be refused; returns the message and checks that nothing was added.
std::string refusal(Scene& scene, const Body& body) {
  const std::size_t bodies = scene.body_count();
  const std::size_t vertices = scene.vertex_count();
  const std::size_t triangles = scene.triangle_count();
  std::string message = "not refused";
  try {
    scene.add_body(body);
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_EQ(scene.body_count(), bodies);
  EXPECT_EQ(scene.vertex_count(), vertices);
  EXPECT_EQ(scene.triangle_count(), triangles);
  return message;
}

TEST(Scene, NumbersBodiesOneAfterTheOther) {
  Scene scene;
  EXPECT_EQ(scene.add_body({.positions = kPoints, .triangles = kTriangles}), 0U);
  EXPECT_EQ(scene.add_body({}), 1U);
  EXPECT_EQ(scene.add_body({.positions = kPoints, .triangles = kTriangles, .motion = Motion::Static}), 2U);
  EXPECT_EQ(scene.vertex_count(), 6U);
  EXPECT_EQ(scene.triangles()[1], (Triangle{2, 2, 0}));
  EXPECT_EQ(scene.triangles()[3], (Triangle{5, 5, 3}));
  EXPECT_EQ(scene.positions()[4], kPoints[1]);
  EXPECT_EQ(scene.motion(0), Motion::Deforming);
  EXPECT_EQ(scene.motion(2), Motion::Static);
  EXPECT_EQ(scene.vertices(1).first, 3U);
  EXPECT_EQ(scene.vertices(1).last, 3U);
  EXPECT_EQ(scene.body_of(2), 0U);
  EXPECT_EQ(scene.body_of(3), 2U);
  EXPECT_EQ(scene.body_of(5), 2U);
}

TEST(Scene, SharesItsArraysWithCopiesUntilOneOfThemChanges) {
  Scene scene;
  scene.add_body({.positions = kPoints, .triangles = kTriangles});
  Scene copy = scene;
  EXPECT_EQ(copy.triangles().data(), scene.triangles().data());
  copy.add_body({.positions = kPoints, .triangles = kTriangles});
  EXPECT_EQ(scene.vertex_count(), 3U);
  EXPECT_EQ(scene.triangle_count(), 2U);
  EXPECT_EQ(copy.vertex_count(), 6U);
  EXPECT_EQ(copy.triangles()[2], (Triangle{3, 4, 5}));
  EXPECT_EQ(scene.positions()[1], kPoints[1]);
  scene = copy;
  scene = Scene();
  EXPECT_EQ(scene.vertex_count(), 0U);
  EXPECT_TRUE(scene.positions().empty());
  EXPECT_TRUE(scene.triangles().empty());
  EXPECT_FALSE(scene.has_vertex(0));
  EXPECT_EQ(copy.vertex_count(), 6U);
}

TEST(Scene, TakesABodyThatViewsItsOwnArrays) {
  Scene scene;
  scene.add_body({.positions = kPoints, .triangles = kTriangles});
  for (int i = 0; i < 5; ++i) {
    scene.add_body({.positions = scene.positions().subspan(0, 3), .triangles = scene.triangles().subspan(0, 2)});
  }
  ASSERT_EQ(scene.vertex_count(), 18U);
  EXPECT_EQ(scene.positions()[16], kPoints[1]);
  EXPECT_EQ(scene.triangles()[11], (Triangle{17, 17, 15}));
}

TEST(Scene, RefusesAPositionThatIsNotFiniteNamingBodyVertexAndValue) {
  Scene scene;
  scene.add_body({.positions = kPoints, .triangles = kTriangles});
  std::vector<Vec3> points = kPoints;
  points[2].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(scene, {.positions = points, .triangles = kTriangles}),
            "body 1: vertex 2: y is nan, not a finite number");
  points[1].z = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(scene, {.positions = points, .triangles = kTriangles}),
            "body 1: vertex 1: z is -inf, not a finite number");
}

TEST(Scene, RefusesATriangleIdOutOfRangeNamingBodyTriangleAndValue) {
  Scene scene;
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 3, 1}};
  EXPECT_EQ(refusal(scene, {.positions = kPoints, .triangles = triangles}),
            "body 0: triangle 1: vertex id 3 is out of range, the body has 3 vertices");
  EXPECT_EQ(refusal(scene, {.positions = {}, .triangles = kTriangles}),
            "body 0: triangle 0: vertex id 0 is out of range, the body has 0 vertices");
}

TEST(Scene, RefusesMoreThanItCanNumberBeforeItReadsAny) {
  Scene scene;
  scene.add_body({.positions = kPoints, .triangles = kTriangles});
  // Views beyond the end of the data: only their length may be read.
  EXPECT_EQ(refusal(scene, {.positions = {kPoints.data(), std::size_t{4294967295U} - 2}, .triangles = {}}),
            "body 1: its 4294967293 vertices and the 3 of the scene exceed the limit of 4294967295");
  EXPECT_EQ(refusal(scene, {.positions = kPoints, .triangles = {kTriangles.data(), 1431655764}}),
            "body 1: its 1431655764 triangles and the 2 of the scene exceed the limit of 1431655765");
}

}  // namespace
}  // namespace graze
