// Narrow phase: intersection of two closed triangles. They intersect iff an edge of one intersects the other
// triangle.
//
// The intersection is convex and closed. If it is not empty it has an extreme point, which lies on an edge of one
// triangle, because a point in the interior of both is not extreme. A triangle without area is the union of its
// edges, so the rule holds for every shape. Each sign comes from a filter, then from exact arithmetic
// (narrow/orientation.hpp). Cost: at most six edge-face tests; most disjoint pairs are separated by the plane of
// one triangle.
#include <graze/elementary.hpp>

#include "narrow/edge_face.hpp"
#include "narrow/orientation.hpp"
#include "narrow/require_finite.hpp"

#include <algorithm>
#include <cstddef>

namespace graze::narrow {

namespace {

bool boxes_disjoint(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  const auto apart = [&](double Vec3::*c) {
    return std::max({a[0].*c, a[1].*c, a[2].*c}) < std::min({b[0].*c, b[1].*c, b[2].*c}) ||
           std::max({b[0].*c, b[1].*c, b[2].*c}) < std::min({a[0].*c, a[1].*c, a[2].*c});
  };
  return apart(&Vec3::x) || apart(&Vec3::y) || apart(&Vec3::z);
}

bool strictly_on_one_side(const std::array<Vec3, 3>& plane, const std::array<Vec3, 3>& t, bool& exact) {
  const int first = orient3d(plane[0], plane[1], plane[2], t[0], exact);
  return first != 0 && orient3d(plane[0], plane[1], plane[2], t[1], exact) == first &&
         orient3d(plane[0], plane[1], plane[2], t[2], exact) == first;
}

bool an_edge_intersects(const std::array<Vec3, 3>& edges, const std::array<Vec3, 3>& face, bool& exact) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (edge_intersects_face(edges[i], edges[(i + 1) % 3], face, exact)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool triangles_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, bool& exact) {
  if (boxes_disjoint(a, b) || strictly_on_one_side(a, b, exact) || strictly_on_one_side(b, a, exact)) {
    return false;
  }
  return an_edge_intersects(a, b, exact) || an_edge_intersects(b, a, exact);
}

bool intersect_triangle_triangle_unchecked(const std::array<Vec3, 6>& points, TierCounts& tiers) {
  bool exact = false;
  const bool intersects =
      triangles_intersect({points[0], points[1], points[2]}, {points[3], points[4], points[5]}, exact);
  ++(exact ? tiers.exact : tiers.filter);
  return intersects;
}

}  // namespace graze::narrow

namespace graze {

using namespace narrow;
using namespace geometry;

bool intersect_triangle_triangle(const std::array<Vec3, 6>& points, TierCounts* tiers) {
  narrow::require_finite("intersect_triangle_triangle", points);
  TierCounts unused;
  return narrow::intersect_triangle_triangle_unchecked(points, tiers != nullptr ? *tiers : unused);
}

}  // namespace graze
