// Poses: construction, composition, inverse and checks. Every operation rounds once, in the order that
// graze/rigid.hpp states.
#include <graze/rigid.hpp>

#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/object.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

Vec3 posed(const Pose& pose, const Vec3& x) {
  const auto& r = pose.rotation;
  const Vec3& t = pose.translation;
  return {dot(r[0], x) + t.x, dot(r[1], x) + t.y, dot(r[2], x) + t.z};
}

Pose pose_from_axis_angle(const Vec3& axis, double angle, const Vec3& translation) {
  const double size = max_abs(axis);
  if (!is_finite(axis) || !std::isfinite(angle) || size == 0.0)
    throw InputError(
        fmt::format("rotation about ({}, {}, {}) by {}: axis and angle must be finite, the axis not zero", axis.x,
                    axis.y, axis.z, angle));
  const Vec3 scaled{axis.x / size, axis.y / size, axis.z / size};
  const double norm = length(scaled);
  const double s = std::sin(0.5 * angle) / norm;
  return pose_from_quaternion({std::cos(0.5 * angle), s * scaled.x, s * scaled.y, s * scaled.z}, translation);
}

Pose pose_from_quaternion(const std::array<double, 4>& wxyz, const Vec3& translation) {
  double size = 0.0;
  bool finite = true;
  for (const double c : wxyz) {
    finite = finite && std::isfinite(c);
    size = std::max(size, std::abs(c));
  }
  if (!finite || size == 0.0)
    throw InputError(fmt::format("the quaternion ({}, {}, {}, {}) must be finite and not zero", wxyz[0], wxyz[1],
                                 wxyz[2], wxyz[3]));
  std::array<double, 4> q{};
  double square = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    q[k] = wxyz[k] / size;
    square += q[k] * q[k];
  }
  const double f = 2.0 / square;
  const auto& [w, x, y, z] = q;
  Pose pose;
  pose.rotation = {Vec3{1.0 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y)},
                   Vec3{f * (x * y + w * z), 1.0 - f * (x * x + z * z), f * (y * z - w * x)},
                   Vec3{f * (x * z - w * y), f * (y * z + w * x), 1.0 - f * (x * x + y * y)}};
  pose.translation = translation;
  return pose;
}

Pose compose(const Pose& outer, const Pose& inner) {
  Pose pose;
  const auto& r = inner.rotation;
  const Vec3 columns[3] = {{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& row = outer.rotation[i];
    pose.rotation[i] = {dot(row, columns[0]), dot(row, columns[1]), dot(row, columns[2])};
  }
  pose.translation = posed(outer, inner.translation);
  return pose;
}

Pose inverse(const Pose& pose) {
  const auto& r = pose.rotation;
  Pose back;
  back.rotation = {Vec3{r[0].x, r[1].x, r[2].x}, Vec3{r[0].y, r[1].y, r[2].y}, Vec3{r[0].z, r[1].z, r[2].z}};
  const Vec3 moved = posed(back, pose.translation);
  back.translation = -moved;
  return back;
}

void rigid::check_pose(const Pose& pose, const char* which) {
  const auto& [x, y, z] = pose.rotation;
  // False for NaN and infinities, as the sums that contain them are.
  const auto near = [](double value, double to) { return std::abs(value - to) <= 1e-6; };
  if (near(dot(x, x), 1.0) && near(dot(y, y), 1.0) && near(dot(z, z), 1.0) && near(dot(x, y), 0.0) &&
      near(dot(x, z), 0.0) && near(dot(y, z), 0.0) && is_finite(pose.translation))
    return;
  if (!is_finite(pose.translation))
    throw InputError(fmt::format("{}: its translation ({}, {}, {}) is not finite", which, pose.translation.x,
                                 pose.translation.y, pose.translation.z));
  double worst = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!is_finite(pose.rotation[i]))
      throw InputError(fmt::format("{}: row {} of its rotation ({}, {}, {}) is not finite", which, i,
                                   pose.rotation[i].x, pose.rotation[i].y, pose.rotation[i].z));
    for (std::size_t j = i; j < 3; ++j) {
      const double off = std::abs(dot(pose.rotation[i], pose.rotation[j]) - (i == j ? 1.0 : 0.0));
      if (!(off <= worst)) worst = off;
    }
  }
  if (!(worst <= 1e-6))
    throw InputError(
        fmt::format("{}: its rotation is not orthonormal: rows are off by {:.3g}, more than 1e-6", which, worst));
}

void rigid::check_pose(const ObjectState& object, const Pose& pose, const char* which) {
  check_pose(pose, which);
  if (std::isfinite(3.1 * object.max_coordinate + max_abs(pose.translation))) return;
  for (const Triangle& triangle : object.triangles) {
    for (const VertexId v : triangle) {
      if (!is_finite(posed(pose, object.positions[v])))
        throw InputError(fmt::format("{} moves vertex {} out of the range of doubles", which, v));
    }
  }
}

}  // namespace graze
