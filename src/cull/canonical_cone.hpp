// The canonical cone of a moving triangle (ADAPTIVE, section 5): the normal cone that ICCD's cone is compared with.
// ADAPTIVE names this cone without a formula and refers to Wong and Baciu (2005).
//
// This implementation writes the normal in the power basis, n(t) = n0 + t c1 + t^2 c2, takes its mean over the step
// m = n0 + c1/2 + c2/3, and bounds it by a ball around m: |n(t) - m| <= |t - 1/2| |c1| + |t^2 - 1/3| |c2| <= |c1|/2
// + 2/3 |c2| = r. The cone has the axis m and the half-angle asin(r / |m|). The triangle inequality ignores that c1
// and c2 may cancel, and the cone around a ball is wider than the cone around the curve, so the canonical cone is
// never narrower than a cone of the control normals. Cost: O(1), one asin.
#pragma once

#include "cull/normal_cone.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// Returns the canonical cone, certified like triangle_cone(); the ball also contains the control normals. Unknown
/// if the ball contains zero, so the half-angle is always below pi/2. Precondition: finite points.
NormalCone canonical_cone(const VertexPath& a, const VertexPath& b, const VertexPath& c);

}  // namespace graze::cull
