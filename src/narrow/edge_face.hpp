// Narrow phase: discrete edge-face and triangle-triangle intersection tests at one instant, without input checks. A
// filter decides nearly all; exact arithmetic decides the rest.
#pragma once

#include <array>

#include <graze/stats.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Whether the closed segment p-q and the closed triangle `face`, of any shape, intersect; exact for finite points.
/// Sets `exact` (never clears it) if exact arithmetic was needed.
bool edge_intersects_face(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& face, bool& exact);

/// Whether two closed triangles of any shape intersect; contract as of edge_intersects_face.
bool triangles_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact);

/// Whether two closed segments of any length intersect; contract as of edge_intersects_face.
bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, bool& exact);

/// Unchecked versions of the public intersect_edge_face and intersect_triangle_triangle. Precondition: the points
/// are finite.
bool intersect_edge_face_unchecked(const std::array<Vec3, 5>& points, TierCounts& tiers);
bool intersect_triangle_triangle_unchecked(const std::array<Vec3, 6>& points, TierCounts& tiers);

}  // namespace graze::narrow
