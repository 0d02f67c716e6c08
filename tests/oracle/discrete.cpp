// Intersections are reduced to the continuous oracle; distances are minima over candidates, in integers.
//
// A segment p-q intersects a triangle iff a vertex that moves from p to q touches the static triangle, so that the
// same proof applies. Two intersecting triangles intersect on an edge of one of them: an extreme point of their
// intersection cannot lie in the relative interior of both (there the intersection would continue along a line, or
// both are one set).
#include "oracle/discrete.hpp"

#include "oracle/continuous.hpp"

#include <optional>

namespace graze::oracle {

namespace {

IntegerVec combine(const Integer& x, const IntegerVec& a, const Integer& y, const IntegerVec& b) {
  return {x * a[0] - y * b[0], x * a[1] - y * b[1], x * a[2] - y * b[2]};
}

// The vector from the closest point of the segment a-b to p; `direction` is a positive multiple of it.
Separation point_segment(const IntegerVec& p, const IntegerVec& a, const IntegerVec& b) {
  const IntegerVec edge = b - a;
  const IntegerVec to_p = p - a;
  const Integer length2 = dot(edge, edge);
  const Integer along = dot(to_p, edge);
  if (along <= 0) return {{dot(to_p, to_p), 1, 0}, to_p};  // covers a == b
  if (along >= length2) {
    const IntegerVec from_b = p - b;
    return {{dot(from_b, from_b), 1, 0}, from_b};
  }
  const IntegerVec off = combine(length2, to_p, along, edge);
  return {{dot(to_p, to_p) * length2 - along * along, length2, 0}, off};
}

void keep_nearer(Separation& best, const Separation& other) {
  if (compare(other.distance2, best.distance2) < 0) best = other;
}

IntegerVec signed_multiple(const IntegerVec& normal, const Integer& sign) {
  if (sign.is_zero()) return {};
  return sign < 0 ? IntegerVec{-normal[0], -normal[1], -normal[2]} : normal;
}

// The foot of p in the triangle's plane, if it is inside the triangle.
std::optional<Separation> point_plane(const IntegerVec& p, const IntegerVec& a, const IntegerVec& b,
                                      const IntegerVec& c) {
  const IntegerVec normal = cross(b - a, c - a);
  if (is_zero(normal)) return std::nullopt;
  // The barycentric weights of the foot times |normal|^2: those of p projected along the normal.
  if (dot(cross(b - p, c - p), normal) < 0) return std::nullopt;
  if (dot(cross(c - p, a - p), normal) < 0) return std::nullopt;
  if (dot(cross(a - p, b - p), normal) < 0) return std::nullopt;
  const Integer height = dot(p - a, normal);
  return Separation{{height * height, dot(normal, normal), 0}, signed_multiple(normal, height)};
}

// The common perpendicular of two lines, if both feet are on the segments.
std::optional<Separation> perpendicular(const IntegerVec& a0, const IntegerVec& a1, const IntegerVec& b0,
                                        const IntegerVec& b1) {
  const IntegerVec edge_a = a1 - a0;
  const IntegerVec edge_b = b1 - b0;
  const IntegerVec normal = cross(edge_a, edge_b);
  if (is_zero(normal)) return std::nullopt;
  const IntegerVec d = b0 - a0;
  const Integer normal2 = dot(normal, normal);
  const Integer s = dot(cross(d, edge_b), normal);
  const Integer u = dot(cross(d, edge_a), normal);
  if (s < 0 || s > normal2 || u < 0 || u > normal2) return std::nullopt;
  const Integer height = -dot(d, normal);
  return Separation{{height * height, normal2, 0}, signed_multiple(normal, height)};
}

IntegerVec negated(const IntegerVec& a) {
  return {-a[0], -a[1], -a[2]};
}

}  // namespace

bool intersect_edge_face(const std::array<Vec3, 5>& points) {
  const auto& [p, q, a, b, c] = points;
  return first_contact_vertex_face({{p, a, b, c}, {q, a, b, c}}).has_value();
}

bool intersect_triangle_triangle(const std::array<Vec3, 6>& points) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (intersect_edge_face({points[i], points[j], points[3], points[4], points[5]})) return true;
    if (intersect_edge_face({points[3 + i], points[3 + j], points[0], points[1], points[2]})) return true;
  }
  return false;
}

Separation separation(FeatureKind kind, std::span<const IntegerVec, 4> points) {
  if (kind == FeatureKind::VertexFace) {
    Separation best = point_segment(points[0], points[1], points[2]);
    keep_nearer(best, point_segment(points[0], points[2], points[3]));
    keep_nearer(best, point_segment(points[0], points[3], points[1]));
    if (const auto inside = point_plane(points[0], points[1], points[2], points[3])) keep_nearer(best, *inside);
    return best;
  }
  Separation best = point_segment(points[0], points[2], points[3]);
  keep_nearer(best, point_segment(points[1], points[2], points[3]));
  for (const std::size_t end : {std::size_t{2}, std::size_t{3}}) {
    Separation from_b = point_segment(points[end], points[0], points[1]);
    from_b.direction = negated(from_b.direction);
    keep_nearer(best, from_b);
  }
  if (const auto inside = perpendicular(points[0], points[1], points[2], points[3])) keep_nearer(best, *inside);
  return best;
}

Fraction distance2_fraction(FeatureKind kind, const std::array<Vec3, 4>& points) {
  const ScaledPoints scaled = scale_to_integers(points);
  Fraction result = separation(kind, std::span<const IntegerVec, 4>(scaled.points.data(), 4)).distance2;
  result.exponent += 2 * scaled.exponent;
  return result;
}

Rational distance2_vertex_face(const std::array<Vec3, 4>& points) {
  return to_rational(distance2_fraction(FeatureKind::VertexFace, points));
}

Rational distance2_edge_edge(const std::array<Vec3, 4>& points) {
  return to_rational(distance2_fraction(FeatureKind::EdgeEdge, points));
}

bool within(FeatureKind kind, const std::array<Vec3, 4>& points, double d) {
  if (d < 0.0) return false;
  const Dyadic limit = dyadic_from(d);
  return compare(distance2_fraction(kind, points), limit * limit) <= 0;
}

}  // namespace graze::oracle
