// Local frames of the clusters' float coordinates: an origin that moves in a straight line during the step, and a
// scale, a power of two. In coordinates relative to a moving origin, the same features touch at the same times.
//
// Most clusters share one frame: the origin is the median of the scene and does not move, and most of the scene has
// a size of about one unit. So neither the scene's size nor its distance from the origin costs precision. A cluster
// that is too small for that (an object far from all others, a small one in a large scene, a fast one) has an own
// frame with an origin near it at both ends of the step. Origins of own frames are on grids whose cells are much
// larger than the cluster, so that most neighbours have the same frame; change_frame() (cluster_table.hpp)
// brings two clusters to one frame.
//
// Error bound. (x - origin) is rounded to a double, scaled exactly (or underflows, by less than 2^-1022), and
// rounded to a float: wrong by at most (2^-24 + 2^-53) |f| + 2^-149. A cluster's `error` is more than four times
// that: 2^-22 of its largest coordinate and 2^-120, which leaves a margin for sums of a coordinate and errors that
// are rounded in turn. Coordinates beyond 2^60 are clamped, and the error of their cluster is 2^64: nothing of it
// is ever proved separated.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include <graze/types.hpp>

#include "core/host_device.hpp"
#include "core/namespaces.hpp"

namespace graze::methods {

struct ClusterLocalFrame {
  Vec3 origin_t0{};
  Vec3 origin_t1{};
  double scale = 1.0;  ///< a power of two

  static constexpr double kFarthest = 0x1p60;
  static constexpr float kUnbounded = 0x1p64F;  ///< error of a cluster with clamped coordinates

  [[nodiscard]] GRAZE_HOST_DEVICE std::array<float, 3> at_t0(const Vec3& p) const { return relative(p, origin_t0); }
  [[nodiscard]] GRAZE_HOST_DEVICE std::array<float, 3> at_t1(const Vec3& p) const { return relative(p, origin_t1); }

  /// The `error` of a cluster whose largest coordinate is given, and which inherits an error besides that of a
  /// rounded coordinate.
  GRAZE_HOST_DEVICE static float error_of(float largest, float inherited = 0.0F) {
    const float rounding =
        largest < static_cast<float>(kFarthest) ? 0x1.001p-22F * largest + 0x1p-120F : kUnbounded;
    const float error = rounding + inherited;
    return kUnbounded < error ? kUnbounded : error;
  }

  /// Clamps a coordinate; a NaN stays one.
  GRAZE_HOST_DEVICE static double clamped(double x) {
    if (x < -kFarthest) return -kFarthest;
    return kFarthest < x ? kFarthest : x;
  }

  /// Converts a length >= 0 to the local frame, rounded up; at most 2^64, which exceeds all distances.
  [[nodiscard]] GRAZE_HOST_DEVICE float length_up(double length) const {
    if (length == 0.0) return 0.0F;
    const double up = length * scale * (1.0 + 0x1p-20) + 0x1p-120;
    return static_cast<float>(0x1p64 < up ? 0x1p64 : up);
  }

  friend bool operator==(const ClusterLocalFrame&, const ClusterLocalFrame&) = default;

 private:
  [[nodiscard]] GRAZE_HOST_DEVICE std::array<float, 3> relative(const Vec3& p, const Vec3& origin) const {
    return {cut(p.x - origin.x), cut(p.y - origin.y), cut(p.z - origin.z)};
  }
  [[nodiscard]] GRAZE_HOST_DEVICE float cut(double offset) const {
    return static_cast<float>(clamped(offset * scale));
  }
};

/// Location of most of a scene: the median of sampled vertices along each axis, and the maximum-norm distance from
/// it within which three quarters of the samples lie.
struct SceneExtent {
  Vec3 at{};
  double radius = 0.0;
};

inline SceneExtent middle_of(std::span<const Vec3> x) {
  constexpr std::size_t kMaxSamples = 255;
  std::array<double, kMaxSamples> values{};
  const std::size_t count = std::min(kMaxSamples, x.size());
  if (count == 0) return {};
  const auto sample = [&](std::size_t i) -> const Vec3& { return x[i * x.size() / count]; };
  SceneExtent middle;
  for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    for (std::size_t i = 0; i < count; ++i) values[i] = sample(i).*axis;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count / 2),
                     values.begin() + static_cast<std::ptrdiff_t>(count));
    middle.at.*axis = values[count / 2];
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3& p = sample(i);
    values[i] = std::max({std::abs(p.x - middle.at.x), std::abs(p.y - middle.at.y), std::abs(p.z - middle.at.z)});
  }
  const std::size_t most = 3 * count / 4;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(most),
                   values.begin() + static_cast<std::ptrdiff_t>(count));
  middle.radius = values[most];
  return middle;
}

/// Returns the local frame that most clusters share: most of the scene is within about 1 of its origin.
inline ClusterLocalFrame local_frame_of(const SceneExtent& middle) {
  ClusterLocalFrame local_frame{.origin_t0 = middle.at, .origin_t1 = middle.at};
  if (middle.radius > 0.0 && std::isfinite(middle.radius)) {
    local_frame.scale = std::ldexp(1.0, -std::clamp(std::ilogb(middle.radius), -1000, 1000));
  }
  return local_frame;
}

/// Returns whether position and size of most of the scene still fit the shared local frame, within a factor of 16.
inline bool suits(const ClusterLocalFrame& local_frame, const SceneExtent& middle) {
  constexpr double kFactor = 16.0;
  const Vec3& origin = local_frame.origin_t0;
  const double off = std::max({std::abs(middle.at.x - origin.x), std::abs(middle.at.y - origin.y),
                               std::abs(middle.at.z - origin.z)}) *
                     local_frame.scale;
  const double radius = middle.radius * local_frame.scale;
  return off < kFactor && radius < kFactor && (radius > 1.0 / kFactor || middle.radius == 0.0);
}

/// Returns whether a frame resolves a cluster of this size and error, both in the frame. A feature of a full
/// cluster is about a sixth of its size: an error of a 4096th of the size is 0.15 % of a feature. The limit decides
/// about time alone.
GRAZE_HOST_DEVICE inline bool resolves(float size, float error) {
  return error <= 0x1p-12F * size;
}

/// Own frame of a cluster of a given size between two points at t0 and at t1: its coordinates are at most 512 times
/// its size, of clusters that are not a point.
GRAZE_HOST_DEVICE inline ClusterLocalFrame own_frame(const Vec3& middle_t0, const Vec3& middle_t1, double size) {
  constexpr int kExponentStep = 4;  // clusters of similar size shall have the same grid
  constexpr int kCellExponent = 5;  // of a cell in units of the largest such cluster
  constexpr double kSmallest = 0x1p-900;
  const double largest = std::max({std::abs(middle_t0.x), std::abs(middle_t0.y), std::abs(middle_t0.z),
                                   std::abs(middle_t1.x), std::abs(middle_t1.y), std::abs(middle_t1.z)});
  const int exponent = std::ilogb(std::max({size, 0x1p-50 * largest, kSmallest})) + 1;
  const int rounded = (exponent + (exponent > 0 ? kExponentStep - 1 : 0)) / kExponentStep * kExponentStep;
  const int power = std::min(rounded, 1000);
  const double cell = std::ldexp(1.0, power + kCellExponent);
  const auto snap = [&](const Vec3& p) {
    const auto one = [&](double x) { return std::nearbyint(x / cell) * cell; };
    return Vec3{one(p.x), one(p.y), one(p.z)};
  };
  return {.origin_t0 = snap(middle_t0), .origin_t1 = snap(middle_t1), .scale = std::ldexp(1.0, -power)};
}

}  // namespace graze::methods
