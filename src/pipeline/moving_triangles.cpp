// Gaps of moving triangles. See the header.
#include "pipeline/moving_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "narrow/closest.hpp"
#include "narrow/distance.hpp"
#include "rigid/moving_boxes.hpp"

namespace graze {

namespace {

using Corners = std::array<Vec3, 3>;

struct Nearest {
  Vec3 way;  ///< from a point of a to one of b
  double square = std::numeric_limits<double>::infinity();

  void consider(const Vec3& other) {
    const double size = dot(other, other);
    if (size < square) {
      way = other;
      square = size;
    }
  }
};

/// measure(kind, points) is the vector from the closest point of the second feature to that of the first.
template <class Measure>
Nearest nearest(const Corners& a, const Corners& b, const Measure& measure) {
  Nearest best;
  for (std::size_t i = 0; i < 3; ++i) {
    best.consider(-measure(narrow::VertexFace{}, {a[i], b[0], b[1], b[2]}));
    best.consider(measure(narrow::VertexFace{}, {b[i], a[0], a[1], a[2]}));
    for (std::size_t j = 0; j < 3; ++j)
      best.consider(-measure(narrow::EdgeEdge{}, {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]}));
  }
  return best;
}

struct Quick {
  template <class Kind>
  Vec3 operator()(Kind /*kind*/, const std::array<Vec3, 4>& points) const {
    const auto found = Kind::closest(narrow::relative_to_first<double>(points));
    return {found.x.x, found.x.y, found.x.z};
  }
};

/// For slivers, of which doubles see no closest points.
struct Careful {
  Vec3 operator()(narrow::VertexFace /*kind*/, const std::array<Vec3, 4>& p) const {
    const auto& w = narrow::distance_vertex_face_unchecked(p).weights;
    return w[1] * (p[0] - p[1]) + w[2] * (p[0] - p[2]) + w[3] * (p[0] - p[3]);
  }
  Vec3 operator()(narrow::EdgeEdge /*kind*/, const std::array<Vec3, 4>& p) const {
    const auto& w = narrow::distance_edge_edge_unchecked(p).weights;
    return w[0] * (p[0] - p[2]) + w[1] * (p[1] - p[2]) - w[3] * (p[3] - p[2]);
  }
};

struct Moving {
  Corners points;
  Corners velocities;
  double bend;

  Moving(const MovingTriangle& triangle, double t) : bend(triangle.bend) {
    const rigid::Motion::Instant now = triangle.motion->at(t);
    for (std::size_t i = 0; i < 3; ++i) {
      points[i] = now.point(triangle.from_centre[i]);
      velocities[i] = now.velocity(triangle.from_centre[i]);
    }
  }
};

double length_of_product(const Vec3& a, const Vec3& b) {
  const Vec3 c = cross(a, b);
  return std::sqrt(dot(c, c));
}

}  // namespace

MovingTriangle::MovingTriangle(const rigid::Motion& its_motion, const std::array<Vec3, 3>& vertices, double far)
    : motion(&its_motion), from_centre(), bend(0.0) {
  double radius = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    from_centre[i] = motion->from_centre(vertices[i]);
    radius = std::max(radius, motion->radius(from_centre[i]));
  }
  bend = motion->bend(radius + rigid::kPointError, far);
}

TriangleGap triangle_gap(const MovingTriangle& a, const MovingTriangle& b, double t) {
  const Moving in_a(a, t);
  const Moving in_b(b, t);
  const auto until = [&](const Nearest& best) {
    const double size = std::sqrt(best.square);
    if (!(size > rigid::kGapMargin)) return t;
    const Vec3 d = ((1.0 - 0x1p-40) / size) * best.way;
    const double bend = length_of_product(d, a.motion->axis()) * in_a.bend +
                        length_of_product(d, b.motion->axis()) * in_b.bend + rigid::kSpeedMargin;
    double least = 2.0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const double gap = dot(d, in_b.points[j] - in_a.points[i]) - rigid::kGapMargin;
        if (!(gap > 0.0)) return t;
        const double speed = dot(d, in_a.velocities[i] - in_b.velocities[j]) + rigid::kSpeedMargin;
        least = std::min(least, rigid::time_to_close(gap, speed, bend));
      }
    }
    return rigid::time_after(t, least);
  };
  Nearest best = nearest(in_a.points, in_b.points, Quick{});
  double time = until(best);
  if (!(time > t)) {
    best = nearest(in_a.points, in_b.points, Careful{});
    time = until(best);
  }
  return {std::sqrt(best.square) * (1.0 + 0x1p-40) + rigid::kGapMargin, time};
}

}  // namespace graze
