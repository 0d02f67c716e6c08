// The discrete oracle: intersections and squared distances at one instant, exact for any finite doubles.
//
// Distances are minima over all candidate feature pairs of a pair (interior, edges, endpoints), without case
// distinctions: slow, and hard to get wrong. Cost: O(1).
#pragma once

#include "oracle/exact.hpp"

#include <graze/types.hpp>

#include <array>
#include <span>

namespace graze::oracle {

/// Do the closed segment p-q and the closed triangle a, b, c share a point? Points: p, q, a, b, c.
bool intersect_edge_face(const std::array<Vec3, 5>& points);
/// Do two closed triangles share a point? Points: a0, a1, a2, b0, b1, b2.
bool intersect_triangle_triangle(const std::array<Vec3, 6>& points);

/// Squared distance, and an integer vector along (closest point of the first feature) - (that of the second): zero
/// iff they touch.
struct Separation {
  Fraction distance2;
  IntegerVec direction;
};
/// On integer points, in their units. Vertex-face: v, f0, f1, f2. Edge-edge: a0, a1, b0, b1.
Separation separation(FeatureKind kind, std::span<const IntegerVec, 4> points);

/// Exact squared distance in units of the doubles.
Fraction distance2_fraction(FeatureKind kind, const std::array<Vec3, 4>& points);
Rational distance2_vertex_face(const std::array<Vec3, 4>& points);
Rational distance2_edge_edge(const std::array<Vec3, 4>& points);
/// Is the distance <= d? False for d < 0.
bool within(FeatureKind kind, const std::array<Vec3, 4>& points, double d);

}  // namespace graze::oracle
