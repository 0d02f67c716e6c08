// Narrow phase, exact arithmetic: the intersection of two triangles in integers. See triangle_contact_exact.hpp.
//
// The intersection is convex, and each of its extreme points is the whole intersection of some face of one triangle
// (a corner, an edge, the triangle) and some face of the other. So it is the convex hull of the corners of one that
// lie in the other, the points where an edge passes through the other triangle, and the points where two coplanar
// edges cross. A triangle without area is the hull of its edges and needs no special case. Exact signs find all
// these points. The edge p-q crosses at (|s_q| p + |s_p| q) / (|s_p| + |s_q|), s being the side with respect to the
// crossed plane or line: an integer point with a denominator. There are at most 21 points (6 corners, 6 passing
// edges, 9 crossings). The intersection has an area only if the triangles are coplanar. Cost: O(1).
#include "narrow/exact/triangle_contact_exact.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "geometry/vec.hpp"
#include "narrow/edge_face.hpp"
#include "narrow/exact/big_integer.hpp"
#include "narrow/orientation.hpp"

namespace graze::narrow {

namespace {

using Corners = std::array<Vec3, 3>;

constexpr std::array kProjections{Projection::AlongX, Projection::AlongY, Projection::AlongZ};

/// The component of a cross product that is the area in a projection.
const Int& component(Projection projection, const IntVec& v) {
  return projection == Projection::AlongX ? v.x : projection == Projection::AlongY ? v.y : v.z;
}

/// The rational point x / w, w > 0.
struct Fraction {
  IntVec x;
  Int w;
};
int compare(const Int& a, const Int& a_w, const Int& b, const Int& b_w) {
  return (a * b_w).compare(b * a_w);
}
int compare(const Fraction& a, const Fraction& b) {
  if (const int x = compare(a.x.x, a.w, b.x.x, b.w); x != 0) return x;
  if (const int y = compare(a.x.y, a.w, b.x.y, b.w); y != 0) return y;
  return compare(a.x.z, a.w, b.x.z, b.w);
}

/// Collects the points that span the intersection; the head of this file lists them.
class Collector {
 public:
  Collector(const Corners& a, const Corners& b) : a_(a), b_(b) {
    lattice_.include_all(a);
    lattice_.include_all(b);
    corners_of(a, b);
    corners_of(b, a);
    passing_edges(a, b);
    passing_edges(b, a);
    crossing_edges();
    std::sort(points_.begin(), points_.end(),
              [](const Fraction& p, const Fraction& q) { return compare(p, q) < 0; });
    const auto same = [](const Fraction& p, const Fraction& q) { return compare(p, q) == 0; };
    points_.erase(std::unique(points_.begin(), points_.end(), same), points_.end());
  }

  /// The points in the order of (x, y, z), without duplicates.
  const std::vector<Fraction>& points() const { return points_; }

  Vec3 rounded(const Fraction& p) const {
    const auto round = [&](const Int& c) { return to_double_ratio(c, p.w, lattice_.exponent()); };
    return {round(p.x.x), round(p.x.y), round(p.x.z)};
  }

  /// Whether the triangles are coplanar and three of the points are not collinear.
  bool has_area() const {
    if (points_.size() < 3) return false;
    bool exact = false;
    for (const Vec3& p : b_) {
      if (orient3d(a_[0], a_[1], a_[2], p, exact) != 0) return false;
    }
    for (const Projection projection : kProjections) {
      if (orient2d(projection, a_[0], a_[1], a_[2], exact) == 0) continue;
      const Fraction& first = points_.front();
      const auto from_first = [&](const Fraction& p) { return first.w * p.x - p.w * first.x; };
      const IntVec along = from_first(points_.back());
      return std::any_of(points_.begin() + 1, points_.end() - 1, [&](const Fraction& p) {
        return !component(projection, cross(along, from_first(p))).is_zero();
      });
    }
    return false;  // triangle a has no area in any projection
  }

 private:
  void corners_of(const Corners& t, const Corners& other) {
    for (const Vec3& p : t) {
      if (edge_intersects_face(p, p, other, exact_)) points_.push_back({to_int(lattice_, p), Int(1)});
    }
  }

  /// Adds the crossing of edge p-q. Precondition: s_p and s_q are not zero and have opposite signs.
  void add(const Vec3& p, const Vec3& q, const Int& s_p, const Int& s_q) {
    GRAZE_ASSERT(s_p.sign() * s_q.sign() < 0);
    const Int at_p = abs(s_q);
    const Int at_q = abs(s_p);
    points_.push_back({at_p * to_int(lattice_, p) + at_q * to_int(lattice_, q), at_p + at_q});
  }

  /// Adds the points where edges of t pass through the other triangle from one side to the other.
  void passing_edges(const Corners& t, const Corners& other) {
    std::array<int, 3> side{};
    for (std::size_t i = 0; i < 3; ++i) side[i] = orient3d(other[0], other[1], other[2], t[i], exact_);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      if (side[i] * side[j] >= 0 || !edge_intersects_face(t[i], t[j], other, exact_)) continue;
      const IntVec origin = to_int(lattice_, other[0]);
      const IntVec normal = cross(to_int(lattice_, other[1]) - origin, to_int(lattice_, other[2]) - origin);
      add(t[i], t[j], dot(normal, to_int(lattice_, t[i]) - origin), dot(normal, to_int(lattice_, t[j]) - origin));
    }
  }

  /// Adds the points where coplanar edges of both triangles cross in their interiors.
  void crossing_edges() {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) cross_edges(a_[i], a_[(i + 1) % 3], b_[j], b_[(j + 1) % 3]);
    }
  }
  void cross_edges(const Vec3& p, const Vec3& q, const Vec3& c, const Vec3& d) {
    if (orient3d(p, q, c, d, exact_) != 0) return;
    for (const Projection projection : kProjections) {
      const int side_p = orient2d(projection, c, d, p, exact_);
      const int side_q = orient2d(projection, c, d, q, exact_);
      const int side_c = orient2d(projection, p, q, c, exact_);
      const int side_d = orient2d(projection, p, q, d, exact_);
      // All sides are zero if the projection maps the plane of the edges to a line.
      if (side_p == 0 && side_q == 0 && side_c == 0 && side_d == 0) continue;
      if (side_p * side_q >= 0 || side_c * side_d >= 0) return;
      const IntVec origin = to_int(lattice_, c);
      const IntVec along = to_int(lattice_, d) - origin;
      const auto side = [&](const Vec3& x) {
        return component(projection, cross(along, to_int(lattice_, x) - origin));
      };
      add(p, q, side(p), side(q));
      return;
    }
  }

  const Corners& a_;
  const Corners& b_;
  Lattice lattice_;
  std::vector<Fraction> points_;
  bool exact_ = false;
};

/// The pair of points with the largest distance, as computed in doubles; of several such pairs, the first in the
/// order of (x, y, z).
std::pair<Vec3, Vec3> farthest(const std::vector<Vec3>& points) {
  double largest = 0.0;
  for (const Vec3& p : points) largest = std::max(largest, max_abs(p));
  int exponent = 0;
  std::frexp(largest, &exponent);
  // Scales coordinates to at most 1, so that squares do not overflow.
  const auto scaled = [&](double x) { return std::ldexp(x, -exponent); };
  std::pair<Vec3, Vec3> best{points.front(), points.front()};
  double best_square = -1.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const Vec3 d = Vec3{scaled(points[j].x), scaled(points[j].y), scaled(points[j].z)} -
                     Vec3{scaled(points[i].x), scaled(points[i].y), scaled(points[i].z)};
      if (const double square = geometry::dot(d, d); square > best_square) {
        best_square = square;
        best = {points[i], points[j]};
      }
    }
  }
  return best;
}

}  // namespace

TriangleContact exact_triangle_contact(const Corners& a, const Corners& b) {
  const Collector common(a, b);
  GRAZE_ASSERT(!common.points().empty());
  std::vector<Vec3> points;
  for (const Fraction& p : common.points()) points.push_back(common.rounded(p));
  TriangleContact contact{points.size() == 1 ? ContactShape::Point : ContactShape::Segment, points.front(),
                          points.back()};
  if (common.has_area()) {
    contact.shape = ContactShape::Area;
    std::tie(contact.p, contact.q) = farthest(points);
  }
  // Rounding may make the x of ordered points equal and so reverse their order in y.
  if (std::tie(contact.q.x, contact.q.y, contact.q.z) < std::tie(contact.p.x, contact.p.y, contact.p.z))
    std::swap(contact.p, contact.q);
  return contact;
}

}  // namespace graze::narrow
