// Distance of two posed triangles, one pair at a time: what the bounds in lanes (triangle_bounds.hpp) leave open.
//
// Disjoint triangles are closest at one of nine pairs of edges or six pairs of a vertex and a face, whose distances
// narrow/distance.hpp gives within an ulp or two. Whether triangles intersect, and whether they come within d, is
// decided exactly (narrow/edge_face.hpp, narrow/distance.hpp). Cost: a few microseconds a pair.
#pragma once

#include <array>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::rigid {

using TriangleCorners = std::array<Vec3, 3>;

/// Bounds of the distance: hi / lo - 1 is below 2^-48, apart from underflow. hi is 0 if and only if the triangles
/// intersect. `exact` is set (never cleared) if exact arithmetic decided whether they do.
struct NarrowDistance {
  double lo = 0.0;
  double hi = 0.0;
};
NarrowDistance triangle_distance(const TriangleCorners& a, const TriangleCorners& b, bool& exact);

/// Bounds for triangles that do not intersect.
NarrowDistance disjoint_distance(const TriangleCorners& a, const TriangleCorners& b);

/// Whether the distance is at most d, decided exactly. Precondition: d is finite and >= 0. `exact` as above.
bool triangles_within(const TriangleCorners& a, const TriangleCorners& b, double d, bool& exact);

/// Closest points of two triangles in doubles. If they intersect: a common point, twice, and a zero normal.
struct ClosestPoints {
  Vec3 on_a;
  Vec3 on_b;
  Vec3 normal;  ///< unit vector from a to b
};
ClosestPoints closest_points(const TriangleCorners& a, const TriangleCorners& b, bool intersect);

}  // namespace graze::rigid
