// Soups, motions and plain measurements for tests of continuous rigid queries: independent of the library, in plain
// doubles where rounding does not matter.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <graze/elementary.hpp>
#include <graze/rigid.hpp>

#include "geometry/vec.hpp"

namespace graze::motions {

using namespace core;
using namespace geometry;

struct Soup {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  [[nodiscard]] RigidObject object() const { return {positions, triangles}; }
  [[nodiscard]] std::array<Vec3, 3> posed_triangle(const Pose& pose, TriangleId triangle) const {
    const auto& [i, j, k] = triangles[triangle];
    return {posed(pose, positions[i]), posed(pose, positions[j]), posed(pose, positions[k])};
  }
};

inline Soup box(const Vec3& lo, const Vec3& hi) {
  Soup soup;
  for (unsigned i = 0; i < 8; ++i)
    soup.positions.push_back(
        {(i & 1U) != 0 ? hi.x : lo.x, (i & 2U) != 0 ? hi.y : lo.y, (i & 4U) != 0 ? hi.z : lo.z});
  soup.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
  return soup;
}

/// A sphere about the origin with `rings` rings and twice as many sectors.
inline Soup ball(double radius, unsigned rings) {
  Soup soup;
  const unsigned sectors = 2 * rings;
  const double pi = std::acos(-1.0);
  for (unsigned i = 0; i <= rings; ++i) {
    for (unsigned j = 0; j < sectors; ++j) {
      const double down = pi * i / rings;
      const double round = 2.0 * pi * j / sectors;
      soup.positions.push_back({radius * std::sin(down) * std::cos(round),
                                radius * std::sin(down) * std::sin(round), radius * std::cos(down)});
    }
  }
  for (unsigned i = 0; i < rings; ++i) {
    for (unsigned j = 0; j < sectors; ++j) {
      const unsigned next = (j + 1) % sectors;
      soup.triangles.push_back({i * sectors + j, (i + 1) * sectors + j, (i + 1) * sectors + next});
      soup.triangles.push_back({i * sectors + j, (i + 1) * sectors + next, i * sectors + next});
    }
  }
  return soup;
}

using Random = std::mt19937_64;

inline double between(Random& random, double lo, double hi) {
  return lo + (hi - lo) * static_cast<double>(random() >> 11U) * 0x1p-53;
}
inline Vec3 random_point(Random& random, double size) {
  return {between(random, -size, size), between(random, -size, size), between(random, -size, size)};
}

/// `count` triangles of about the size `edge` within a cube of half side 1; some are segments or points.
inline Soup random_soup(Random& random, unsigned count, double edge) {
  Soup soup;
  for (VertexId i = 0; i < count; ++i) {
    const Vec3 middle = random_point(random, 1.0);
    for (unsigned k = 0; k < 3; ++k) soup.positions.push_back(middle + random_point(random, edge));
    const VertexId first = 3 * i;
    if (i % 7 == 6) soup.positions[first + 1] = soup.positions[first];
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

inline Pose random_pose(Random& random, double angle, double far) {
  return pose_from_axis_angle(random_point(random, 1.0) + Vec3{1e-3, 0, 0}, between(random, -angle, angle),
                              random_point(random, far));
}

/// The distance of two triangles that do not intersect.
inline double distance(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min(least, distance_vertex_face({a[i], b[0], b[1], b[2]}).distance);
    least = std::min(least, distance_vertex_face({b[i], a[0], a[1], a[2]}).distance);
    for (std::size_t j = 0; j < 3; ++j)
      least = std::min(least, distance_edge_edge({a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]}).distance);
  }
  return least;
}

}  // namespace graze::motions
