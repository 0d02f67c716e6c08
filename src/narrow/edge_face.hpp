// Discrete edge-face and triangle-triangle intersection without input checks, for callers that checked already.
#pragma once

#include <array>

#include <graze/stats.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Closed segment p-q against closed triangle a, b, c, any shapes; exact for finite points. Sets `exact` (never
/// clears it) when integers were needed.
bool edge_intersects_face(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& face, bool& exact);

/// Two closed triangles, any shapes; as edge_meets_face.
bool triangles_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact);

/// Two closed segments in space, any lengths; as edge_meets_face.
bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, bool& exact);

/// As the public intersect_*, for points that are known to be finite.
bool intersect_edge_face_unchecked(const std::array<Vec3, 5>& points, TierCounts& tiers);
bool intersect_triangle_triangle_unchecked(const std::array<Vec3, 6>& points, TierCounts& tiers);

}  // namespace graze::narrow
