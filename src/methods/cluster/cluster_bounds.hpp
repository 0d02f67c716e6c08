// The arithmetic of a cluster's bounds that is not lane by lane (cluster_table.cpp), for the host and a CUDA
// device: the normal of a cluster, its bounds in the scene's coordinates, and the change of its coordinates to
// another local frame.
//
// Error bound of scene_box(): a side of a cluster's box is converted exactly, unless it overflows, and added to the
// origin, which rounds by 2^-53 of the sum. Widening by 2^-51 of it covers that, and the rounding of a gap that a
// traversal subtracts.
//
// Error bound of frame_change(): a coordinate f in the frame `from` becomes fl(fl(f r) + s), where the ratio r of
// the scales is a power of two of at most 1, and s is the float nearest to the scaled difference of the origins. f
// r is exact, or underflows by at most 2^-126; s is wrong by (2^-24 + 2^-53) |s|, and the sum rounds by 2^-24 of
// the new coordinate. So the new error is r times the old one, 2^-22 of |s| with a margin, and the error of a
// coordinate that is rounded once. A ratio below 2^-126 counts as 0, and the cluster as a point that is wrong by
// its size.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/host_device.hpp"
#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// Error bound of a coordinate along a direction of at most unit length, (n.x x + n.y y) + n.z z, as a multiple of
/// the cluster's error: a quarter for each component times its factor, the factors at most sqrt(3) together;
/// products and sums round five times by 2^-24, a quarter of the error, relative to at most sqrt(3) of the largest
/// coordinate. 1.8 (1/4 + 5/4) < 2.8; the rest is a margin for comparisons.
inline constexpr float kSlabErrors = 4.0F;

/// Displacements of a slow cluster, as a share of its size.
inline constexpr float kSlowDisplacement = 1.0F / 32.0F;

/// Displacements of a cluster that hardly moves, as a share of its size.
inline constexpr float kStillDisplacement = 1.0F / 2048.0F;

/// Sum of the faces' normals of a cluster, added one by one in the order of the faces, so that the result is the
/// same on every instruction set and device.
struct NormalSum {
  std::array<float, 3> sum{};

  /// Adds a normal of a disc, whose faces are oriented.
  GRAZE_HOST_DEVICE void add_oriented(float x, float y, float z, bool flipped) {
    sum[0] += flipped ? -x : x;
    sum[1] += flipped ? -y : y;
    sum[2] += flipped ? -z : z;
  }
  /// Adds a normal that may point to either side, because face vertices are ordered by id: it is flipped towards
  /// the sum so far.
  GRAZE_HOST_DEVICE void add_turned(float x, float y, float z) {
    const float turn = x * sum[0] + y * sum[1] + z * sum[2] < 0.0F ? -1.0F : 1.0F;
    sum[0] = sum[0] + turn * x;
    sum[1] = sum[1] + turn * y;
    sum[2] = sum[2] + turn * z;
  }
  /// The unit vector along the sum, a little shorter; 0 if the sum has no usable direction.
  [[nodiscard]] GRAZE_HOST_DEVICE std::array<float, 3> unit() const {
    const float square = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    const float factor = square > 1e-30F && square < 1e30F ? 0.9999F / std::sqrt(square) : 0.0F;
    if (factor == 0.0F) return {0.0F, 0.0F, 0.0F};
    return {factor * sum[0], factor * sum[1], factor * sum[2]};
  }
};

/// Box linear in time in the scene's coordinates, rows as in LinearBox. Starts empty.
struct SceneBox {
  std::array<double, 6> lo;
  std::array<double, 6> hi;

  GRAZE_HOST_DEVICE SceneBox() {
    for (std::size_t k = 0; k < 6; ++k) {
      lo[k] = std::numeric_limits<double>::infinity();
      hi[k] = -std::numeric_limits<double>::infinity();
    }
  }
};

/// Returns the bounds of a cluster in the scene's coordinates, rounded outward, from its frame, error and box.
GRAZE_HOST_DEVICE inline SceneBox scene_box(const ClusterLocalFrame& frame, float error, const LinearBox& own) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kSmallest = std::numeric_limits<double>::min();
  SceneBox box;
  if (!(error < ClusterLocalFrame::kUnbounded)) {
    for (std::size_t k = 0; k < 6; ++k) {
      box.lo[k] = -kInfinity;
      box.hi[k] = kInfinity;
    }
    return box;
  }
  const std::array<double, 6> origin = {frame.origin_t0.x, frame.origin_t0.y, frame.origin_t0.z,
                                        frame.origin_t1.x, frame.origin_t1.y, frame.origin_t1.z};
  const double unit = 1.0 / frame.scale;
  for (std::size_t k = 0; k < 6; ++k) {
    const double lo = origin[k] + static_cast<double>(own.lo[k]) * unit;
    const double hi = origin[k] + static_cast<double>(own.hi[k]) * unit;
    box.lo[k] = lo < kInfinity ? lo - (0x1p-51 * std::abs(lo) + kSmallest) : -kInfinity;
    box.hi[k] = hi > -kInfinity ? hi + (0x1p-51 * std::abs(hi) + kSmallest) : kInfinity;
  }
  return box;
}
GRAZE_HOST_DEVICE inline SceneBox scene_box(const Cluster& cluster) {
  return scene_box(cluster.frame, cluster.error, cluster.box);
}

/// The change of a cluster's coordinates to another local frame: x becomes x * ratio + shift, by row.
struct FrameChange {
  float ratio = 0.0F;
  std::array<float, 6> shift{};
  float inherited = 0.0F;  ///< error of the new coordinates, besides that of a rounded one: see error_of()
};

/// Returns the change to the frame `to` of a cluster with this frame, error and box. Precondition: the scale of
/// `to` is not larger than that of the cluster's frame.
GRAZE_HOST_DEVICE inline FrameChange frame_change(const ClusterLocalFrame& from, float error, const LinearBox& box,
                                                  const ClusterLocalFrame& to) {
  const std::array<double, 6> offsets = {
      (from.origin_t0.x - to.origin_t0.x) * to.scale, (from.origin_t0.y - to.origin_t0.y) * to.scale,
      (from.origin_t0.z - to.origin_t0.z) * to.scale, (from.origin_t1.x - to.origin_t1.x) * to.scale,
      (from.origin_t1.y - to.origin_t1.y) * to.scale, (from.origin_t1.z - to.origin_t1.z) * to.scale};
  const bool comparable = to.scale >= 0x1p-126 * from.scale;
  FrameChange change;
  change.ratio = comparable ? static_cast<float>(to.scale / from.scale) : 0.0F;
  double largest = 0.0;
  float largest_side = 0.0F;
  for (std::size_t k = 0; k < 6; ++k) {
    const double size = std::abs(offsets[k]);
    largest = largest < size ? size : largest;
    change.shift[k] = static_cast<float>(ClusterLocalFrame::clamped(offsets[k]));
    largest_side = largest_side < -box.lo[k] ? -box.lo[k] : largest_side;
    largest_side = largest_side < box.hi[k] ? box.hi[k] : largest_side;
  }
  change.inherited = ClusterLocalFrame::kUnbounded;
  if (error < ClusterLocalFrame::kUnbounded && largest < 0.5 * ClusterLocalFrame::kFarthest) {
    change.inherited = change.ratio * error + 0x1.01p-22F * static_cast<float>(largest) + 0x1p-120F;
    if (!comparable) change.inherited += 0x1p-120F * (error + largest_side);
  }
  return change;
}

}  // namespace graze::methods
