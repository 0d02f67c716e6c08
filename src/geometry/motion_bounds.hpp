// The positions of vertices that bounding volumes must cover: the straight paths of one step, or, for bounds that
// persist over several steps (temporal coherence), all positions within a displacement bound of a reference
// position.
#pragma once

#include <cstddef>
#include <span>

#include <graze/types.hpp>

#include "geometry/reference_point.hpp"

namespace graze::geometry {

struct CoordinateMaps;

/// Either the paths from x_t0 to x_t1 or reference points; the other members are empty. Does not own the positions.
struct MotionBounds {
  std::span<const Vec3> x_t0{};
  std::span<const Vec3> x_t1{};
  std::span<const ReferencePoint> reference_points{};  ///< if set, x_t0 and x_t1 are empty
  double gap = 0.0;                      ///< bounds of features that come within this distance overlap
  const CoordinateMaps* maps = nullptr;  ///< if set, bounds are in mapped coordinates; not owned

  [[nodiscard]] bool has_reference_points() const { return !reference_points.empty(); }
  [[nodiscard]] std::size_t size() const { return has_reference_points() ? reference_points.size() : x_t0.size(); }
  /// One position of a vertex: its start at t0, or its reference position.
  [[nodiscard]] const Vec3& position(VertexId v) const {
    return has_reference_points() ? reference_points[v].x : x_t0[v];
  }
};

}  // namespace graze::geometry
