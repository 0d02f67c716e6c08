// The frame in which a tree of a rigid object keeps its floats: moved to the middle and scaled by a power of two,
// so that all vertices lie in [-1, 1] and nothing overflows. Linear in triangles.
#pragma once

#include <array>
#include <span>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::rigid {

/// Scales and their inverses are doubles, and no relative coordinate of finite points overflows.
inline constexpr int kLeastExponent = -1020;
inline constexpr int kMaxExponent = 1024;

struct Frame {
  Vec3 origin;
  int exponent = 0;    ///< u = (x - origin) 2^-exponent; in [-1020, 1024]
  double scale = 1.0;  ///< 2^-exponent

  /// The relative point, rounded: each coordinate errs by at most 2^-53, as |u| <= 1.
  [[nodiscard]] std::array<double, 3> relative(const Vec3& x) const {
    return {(x.x - origin.x) * scale, (x.y - origin.y) * scale, (x.z - origin.z) * scale};
  }
};

/// The frame with this origin and exponent.
Frame frame_at(const Vec3& origin, int exponent);
/// The frame of the vertices that triangles use; of no triangles, the origin and 0.
Frame make_frame(std::span<const Vec3> positions, std::span<const Triangle> triangles);
/// The largest |coordinate| of those vertices.
double reach_of(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace graze::rigid
