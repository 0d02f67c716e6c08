// Where vertices may be while bounds hold: on their ways during a step, or within reach of their homes.
#pragma once

#include <cstddef>
#include <span>

#include <graze/types.hpp>

#include "geometry/reference_point.hpp"

namespace graze::geometry {

/// One of two: the ways from x_t0 to x_t1, or homes. Positions are referred to.
struct MotionBounds {
  std::span<const Vec3> x_t0{};
  std::span<const Vec3> x_t1{};
  std::span<const ReferencePoint> reference_points{};  ///< then the others are empty
  double gap = 0.0;                                    ///< bounds of what comes this close overlap

  [[nodiscard]] bool around_references() const { return !reference_points.empty(); }
  [[nodiscard]] std::size_t size() const { return around_references() ? reference_points.size() : x_t0.size(); }
  /// A position of a vertex: where it starts, or its home.
  [[nodiscard]] const Vec3& position(VertexId v) const {
    return around_references() ? reference_points[v].x : x_t0[v];
  }
};

}  // namespace graze::geometry
