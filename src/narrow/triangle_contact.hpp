// Narrow phase: the intersection of two triangles that touch: a segment, a point, or a polygon in their common
// plane. A filter in doubles handles general position; exact arithmetic handles the rest.
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

/// Computes the intersection of two closed triangles of any shape. Precondition: they intersect. The shape is
/// exact; p and q are defined as in RigidContact, with p before q in the order of (x, y, z). Sets `exact` (never
/// clears it) if exact arithmetic was needed.
TriangleContact triangle_contact(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact);

}  // namespace graze::narrow
