// Local frame of the clusters' float coordinates: relative to the median of the scene, scaled by a power of two so
// that most of the scene has a size of about one unit. So neither the scene's size nor its distance from the origin
// costs precision, and vertices far from all others worsen only the bounds of their own cluster.
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

#include "core/namespaces.hpp"

namespace graze::methods {

struct ClusterLocalFrame {
  Vec3 origin{};
  double scale = 1.0;  ///< a power of two

  static constexpr double kFarthest = 0x1p60;

  [[nodiscard]] float x(const Vec3& p) const { return cut(p.x - origin.x); }
  [[nodiscard]] float y(const Vec3& p) const { return cut(p.y - origin.y); }
  [[nodiscard]] float z(const Vec3& p) const { return cut(p.z - origin.z); }

  static float error_of(float largest) {
    return largest < static_cast<float>(kFarthest) ? 0x1.001p-22F * largest + 0x1p-120F : 0x1p64F;
  }

  /// Converts a length >= 0 to the local frame, rounded up; at most 2^64, which exceeds all distances.
  [[nodiscard]] float length_up(double length) const {
    if (length == 0.0) return 0.0F;
    return static_cast<float>(std::min(length * scale * (1.0 + 0x1p-20) + 0x1p-120, 0x1p64));
  }

 private:
  [[nodiscard]] float cut(double offset) const {
    return static_cast<float>(std::clamp(offset * scale, -kFarthest, kFarthest));
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

/// Returns a local frame in which most of the scene is within about 1 of the origin.
inline ClusterLocalFrame local_frame_of(const SceneExtent& middle) {
  ClusterLocalFrame local_frame{.origin = middle.at};
  if (middle.radius > 0.0 && std::isfinite(middle.radius)) {
    local_frame.scale = std::ldexp(1.0, -std::clamp(std::ilogb(middle.radius), -1000, 1000));
  }
  return local_frame;
}

/// Returns whether position and size of most of the scene still fit the local frame, within a factor of 16.
inline bool suits(const ClusterLocalFrame& local_frame, const SceneExtent& middle) {
  constexpr double kFactor = 16.0;
  const double off =
      std::max({std::abs(middle.at.x - local_frame.origin.x), std::abs(middle.at.y - local_frame.origin.y),
                std::abs(middle.at.z - local_frame.origin.z)}) *
      local_frame.scale;
  const double radius = middle.radius * local_frame.scale;
  return off < kFactor && radius < kFactor && (radius > 1.0 / kFactor || middle.radius == 0.0);
}

}  // namespace graze::methods
