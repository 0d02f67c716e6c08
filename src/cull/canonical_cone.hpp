// The canonical cone of a moving triangle (ADAPTIVE, section 5): the cone that ICCD's is compared with. That paper
// names the cone, but gives no formula: it refers to Wong and Baciu (2005).
//
// What we took: the normal n(t) = n0 + t c1 + t^2 c2 in the power basis, its mean over the step m = n0 + c1/2 +
// c2/3, and a ball about m: |n(t) - m| <= |t - 1/2| |c1| + |t^2 - 1/3| |c2| <= |c1|/2 + 2/3 |c2| = r. The cone has
// the axis m and the half-angle asin(r / |m|). The triangle inequality loses what c1 and c2 cancel, and the apex of
// a ball's cone sees more than the curve, so it is never narrower than a cone of the control normals. Cost: O(1),
// one asin.
#pragma once

#include "cull/normal_cone.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// Certified as triangle_cone is; control normals lie in the ball too. Unknown where the ball holds zero: no
/// half-angle reaches pi/2. Precondition: finite points.
NormalCone canonical_cone(const VertexPath& a, const VertexPath& b, const VertexPath& c);

}  // namespace graze::cull
