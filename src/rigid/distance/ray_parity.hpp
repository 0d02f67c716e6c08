// Exact parity of the crossings of an axis-parallel ray with a posed mesh: whether a point is inside.
//
// The ray leaves the point p along coordinate k. The mesh is projected along the ray. A projected triangle contains
// the projection of p if a ray in the plane, along the third coordinate, crosses an odd number of its three sides.
// A side is crossed if it spans p in the second coordinate, one end below or at p and the other above, and passes p
// on the upper side in the third; where it passes through p it does not count. That is the answer for p moved by
// infinitesimals, first by a smaller one along the second coordinate, then by a larger one along the third
// (simulation of simplicity), and a side gives the same answer for each of its triangles; so degenerate
// projections, rays through edges and vertices, and triangles along the ray need no special case. The triangle is
// hit if its plane passes beyond p, the sign of one orientation determinant.
//
// If p is on the plane of a triangle and in its projection, it is on the closed triangle: that is no hit. All signs
// are exact. Cost: the triangles near the ray.
#pragma once

#include <array>
#include <cstddef>

#include <graze/types.hpp>

#include "core/function_ref.hpp"
#include "rigid/distance/search.hpp"

namespace graze::rigid {

/// Calls visit for every triangle that the ray from p along +x, +y or +z (axis 0 to 2) may touch, and perhaps for
/// others.
void for_each_near_ray(const ProximitySide& side, const Vec3& p, std::size_t axis,
                       core::FunctionRef<void(const TriangleCorners&)> visit);

/// Where p lies relative to a closed mesh.
PointSide locate_point(const ProximitySide& side, const Vec3& p);

/// A vector with its coordinates rotated so that the one of the axis comes first.
inline Vec3 axis_first(const Vec3& p, std::size_t axis) {
  return axis == 0 ? p : axis == 1 ? Vec3{p.y, p.z, p.x} : Vec3{p.z, p.x, p.y};
}

}  // namespace graze::rigid
