// Random shapes and poses for the tests of shapes.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <graze/rigid_shapes.hpp>

#include "oracle/random.hpp"

namespace graze::testing {

using oracle::Random;

inline constexpr std::array kRationalKinds{ShapeKind::Box, ShapeKind::Sphere, ShapeKind::Capsule,
                                           ShapeKind::ConvexHull, ShapeKind::HalfSpace};
inline constexpr std::array kCurvedKinds{ShapeKind::Cylinder, ShapeKind::Cone};

/// Coordinates in [-1, 1): any doubles, or multiples of 1/4.
inline double random_coordinate(Random& random, bool lattice) {
  return lattice ? 0.25 * random.between(-4, 4) : random.symmetric();
}
inline Vec3 random_point(Random& random, bool lattice) {
  const double x = random_coordinate(random, lattice);
  const double y = random_coordinate(random, lattice);
  return {x, y, random_coordinate(random, lattice)};
}

/// Sizes up to `scale`, some of them 0.
inline RigidShape random_shape(Random& random, ShapeKind kind, double scale, bool lattice) {
  const auto size = [&] {
    return random.below(8) == 0 ? 0.0 : scale * std::abs(random_coordinate(random, lattice));
  };
  const double first = size();
  const double second = size();
  switch (kind) {
    case ShapeKind::Box:
      return RigidShape::box({first, second, size()});
    case ShapeKind::Sphere:
      return RigidShape::sphere(first);
    case ShapeKind::Capsule:
      return RigidShape::capsule(first, second);
    case ShapeKind::Cylinder:
      return RigidShape::cylinder(first, second);
    case ShapeKind::Cone:
      return RigidShape::cone(first, second);
    case ShapeKind::HalfSpace: {
      Vec3 normal = random_point(random, lattice);
      if (normal == Vec3{}) normal.y = 1.0;
      return RigidShape::half_space(normal, scale * random_coordinate(random, lattice));
    }
    case ShapeKind::ConvexHull:
      break;
  }
  std::vector<Vec3> points;
  const int count = random.between(1, 6);
  for (int i = 0; i < count; ++i) {
    const Vec3 p = random_point(random, lattice);
    points.push_back({scale * p.x, scale * p.y, scale * p.z});
  }
  return RigidShape::convex_hull(points);
}

/// A rotation that permutes the axes, with signs.
inline Pose random_permutation(Random& random) {
  Pose pose;
  const std::uint32_t turn = random.below(3);
  for (std::size_t i = 0; i < 3; ++i) {
    const double sign = random.coin() ? 1.0 : -1.0;
    const std::size_t axis = (i + turn) % 3;
    pose.rotation[i] = {axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
  }
  return pose;
}

inline Pose random_pose(Random& random, double scale, bool lattice) {
  Pose pose;
  if (lattice) {
    pose = random_permutation(random);
  } else {
    const double w = random.symmetric();
    const double x = random.symmetric();
    const double y = random.symmetric();
    pose = pose_from_quaternion({w + 2.0, x, y, random.symmetric()});
  }
  const Vec3 t = random_point(random, lattice);
  pose.translation = {scale * t.x, scale * t.y, scale * t.z};
  return pose;
}

inline std::string described(const PosedShape& placed) {
  const RigidShape& s = placed.shape;
  std::string text =
      fmt::format("{} radius {:a} half {:a} vector ({:a}, {:a}, {:a}) offset {:a}", name_of(s.kind()), s.radius(),
                  s.half_length(), s.vector().x, s.vector().y, s.vector().z, s.offset());
  for (const Vec3& p : s.points()) text += fmt::format(" ({:a}, {:a}, {:a})", p.x, p.y, p.z);
  for (const Vec3& row : placed.pose.rotation) text += fmt::format(" [{:a}, {:a}, {:a}]", row.x, row.y, row.z);
  const Vec3& t = placed.pose.translation;
  return text + fmt::format(" at ({:a}, {:a}, {:a})", t.x, t.y, t.z);
}

}  // namespace graze::testing
