// What the makers of shapes share: counts from sizes, parts put together, and the two parametric surfaces that most
// shapes are: a grid, open or wrapped, and a sphere whose poles are octahedral (no fans of slivers).
//
// Pure, and the same on every platform: + - * / sqrt floor and sin_turns only. Linear in the triangles made.
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

/// The length of a vector. Not graze::length: hypot is not rounded the same everywhere.
inline double norm(const Vec3& a) {
  return std::sqrt(dot(a, a));
}

/// A direction, all equally likely.
inline Vec3 random_unit(Random& random) {
  for (;;) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    const double z = random.uniform(-1.0, 1.0);
    const double length = norm({x, y, z});
    if (length > 0.1 && length < 1.0) return {x / length, y / length, z / length};
  }
}

/// The integer next to x >= 0, at least `least`.
inline std::size_t to_count(double x, std::size_t least = 1) {
  const double whole = std::floor(x + 0.5);
  return whole < static_cast<double>(least) ? least : static_cast<std::size_t>(whole);
}

/// 0 up to x = 0, 1 from x = 1 on, with no slope at either (C1).
inline double smooth_ramp(double x) {
  const double t = x < 0.0 ? 0.0 : (x > 1.0 ? 1.0 : x);
  return t * t * (3.0 - 2.0 * t);
}

/// Appends a part; its ids follow those already there, nothing is welded.
void append(Shape& whole, const Shape& part);

/// Every position replaced by map(position).
void transform(Shape& shape, const std::function<Vec3(const Vec3&)>& map);

/// Turns all triangles inside out.
void flip(Shape& shape);

/// Do the triangles make closed surfaces: every edge in two triangles, once each way, and one fan a vertex?
bool is_closed_manifold(const Shape& shape);

/// A surface of columns x rows cells over (u, v) in [0, 1]^2, two triangles each, diagonals alternating. Where a
/// direction wraps, its last line of vertices is its first. Triangles face along dp/du x dp/dv.
struct GridSize {
  std::size_t columns = 1;
  std::size_t rows = 1;
  bool wrap_u = false;
  bool wrap_v = false;
};
Shape make_patch(const GridSize& size, const std::function<Vec3(double u, double v)>& position);

/// A closed surface of sphere topology about an axis: w in [0, 1] goes from a pole to the first equator, [1, 2]
/// from there to the second, [2, 3] to the other pole; turns in [0, 1) go round. A dome of n rings has 4 n^2
/// triangles, the band between 8 n bands; with no bands the two equators are one. Faces outward where the surface
/// rises with w.
Shape make_capsule_surface(std::size_t rings, std::size_t bands,
                           const std::function<Vec3(double w, double turns)>& position);

/// Calls make(spacing) for spacings that home in on the asked number of triangles (which goes with 1/spacing^2) and
/// gives the nearest result.
Shape fit_spacing(double first_spacing, std::size_t triangles, const std::function<Shape(double spacing)>& make);

}  // namespace graze::scenes::shaping
