// What two triangles that meet have in common: a segment, a point, or a polygon of their common plane.
#pragma once

#include <array>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

struct TriangleContact {
  ContactShape shape = ContactShape::Segment;
  Vec3 p;
  Vec3 q;
};

/// Precondition: the closed triangles, of any shape, meet. The shape is exact; p and q as of RigidContact, p before
/// q by (x, y, z). Sets `exact` (never clears it) when exact arithmetic was needed.
TriangleContact triangle_contact(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact);

}  // namespace graze::narrow
