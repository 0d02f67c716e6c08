// Continuous normal cones for self-collision culling (ICCD, Tang et al. 2009, section IV-B): a cone that contains
// the normal of each triangle of a patch at all times of a step, made from control normals and merged bottom-up in
// a hierarchy.
//
// The paper leaves open how the cone of three normals and the merge are computed; here both are the smallest cones
// up to rounding (about 1e-7 radians, the precision of an axis in floats). Both are certified: the guarantee holds
// for the exact normals of the given doubles and for the axis as stored in floats. A cone that cannot be proved is
// unknown, and an unknown cone never culls. normal_cone.cpp has the proofs. Cost: O(1) each; one acos.
#pragma once

#include <array>
#include <limits>

#include "cull/control_normals.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// Cone of all directions within `angle` radians of `axis`. The axis is the float vector as stored; its length is
/// about 1 and has no meaning. The cone of some triangles contains every control normal of each, none of them zero.
/// A cone with an angle below pi / 2 is convex and therefore also contains the normals at every time of the step; a
/// cone with a larger angle contains only the control normals.
struct NormalCone {
  static constexpr float kUnknown = std::numeric_limits<float>::infinity();

  std::array<float, 3> axis{};
  float angle = kUnknown;  ///< in [0, pi), or kUnknown: no direction is excluded

  [[nodiscard]] bool known() const { return angle < kUnknown; }
};
static_assert(sizeof(NormalCone) == 16);

/// Returns the cone of a triangle's control normals: the smallest up to rounding for three normals (linear motion),
/// nearly the smallest for five (quadratic motion). Unknown if the error bound of a control normal exceeds half of
/// its length, so that its direction is not known within 30 degrees, or if its square leaves the range of doubles
/// (edges below about 1e-67 or above 1e75). Precondition: finite points.
NormalCone triangle_cone(const VertexPath& a, const VertexPath& b, const VertexPath& c);
NormalCone triangle_cone(const QuadraticPath& a, const QuadraticPath& b, const QuadraticPath& c);

/// Returns the smallest cone that contains both cones, up to 2^-22 radians. Unknown if a or b is unknown, if the
/// result would reach pi, or if the axes are opposite within 2^-7 radians.
NormalCone merge(const NormalCone& a, const NormalCone& b);

}  // namespace graze::cull
