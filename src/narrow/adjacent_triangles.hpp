// Narrow phase: whether two triangles that share a vertex or an edge meet beyond it, at one instant: the
// self-intersections of mesh repair that tests of pairs without a common vertex leave out. Exact for any finite
// doubles.
#pragma once

#include <array>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Whether the closed triangles a b c and a b d share a point that is not on the closed segment a b: they are
/// folded onto each other in one plane. Sets `exact` (never clears it) if exact arithmetic was needed. Cost: a dot
/// product of two normals if the triangles are not folded, else one orientation test unless the four points are
/// coplanar.
bool overlap_beyond_edge(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, bool& exact);

/// Whether the closed triangles v p q and b, which have the corner v of any position in common and of which segment
/// p q intersects b, share a point beside v. Cost: one area, unless v p q has (nearly) none.
bool overlap_beyond_vertex_if_side_does(const Vec3& v, const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& b,
                                        bool& exact);

/// Whether two closed triangles of any shape that have a corner in common share a second point.
bool overlap_beyond_vertex(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact);

}  // namespace graze::narrow
