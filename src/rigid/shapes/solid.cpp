// Poses a shape. See the header.
#include "rigid/shapes/solid.hpp"

#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

namespace {

void require_within(double size, const char* which, const char* what) {
  if (!(size <= kLargest)) throw InputError(fmt::format("{}: its {} {} is beyond 2^1000", which, what, size));
}

void require_within(const Vec3& point, const char* which, std::size_t index) {
  if (!(max_abs(point) <= kLargest) || !is_finite(point))
    throw InputError(fmt::format("{}: the pose moves its point {} beyond 2^1000", which, index));
}

}  // namespace

PosedSolid::PosedSolid(const PosedShape& placed, const char* which) : kind_(placed.shape.kind()) {
  const RigidShape& shape = placed.shape;
  const Pose& pose = placed.pose;
  check_pose(pose, which);
  if (!(max_abs(pose.translation) <= kLargest))
    throw InputError(fmt::format("{}: its translation is beyond 2^1000", which));
  require_within(shape.radius(), which, "radius");
  require_within(shape.half_length(), which, "half length");
  const auto add = [&](const Vec3& x) {
    few_[few_count_] = posed(pose, x);
    require_within(few_[few_count_], which, few_count_);
    ++few_count_;
  };
  form_.radius = shape.radius();
  switch (kind_) {
    case ShapeKind::Box: {
      const Vec3 half = shape.vector();
      for (const double x : {-half.x, half.x}) {
        for (const double y : {-half.y, half.y}) {
          for (const double z : {-half.z, half.z}) add({x, y, z});
        }
      }
      break;
    }
    case ShapeKind::Sphere:
      few_[few_count_++] = pose.translation;
      break;
    case ShapeKind::Capsule:
      add({0.0, 0.0, -shape.half_length()});
      add({0.0, 0.0, shape.half_length()});
      break;
    case ShapeKind::Cylinder:
    case ShapeKind::Cone:
      form_.curve = kind_ == ShapeKind::Cylinder ? Curve::Cylinder : Curve::Cone;
      form_.centre = pose.translation;
      form_.axis = {pose.rotation[0].z, pose.rotation[1].z, pose.rotation[2].z};
      form_.half = shape.half_length();
      form_.disc = shape.radius();
      form_.radius = 0.0;
      break;
    case ShapeKind::HalfSpace: {
      require_within(std::abs(shape.offset()), which, "offset");
      const Vec3& n = shape.vector();
      plane_ = {{dot(pose.rotation[0], n), dot(pose.rotation[1], n), dot(pose.rotation[2], n)},
                pose.translation,
                shape.offset()};
      break;
    }
    case ShapeKind::ConvexHull:
      many_.reserve(shape.points().size());
      for (const Vec3& x : shape.points()) {
        many_.push_back(posed(pose, x));
        require_within(many_.back(), which, many_.size() - 1);
      }
      break;
  }
}

Solid PosedSolid::solid() const {
  Solid solid = form_;
  if (solid.curve == Curve::None)
    solid.points = kind_ == ShapeKind::ConvexHull ? std::span<const Vec3>(many_)
                                                  : std::span<const Vec3>(few_.data(), few_count_);
  return solid;
}

}  // namespace graze::rigid
