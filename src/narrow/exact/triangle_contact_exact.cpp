// See the header.
//
// The common set is convex, and each of its extreme points is all that some face of one triangle (a corner, an
// edge, the triangle) and some face of the other have in common. So it is the hull of: corners of one that lie in
// the other, points where an edge passes through the other triangle, and points where two edges of one plane cross.
// A triangle without area is the hull of its edges, and needs no rule of its own. All are found by exact signs; a
// crossing of the edge p-q is (|s_q| p + |s_p| q) / (|s_p| + |s_q|), s the side of the plane or line it crosses, an
// integer point with a denominator. At most 27 points; a common area can be only in one plane. Constant cost.
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

/// That component of a product of vectors which is the area in a projection.
const Int& component(Projection projection, const IntVec& v) {
  return projection == Projection::AlongX ? v.x : projection == Projection::AlongY ? v.y : v.z;
}

/// x / w, w > 0.
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

/// Finds the points of the head of this file.
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

  /// By (x, y, z), each once.
  const std::vector<Fraction>& points() const { return points_; }

  Vec3 rounded(const Fraction& p) const {
    const auto round = [&](const Int& c) { return to_double_ratio(c, p.w, lattice_.exponent()); };
    return {round(p.x.x), round(p.x.y), round(p.x.z)};
  }

  /// Whether they lie in one plane and three points are not on one line.
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
    return false;  // no area in any projection
  }

 private:
  void corners_of(const Corners& t, const Corners& other) {
    for (const Vec3& p : t) {
      if (edge_intersects_face(p, p, other, exact_)) points_.push_back({to_int(lattice_, p), Int(1)});
    }
  }

  /// s_p, s_q are not zero and have different signs.
  void add(const Vec3& p, const Vec3& q, const Int& s_p, const Int& s_q) {
    GRAZE_ASSERT(s_p.sign() * s_q.sign() < 0);
    const Int at_p = abs(s_q);
    const Int at_q = abs(s_p);
    points_.push_back({at_p * to_int(lattice_, p) + at_q * to_int(lattice_, q), at_p + at_q});
  }

  /// Edges of t that pass from one side of the other triangle to the other.
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

  /// Edges of both that lie in one plane and cross within.
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
      if (side_p == 0 && side_q == 0 && side_c == 0 && side_d == 0) continue;  // seen from the side
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

/// Two of the points that are farthest apart, as far as doubles tell; by (x, y, z), the first such pair.
std::pair<Vec3, Vec3> farthest(const std::vector<Vec3>& points) {
  double largest = 0.0;
  for (const Vec3& p : points) largest = std::max(largest, max_abs(p));
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto scaled = [&](double x) { return std::ldexp(x, -exponent); };  // to 1 at most: squares do not overflow
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
  // Points in order may, rounded, have the same x and the wrong order of y.
  if (std::tie(contact.q.x, contact.q.y, contact.q.z) < std::tie(contact.p.x, contact.p.y, contact.p.z))
    std::swap(contact.p, contact.q);
  return contact;
}

}  // namespace graze::narrow
