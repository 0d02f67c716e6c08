// Local frame of a rigid object's tree: the origin is the centre of the bounding box, and lengths are scaled by a
// power of two, so that all relative coordinates lie in [-1, 1], floats are precise enough, and nothing overflows.
// Linear in triangles.
#pragma once

#include <array>
#include <span>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::rigid {

/// In this range scales and their inverses are doubles, and relative coordinates of finite points do not overflow.
inline constexpr int kMinExponent = -1020;
inline constexpr int kMaxExponent = 1024;

struct LocalFrame {
  Vec3 origin;
  int exponent = 0;    ///< u = (x - origin) 2^-exponent; in [-1020, 1024]
  double scale = 1.0;  ///< 2^-exponent

  /// The point in relative coordinates, rounded: each coordinate errs by at most 2^-53, because |u| <= 1.
  [[nodiscard]] std::array<double, 3> relative(const Vec3& x) const {
    return {(x.x - origin.x) * scale, (x.y - origin.y) * scale, (x.z - origin.z) * scale};
  }
};

/// The local frame with this origin and exponent.
LocalFrame local_frame_at(const Vec3& origin, int exponent);
/// The local frame of the vertices that triangles use. Without triangles: origin zero and exponent 0.
LocalFrame make_local_frame(std::span<const Vec3> positions, std::span<const Triangle> triangles);
/// The largest |coordinate| of the vertices that triangles use.
double max_coordinate_of(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace graze::rigid
