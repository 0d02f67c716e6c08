// Gaps of moving triangles. See the header.
#include "pipeline/moving_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "narrow/closest.hpp"
#include "rigid/moving_boxes.hpp"

namespace graze {

namespace {

using Corners = std::array<Vec3, 3>;

/// The closest points of one pair of features.
struct Nearest {
  Vec3 way;  ///< from a point of a to one of b
  double square = std::numeric_limits<double>::infinity();
  unsigned features = 0;  ///< which pair it is, of 15
};

template <class T, class Kind>
Vec3 from_second_to_first(const std::array<Vec3, 4>& points) {
  const auto x = Kind::closest(narrow::relative_to_first<T>(points)).x;
  return {narrow::to_double(x.x), narrow::to_double(x.y), narrow::to_double(x.z)};
}

/// Measured in T: a vertex of a and the face of b (0 to 2), the other way round (3 to 5), two edges.
template <class T>
Nearest measure(const Corners& a, const Corners& b, unsigned features) {
  Nearest found;
  found.features = features;
  if (features < 3) {
    found.way = -from_second_to_first<T, narrow::VertexFace>({a[features], b[0], b[1], b[2]});
  } else if (features < 6) {
    found.way = from_second_to_first<T, narrow::VertexFace>({b[features - 3], a[0], a[1], a[2]});
  } else {
    const std::size_t i = (features - 6) / 3;
    const std::size_t j = (features - 6) % 3;
    found.way = -from_second_to_first<T, narrow::EdgeEdge>({a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]});
  }
  found.square = dot(found.way, found.way);
  return found;
}

template <class T>
Nearest nearest(const Corners& a, const Corners& b) {
  Nearest best;
  for (unsigned features = 0; features < 15; ++features) {
    const Nearest other = measure<T>(a, b, features);
    if (other.square < best.square) best = other;
  }
  return best;
}

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
  double time = t;
  // Returns whether the direction is a good one: the gap along it is not much less than the distance.
  const auto try_direction = [&](const Nearest& best) {
    const double size = std::sqrt(best.square);
    if (!(size > rigid::kGapMargin)) return true;
    const Vec3 d = ((1.0 - 0x1p-40) / size) * best.way;
    const double bend = length_of_product(d, a.motion->axis()) * in_a.bend +
                        length_of_product(d, b.motion->axis()) * in_b.bend + rigid::kSpeedMargin;
    double least = 2.0;
    double narrowest = size;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const double gap = dot(d, in_b.points[j] - in_a.points[i]) - rigid::kGapMargin;
        if (!(gap > 0.0)) return false;
        const double speed = dot(d, in_a.velocities[i] - in_b.velocities[j]) + rigid::kSpeedMargin;
        least = std::min(least, rigid::time_to_close(gap, speed, bend));
        narrowest = std::min(narrowest, gap);
      }
    }
    time = std::max(time, rigid::time_after(t, least));
    return narrowest > 0.5 * size;
  };
  // A difference of points that are close has lost digits, and a direction that errs by e spoils the gap by e times
  // the size of the triangles; slivers spoil more. Then twice the digits help: for these features, or for all.
  Nearest best = nearest<double>(in_a.points, in_b.points);
  if (!try_direction(best)) {
    best = measure<narrow::DoubleDouble>(in_a.points, in_b.points, best.features);
    if (!try_direction(best)) {
      best = nearest<narrow::DoubleDouble>(in_a.points, in_b.points);
      try_direction(best);
    }
  }
  return {std::sqrt(best.square) * (1.0 + 0x1p-40) + rigid::kGapMargin, time};
}

}  // namespace graze
