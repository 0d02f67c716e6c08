// Continuous normal cones (ICCD, Tang et al. 2009, section IV-B): a cone that holds the normal of each triangle of
// a patch at all times of a step, made from control normals and merged upward in a hierarchy.
//
// The paper leaves the cone of three normals and the merge open; here both are the smallest cones up to rounding
// (about 1e-7 of angle, that of an axis in floats), and both are certified: the claim is about the exact normals of
// the given doubles and about the axis as its floats say. What can't be proved is unknown, which never culls.
// normal_cone.cpp has the proofs. Cost: O(1) each; one acos.
#pragma once

#include <array>
#include <limits>

#include "cull/control_normals.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// All directions within `angle` radians of `axis`. The axis is the float vector as it stands; its length is about
/// 1 but says nothing. A cone of triangles holds every control normal of each, none of them zero. Below an angle of
/// pi / 2 a cone is convex, so that it then holds their normals at every time of the step too; at or above it, only
/// the control normals.
struct NormalCone {
  static constexpr float kUnknown = std::numeric_limits<float>::infinity();

  std::array<float, 3> axis{};
  float angle = kUnknown;  ///< in [0, pi), or kUnknown: no direction is excluded

  [[nodiscard]] bool known() const { return angle < kUnknown; }
};
static_assert(sizeof(NormalCone) == 16);

/// The cone of a triangle's control normals: of three the smallest up to rounding, of five nearly so. Unknown where
/// a control normal is not proved to be other than zero, where it is proved only within 30 degrees, and where its
/// square leaves the range of doubles (edges below about 1e-67 or above 1e75). Precondition: finite points.
NormalCone triangle_cone(const VertexPath& a, const VertexPath& b, const VertexPath& c);
NormalCone triangle_cone(const QuadraticPath& a, const QuadraticPath& b, const QuadraticPath& c);

/// The smallest cone that holds both, up to 2^-22 radians. Unknown where one is, where the result would reach pi,
/// and where the axes are opposite within 2^-7 radians.
NormalCone merge(const NormalCone& a, const NormalCone& b);

}  // namespace graze::cull
