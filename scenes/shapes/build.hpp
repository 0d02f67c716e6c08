// Helpers shared by the shape generators: counts from sizes, assembly of parts, and the two parametric surfaces
// that most shapes consist of: a grid, open or periodic, and a sphere with octahedral poles (no fans of slivers).
//
// Pure functions, bit-identical on every platform: + - * / sqrt floor and sin_turns only. Cost: linear in the
// generated triangles.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>

#include <graze/types.hpp>

#include "geometry/vec.hpp"
#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {
using namespace geometry;
}  // namespace graze::scenes

namespace graze::scenes::shaping {

/// Length of a vector. Not geometry::length: hypot is rounded differently on different platforms.
inline double norm(const Vec3& a) {
  return std::sqrt(dot(a, a));
}

/// Uniformly distributed random direction.
inline Vec3 random_unit(Random& random) {
  for (;;) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    const double z = random.uniform(-1.0, 1.0);
    const double length = norm({x, y, z});
    if (length > 0.1 && length < 1.0) return {x / length, y / length, z / length};
  }
}

/// Rounds x >= 0 to the nearest integer; at least `least`.
inline std::size_t to_count(double x, std::size_t least = 1) {
  const double whole = std::floor(x + 0.5);
  return whole < static_cast<double>(least) ? least : static_cast<std::size_t>(whole);
}

/// Ramp from 0 at x <= 0 to 1 at x >= 1, with zero slope at both ends (C1).
inline double smooth_ramp(double x) {
  const double t = x < 0.0 ? 0.0 : (x > 1.0 ? 1.0 : x);
  return t * t * (3.0 - 2.0 * t);
}

/// Appends a part; its ids follow the existing ones, and no vertices are merged.
void append(Shape& whole, const Shape& part);

/// Replaces every position by map(position).
void transform(Shape& shape, const std::function<Vec3(const Vec3&)>& map);

/// Reverses the orientation of all triangles.
void flip(Shape& shape);

/// Whether the triangles form closed surfaces: every edge is in two triangles, once in each direction, and every
/// vertex has one fan.
bool is_closed_manifold(const Shape& shape);

/// A surface of columns x rows cells over (u, v) in [0, 1]^2, two triangles each, with alternating diagonals. In a
/// periodic direction the last line of vertices is the first one. Triangles face along dp/du x dp/dv.
struct GridSize {
  std::size_t columns = 1;
  std::size_t rows = 1;
  bool wrap_u = false;
  bool wrap_v = false;
};
Shape make_patch(const GridSize& size, const std::function<Vec3(double u, double v)>& position);

/// A closed surface of sphere topology about an axis: w in [0, 1] goes from a pole to the first equator, [1, 2]
/// from there to the second, [2, 3] to the other pole; turns in [0, 1) go round the axis. A dome of n rings has 4
/// n^2 triangles, the band between them 8 n bands; with no bands the two equators coincide. Faces outward where the
/// surface rises with w.
Shape make_capsule_surface(std::size_t rings, std::size_t bands,
                           const std::function<Vec3(double w, double turns)>& position);

/// Calls make(spacing) for spacings that converge to the requested number of triangles (proportional to
/// 1/spacing^2) and returns the closest result.
Shape fit_spacing(double first_spacing, std::size_t triangles, const std::function<Shape(double spacing)>& make);

}  // namespace graze::scenes::shaping
