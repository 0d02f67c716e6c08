// Shapes against meshes: the triangles that meet a shape, and the distance, beside all triangles one by one in
// rational arithmetic; solids and surfaces; batches at several numbers of threads; refused input.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/rigid_shapes.hpp>

#include "oracle/random.hpp"
#include "refusal.hpp"
#include "rigid/shapes_cases.hpp"
#include "rigid/shapes_oracle.hpp"

namespace graze::testing {
namespace {

struct Mesh {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  [[nodiscard]] std::array<Vec3, 3> corners(TriangleId id, const Pose& pose) const {
    const Triangle& t = triangles[id];
    return {posed(pose, positions[t[0]]), posed(pose, positions[t[1]]), posed(pose, positions[t[2]])};
  }
};

/// Triangles of very different sizes, some without area.
Mesh random_mesh(Random& random, std::uint32_t count, bool lattice) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 at = random_point(random, lattice);
    const double size = lattice ? 1.0 : std::ldexp(1.0, -random.between(0, 12));
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Vec3 d = random_point(random, lattice);
      mesh.positions.push_back({at.x + size * d.x, at.y + size * d.y, at.z + size * d.z});
    }
    const std::uint32_t last = i % 9 == 0 ? 3 * i : 3 * i + 2;
    mesh.triangles.push_back({3 * i, 3 * i + 1, last});
  }
  return mesh;
}

/// The surface of the cube [-1, 1]^3 in n x n squares a side.
Mesh cube(std::uint32_t n) {
  Mesh mesh;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      for (std::uint32_t i = 0; i <= n; ++i) {
        for (std::uint32_t j = 0; j <= n; ++j) {
          const std::array<double, 3> p{side, -1.0 + 2.0 * i / n, -1.0 + 2.0 * j / n};
          mesh.positions.push_back({p[(3 - axis) % 3], p[(4 - axis) % 3], p[(5 - axis) % 3]});
        }
      }
      for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j < n; ++j) {
          const std::uint32_t v = first + i * (n + 1) + j;
          mesh.triangles.push_back({v, v + 1, v + n + 2});
          mesh.triangles.push_back({v, v + n + 2, v + n + 1});
        }
      }
    }
  }
  return mesh;
}

std::string check_mesh(const PosedShape& shape, const Mesh& mesh, const RigidObject& object, const Pose& pose) {
  std::vector<TriangleId> expected;
  std::vector<ExactDistance> distances;
  for (TriangleId i = 0; i < mesh.triangles.size(); ++i) {
    distances.push_back(exact_distance(exact_set(shape), exact_set(mesh.corners(i, pose))));
    if (distances.back().meets()) expected.push_back(i);
  }
  const PosedObject placed{&object, pose};
  std::string wrong;
  const ShapeTriangles all = shape_triangles(shape, placed);
  if (all.triangles != expected)
    wrong += fmt::format("{} triangles instead of {}; ", all.triangles.size(), expected.size());
  if (all.margin != 0.0) wrong += "the margin of an exact answer is not 0; ";
  const ShapeHit first = shape_hit(shape, placed);
  if (first.hit == expected.empty()) wrong += fmt::format("hit is {}; ", first.hit);
  if (first.hit && !std::binary_search(expected.begin(), expected.end(), first.triangle.value()))
    wrong += "the triangle of the hit does not meet the shape; ";
  const ShapeDistance distance = shape_distance(shape, placed);
  bool reached = false;
  for (const ExactDistance& one : distances) {
    if (!one.at_least(distance.lo)) wrong += fmt::format("lo {:a} is too large; ", distance.lo);
    reached = reached || one.at_most(distance.hi);
  }
  if (!reached) wrong += fmt::format("hi {:a} is too small; ", distance.hi);
  if (!distances[distance.triangle.value()].at_most(distance.hi)) wrong += "the nearest triangle is not so near; ";
  if (!(distance.hi - distance.lo <= 1e-9 * distance.hi)) wrong += "the bounds are too wide; ";
  return wrong.empty() ? wrong : wrong + "\n" + described(shape);
}

TEST(ShapeMesh, TrianglesAndDistancesAreThoseOfTheOracle) {
  Random random(21);
  int hits = 0;
  for (int round = 0; round < 4; ++round) {
    const bool lattice = round % 2 == 0;
    const Mesh mesh = random_mesh(random, 60, lattice);
    const RigidObject object(mesh.positions, mesh.triangles);
    for (const ShapeKind kind : kRationalKinds) {
      for (int i = 0; i < 5; ++i) {
        const PosedShape shape{random_shape(random, kind, 0.7, lattice), random_pose(random, 1.5, lattice)};
        const Pose pose = random_pose(random, 0.5, lattice);
        ASSERT_EQ(check_mesh(shape, mesh, object, pose), "") << round;
        hits += shape_hit(shape, {&object, pose}).hit ? 1 : 0;
      }
    }
  }
  EXPECT_GT(hits, 20);
  EXPECT_LT(hits, 95);
}

TEST(ShapeMesh, ScalesAndPlacesDoNotMatter) {
  Random random(22);
  for (const double scale : {1e-300, 1e-100, 1e-20, 1e20, 1e100, 1e299}) {
    for (const double far : {0.0, 1e5}) {
      Mesh mesh = random_mesh(random, 20, false);
      for (Vec3& x : mesh.positions) x = {scale * x.x, scale * x.y, scale * x.z};
      const RigidObject object(mesh.positions, mesh.triangles);
      for (const ShapeKind kind : kRationalKinds) {
        PosedShape shape{random_shape(random, kind, 0.5 * scale, false), random_pose(random, scale, false)};
        Pose pose = random_pose(random, scale, false);
        shape.pose.translation.x += far * scale;
        pose.translation.x += far * scale;
        if (far * scale > 1e300) continue;  // beyond what is accepted
        ASSERT_EQ(check_mesh(shape, mesh, object, pose), "") << scale << " " << far;
      }
    }
  }
}

TEST(ShapeMesh, ATinyShapeInAFineMeshIsDecidedAsItsTrianglesAre) {
  Random random(23);
  const Mesh mesh = cube(24);
  const RigidObject object(mesh.positions, mesh.triangles);
  int hits = 0;
  for (int i = 0; i < 40; ++i) {
    for (const ShapeKind kind : all_values<ShapeKind>()) {
      const double size = std::ldexp(1.0, -random.between(0, 20));
      PosedShape shape{random_shape(random, kind, size, false), random_pose(random, 1.1, false)};
      if (i % 2 == 0) shape.pose.translation.x = 1.0 + size * random.symmetric();
      const Pose pose = i % 4 < 2 ? Pose{} : random_pose(random, 0.1, false);
      std::vector<TriangleId> expected;
      double nearest = std::numeric_limits<double>::infinity();
      for (TriangleId t = 0; t < mesh.triangles.size(); ++t) {
        // A triangle as a hull of its own; decided without a tree.
        const std::array<Vec3, 3> corners = mesh.corners(t, pose);
        const PosedShape triangle{RigidShape::convex_hull(corners), {}};
        if (shape_hit(shape, triangle).hit) expected.push_back(t);
        nearest = std::min(nearest, shape_distance(shape, triangle, {.tolerance = 1e-6}).hi);
      }
      const ShapeTriangles found = shape_triangles(shape, {&object, pose});
      ASSERT_EQ(found.triangles, expected) << described(shape);
      ASSERT_EQ(shape_hit(shape, {&object, pose}).hit, !expected.empty());
      const ShapeDistance distance = shape_distance(shape, {&object, pose}, {.tolerance = 1e-6});
      ASSERT_NEAR(distance.hi, nearest, 3e-6 * nearest + 1e-11) << described(shape);
      ASSERT_LE(distance.lo, nearest);
      hits += expected.empty() ? 0 : 1;
      // The tree saves most of the work.
      if (kind != ShapeKind::HalfSpace && expected.size() < 20) {
        EXPECT_LT(found.stats.triangle_tests, 1000U);
      }
    }
  }
  EXPECT_GT(hits, 30);
}

TEST(ShapeMesh, AShapeIsSolidAndAMeshIsASurface) {
  const Mesh surface = cube(1);
  const RigidObject object(surface.positions, surface.triangles);
  const PosedObject mesh{&object, {}};
  // The cube lies inside of these: every triangle meets them.
  for (const RigidShape& shape :
       {RigidShape::box({3, 3, 3}), RigidShape::sphere(5.0), RigidShape::capsule(5.0, 1.0),
        RigidShape::cylinder(5.0, 5.0), RigidShape::cone(50.0, 20.0), RigidShape::half_space({0, 1, 0}, 2.0)}) {
    EXPECT_EQ(shape_triangles({shape, {}}, mesh).triangles.size(), 12U) << name_of(shape.kind());
    EXPECT_EQ(shape_distance({shape, {}}, mesh).hi, 0.0) << name_of(shape.kind());
  }
  // These lie inside of the cube and touch no triangle.
  for (const RigidShape& shape :
       {RigidShape::box({0.5, 0.5, 0.5}), RigidShape::sphere(0.5), RigidShape::capsule(0.25, 0.25),
        RigidShape::cylinder(0.5, 0.5), RigidShape::cone(0.5, 0.5)}) {
    EXPECT_FALSE(shape_hit({shape, {}}, mesh).hit) << name_of(shape.kind());
    const ShapeDistance distance = shape_distance({shape, {}}, mesh);
    EXPECT_LE(distance.lo, 0.5);
    EXPECT_GE(distance.hi, 0.5);
    EXPECT_NEAR(distance.lo, 0.5, 1e-9);
  }
}

TEST(ShapeMesh, AMeshWithoutTrianglesIsNeverHit) {
  const RigidObject none({}, {});
  const PosedShape sphere{RigidShape::sphere(1e300), {}};
  EXPECT_FALSE(shape_hit(sphere, {&none, {}}).hit);
  EXPECT_TRUE(shape_triangles(sphere, {&none, {}}).triangles.empty());
  EXPECT_TRUE(std::isinf(shape_distance(sphere, {&none, {}}).hi));
}

TEST(ShapeMesh, ClosestPointsAreAsFarApartAsTheDistance) {
  Random random(24);
  const Mesh mesh = cube(4);
  const RigidObject object(mesh.positions, mesh.triangles);
  for (int i = 0; i < 50; ++i) {
    for (const ShapeKind kind : all_values<ShapeKind>()) {
      const PosedShape shape{random_shape(random, kind, 0.5, false), random_pose(random, 3.0, false)};
      const ShapeDistance found = shape_distance(shape, {&object, {}});
      if (found.lo < 1e-3) continue;
      const Vec3 d{found.on_b.x - found.on_a.x, found.on_b.y - found.on_a.y, found.on_b.z - found.on_a.z};
      EXPECT_NEAR(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), found.hi, 1e-7) << described(shape);
      // The second lies on the mesh: a tiny sphere there meets it.
      Pose at;
      at.translation = found.on_b;
      EXPECT_TRUE(shape_hit({RigidShape::sphere(1e-9), at}, {&object, {}}).hit);
      at.translation = found.on_a;
      EXPECT_TRUE(shape_hit({RigidShape::sphere(1e-6), at}, shape).hit) << described(shape);
    }
  }
}

TEST(ShapeBatch, EqualsSingleQueriesAtAnyNumberOfThreads) {
  Random random(25);
  const Mesh mesh = cube(6);
  const RigidObject object(mesh.positions, mesh.triangles);
  std::vector<PosedShape> shapes;
  std::vector<PosePair> poses;
  for (int i = 0; i < 70; ++i) {
    const auto kind = all_values<ShapeKind>()[static_cast<std::size_t>(i) % all_values<ShapeKind>().size()];
    shapes.push_back({random_shape(random, kind, 0.5, false), random_pose(random, 1.5, false)});
    poses.push_back({random_pose(random, 1.5, false), random_pose(random, 0.5, false)});
  }
  const RigidShape shape = RigidShape::cone(0.4, 0.5);
  const PosedObject placed{&object, random_pose(random, 0.2, false)};
  for (const unsigned threads : {1U, 2U, 7U}) {
    const ShapeBatchOptions options{.threads = threads};
    const auto hits = shape_hits(shapes, placed, options);
    const auto triangles = shape_triangles(shapes, placed, options);
    const auto distances = shape_distances(shapes, placed, options);
    const auto pose_hits = shape_hits(shape, object, poses, options);
    const auto pose_triangles = shape_triangles(shape, object, poses, options);
    const auto pose_distances = shape_distances(shape, object, poses, options);
    const auto pairs = shape_hits(shapes[1], shapes, options);
    ASSERT_EQ(hits.size(), shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const ShapeHit hit = shape_hit(shapes[i], placed);
      EXPECT_EQ(hits[i].hit, hit.hit);
      EXPECT_EQ(hits[i].triangle, hit.triangle);
      EXPECT_EQ(hits[i].stats.node_tests, hit.stats.node_tests);
      EXPECT_EQ(triangles[i].triangles, shape_triangles(shapes[i], placed).triangles);
      const ShapeDistance distance = shape_distance(shapes[i], placed);
      EXPECT_EQ(distances[i].lo, distance.lo);
      EXPECT_EQ(distances[i].hi, distance.hi);
      EXPECT_EQ(distances[i].on_a, distance.on_a);
      const PosedShape posed_shape{shape, poses[i].a};
      const PosedObject posed_mesh{&object, poses[i].b};
      EXPECT_EQ(pose_hits[i].triangle, shape_hit(posed_shape, posed_mesh).triangle);
      EXPECT_EQ(pose_triangles[i].triangles, shape_triangles(posed_shape, posed_mesh).triangles);
      EXPECT_EQ(pose_distances[i].hi, shape_distance(posed_shape, posed_mesh).hi);
      EXPECT_EQ(pairs[i].hit, shape_hit(shapes[1], shapes[i]).hit);
    }
  }
}

TEST(ShapeInput, IsRefusedWithTheCulprit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { RigidShape::sphere(-1.0); }),
            "sphere: its radius is -1, and must be finite and not negative");
  EXPECT_EQ(refusal([&] {
              RigidShape::box({1, nan, 1});
            }),
            "box: its half extent along y is nan, and must be finite and not negative");
  EXPECT_EQ(refusal([&] { RigidShape::capsule(1.0, nan); }),
            "capsule: its half length is nan, and must be finite and not negative");
  EXPECT_EQ(refusal([&] { RigidShape::cylinder(nan, 1.0); }),
            "cylinder: its radius is nan, and must be finite and not negative");
  EXPECT_EQ(refusal([&] { RigidShape::cone(1.0, -0.5); }),
            "cone: its half height is -0.5, and must be finite and not negative");
  EXPECT_EQ(refusal([&] {
              RigidShape::half_space({0, 0, 0}, 1.0);
            }),
            "half-space: its normal (0, 0, 0) must have a largest coordinate in [1e-300, 1e300]");
  EXPECT_EQ(refusal([&] { RigidShape::half_space({0, 0, 1}, nan); }), "half-space: its offset nan is not finite");
  EXPECT_EQ(refusal([&] { RigidShape::convex_hull({}); }), "hull: it has no points");
  const std::array<Vec3, 2> points{Vec3{}, Vec3{0, nan, 0}};
  EXPECT_EQ(refusal([&] { RigidShape::convex_hull(points); }), "hull: point 1 is (0, nan, 0), which is not finite");

  const PosedShape sphere{RigidShape::sphere(1.0), {}};
  PosedShape far = sphere;
  far.pose.translation.y = 0x1p1001;
  EXPECT_EQ(refusal([&] { shape_hit(sphere, far); }), "pose of b: its translation is beyond 2^1000");
  EXPECT_EQ(refusal([&] {
              shape_hit({RigidShape::sphere(0x1p1001), {}}, sphere);
            }),
            "pose of a: its radius 2.1430172143725346e+301 is beyond 2^1000");
  PosedShape twisted = sphere;
  twisted.pose.rotation[0] = {2, 0, 0};
  EXPECT_NE(refusal([&] { shape_distance(twisted, sphere); }), "not refused");
  EXPECT_EQ(refusal([&] { shape_distance(sphere, sphere, {.tolerance = 0.0}); }),
            "a tolerance of 0 is not in [2^-40, 1]");
  EXPECT_EQ(refusal([&] { shape_hit(sphere, PosedObject{}); }), "mesh: it is null");
  const Mesh surface = cube(1);
  const RigidObject other(surface.positions, surface.triangles, {.tree = RigidTree::Obb});
  EXPECT_EQ(refusal([&] {
              shape_hit(sphere, {&other, {}});
            }),
            "mesh: its tree is of kind obb, and queries of shapes need a boxtree");
  const RigidObject object(surface.positions, surface.triangles);
  const std::array<PosedShape, 2> shapes{sphere, far};
  EXPECT_EQ(refusal([&] {
              shape_hits(shapes, {&object, {}});
            }),
            "shape 1: pose of the shape: its translation is beyond 2^1000");
  EXPECT_EQ(refusal([&] {
              shape_hit(sphere, {&object, far.pose});
            }),
            "pose of the mesh: the translation or a vertex is beyond 2^1000");
}

TEST(ShapeInput, KindsHaveNames) {
  for (const ShapeKind kind : all_values<ShapeKind>()) EXPECT_EQ(from_name<ShapeKind>(name_of(kind)), kind);
  EXPECT_NE(refusal([] { from_name<ShapeKind>("blob"); }), "not refused");
  EXPECT_EQ(RigidShape().kind(), ShapeKind::Sphere);
  EXPECT_EQ(RigidShape().radius(), 0.0);
}

}  // namespace
}  // namespace graze::testing
