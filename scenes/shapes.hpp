// Building blocks of scenes: a triangle grid, a sphere subdivided from an octahedron, and a sine that is
// bit-identical on every platform. Cost: linear in the generated triangles.
#pragma once

#include <cstddef>
#include <vector>

#include <graze/types.hpp>

namespace graze::scenes {

/// Positions and triangles of one shape.
struct Shape {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};

/// A flat square [-1, 1]^2 at z = 0 of side x side vertices (side >= 2), row by row; diagonals alternate.
Shape make_grid(std::size_t side);

/// A closed unit sphere: an octahedron whose 8 faces are subdivided into levels^2 triangles each (levels >= 1),
/// with vertices projected onto the sphere.
Shape make_sphere(std::size_t levels);

/// sin(2 pi turns) with an error of about 1e-9, from + - * and floor alone: the last bit of libm's sine differs
/// between platforms.
double sin_turns(double turns);
inline double cos_turns(double turns) {
  return sin_turns(turns + 0.25);
}

}  // namespace graze::scenes
