// RigidShape: checks of sizes, names of kinds. See graze/rigid_shapes.hpp.
#include <graze/rigid_shapes.hpp>

#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/enum_names.hpp"
#include "geometry/vec.hpp"

namespace graze {

using namespace core;
using namespace geometry;

namespace {

constexpr std::array kKinds{Named{ShapeKind::Box, "box"},         Named{ShapeKind::Sphere, "sphere"},
                            Named{ShapeKind::Capsule, "capsule"}, Named{ShapeKind::Cylinder, "cylinder"},
                            Named{ShapeKind::Cone, "cone"},       Named{ShapeKind::HalfSpace, "half-space"},
                            Named{ShapeKind::ConvexHull, "hull"}};

void require_size(const char* shape, const char* what, double size) {
  if (!(size >= 0.0) || !std::isfinite(size))
    throw InputError(fmt::format("{}: its {} is {}, and must be finite and not negative", shape, what, size));
}

}  // namespace

std::string_view name_of(ShapeKind kind) {
  return name_in(kKinds, "kind of shape", kind);
}
template <>
ShapeKind from_name<ShapeKind>(std::string_view name) {
  return value_named(kKinds, "kind of shape", name);
}
template <>
std::span<const ShapeKind> all_values<ShapeKind>() {
  static constexpr auto kAll = values_of(kKinds);
  return kAll;
}

RigidShape RigidShape::box(const Vec3& half_extents) {
  require_size("box", "half extent along x", half_extents.x);
  require_size("box", "half extent along y", half_extents.y);
  require_size("box", "half extent along z", half_extents.z);
  RigidShape shape;
  shape.kind_ = ShapeKind::Box;
  shape.vector_ = half_extents;
  return shape;
}

RigidShape RigidShape::sphere(double radius) {
  require_size("sphere", "radius", radius);
  RigidShape shape;
  shape.radius_ = radius;
  return shape;
}

RigidShape RigidShape::capsule(double radius, double half_length) {
  require_size("capsule", "radius", radius);
  require_size("capsule", "half length", half_length);
  RigidShape shape;
  shape.kind_ = ShapeKind::Capsule;
  shape.radius_ = radius;
  shape.half_length_ = half_length;
  return shape;
}

RigidShape RigidShape::cylinder(double radius, double half_length) {
  require_size("cylinder", "radius", radius);
  require_size("cylinder", "half length", half_length);
  RigidShape shape;
  shape.kind_ = ShapeKind::Cylinder;
  shape.radius_ = radius;
  shape.half_length_ = half_length;
  return shape;
}

RigidShape RigidShape::cone(double radius, double half_height) {
  require_size("cone", "radius", radius);
  require_size("cone", "half height", half_height);
  RigidShape shape;
  shape.kind_ = ShapeKind::Cone;
  shape.radius_ = radius;
  shape.half_length_ = half_height;
  return shape;
}

RigidShape RigidShape::half_space(const Vec3& normal, double offset) {
  const double size = max_abs(normal);
  if (!is_finite(normal) || !(size >= 1e-300) || !(size <= 1e300))
    throw InputError(
        fmt::format("half-space: its normal ({}, {}, {}) must have a largest coordinate in [1e-300, 1e300]",
                    normal.x, normal.y, normal.z));
  if (!std::isfinite(offset)) throw InputError(fmt::format("half-space: its offset {} is not finite", offset));
  RigidShape shape;
  shape.kind_ = ShapeKind::HalfSpace;
  shape.vector_ = normal;
  shape.offset_ = offset;
  return shape;
}

RigidShape RigidShape::convex_hull(std::span<const Vec3> points) {
  if (points.empty()) throw InputError("hull: it has no points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i]))
      throw InputError(fmt::format("hull: point {} is ({}, {}, {}), which is not finite", i, points[i].x,
                                   points[i].y, points[i].z));
  }
  RigidShape shape;
  shape.kind_ = ShapeKind::ConvexHull;
  shape.points_ = std::make_shared<const std::vector<Vec3>>(points.begin(), points.end());
  return shape;
}

std::span<const Vec3> RigidShape::points() const {
  return points_ ? std::span<const Vec3>(*points_) : std::span<const Vec3>();
}

}  // namespace graze
