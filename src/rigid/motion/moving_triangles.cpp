// Distances and separation times of moving triangles. See the header.
#include "rigid/motion/moving_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "narrow/closest.hpp"
#include "rigid/motion/moving_bounds.hpp"

namespace graze::rigid {

namespace {

using Corners = std::array<Vec3, 3>;

/// The closest points of one pair of features.
struct Nearest {
  Vec3 difference;  ///< from the point on a to the point on b
  double square = std::numeric_limits<double>::infinity();
  unsigned features = 0;  ///< index of the feature pair, 0 to 14
};

template <class T, class Kind>
Vec3 from_second_to_first(const std::array<Vec3, 4>& points) {
  const auto x = Kind::closest(narrow::relative_to_first<T>(points)).x;
  return {narrow::to_double(x.x), narrow::to_double(x.y), narrow::to_double(x.z)};
}

/// Closest points in arithmetic T. Feature pairs 0 to 2: a vertex of a and the face of b; 3 to 5: a vertex of b and
/// the face of a; 6 to 14: two edges.
template <class T>
Nearest measure(const Corners& a, const Corners& b, unsigned features) {
  Nearest found;
  found.features = features;
  if (features < 3) {
    found.difference = -from_second_to_first<T, narrow::VertexFace>({a[features], b[0], b[1], b[2]});
  } else if (features < 6) {
    found.difference = from_second_to_first<T, narrow::VertexFace>({b[features - 3], a[0], a[1], a[2]});
  } else {
    const std::size_t i = (features - 6) / 3;
    const std::size_t j = (features - 6) % 3;
    found.difference = -from_second_to_first<T, narrow::EdgeEdge>({a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]});
  }
  found.square = dot(found.difference, found.difference);
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
  double acceleration_bound;

  Moving(const MovingTriangle& triangle, double t) : acceleration_bound(triangle.acceleration_bound) {
    const Motion::Instant now = triangle.motion->at(t);
    for (std::size_t i = 0; i < 3; ++i) {
      points[i] = now.point(triangle.from_centre[i]);
      velocities[i] = now.velocity(triangle.from_centre[i]);
    }
  }
};

}  // namespace

MovingTriangle::MovingTriangle(const Motion& its_motion, const std::array<Vec3, 3>& vertices, double far)
    : motion(&its_motion), from_centre(), acceleration_bound(0.0) {
  double transverse_speed = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    from_centre[i] = motion->from_centre(vertices[i]);
    transverse_speed = std::max(transverse_speed, motion->transverse_speed(from_centre[i]));
  }
  acceleration_bound = motion->acceleration_bound(transverse_speed + kVelocityError, far);
}

TriangleGap triangle_gap(const MovingTriangle& a, const MovingTriangle& b, double t, double enough,
                         double contact) {
  const Moving in_a(a, t);
  const Moving in_b(b, t);
  double time = t;
  // Returns the smallest gap along a direction from a to b, which may have any length. A positive gap also proves
  // times.
  const auto try_direction = [&](const Vec3& direction, double size) {
    const Vec3 d = ((1.0 - 0x1p-40) / size) * direction;
    std::array<double, 3> at_a;
    std::array<double, 3> at_b;
    for (std::size_t i = 0; i < 3; ++i) {
      at_a[i] = dot(d, in_a.points[i]);
      at_b[i] = dot(d, in_b.points[i]);
    }
    const double narrowest =
        std::min({at_b[0], at_b[1], at_b[2]}) - std::max({at_a[0], at_a[1], at_a[2]}) - kGapMargin;
    if (!(narrowest > 0.0)) return narrowest;
    const double acceleration_bound = length_of_product(d, a.motion->axis()) * in_a.acceleration_bound +
                                      length_of_product(d, b.motion->axis()) * in_b.acceleration_bound +
                                      kSpeedMargin;
    double least = 2.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double speed = dot(d, in_a.velocities[i]) + kSpeedMargin;
      for (std::size_t j = 0; j < 3; ++j) {
        const double gap = at_b[j] - at_a[i] - kGapMargin;
        least = std::min(least, time_to_close(gap, speed - dot(d, in_b.velocities[j]), acceleration_bound));
      }
    }
    time = std::max(time, time_after(t, least));
    return narrowest;
  };
  // Most pairs stay separated along a face normal for long: their distance need not be measured.
  for (const Corners* face : {&in_a.points, &in_b.points}) {
    const Vec3 normal = cross((*face)[1] - (*face)[0], (*face)[2] - (*face)[0]);
    const double size = std::sqrt(dot(normal, normal));
    if (!(size > 0x1p-400)) continue;
    const bool ahead = dot(normal, in_b.points[0] - in_a.points[0]) > 0.0;
    try_direction(ahead ? normal : -normal, size);
    if (time >= enough) return {std::numeric_limits<double>::infinity(), time};
  }
  // Whether the direction is good, i.e. the gap along it is not much smaller than the distance.
  const auto try_nearest = [&](const Nearest& found) {
    const double size = std::sqrt(found.square);
    return !(size > kGapMargin) || try_direction(found.difference, size) > 0.5 * size;
  };
  // The difference of close points has lost digits, a direction with error e reduces the gap by e times the size of
  // the triangles, and slivers are worse. Twice the digits then help: first for this feature pair, then for all of
  // them.
  Nearest best = nearest<double>(in_a.points, in_b.points);
  if (!try_nearest(best) && best.square > contact * contact) {
    best = measure<narrow::DoubleDouble>(in_a.points, in_b.points, best.features);
    if (!try_nearest(best)) {
      best = nearest<narrow::DoubleDouble>(in_a.points, in_b.points);
      try_nearest(best);
    }
  }
  return {std::sqrt(best.square) * (1.0 + 0x1p-40) + kGapMargin, time};
}

}  // namespace graze::rigid
