// Cells of touching triangles in rational arithmetic. See the header.
#include "rigid/distance/touching_solids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "geometry/vec.hpp"
#include "narrow/orientation.hpp"
#include "rigid/distance/ray_parity.hpp"

namespace graze::rigid {

namespace {

using Rational = boost::multiprecision::cpp_rational;
using Point3 = std::array<Rational, 3>;
using Polygon = std::vector<Point3>;

Point3 exact(const Vec3& p) {
  return {Rational(p.x), Rational(p.y), Rational(p.z)};
}
Point3 minus(const Point3& p, const Point3& q) {
  return {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}
Rational dot(const Point3& p, const Point3& q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
Point3 cross(const Point3& p, const Point3& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
Vec3 rounded(const Point3& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}
bool is_zero(const Point3& p) {
  return p[0].is_zero() && p[1].is_zero() && p[2].is_zero();
}

struct Plane {
  Point3 normal;
  Point3 at;

  [[nodiscard]] Rational side(const Point3& p) const { return dot(normal, minus(p, at)); }
};

struct ExactTriangle {
  std::array<Point3, 3> corners;
  Point3 normal;

  explicit ExactTriangle(const TriangleCorners& t)
      : corners{exact(t[0]), exact(t[1]), exact(t[2])},
        normal(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))) {}
  [[nodiscard]] Plane plane() const { return {normal, corners[0]}; }
  /// Planes through the sides, perpendicular to the triangle.
  [[nodiscard]] std::array<Plane, 3> sides() const {
    std::array<Plane, 3> result;
    for (std::size_t i = 0; i < 3; ++i)
      result[i] = {cross(normal, minus(corners[(i + 1) % 3], corners[i])), corners[i]};
    return result;
  }
};

/// Splits the polygons that have points strictly on both sides of a plane.
std::vector<Polygon> split(const std::vector<Polygon>& polygons, const Plane& plane) {
  std::vector<Polygon> result;
  for (const Polygon& polygon : polygons) {
    std::vector<Rational> sides;
    bool above = false;
    bool below = false;
    for (const Point3& p : polygon) {
      sides.push_back(plane.side(p));
      above = above || sides.back().sign() > 0;
      below = below || sides.back().sign() < 0;
    }
    if (!above || !below) {
      result.push_back(polygon);
      continue;
    }
    Polygon one;
    Polygon other;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const std::size_t j = (i + 1) % polygon.size();
      if (sides[i].sign() >= 0) one.push_back(polygon[i]);
      if (sides[i].sign() <= 0) other.push_back(polygon[i]);
      if (sides[i].sign() * sides[j].sign() >= 0) continue;
      const Rational share = sides[i] / (sides[i] - sides[j]);
      Point3 p;
      for (std::size_t k = 0; k < 3; ++k) p[k] = polygon[i][k] + share * (polygon[j][k] - polygon[i][k]);
      one.push_back(p);
      other.push_back(p);
    }
    result.push_back(std::move(one));
    result.push_back(std::move(other));
  }
  return result;
}

Point3 middle_of(const Polygon& polygon) {
  Point3 sum{};
  for (const Point3& p : polygon) {
    for (std::size_t k = 0; k < 3; ++k) sum[k] += p[k];
  }
  for (Rational& c : sum) c /= static_cast<unsigned>(polygon.size());
  return sum;
}

/// The sides' test of ray_parity.cpp for a rational point, with the coordinates rotated.
bool passes(const Point3* u, const Point3* v, const Point3& p) {
  if ((*u)[1] > (*v)[1]) std::swap(u, v);
  if (!((*u)[1] <= p[1] && p[1] < (*v)[1])) return false;
  return ((*v)[1] - (*u)[1]) * (p[2] - (*u)[2]) < ((*v)[2] - (*u)[2]) * (p[1] - (*u)[1]);
}

/// A rational point, its coordinates rotated so that the ray comes first, with doubles around each.
struct RayStart {
  Point3 exact;
  Vec3 low;
  Vec3 high;
  double width = 0.0;  ///< the largest high - low, rounded up

  RayStart(const Point3& p, std::size_t axis) : exact{p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]} {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::array<double Vec3::*, 3> at{&Vec3::x, &Vec3::y, &Vec3::z};
    for (std::size_t k = 0; k < 3; ++k) {
      low.*at[k] = static_cast<double>(exact[k]);
      high.*at[k] = low.*at[k];
      while (Rational(low.*at[k]) > exact[k]) low.*at[k] = std::nextafter(low.*at[k], -kInfinity);
      while (Rational(high.*at[k]) < exact[k]) high.*at[k] = std::nextafter(high.*at[k], kInfinity);
      width = std::max(width, high.*at[k] - low.*at[k]);
    }
    width *= 1.0 + 0x1p-50;
  }
};

constexpr double kUnit = 0x1p-53;
constexpr double kTiny = 0x1p-900;

/// passes() in doubles. With differences, products and one sum, u = 2^-53: det = l - r errs by 4u (|l| + |r|), and
/// by `width` times the lengths of the side because p is not quite its `low`; kTiny covers underflow.
std::optional<bool> passes_quickly(Vec3 u, Vec3 v, const RayStart& p) {
  if (u.y > v.y) std::swap(u, v);
  if (u.y > p.high.y || v.y <= p.low.y) return false;
  if (!(u.y <= p.low.y && p.high.y < v.y)) return std::nullopt;
  const double dy = v.y - u.y;
  const double dz = v.z - u.z;
  const double left = dy * (p.low.z - u.z);
  const double right = dz * (p.low.y - u.y);
  const double bound =
      8.0 * kUnit * (std::abs(left) + std::abs(right)) + 1.001 * p.width * (std::abs(dy) + std::abs(dz)) + kTiny;
  if (right - left > bound) return true;
  if (left - right > bound) return false;
  return std::nullopt;
}

/// hits() in doubles. A determinant n.d of differences has an error of 16u times the sum of its terms' magnitudes
/// (narrow/kernels/triangle_pairs.cpp), and of `width` times those of n for the place of p.
std::optional<bool> hits_quickly(const TriangleCorners& t, const RayStart& p) {
  bool inside = false;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<bool> passed = passes_quickly(t[i], t[(i + 1) % 3], p);
    if (!passed) return std::nullopt;
    inside = inside != *passed;
  }
  if (!inside) return false;
  const Vec3 e = t[1] - t[0];
  const Vec3 f = t[2] - t[0];
  const Vec3 d = t[0] - p.low;
  const Vec3 n = geometry::cross(e, f);
  const Vec3 size{std::abs(e.y * f.z) + std::abs(e.z * f.y), std::abs(e.z * f.x) + std::abs(e.x * f.z),
                  std::abs(e.x * f.y) + std::abs(e.y * f.x)};
  const double determinant = geometry::dot(n, d);
  const double all = size.x + size.y + size.z;
  const double bound = 16.0 * kUnit * (size.x * std::abs(d.x) + size.y * std::abs(d.y) + size.z * std::abs(d.z)) +
                       1.001 * p.width * all + kTiny * (1.0 + std::abs(d.x) + std::abs(d.y) + std::abs(d.z));
  if (!(std::abs(determinant) > bound) || !(std::abs(n.x) > 16.0 * kUnit * size.x + kTiny)) return std::nullopt;
  return (determinant > 0.0) == (n.x > 0.0);
}

bool hits(const TriangleCorners& t, const RayStart& p, std::size_t axis) {
  const TriangleCorners turned{axis_first(t[0], axis), axis_first(t[1], axis), axis_first(t[2], axis)};
  if (std::max({turned[0].x, turned[1].x, turned[2].x}) < p.low.x) return false;
  if (const std::optional<bool> quick = hits_quickly(turned, p)) return *quick;
  const ExactTriangle triangle(turned);
  const auto& c = triangle.corners;
  if (!(passes(&c[0], &c[1], p.exact) != (passes(&c[1], &c[2], p.exact) != passes(&c[2], &c[0], p.exact))))
    return false;
  // The plane passes beyond p along the ray: the sign of normal.(corner - p) is that of the normal along the ray.
  return dot(triangle.normal, minus(c[0], p.exact)).sign() * triangle.normal[0].sign() > 0;
}

/// Parity of the crossings of the ray from p along an axis; triangles through p do not count.
bool odd_beyond(const ProximitySide& side, const Point3& p, std::size_t axis) {
  const RayStart from(p, axis);
  // The ray starts at p within a rounding, which the margin of the bounds of boxes contains.
  const Vec3 start = rounded(p);
  bool odd = false;
  for_each_near_ray(side, start, axis, [&](const TriangleCorners& t) { odd = odd != hits(t, from, axis); });
  return odd;
}

/// Whether signs are of both kinds.
template <class Sign>
bool mixed(const Sign& sign) {
  const std::array<int, 3> signs{sign(0), sign(1), sign(2)};
  return std::min({signs[0], signs[1], signs[2]}) < 0 && std::max({signs[0], signs[1], signs[2]}) > 0;
}

/// Whether the plane of s has corners of t on both sides. Exact; nearly always decided in doubles.
bool plane_cuts(const TriangleCorners& s, const TriangleCorners& t) {
  bool used = false;
  return mixed([&](std::size_t i) { return narrow::orient3d(s[0], s[1], s[2], t[i], used); });
}

/// By axis: the projection along it.
constexpr std::array kAlong{narrow::Projection::AlongX, narrow::Projection::AlongY, narrow::Projection::AlongZ};

/// Whether the line through two corners of a triangle in the plane of t has corners of t on both sides.
bool line_cuts(const Vec3& from, const Vec3& to, const TriangleCorners& t, std::size_t axis) {
  bool used = false;
  return mixed([&](std::size_t i) { return narrow::orient2d(kAlong[axis], from, to, t[i], used); });
}

/// A triangle in the plane of another one. Its planes in rationals are made when they are needed.
class Coplanar {
 public:
  explicit Coplanar(const TriangleCorners& corners) : corners_(corners) {}

  /// Planes through the sides, perpendicular to the triangle.
  const std::array<Plane, 3>& sides() {
    if (!sides_) sides_ = ExactTriangle(corners_).sides();
    return *sides_;
  }
  /// Whether it contains p, a point of its plane on none of its sides. `near` is p in doubles, within an ulp or
  /// two.
  bool contains(const Point3& p, const Vec3& near) {
    const auto beyond = [&](double Vec3::*c) {
      const double slack = 0x1p-50 * std::abs(near.*c) + std::numeric_limits<double>::denorm_min() * 4.0;
      return std::min({corners_[0].*c, corners_[1].*c, corners_[2].*c}) > near.*c + slack ||
             std::max({corners_[0].*c, corners_[1].*c, corners_[2].*c}) < near.*c - slack;
    };
    if (beyond(&Vec3::x) || beyond(&Vec3::y) || beyond(&Vec3::z)) return false;
    const int sign = sides()[0].side(p).sign();
    return sides()[1].side(p).sign() == sign && sides()[2].side(p).sign() == sign;
  }

 private:
  TriangleCorners corners_;
  std::optional<std::array<Plane, 3>> sides_;
};

/// Whether a piece of one triangle of `own` shows that the insides meet. `others`: the triangles that touch it.
bool piece_shows(const ProximitySide& own, const ProximitySide& other, TriangleId triangle,
                 std::span<const TriangleId> others) {
  const TriangleCorners corners = corners_of(own, triangle);
  const ExactTriangle t(corners);
  if (is_zero(t.normal)) return false;
  const std::size_t axis = !t.normal[0].is_zero() ? 0 : !t.normal[1].is_zero() ? 1 : 2;
  std::vector<Polygon> cells{{t.corners[0], t.corners[1], t.corners[2]}};
  std::vector<Coplanar> coplanar;
  for (const TriangleId id : others) {
    const TriangleCorners other_corners = corners_of(other, id);
    if (plane_cuts(other_corners, corners)) {
      cells = split(cells, ExactTriangle(other_corners).plane());
      continue;
    }
    bool used = false;
    const bool in_plane = std::all_of(other_corners.begin(), other_corners.end(), [&](const Vec3& p) {
      return narrow::orient3d(corners[0], corners[1], corners[2], p, used) == 0;
    });
    if (!in_plane) continue;
    // In the plane of t a triangle has area if its projection along the axis has.
    if (narrow::orient2d(kAlong[axis], other_corners[0], other_corners[1], other_corners[2], used) == 0) continue;
    Coplanar& s = coplanar.emplace_back(other_corners);
    for (std::size_t i = 0; i < 3; ++i) {
      if (line_cuts(other_corners[i], other_corners[(i + 1) % 3], corners, axis))
        cells = split(cells, s.sides()[i]);
    }
  }
  for (const Polygon& cell : cells) {
    const Point3 p = middle_of(cell);
    const Vec3 near = rounded(p);
    // A cell is inside of a coplanar triangle or outside of it.
    const bool common =
        std::any_of(coplanar.begin(), coplanar.end(), [&](Coplanar& one) { return one.contains(p, near); });
    const bool inside_other = odd_beyond(other, p, axis);
    if (common ? inside_other == odd_beyond(own, p, axis) : inside_other) return true;
  }
  return false;
}

/// Whether a part of the boundary of `own` that touches nothing is inside of the other. `touched`: by triangle.
bool free_part_is_inside(const SolidSide& own, const ProximitySide& other, const std::vector<bool>& touched) {
  const std::vector<Triangle>& triangles = own.topology.welded;
  DisjointSets sets(own.side.object.positions.size());
  for (TriangleId t = 0; t < triangles.size(); ++t) {
    if (touched[t] || !own.topology.bounds(t)) continue;
    sets.unite(triangles[t][0], triangles[t][1]);
    sets.unite(triangles[t][1], triangles[t][2]);
  }
  std::vector<bool> seen(own.side.object.positions.size(), false);
  for (TriangleId t = 0; t < triangles.size(); ++t) {
    if (touched[t] || !own.topology.bounds(t)) continue;
    const std::uint32_t root = sets.root(triangles[t][0]);
    if (seen[root]) continue;
    seen[root] = true;
    if (locate_point(other, corners_of(own.side, t)[0]) == PointSide::Inside) return true;
  }
  return false;
}

/// By triangle of one side: the triangles of the other that touch it.
using Touches = std::map<TriangleId, std::vector<TriangleId>>;

bool boundary_shows(const SolidSide& own, const ProximitySide& other, const Touches& touches) {
  for (const auto& [triangle, others] : touches) {
    if (piece_shows(own.side, other, triangle, others)) return true;
  }
  std::vector<bool> touched(own.topology.welded.size(), false);
  for (const auto& [triangle, others] : touches) touched[triangle] = true;
  return free_part_is_inside(own, other, touched);
}

bool has_area(const TriangleCorners& t) {
  bool exact = false;
  return std::any_of(kAlong.begin(), kAlong.end(), [&](narrow::Projection projection) {
    return narrow::orient2d(projection, t[0], t[1], t[2], exact) != 0;
  });
}

bool edge_pierces(const Vec3& p, const Vec3& q, const TriangleCorners& face, bool& exact) {
  const int from = narrow::orient3d(face[0], face[1], face[2], p, exact);
  if (from == 0 || narrow::orient3d(face[0], face[1], face[2], q, exact) != -from) return false;
  const int first = narrow::orient3d(p, q, face[0], face[1], exact);
  return first != 0 && narrow::orient3d(p, q, face[1], face[2], exact) == first &&
         narrow::orient3d(p, q, face[2], face[0], exact) == first;
}

}  // namespace

bool pierces(const TriangleCorners& a, const TriangleCorners& b) {
  if (!has_area(a) || !has_area(b)) return false;
  bool exact = false;
  for (std::size_t i = 0; i < 3; ++i) {
    if (edge_pierces(a[i], a[(i + 1) % 3], b, exact) || edge_pierces(b[i], b[(i + 1) % 3], a, exact)) return true;
  }
  return false;
}

bool insides_meet(const SolidSide& a, const SolidSide& b, std::span<const TrianglePair> pairs) {
  Touches of_a;
  Touches of_b;
  for (const TrianglePair& pair : pairs) {
    of_a[pair.a].push_back(pair.b);
    of_b[pair.b].push_back(pair.a);
  }
  return boundary_shows(a, b.side, of_a) || boundary_shows(b, a.side, of_b);
}

}  // namespace graze::rigid
