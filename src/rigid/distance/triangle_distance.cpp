// Distance of two triangles. See the header.
#include "rigid/distance/triangle_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/vec.hpp"
#include "narrow/closest.hpp"
#include "narrow/distance.hpp"
#include "narrow/edge_face.hpp"
#include "narrow/triangle_contact.hpp"

namespace graze::rigid {

namespace {

using Four = std::array<Vec3, 4>;

/// Calls visit(is_edges, points, first) for the 15 feature pairs until it returns true. `first`: 0 if the first
/// feature is of a, 1 if it is a vertex of b.
template <class Visit>
bool any_feature_pair(const TriangleCorners& a, const TriangleCorners& b, const Visit& visit) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (visit(false, Four{a[i], b[0], b[1], b[2]}, 0U)) return true;
    if (visit(false, Four{b[i], a[0], a[1], a[2]}, 1U)) return true;
    for (std::size_t j = 0; j < 3; ++j) {
      if (visit(true, Four{a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]}, 0U)) return true;
    }
  }
  return false;
}

double largest_of(const TriangleCorners& a, const TriangleCorners& b) {
  double largest = 0.0;
  for (const TriangleCorners* t : {&a, &b}) {
    for (const Vec3& p : *t) largest = std::max(largest, max_abs(p));
  }
  return largest;
}

/// The points that the weights of a feature pair name, of the first feature and of the second.
std::array<Vec3, 2> points_of(bool edges, const Four& p, const std::array<double, 4>& w) {
  const auto along = [](const Vec3& from, double s, const Vec3& to) { return from + s * (to - from); };
  if (edges) return {along(p[0], w[1], p[1]), along(p[2], w[3], p[3])};
  return {p[0], p[1] + (w[2] * (p[2] - p[1]) + w[3] * (p[3] - p[1]))};
}

}  // namespace

NarrowDistance disjoint_distance(const TriangleCorners& a, const TriangleCorners& b) {
  double least = std::numeric_limits<double>::infinity();
  any_feature_pair(a, b, [&](bool edges, const Four& points, unsigned /*first*/) {
    const ElementaryDistance found =
        edges ? narrow::distance_edge_edge_unchecked(points) : narrow::distance_vertex_face_unchecked(points);
    least = std::min(least, found.distance);
    return false;
  });
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  return {std::max(0.0, least * (1.0 - 0x1p-50) - 2.0 * kSmallest), least * (1.0 + 0x1p-50) + 2.0 * kSmallest};
}

NarrowDistance triangle_distance(const TriangleCorners& a, const TriangleCorners& b, bool& exact) {
  return narrow::triangles_intersect(a, b, exact) ? NarrowDistance{} : disjoint_distance(a, b);
}

bool triangles_within(const TriangleCorners& a, const TriangleCorners& b, double d, bool& exact) {
  if (narrow::triangles_intersect(a, b, exact)) return true;
  TierCounts tiers;
  const bool answer = any_feature_pair(a, b, [&](bool edges, const Four& points, unsigned /*first*/) {
    return edges ? narrow::within_edge_edge_unchecked(points, d, tiers)
                 : narrow::within_vertex_face_unchecked(points, d, tiers);
  });
  exact = exact || tiers.exact > 0;
  return answer;
}

ClosestPoints closest_points(const TriangleCorners& a, const TriangleCorners& b, bool intersect) {
  ClosestPoints result;
  if (intersect) {
    bool exact = false;
    result.on_a = narrow::triangle_contact(a, b, exact).p;
    result.on_b = result.on_a;
    return result;
  }
  // A quarter of the largest coordinate as unit, so that differences are at most 8; powers of two are exact.
  int exponent = 0;
  std::frexp(largest_of(a, b), &exponent);
  exponent = std::max(exponent, -1000);
  const auto scaled = [](const TriangleCorners& t, int by) {
    TriangleCorners moved = t;
    for (Vec3& p : moved) p = {std::ldexp(p.x, by), std::ldexp(p.y, by), std::ldexp(p.z, by)};
    return moved;
  };
  const TriangleCorners in_a = scaled(a, -exponent);
  const TriangleCorners in_b = scaled(b, -exponent);
  double least = std::numeric_limits<double>::infinity();
  any_feature_pair(in_a, in_b, [&](bool edges, const Four& p, unsigned first) {
    // Relative to the extent of the pair: triangles may be tiny against their coordinates.
    const double extent = narrow::extent_of(p);
    const double unit = extent > 0x1p-900 ? std::ldexp(1.0, -std::ilogb(extent)) : 1.0;
    narrow::Relative<double> q = narrow::relative_to_first<double>(p);
    for (auto& v : q) v = unit * v;
    const auto closest = edges ? narrow::EdgeEdge::closest<double>(q) : narrow::VertexFace::closest<double>(q);
    const double length = std::sqrt(closest.x2);
    if (!(length / unit < least)) return false;
    least = length / unit;
    const std::array<Vec3, 2> points = points_of(edges, p, closest.weights);
    result.on_a = points[first];
    result.on_b = points[1 - first];
    const double sign = first == 0 ? -1.0 : 1.0;
    result.normal =
        length > 0.0 ? Vec3{sign * closest.x.x / length, sign * closest.x.y / length, sign * closest.x.z / length}
                     : Vec3{};
    return false;
  });
  const auto back = [&](const Vec3& p) {
    return Vec3{std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
  };
  result.on_a = back(result.on_a);
  result.on_b = back(result.on_b);
  return result;
}

}  // namespace graze::rigid
